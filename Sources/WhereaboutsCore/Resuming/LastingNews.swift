/// What of an engine's inputs must outlive the process, besides events at fences; to be taken after each input.
public struct LastingNews: Hashable, Sendable {
  /// The fix that came, if one did that says anything of where the device is.
  public var fix: SeenFix?
  /// Gaps of trips that were settled.
  public var gaps: [TripGap] = []
  /// Trips that are over.
  public var ended: [Trip] = []
  /// Spells of the receiver that ended or began, in order; one that goes on is here when it begins, and again when it has
  /// ended.
  public var spells: [ReceiverSpell] = []
  /// Whether something has changed that can't be found out again from the fixes: a new ``Engine/snapshot`` must be kept
  /// before the next fix is.
  public var isSnapshotOld = false

  /// Nothing.
  public init() {}
}
