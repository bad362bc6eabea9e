public import WhereaboutsCore

/// All that a store has of a device and an engine needs to go on.
public struct DeviceRecord: Sendable {
  /// The last state that was kept; `nil` where there is none.
  public var snapshot: EngineSnapshot?
  /// The fences as of the snapshot, in the order of their numbers.
  public var fences: [FenceChange.Entry] = []
  /// The number of the area that came last.
  public var lastSerial: UInt64 = 0
  /// What others have done to the fences since, in order; to be taken over.
  public var edits: [FenceEdit] = []
  /// The fixes that came after the snapshot, in the order in which they were taken.
  public var since: [SeenFix] = []
  /// The last fix that was used; `nil` where there was none.
  public var lastFix: SeenFix?
  /// Until when everything that was due has been told.
  public var passed: UTCTime?
  /// What was told last of fences, the oldest first: the newest ``Fences/remembered``.
  public var notes: [NumberedNote] = []
  /// The id of the event that was told last, 0 where there was none.
  public var lastEvent: UInt64 = 0
  /// The number of the note that was told last, 0 where there was none.
  public var lastNote: UInt64 = 0
  /// Trips that have not ended.
  public var openTrips: [Trip] = []
  /// The spell of the receiver with the greatest number; `nil` where there is none.
  public var lastSpell: ReceiverSpell?

  /// Of a device that nothing is known of.
  public init() {}
}

/// What somebody else has done to the fences of a device while its engine may have been running.
public struct FenceEdit: Hashable, Sendable {
  /// What was done.
  public enum Change: Hashable, Sendable {
    /// This fence takes the place of that of its id, or is added.
    case set(Fence)
    /// It is watched no more.
    case removed(FenceID)
  }

  /// From 1; grows.
  public var number: UInt64
  /// What was done.
  public var change: Change

  /// An edit.
  public init(number: UInt64, change: Change) {
    self.number = number
    self.change = change
  }
}
