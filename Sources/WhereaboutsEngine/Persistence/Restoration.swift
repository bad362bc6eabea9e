public import WhereaboutsModel

/// The stored state from which an engine resumes the work of another process.
///
/// A restoration holds the state of a moment, and the fixes processed after it. Replaying the fixes leads to the
/// state in which the other engine ended. Events that were reported before are not reported again.
public struct Restoration: Hashable, Sendable, Codable {
  /// The fences and their observations; `nil` where there were none.
  public var fences: FenceSnapshot?
  /// The counts under names; a tracker of such a name resumes its count.
  public var trips: [TripSnapshot]
  /// The fixes that were processed after the snapshot, in the order of processing.
  public var since: [LoggedFix]
  /// The time up to which all due events had been reported, by the clock of the fixes; `nil` where unknown.
  public var passed: UTCTime?
  /// The last reported event; `nil` where there was none.
  public var lastEvent: FenceEvent.ID?
  /// The last fix that was used; `nil` where there was none. Its age includes the time between the processes.
  public var lastFix: Fix?
  /// The last receiver usage; `nil` where there was none. Later ones have greater numbers.
  public var lastReceiverUsage: ReceiverUsage?
  /// The changes of the fences by other processes since, which apply before anything becomes due; `nil` where there
  /// were none.
  package var edits: [FenceCommand]?

  /// Whether the device rested if no fix arrived between the processes: a phone sends nothing to its server while it
  /// rests, and its stays go on. Otherwise, and if `nil`, stays wait for the next fix.
  package var silenceIsRest: Bool?

  /// Creates a restoration.
  public init(
    fences: FenceSnapshot? = nil, trips: [TripSnapshot] = [], since: [LoggedFix] = [], passed: UTCTime? = nil,
    lastEvent: FenceEvent.ID? = nil, lastFix: Fix? = nil,
    lastReceiverUsage: ReceiverUsage? = nil
  ) {
    self.fences = fences
    self.trips = trips
    self.since = since
    self.passed = passed
    self.lastEvent = lastEvent
    self.lastFix = lastFix
    self.lastReceiverUsage = lastReceiverUsage
  }

  /// Whether there is no stored state.
  public var isEmpty: Bool {
    fences == nil && trips.isEmpty && since.isEmpty && passed == nil && lastEvent == nil && lastFix == nil
      && lastReceiverUsage == nil
  }
}
