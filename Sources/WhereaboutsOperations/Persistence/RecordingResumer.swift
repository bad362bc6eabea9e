package import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports
import WhereaboutsSources
import WhereaboutsStore

/// The store that records a run, and from which the run resumes a recording.
package struct RecordingResumer: Sendable {
  /// The number of newest rows that are searched for the last stored fix.
  private static let newestRowCount = 512

  package let store: OpenStore
  /// Whether a recording is played from its beginning even if the store has a part of it.
  package var startsOver = false
  /// Whether a recording of which the store has no part is played, too. Without fences, only the rest of a recording
  /// after a kill is.
  package var acceptsNew = true
  /// The new trip that measures the recording, if any. It has no fixes before the rest of the recording.
  package var newTrip: TripID?

  package init(
    store: OpenStore, startsOver: Bool = false, acceptsNew: Bool = true, trip newTrip: TripID? = nil
  ) {
    self.store = store
    self.startsOver = startsOver
    self.acceptsNew = acceptsNew
    self.newTrip = newTrip
  }

  /// Returns the recording without its stored part, and reports a resumption on standard error.
  ///
  /// - Parameter path: the path of the recording. A regular file is read twice.
  /// - Throws: an error for a new recording that is not accepted. A pipe can't be read beforehand, and is accepted if
  ///   the store has any fix.
  func remainder(
    of feed: any RecordingFeed, atPath path: String, name: String, _ settings: ReadingSettings
  ) throws -> any RecordingFeed {
    guard !startsOver, var known = try knownFixes() else { return try accepted(feed) }
    var last: Int?
    if path != "-", System.status(atPath: path)?.isRegular == true {
      var whole = try RecordingReader(path: path, settings: settings)
      last = try ResumedFeed.lastKnown(in: &whole, &known)
      if last == nil { return try accepted(feed) }
    }
    return ResumedFeed(feed, without: known, lastKnown: last) { report($0, of: name) }
  }

  /// Returns a new recording, or throws if it is not accepted.
  private func accepted(_ feed: any RecordingFeed) throws(SourceProblem) -> any RecordingFeed {
    guard !acceptsNew else { return feed }
    throw SourceProblem(
      .unreadable, message: "watch the recording: there are no fences",
      remedy: "Run `whereabouts fence add` to add a fence.")
  }

  /// - Returns: `nil` if the store has no fixes.
  private func knownFixes() throws -> KnownFixes? {
    var last: UInt64 = 0
    try store.rows(newest: Self.newestRowCount) { last = max(last, $0.number) }
    guard last > 0 else { return nil }
    return KnownFixes(last: last) { [store] span in
      var rows: [KnownFixes.Row] = []
      try store.rows(in: span) { rows.append($0) }
      return rows
    }
  }

  private func report(_ event: ResumedFeed.ResumeEvent, of name: String) {
    switch event {
    case .resumed(let time):
      let moment = "\(time.dateText) \(time.clockText)"
      let trip = newTrip.map { ". The new trip \($0) begins there\(Self.tripRemedy)" } ?? ""
      StandardError.print(
        "whereabouts: resuming after \(moment): the store has the earlier fixes of \(name)\(trip)"
          .sanitizedToOneLine)
    case .complete:
      let trip = newTrip.map { ", so the new trip \($0) gets none\(Self.tripRemedy)" } ?? ""
      StandardError.print("whereabouts: the store already has all fixes of \(name)\(trip)".sanitizedToOneLine)
    }
  }

  /// The fixes that are played again get to the fences again, so only an option does so.
  private static let tripRemedy =
    """
    . To measure the whole recording, pass --anew and another name to --trip: its fixes are stored and reach the fences a \
    second time, and open trips end.
    """
}
