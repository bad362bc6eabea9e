public import WhereaboutsModel

/// A command to the engine about its fences.
public enum FenceCommand: Hashable, Sendable, Codable {
  /// Adds fences. A fence whose id is taken is refused alone, with `Decision/fenceRefused(_:_:)`.
  case add([Fence])
  /// Replaces the fences of the same ids, or adds them. A fence with a different area begins anew.
  case update([Fence])
  /// Removes fences. Unknown ids are harmless.
  case remove([FenceID])
  /// Removes all fences.
  case removeAll
  /// Watches the fences of a registry, instead of the present ones, without copying it: several engines may share one.
  /// A fence with the same serial as before continues. The owner of the registry stores its fences; the engine's store
  /// isn't notified.
  case share(FenceRegistry)
}
