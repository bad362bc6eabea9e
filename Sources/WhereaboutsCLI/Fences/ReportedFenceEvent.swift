import WhereaboutsModel
import WhereaboutsGeodesy

/// A fence event as reported: printed, and kept in a store.
struct ReportedFenceEvent: Hashable, Sendable {
  /// The status of a report.
  enum ReportStatus: String, Hashable, Sendable, Codable {
    /// The event was not reported before.
    case new
    /// The event was reported before, or may have been, because the process ended during the report.
    case again
    /// A late fix has changed the event.
    case revised
    /// A late fix has disproved the event.
    case revoked
  }

  /// The id shared by all reports of one event. Later events have greater ids.
  var id: UInt64
  var fence: FenceID
  var kind: FenceEvent.Kind
  var manner: FenceEvent.Manner
  /// The time of the event.
  var time: UTCTime
  /// The uncertainty of `time`, in seconds.
  var uncertainty: Double
  /// The time of the fix that settled the event.
  var decided: UTCTime
  /// The position of the event.
  var place: Coordinate
  /// The probability of the event, in [0.5, 1].
  var confidence: Double
  /// The time between the first evidence and the decision.
  var pendingDuration: Duration
  /// The last fix before the event, if no fix saw the event itself.
  var lastSeen: UTCTime?
  /// The time of the first fix after the event.
  var firstSeen: UTCTime
  var status = ReportStatus.new

  /// Creates the report of an event.
  ///
  /// - Parameter id: the id of the report; `nil` keeps the event's own number.
  init(_ event: FenceEvent, id: UInt64? = nil, status: ReportStatus = .new) {
    self.id = id ?? event.id.number
    fence = event.fence
    kind = event.kind
    manner = event.manner
    // No time is accurate to better than a millisecond.
    time = event.time.roundedToMilliseconds
    uncertainty = event.timeUncertainty
    decided = event.decided
    place = event.place
    confidence = event.confidence
    pendingDuration = event.pending
    lastSeen = event.manner == .unseen ? event.lastBefore?.roundedToMilliseconds : nil
    firstSeen = event.firstAfter.roundedToMilliseconds
    self.status = status
  }

  /// Seconds from the event to its decision.
  var latency: Double { decided.seconds(since: time) }
}

extension UTCTime {
  /// The time rounded to the nearest millisecond.
  fileprivate var roundedToMilliseconds: UTCTime {
    let (whole, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000)
    let step: Int64 = rest >= 500_000 ? 1 : rest <= -500_000 ? -1 : 0
    return UTCTime(nanosecondsSince1970: (whole + step) * 1_000_000)
  }
}
