import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources
import WhereaboutsStore

/// Where a run keeps what comes, and goes on from.
struct Keeping: Sendable {
  /// Rows of the store among which that is looked for which was taken last.
  private static let newest = 512

  let store: OpenStore
  /// Whether a recording is played from its beginning, whatever the store has of it.
  var playsAnew = false

  /// A recording without what the store has of it; said on standard error where it is gone on with.
  ///
  /// - Parameter path: where it can be read a second time, if it is a file.
  func rest(
    of feed: any RecordingFeed, atPath path: String, name: String, _ settings: ReadingSettings
  ) throws -> any RecordingFeed {
    guard !playsAnew, var known = try knownFixes() else { return feed }
    var last: Int?
    if path != "-", System.status(atPath: path)?.isRegular == true {
      var whole = try RecordingReader(path: path, settings: settings, showsProgress: false)
      last = try ResumedFeed.lastKnown(in: &whole, &known)
      if last == nil { return feed }
    }
    return ResumedFeed(feed, without: known, lastKnown: last) { Self.say($0, of: name) }
  }

  /// - Returns: `nil` where the store has no fixes.
  private func knownFixes() throws -> KnownFixes? {
    var last: UInt64 = 0
    try store.rows(newest: Self.newest) { last = max(last, $0.number) }
    guard last > 0 else { return nil }
    return KnownFixes(last: last) { [store] span in
      var rows: [KnownFixes.Row] = []
      try store.rows(in: span) { rows.append($0) }
      return rows
    }
  }

  private static func say(_ news: ResumedFeed.News, of name: String) {
    switch news {
    case .goesOn(let time):
      StandardError.say(
        "whereabouts: going on after \(time.dateText) \(time.clockText): the store has \(name) until then")
    case .over: StandardError.say("whereabouts: the store has all of \(name) already")
    }
  }
}
