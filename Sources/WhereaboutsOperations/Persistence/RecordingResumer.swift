import WhereaboutsModel
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

  package init(store: OpenStore, startsOver: Bool = false) {
    self.store = store
    self.startsOver = startsOver
  }

  /// Returns the recording without its stored part, and reports a resumption on standard error.
  ///
  /// - Parameter path: the path of the recording. A regular file is read twice.
  func remainder(
    of feed: any RecordingFeed, atPath path: String, name: String, _ settings: ReadingSettings
  ) throws -> any RecordingFeed {
    guard !startsOver, var known = try knownFixes() else { return feed }
    var last: Int?
    if path != "-", System.status(atPath: path)?.isRegular == true {
      var whole = try RecordingReader(path: path, settings: settings)
      last = try ResumedFeed.lastKnown(in: &whole, &known)
      if last == nil { return feed }
    }
    return ResumedFeed(feed, without: known, lastKnown: last) { Self.report($0, of: name) }
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

  private static func report(_ event: ResumedFeed.ResumeEvent, of name: String) {
    switch event {
    case .resumed(let time):
      StandardError.print(
        """
        whereabouts: resuming after \(time.dateText) \(time.clockText): the store has the earlier fixes of \
        \(name)
        """)
    case .complete: StandardError.print("whereabouts: the store already has all fixes of \(name)")
    }
  }
}
