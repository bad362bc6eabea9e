package import WhereaboutsModel
package import WhereaboutsFormats

/// A recording without its stored part, so that a run resumes where an earlier process ended.
///
/// For a file, the last stored fix is known beforehand. A pipe can be read only once. A fix of a pipe is skipped if
/// the store has a fix of the same time and position. A fix is also skipped if the store has later fixes soon after
/// it, because the earlier run then refused the fix. Fixes after the last stored fix are new, at any time. A
/// recording without stored fixes is played completely.
package struct ResumedFeed: RecordingFeed {
  /// The report of a resumption, sent once.
  package enum ResumeEvent: Hashable, Sendable {
    /// The recording resumes after this time.
    case resumed(after: UTCTime)
    /// The store has the whole recording.
    case complete
  }

  /// The maximum time from a refused fix to the next stored fix.
  private static let refusedFixWindow = Duration.seconds(600)
  /// The maximum number of initial fixes that may be missing in the store although later fixes are stored.
  private static let unknownFixLimit = 256

  private enum Stage {
    /// No stored fix was found yet.
    case searching
    /// Stored fixes are skipped; the time of the last one.
    case skipping(UTCTime)
    /// The rest is played.
    case playing
  }

  /// The relation of a fix to the store.
  private enum Verdict {
    /// The store has the fix.
    case stored
    /// The fix is not stored, but an earlier run played and refused the fix.
    case refused
    case new
  }

  private var base: any RecordingFeed
  private var known: KnownFixes
  private let lastKnown: Int?
  private let notify: (ResumeEvent) -> Void
  private var stage = Stage.searching
  private var fixes = 0
  /// Whether the last stored fix was passed.
  private var isPastLast = false
  /// Elements to play if no stored fix is found. Later, the elements before the first new fix.
  private var heldElements: [RecordingElement] = []
  private var heldFixes = 0

  /// - Parameters:
  ///   - lastKnown: the index of the last stored fix, counted from 0; `nil` if unknown.
  ///   - notify: called with the resumption, unless the recording is played from its beginning.
  package init(
    _ base: any RecordingFeed, without known: KnownFixes, lastKnown: Int?,
    notify: @escaping (ResumeEvent) -> Void
  ) {
    self.base = base
    self.known = known
    self.lastKnown = lastKnown
    self.notify = notify
  }

  package mutating func read(into elements: inout [RecordingElement]) throws -> Bool {
    if case .playing = stage { return try base.read(into: &elements) }
    guard try base.read(into: &elements) else { return finish(&elements) }
    let read = elements
    elements.removeAll()
    for element in read { try process(element, &elements) }
    return true
  }

  /// - Returns: whether elements remain to be played at the end.
  private mutating func finish(_ elements: inout [RecordingElement]) -> Bool {
    elements = []
    if case .skipping = stage { notify(.complete) } else { elements = heldElements }
    heldElements = []
    stage = .playing
    return !elements.isEmpty
  }

  private mutating func process(_ element: RecordingElement, _ elements: inout [RecordingElement]) throws {
    if case .playing = stage { return elements.append(element) }
    heldElements.append(element)
    guard case .fix(let fix) = element else { return }
    let verdict = try verdict(on: fix)
    fixes += 1
    switch (stage, verdict) {
    case (_, .stored):
      stage = .skipping(fix.time ?? lastSkippedTime)
      heldElements.removeAll()
    case (.skipping, .refused): heldElements.removeAll()
    case (.searching, .refused):
      heldFixes += 1
      if heldFixes >= Self.unknownFixLimit { releaseHeld(&elements) }
    case (.skipping(let time), .new):
      notify(.resumed(after: time))
      releaseHeld(&elements)
    case (.searching, .new), (.playing, _): releaseHeld(&elements)
    }
  }

  /// The time of the last skipped fix.
  private var lastSkippedTime: UTCTime {
    if case .skipping(let time) = stage { time } else { UTCTime(nanosecondsSince1970: 0) }
  }

  private mutating func releaseHeld(_ elements: inout [RecordingElement]) {
    elements += heldElements
    heldElements = []
    stage = .playing
  }

  private mutating func verdict(on fix: Fix) throws -> Verdict {
    if let lastKnown { return fixes <= lastKnown ? .stored : .new }
    guard let key = KnownFixes.Key(fix) else { return isPastLast ? .new : .refused }
    if let number = try known.number(of: key) {
      if number == known.lastNumber { isPastLast = true }
      return .stored
    }
    if isPastLast { return .new }
    return try known.hasFix(after: key.time, within: Self.refusedFixWindow) ? .refused : .new
  }

  /// Returns the index of the last stored fix in a recording, counted from 0; `nil` if no fix is stored.
  package static func lastKnown(in feed: inout some RecordingFeed, _ known: inout KnownFixes) throws -> Int? {
    var last: Int?
    var greatest: UInt64 = 0
    var index = 0
    var elements: [RecordingElement] = []
    while try feed.read(into: &elements) {
      for case .fix(let fix) in elements {
        defer { index += 1 }
        guard let key = KnownFixes.Key(fix), let number = try known.number(of: key), number > greatest
        else { continue }
        (last, greatest) = (index, number)
      }
    }
    return last
  }
}
