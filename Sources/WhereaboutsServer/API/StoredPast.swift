import Hummingbird
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// The past of a device, derived from its stored fixes in each request, so that late fixes count.
///
/// Its functions read the store for as long as a second for a million fixes: call them outside of an event loop.
struct StoredPast: Sendable {
  /// The greatest number of fixes of an answer.
  static let limit = 2_000_000
  /// The duration before the first day from which fixes are read, so that a continuing visit has its arrival.
  private static let lead = Duration.seconds(14 * 86_400)
  /// The duration after the last day that is read at once.
  private static let step = Duration.seconds(86_400)
  /// The greatest number of such steps with fixes that are read until the departure is known.
  private static let stepLimit = 14
  /// The duration after days with stated visits from which fixes are read: a visit from fixes may continue through such
  /// a silence, and the stated visit is that visit.
  private static let longestSilence = SegmenterSettings.standard.longestSilence
  /// The duration after a journey from which fixes are read, so that the journey has its arrival.
  private static let trail = Duration.seconds(86_400)
  /// The longest duration of a journey that is found by its identifier.
  private static let longestJourney = Duration.seconds(7 * 86_400)

  private let device: DeviceID
  private let store: SQLiteStore
  private let leadLimit: Int

  /// - Parameter leadLimit: the greatest number of fixes of an answer for which earlier ones are read too, until the
  ///   arrival is known.
  init(of device: DeviceID, in store: SQLiteStore, leadLimit: Int = 500_000) {
    self.device = device
    self.store = store
    self.leadLimit = leadLimit
  }

  /// Returns the history of some days, with the visits that recordings state. A visit that continues into the first of
  /// them has its arrival if 500,000 fixes at most lead back to it; otherwise it begins later. One with fixes on more than
  /// 14 days after the last of them continues. A silence is a gap, however long it is.
  ///
  /// Fixes and stated visits dated more than a day ahead of the clock have a wrong date, and would end a visit of now.
  /// They are left out, unless all the days are so far ahead.
  func history(of days: ClosedRange<Int>, _ calendar: DayCalendar) throws -> DayHistory {
    let first = calendar.start(of: days.lowerBound), midnight = calendar.start(of: days.upperBound + 1)
    var lead = Self.lead, start = first.advanced(by: .zero - lead)
    let bound = UTCTime.now.advanced(by: DayHistory.futureTolerance)
    let latest = first < bound ? bound : UTCTime(nanosecondsSince1970: .max)
    var end = min(midnight, latest)
    let visits = try store.statedVisits(of: device, in: start..<end)
    if let last = visits.map(\.departure).max() {
      // The fixes of the days alone would not show whether a stated visit is shown. A wrong date does not count.
      end = min(max(end, last), end.advanced(by: Self.lead)).advanced(by: Self.longestSilence)
      end = min(end, latest)
    }
    var found = try history(in: start..<end, stated: visits, whole: midnight)
    while true {
      // A segment that the beginning cuts off has another start, and so another identifier. A gap may precede it.
      let segment = found.segments.first { found.statedVisits[$0.id] == nil }
      guard segment.map({ $0.end >= first }) ?? true, let last = try fixTime(before: start) else { break }
      lead += lead
      let earlier = min(first.advanced(by: .zero - lead), last.advanced(by: .zero - Self.lead))
      let more = try store.fixCount(of: device, in: earlier..<start)
      guard found.fixes + more <= leadLimit else {
        guard last.advanced(by: Self.longestSilence) < segment?.start ?? end else { break }
        // A gap needs only the last fix before it.
        return try history(in: last..<end, stated: visits, whole: midnight)
      }
      start = earlier
      found = try history(in: start..<end, stated: visits, whole: midnight)
    }
    return found
  }

  /// Returns the history of all stored fixes and stated visits, without those dated more than a day ahead of the clock.
  /// A device without others keeps them.
  func wholeHistory() throws -> DayHistory {
    var history = try history(in: nil, stated: store.statedVisits(of: device))
    history.removeFuture()
    return history
  }

  /// Returns the journeys of a span of time, and of the time around it.
  func journeys(around span: ClosedRange<UTCTime>) throws -> [JourneySegment] {
    let start = span.lowerBound.advanced(by: .zero - Self.lead)
    let end = span.upperBound.advanced(by: Self.trail)
    return try history(in: start..<end).segments.compactMap { segment -> JourneySegment? in
      if case .journey(let journey) = segment { journey } else { nil }
    }
  }

  /// Returns the journey of an identifier; `nil` if there is none.
  func journey(_ id: SegmentID) throws -> JourneySegment? {
    guard id.kind == .journey, let start = UTCTime(secondsSince1970: Double(id.second)) else { return nil }
    return try journeys(around: start...start.advanced(by: Self.longestJourney)).first { $0.id == id }
  }

  /// Returns whether a fix is stored within a span. A journey whose device was silent on the way has none.
  func hasFix(within span: ClosedRange<UTCTime>) throws(StoreError) -> Bool {
    let end = span.upperBound.advanced(by: .nanoseconds(1))
    return try !store.historyPage(of: device, in: span.lowerBound..<end, after: nil, limit: 1).isEmpty
  }

  /// Returns the place of a visit, as ``wholeHistory()`` has it.
  ///
  /// - Throws: ``Problem`` 404 if there is no such visit.
  func place(ofVisit visit: String) throws -> VisitedPlace {
    try Self.place(ofVisit: visit, in: wholeHistory())
  }

  private static func place(ofVisit visit: String, in history: DayHistory) throws(Problem) -> VisitedPlace {
    guard let place = history.placesOfVisits().first(where: { $0.key.description == visit })?.value,
      let visited = history.places.first(where: { $0.place.id == place.id })
    else { throw Problem(.notFound, "There is no such visit. A late fix may have changed its arrival.") }
    return visited
  }

  /// Names the place of a visit.
  ///
  /// - Throws: ``Problem`` 404 if there is no such visit, and 409 if another place has the name, or has it as its
  ///   identifier.
  func name(placeOf visit: String, _ name: String) throws -> Place {
    let history = try wholeHistory(), visited = try Self.place(ofVisit: visit, in: history)
    let place = visited.place
    guard !history.places.contains(where: { $0.place.name == name && $0.place.id != place.id }) else {
      throw Problem(.conflict, "Another place has this name. The command `places merge` joins two places.")
    }
    guard !history.places.contains(where: { $0.place.id == name && $0.place.id != place.id }) else {
      throw Problem(.conflict, "The name is the identifier of another place. Choose another name.")
    }
    var kept = visited.kept
    kept.name = name
    try store.save([kept], of: device)
    return kept
  }

  /// - Parameter whole: the time before which no segment may be cut off by the end of the span; `nil` for none.
  private func history(
    in span: Range<UTCTime>?, stated visits: [RecordedVisit] = [], whole: UTCTime? = nil
  ) throws -> DayHistory {
    var unreadable: [String] = []
    var history = DayHistory(
      places: try store.places(of: device) { unreadable.append($0) },
      bound: UTCTime.now.advanced(by: DayHistory.futureTolerance))
    history.unreadablePlaces = unreadable
    try read(span, into: &history)
    if let span, let whole { try readOn(after: span, until: whole, into: &history) }
    history.add(visits)
    history.finish()
    return history
  }

  /// Reads the fixes after a span until a segment that settled reaches beyond a time, or of 14 days with fixes: a silence
  /// ends with the next fix. A fix more than a day ahead of the clock has a wrong date, and ends no visit.
  private func readOn(
    after span: Range<UTCTime>, until time: UTCTime, into history: inout DayHistory
  ) throws {
    guard history.fixes > 0 else { return }
    var start = span.upperBound, left = Self.stepLimit
    let latest = UTCTime.now.advanced(by: DayHistory.futureTolerance)
    while left > 0, start < latest, history.fixes < Self.limit,
      history.segments.last.map({ $0.end < time }) ?? true
    {
      let next = min(start.advanced(by: Self.step), latest), before = history.fixes
      try read(start..<next, limit: Self.limit - history.fixes, into: &history)
      start = next
      if history.fixes > before {
        left -= 1
      } else if let fix = try fixTime(in: start..<latest, newestFirst: false) {
        start = fix
      } else {
        return
      }
    }
  }

  /// Returns the time of the last fix before a time; `nil` if there is none.
  private func fixTime(before time: UTCTime) throws -> UTCTime? {
    try fixTime(in: UTCTime(nanosecondsSince1970: .min)..<time, newestFirst: true)
  }

  /// Returns the time of the first or of the last fix of a span; `nil` if there is none.
  private func fixTime(in span: Range<UTCTime>, newestFirst: Bool) throws -> UTCTime? {
    var time: UTCTime?
    try store.history(of: device, in: span, uses: [.used, .late], limit: 1, newestFirst: newestFirst) {
      time = $0.rowTime
    }
    return time
  }

  private func read(
    _ span: Range<UTCTime>?, limit: Int? = nil, into history: inout DayHistory
  ) throws {
    try store.history(of: device, in: span, uses: [.used, .late], limit: limit, newestFirst: false) {
      stored in
      guard history.fixes < Self.limit else {
        throw Problem(
          .unprocessableContent,
          "More than \(Self.limit) fixes. Ask for fewer days, or use `whereabouts days`.")
      }
      history.add(stored.fix)
    }
  }
}
