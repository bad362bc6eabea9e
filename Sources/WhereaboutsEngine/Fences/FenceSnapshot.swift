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
  /// The regions that the platform watches; `nil` where it watches none.
  package let wakePlanner: WakePlanner?

  /// Creates a snapshot of a registry and a watch.
  public init(_ registry: FenceRegistry, _ watch: FenceWatch) {
    self.registry = registry
    self.watch = watch
    knownSerial = nil
    wakePlanner = nil
  }

  package init(
    _ registry: FenceRegistry, _ watch: FenceWatch, knownSerial: UInt64? = nil, wakePlanner: WakePlanner?
  ) {
    self.registry = registry
    self.watch = watch
    self.knownSerial = knownSerial
    self.wakePlanner = wakePlanner
  }

  /// Whether fences were added that the watch does not know.
  var hasNewFences: Bool { knownSerial.map { $0 < registry.lastSerial } ?? false }

  /// The fences that the watch knows.
  var knownFences: FenceRegistry { knownSerial.map { registry.withoutAreas(after: $0) } ?? registry }
}
