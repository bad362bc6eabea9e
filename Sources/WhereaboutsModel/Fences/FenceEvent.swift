public import WhereaboutsGeodesy

/// An event at a fence.
public struct FenceEvent: Hashable, Sendable, Identifiable {
  /// The permanent id of an event of one device. Ids grow in the order of reporting, except for those beyond 2⁵²: of
  /// events that a manager reported before it could load its store.
  public struct ID: Hashable, Sendable, Codable, Comparable {
    /// The number of the event, from 1.
    public let number: UInt64
    /// Creates the id of a number.
    public init(_ number: UInt64) { self.number = number }
    /// Returns whether the left event was reported first.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
  }

  /// The kind of an event.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The device entered.
    case enter
    /// The device left.
    case exit
    /// The device has been inside for ``FenceTerms/dwell``.
    case dwell
  }

  /// The kind of evidence behind an event.
  public enum Manner: String, Hashable, Sendable, Codable {
    /// Consecutive fixes lie on both sides of the boundary.
    case crossed
    /// The path between two fixes leads through the fence; reported as two events.
    case passedThrough
    /// The crossing happened at an unknown moment during a gap without fixes.
    case unseen
    /// The side was determined for the first time and reported on request; nothing was crossed.
    case initial
    /// The device stayed.
    case stayed
  }

  /// The event's id, unchanged if the event is repeated or revised.
  public var id: ID
  /// The id of the fence.
  public var fence: FenceID
  /// The kind of the event.
  public var kind: Kind
  /// The kind of evidence.
  public var manner: Manner
  /// The time of the crossing, interpolated on the path between fixes; for a stay, the time at which the stay became
  /// long enough.
  public var time: UTCTime
  /// The uncertainty of ``time`` in seconds, at 68 %.
  public var timeUncertainty: Double
  /// The last time at which the device was certainly on its previous side; `nil` if never.
  public var lastBefore: UTCTime?
  /// The first time at which the device was certainly on its new side.
  public var firstAfter: UTCTime
  /// The estimated place of the crossing.
  public var place: Coordinate
  /// The probability that the device is on its new side, in [0.5, 1].
  public var confidence: Double
  /// The fix that settled the event; its time is ``decided``.
  public var decidedBy: Fix
  /// The time of the fix that settled the event, not before ``time`` except within ``timeUncertainty``.
  public var decided: UTCTime
  /// The time for which the crossing was likely before it became certain.
  public var pending: Duration

  /// Creates an event of a fence.
  public init(
    id: ID, fence: FenceID, kind: Kind, manner: Manner, time: UTCTime, timeUncertainty: Double,
    lastBefore: UTCTime?, firstAfter: UTCTime, place: Coordinate, confidence: Double, decidedBy: Fix,
    decided: UTCTime, pending: Duration
  ) {
    self.id = id
    self.fence = fence
    self.kind = kind
    self.manner = manner
    self.time = time
    self.timeUncertainty = timeUncertainty
    self.lastBefore = lastBefore
    self.firstAfter = firstAfter
    self.place = place
    self.confidence = confidence
    self.decidedBy = decidedBy
    self.decided = decided
    self.pending = pending
  }
}
