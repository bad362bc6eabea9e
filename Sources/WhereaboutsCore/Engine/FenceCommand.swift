/// What an engine is told about its fences.
public enum FenceCommand: Hashable, Sendable, Codable {
  /// Watch these too. One whose id is taken is refused by itself, with ``Decision/fenceRefused(_:_:)``.
  case add([Fence])
  /// These take the place of those of their ids, or are added. With another area a fence begins anew.
  case update([Fence])
  /// Watch these no more. Unknown ids are harmless.
  case remove([FenceID])
  /// Watch none any more.
  case removeAll
}
