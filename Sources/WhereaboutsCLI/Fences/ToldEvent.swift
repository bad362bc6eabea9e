import WhereaboutsCore
import WhereaboutsGeodesy

/// An event of a fence as it is told: what is printed, and what a store keeps.
struct ToldEvent: Hashable, Sendable {
  /// What telling it means.
  enum News: String, Hashable, Sendable, Codable {
    /// It was not told before.
    case new
    /// It was told before, or may have been: the process ended while it was told.
    case again
    /// A fix that came late has changed it.
    case revised
    /// A fix that came late has shown that it did not happen.
    case revoked
  }

  /// The same for all that is told of one event, and growing from event to event.
  var id: UInt64
  var fence: FenceID
  var kind: FenceEvent.Kind
  var manner: FenceEvent.Manner
  /// When it happened.
  var time: UTCTime
  /// Seconds by which the time may be off.
  var uncertainty: Double
  /// When it was settled.
  var decided: UTCTime
  /// Where.
  var place: Coordinate
  /// In [0.5, 1].
  var confidence: Double
  /// How long it had been likely.
  var pending: Duration
  /// When the device was last seen before it, where nobody looked when it happened.
  var lastSeen: UTCTime?
  /// When the device was first seen after it.
  var firstSeen: UTCTime
  var news = News.new

  /// What is told of an event.
  ///
  /// - Parameter id: where its number is another than the watch gave it.
  init(_ event: FenceEvent, id: UInt64? = nil, news: News = .new) {
    self.id = id ?? event.id.number
    fence = event.fence
    kind = event.kind
    manner = event.manner
    // Nothing is known to better than a millisecond.
    time = event.time.inMilliseconds
    uncertainty = event.timeUncertainty
    decided = event.decided
    place = event.place
    confidence = event.confidence
    pending = event.pending
    lastSeen = event.manner == .unseen ? event.lastBefore?.inMilliseconds : nil
    firstSeen = event.firstAfter.inMilliseconds
    self.news = news
  }

  /// Seconds from when it happened until it was settled.
  var latency: Double { decided.seconds(since: time) }
}

extension UTCTime {
  /// The nearest whole millisecond.
  fileprivate var inMilliseconds: UTCTime {
    let (whole, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000)
    let step: Int64 = rest >= 500_000 ? 1 : rest <= -500_000 ? -1 : 0
    return UTCTime(nanosecondsSince1970: (whole + step) * 1_000_000)
  }
}
