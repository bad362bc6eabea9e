package import WhereaboutsModel

/// A fence event with the status of its report, for printing.
@dynamicMemberLookup
package struct ReportedFenceEvent: Hashable, Sendable {
  /// The status of a report.
  package enum ReportStatus: String, Hashable, Sendable, Codable {
    /// The event was not reported before.
    case new
    /// The event was reported before, or may have been, because the process ended during the report.
    case again
    /// A late fix has changed the event.
    case revised
    /// A late fix has disproved the event.
    case revoked
  }

  /// The event, under the id shared by all of its reports. Later events have greater ids.
  package var event: FenceEvent
  package var status = ReportStatus.new

  /// Creates the report of an event.
  ///
  /// - Parameter id: the id of the report; `nil` keeps the event's own number.
  init(_ event: FenceEvent, id: UInt64? = nil, status: ReportStatus = .new) {
    var event = event
    if let id { event.id = FenceEvent.ID(id) }
    // No time is accurate to better than a millisecond.
    event.time = event.time.roundedToMilliseconds
    event.lastBefore = event.lastBefore?.roundedToMilliseconds
    event.firstAfter = event.firstAfter.roundedToMilliseconds
    self.event = event
    self.status = status
  }

  package subscript<Value>(dynamicMember member: KeyPath<FenceEvent, Value>) -> Value {
    event[keyPath: member]
  }

  /// The number of the event's id.
  package var id: UInt64 { event.id.number }

  /// The last fix before the event, if no fix saw the event itself.
  package var lastSeen: UTCTime? { event.manner == .unseen ? event.lastBefore : nil }

  /// Seconds from the event to its decision.
  package var latency: Double { event.decided.seconds(since: event.time) }
}

extension UTCTime {
  /// The time rounded to the nearest millisecond.
  fileprivate var roundedToMilliseconds: UTCTime {
    let (whole, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000)
    let step: Int64 = rest >= 500_000 ? 1 : rest <= -500_000 ? -1 : 0
    return UTCTime(nanosecondsSince1970: (whole + step) * 1_000_000)
  }
}
