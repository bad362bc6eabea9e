package import WhereaboutsEngine
package import WhereaboutsModel

/// A follower of a device's past in the store: its segments, and their changes with each stored fix.
///
/// Everything is derived from the stored fixes, so nothing is lost when the process dies. Fixes that arrived late or
/// were imported are included. After a repair or an erasure the past is read anew.
///
/// The functions read the store: call them outside of an event loop.
package struct PastFollower: Sendable {
  /// The duration of the followed past, before the newest fix. More is read for a segment that began earlier, and less
  /// of a past with more fixes than four times the limit.
  private static let lead = Duration.seconds(14 * 86_400)
  /// The number of late fixes from which reading the past anew costs less.
  private static let manyLateFixes = 256

  private let store: SQLiteStore
  private let device: DeviceID
  private let leadLimit: Int
  private let longestSilence: Duration
  private var segments: LiveSegments
  private var mark: HistoryMark?
  /// The time from which fixes are read; `nil` without a fix.
  private(set) var start: UTCTime?

  /// Reads the past of a device, which may have none yet.
  ///
  /// - Parameter leadLimit: the greatest number of fixes that are read until the start of the first segment is known.
  ///   Beyond it, a segment that began more than two weeks ago begins later. Of the two weeks, four times as many are
  ///   read at most: at one fix a second, there are 1.2 million.
  package init(
    of device: DeviceID, in store: SQLiteStore, settings: SegmenterSettings = .standard,
    leadLimit: Int = 500_000
  ) throws {
    self.device = device
    self.store = store
    self.leadLimit = leadLimit
    longestSilence = settings.longestSilence
    segments = LiveSegments(settings: settings)
    try readAll()
  }

  /// The time of the newest fix.
  package var newestTime: UTCTime? { segments.newestTime }

  /// Returns the segments of the last day; ``changes()`` reports later changes.
  package mutating func begin() throws -> [SegmentChange] {
    segments.begin(places: try store.places(of: device))
  }

  /// Reads the fixes that were stored since the last call.
  package mutating func read() throws {
    guard let mark, let start else { return try readAll() }
    let additions = try store.additions(
      to: device, since: mark, from: start, settled: segments.settledTime, limit: Self.manyLateFixes)
    switch additions {
    case .fixes(let fixes, let mark):
      self.mark = mark
      for fix in fixes { segments.add(fix.fix) }
    case .rewritten: try readAll()
    }
  }

  /// Returns the changes of segments by the fixes that were read.
  package mutating func changes() throws -> [SegmentChange] {
    guard segments.hasUnreportedFixes else { return [] }
    return segments.changes(places: try store.places(of: device))
  }

  private mutating func readAll() throws {
    mark = try store.historyMark(of: device)
    guard let mark else {
      start = nil
      return segments = LiveSegments(continuing: segments)
    }
    var lead = Self.lead
    let newest = UTCTime(nanosecondsSince1970: mark.newestTime)
    let most = leadLimit > .max / 4 ? .max : 4 * leadLimit
    let latest = try store.beginning(
      ofNewest: most, of: device, in: newest.advanced(by: .zero - lead)...newest)
    var begin = latest
    if let start {
      // A later beginning would cut off segments that were reported.
      let needed = segments.reportedStart.map { min(latest, $0.advanced(by: .zero - lead)) } ?? latest
      begin = max(min(start, latest), needed)
    }
    var past = try readSegments(from: begin, upTo: mark)
    // A segment that the beginning cuts off has another start, and so another identifier.
    while past.segments.mayBeginEarlier, let earlier = try timeOfLastFix(before: begin) {
      lead += lead
      let next = earlier.advanced(by: .zero - lead)
      guard past.fixes <= leadLimit,
        try store.fixCount(of: device, in: next..<begin) <= leadLimit - past.fixes
      else {
        guard let first = past.segments.segments.first?.start ?? past.segments.newestTime,
          earlier.advanced(by: longestSilence) < first
        else { break }
        // A gap needs only the last fix before it.
        begin = earlier
        past = try readSegments(from: begin, upTo: mark)
        break
      }
      begin = next
      past = try readSegments(from: begin, upTo: mark)
    }
    start = begin
    segments = past.segments
  }

  private func readSegments(
    from begin: UTCTime, upTo mark: HistoryMark
  ) throws -> (segments: LiveSegments, fixes: Int) {
    var past = LiveSegments(continuing: segments), fixes = 0
    // Fixes that are stored meanwhile have later numbers, and are read next time.
    try store.history(
      of: device, in: begin..<UTCTime(nanosecondsSince1970: .max), uses: [.used, .late], limit: nil
    ) { stored in
      guard Int64(clamping: stored.seq) <= mark.lastSeq else { return }
      fixes += 1
      // A wrong date, far ahead, would make the rest old.
      if stored.rowTime.nanosecondsSince1970 <= mark.bound { past.add(stored.fix) }
    }
    return (past, fixes)
  }

  private func timeOfLastFix(before time: UTCTime) throws -> UTCTime? {
    var last: UTCTime?
    let past = UTCTime(nanosecondsSince1970: .min)..<time
    try store.history(of: device, in: past, uses: [.used, .late], limit: 1, newestFirst: true) {
      last = $0.rowTime
    }
    return last
  }
}
