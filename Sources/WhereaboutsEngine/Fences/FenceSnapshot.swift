import WhereaboutsModel

/// All fences and the state of one device towards them at one moment: the state that must outlive a process.
///
/// A watch restored in another process continues without a gap, except for the time in which no fix arrived.
public struct FenceSnapshot: Hashable, Sendable, Codable {
  /// The fences.
  public let registry: FenceRegistry
  /// The state of the device towards the fences.
  public let watch: FenceWatch
  /// The serial of the newest area that the watch knows: later fences were added since. `nil` where it knows all.
  let knownSerial: UInt64?
  /// The fences of the events that waited, as they were; `nil` if none waited, and in older stored states.
  let waitingFences: FenceRegistry?
  /// The regions that the platform watches; `nil` where it watches none.
  package let wakePlanner: WakePlanner?

  /// Creates a snapshot of a registry and a watch.
  public init(_ registry: FenceRegistry, _ watch: FenceWatch) {
    self.registry = registry
    self.watch = watch
    knownSerial = nil
    waitingFences = nil
    wakePlanner = nil
  }

  package init(
    _ registry: FenceRegistry, _ watch: FenceWatch, knownSerial: UInt64? = nil,
    waitingFences: FenceRegistry? = nil, wakePlanner: WakePlanner?
  ) {
    self.registry = registry
    self.watch = watch
    self.knownSerial = knownSerial
    self.waitingFences = waitingFences
    self.wakePlanner = wakePlanner
  }

  /// Whether fences were added that the watch does not know.
  var hasNewFences: Bool { knownSerial.map { $0 < registry.lastSerial } ?? false }

  /// The fences that the watch knows. A fence that has moved since is left out, or is as it was if its event waits.
  var knownFences: FenceRegistry {
    guard let knownSerial else { return registry }
    var known = registry.withoutAreas(after: knownSerial)
    for entry in waitingFences?.entriesBySerial ?? [] {
      guard let new = registry.fenceWithSerial(entry.fence.id), new.serial > knownSerial else { continue }
      known.insert(entry.fence, serial: entry.serial)
    }
    return known
  }
}
