/// All fences and the state of one device towards them at one moment: the state that must outlive a process.
///
/// A watch restored in another process continues without a gap, except for the time in which no fix arrived.
public struct FenceSnapshot: Hashable, Sendable, Codable {
  /// The fences.
  public let registry: FenceRegistry
  /// The state of the device towards the fences.
  public let watch: FenceWatch
  /// The regions that the platform watches; `nil` where it watches none.
  package let wakePlanner: WakePlanner?

  /// Creates a snapshot of a registry and a watch.
  public init(_ registry: FenceRegistry, _ watch: FenceWatch) {
    self.registry = registry
    self.watch = watch
    wakePlanner = nil
  }

  package init(_ registry: FenceRegistry, _ watch: FenceWatch, wakePlanner: WakePlanner?) {
    self.registry = registry
    self.watch = watch
    self.wakePlanner = wakePlanner
  }
}
