public import WhereaboutsGeodesy

/// Something that happened at a fence, once.
public struct FenceEvent: Hashable, Sendable, Identifiable {
  /// Names one event of one device for good. Ids grow in the order in which events are told.
  public struct ID: Hashable, Sendable, Codable, Comparable {
    /// The number of the event, from 1.
    public let number: UInt64
    /// The event of that number.
    public init(_ number: UInt64) { self.number = number }
    /// Which was told first.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
  }

  /// What happened.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The device came in.
    case enter
    /// The device went out.
    case exit
    /// The device has been inside for as long as ``FenceTerms/dwell`` says.
    case dwell
  }

  /// How it is known.
  public enum Manner: String, Hashable, Sendable, Codable {
    /// Fixes on both sides of the boundary, one after the other.
    case crossed
    /// The way between two fixes goes through: they are told as two events.
    case passedThrough
    /// Nobody looked for a while: it happened at some time between.
    case unseen
    /// The first determination, where that was asked for; nothing was crossed.
    case initial
    /// The device stayed.
    case stayed
  }

  /// The event's name; the same again where an event is repeated or revised.
  public var id: ID
  /// Whose boundary.
  public var fence: FenceID
  /// What happened.
  public var kind: Kind
  /// How it is known.
  public var manner: Manner
  /// When the boundary was crossed, worked out on the way between fixes; of a stay, when it had been long enough.
  public var time: UTCTime
  /// Seconds by which ``time`` may be off, at 68 %.
  public var timeUncertainty: Double
  /// When the device was last known to be on the side it left; `nil` where it never was.
  public var lastBefore: UTCTime?
  /// When the device was first known to be on the side it came to.
  public var firstAfter: UTCTime
  /// Where the boundary was crossed, as far as known.
  public var place: Coordinate
  /// How probable it is that the device is on that side, in [0.5, 1].
  public var confidence: Double
  /// The fix that settled it; ``decided`` is its time.
  public var decidedBy: Fix
  /// When it was settled, by the time of fixes; not before ``time`` but by the uncertainty of that.
  public var decided: UTCTime
  /// How long it had been likely before it was sure enough.
  public var pending: Duration

  /// An event of a fence.
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
