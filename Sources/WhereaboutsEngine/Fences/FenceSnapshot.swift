/// All fences and the state of one device towards them at one moment: the state that must outlive a process.
///
/// A watch restored in another process continues without a gap, except for the time in which no fix arrived.
public struct FenceSnapshot: Hashable, Sendable, Codable {
  /// The fences.
  public let registry: FenceRegistry
  /// The state of the device towards the fences.
  public let watch: FenceWatch

  /// Creates a snapshot of a registry and a watch.
  public init(_ registry: FenceRegistry, _ watch: FenceWatch) {
    self.registry = registry
    self.watch = watch
  }
}
