public import WhereaboutsModel

/// The results of an engine's inputs that must survive the process, besides fence events. Drain and store them after
/// each input.
public struct PendingPersistence: Hashable, Sendable {
  /// The arrived fix, if it is evidence of the device's place; `nil` otherwise.
  public var fix: LoggedFix?
  /// The settled gaps of trips.
  public var gaps: [Trip.Gap] = []
  /// The trips that have ended.
  public var endedTrips: [Trip] = []
  /// The fences that have ended, after their one event or at their expiry.
  package var endedFences: [FenceRegistry.Entry] = []
  /// The receiver usages that ended or began, in order. An open usage appears when it begins, and again when it has
  /// ended.
  public var receiverUsages: [ReceiverUsage] = []
  /// Whether state has changed that can't be derived from the fixes: a new ``Engine/snapshot`` must be stored before
  /// the next fix is.
  public var isSnapshotStale = false
  /// Whether the stale snapshot must be stored although no fix is: a later process would not derive its state from the
  /// stored fixes and the fences of that time.
  package var isSnapshotUrgent = false

  /// Creates an empty value.
  public init() {}
}
