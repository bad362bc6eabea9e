public import WhereaboutsCore

/// What became of one input and is to be kept, as one: all of it or nothing.
public struct StoreCommit: Sendable {
  /// How sure what was written must be when it is said to be.
  public enum Durability: Hashable, Sendable {
    /// It outlives the process, however that ends; a power cut may cost what came within the store's bound.
    case process
    /// It outlives a power cut.
    case power
  }

  /// Whose.
  public var device: DeviceID
  /// Fixes, in the order in which they were taken.
  public var fixes: [SeenFix] = []
  /// What happened at fences, each with its number, which grows by one from note to note of a device.
  public var notes: [NumberedNote] = []
  /// Until when, by the clock of the fixes, everything that was due has been told; `nil` where that is not news.
  public var passed: UTCTime?
  /// What changed of the fences.
  public var fences = FenceChange()
  /// Trips that began, went on or ended.
  public var trips: [Trip] = []
  /// Gaps of trips; one that is there already is replaced.
  public var gaps: [TripGap] = []
  /// Spells of the receiver that began, went on or ended; one of a number that is there already is replaced.
  public var spells: [ReceiverSpell] = []
  /// The state of the engine after all fixes up to and including these; `nil` where the one before will do.
  public var snapshot: EngineSnapshot?
  /// Edits of others up to this number have been taken over.
  public var editsTaken: UInt64?
  /// How sure it must be.
  public var durability: Durability = .process

  /// Nothing yet.
  public init(device: DeviceID) { self.device = device }
}

/// What changed of a device's fences. First all are removed if that is so, then some, then others are set.
public struct FenceChange: Hashable, Sendable {
  /// A fence, and the number of its area; see ``FenceBook``.
  public struct Entry: Hashable, Sendable {
    /// The fence.
    public var fence: Fence
    /// The number of its area.
    public var serial: UInt64

    /// A fence with the number of its area.
    public init(_ fence: Fence, serial: UInt64) {
      self.fence = fence
      self.serial = serial
    }
  }

  /// Whether all are gone that were there.
  public var removesAll = false
  /// Those that are gone.
  public var removed: [FenceID] = []
  /// Those that are new or otherwise than before.
  public var set: [Entry] = []
  /// The number of the area that came last, which may be gone; `nil` where nothing came.
  public var lastSerial: UInt64?

  /// No change.
  public init() {}

  /// Whether nothing changed.
  public var isEmpty: Bool { !removesAll && removed.isEmpty && set.isEmpty && lastSerial == nil }
}

/// Something that happened at fences, in its place in the order in which a device's are told.
public struct NumberedNote: Hashable, Sendable {
  /// From 1; grows by one.
  public var number: UInt64
  /// What happened: an event, its revision, or that a fence is over.
  public var note: FenceNote

  /// A note with its number.
  public init(number: UInt64, note: FenceNote) {
    self.number = number
    self.note = note
  }
}
