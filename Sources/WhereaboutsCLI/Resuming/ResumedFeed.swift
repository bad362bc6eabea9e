import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsSources

/// A recording without what a store has of it already, so that it goes on where a process ended that played it.
///
/// Of a file it is known beforehand up to which of its fixes the store has it. Of what can be read only once, a pipe, a fix
/// is passed over where the store has one of its time and place, and also where the store has others soon after it: then
/// it was played, and refused. What comes after the fix that the store took last was never played, whatever its time. A
/// recording of which the store has nothing is played as a whole.
struct ResumedFeed: RecordingFeed {
  /// What is told of it, once.
  enum News: Hashable, Sendable {
    /// It is gone on with after this time.
    case goesOn(after: UTCTime)
    /// The store has all of it.
    case over
  }

  /// How soon the store must have a fix after one that it has not, for that to have been played.
  private static let reach = Duration.seconds(600)
  /// How many of its first fixes may be unknown to the store although later ones are not.
  private static let patience = 256

  private enum Stage {
    /// Nothing that the store has was found yet.
    case looking
    /// Some of it was, this last.
    case passing(UTCTime)
    /// The rest is played.
    case playing
  }

  /// What a store says of a fix.
  private enum Verdict {
    /// It has it.
    case taken
    /// It has it not, but was offered it.
    case refused
    case new
  }

  private var base: any RecordingFeed
  private var known: KnownFixes
  private let lastKnown: Int?
  private let tell: (News) -> Void
  private var stage = Stage.looking
  private var fixes = 0
  /// Whether the fix was passed that the store took last.
  private var isPastLast = false
  /// What is played if nothing is found that the store has; and later what stands before the first new fix.
  private var held: [RecordingElement] = []
  private var heldFixes = 0

  /// - Parameters:
  ///   - lastKnown: which of its fixes is the last that the store has, counted from 0; `nil` where that is to be found on
  ///     the way.
  ///   - tell: is told where it is gone on with, if it is not played from its beginning.
  init(
    _ base: any RecordingFeed, without known: KnownFixes, lastKnown: Int?,
    tell: @escaping (News) -> Void
  ) {
    self.base = base
    self.known = known
    self.lastKnown = lastKnown
    self.tell = tell
  }

  mutating func read(into elements: inout [RecordingElement]) throws -> Bool {
    if case .playing = stage { return try base.read(into: &elements) }
    guard try base.read(into: &elements) else { return finish(&elements) }
    let read = elements
    elements.removeAll()
    for element in read { try take(element, &elements) }
    return true
  }

  /// - Returns: whether there is still something to be played at the end.
  private mutating func finish(_ elements: inout [RecordingElement]) -> Bool {
    elements = []
    if case .passing = stage { tell(.over) } else { elements = held }
    held = []
    stage = .playing
    return !elements.isEmpty
  }

  private mutating func take(_ element: RecordingElement, _ elements: inout [RecordingElement]) throws {
    if case .playing = stage { return elements.append(element) }
    held.append(element)
    guard case .fix(let fix) = element else { return }
    let verdict = try verdict(on: fix)
    fixes += 1
    switch (stage, verdict) {
    case (_, .taken):
      stage = .passing(fix.time ?? last)
      held.removeAll()
    case (.passing, .refused): held.removeAll()
    case (.looking, .refused):
      heldFixes += 1
      if heldFixes >= Self.patience { play(&elements) }
    case (.passing(let time), .new):
      tell(.goesOn(after: time))
      play(&elements)
    case (.looking, .new), (.playing, _): play(&elements)
    }
  }

  /// The time of the last fix that was passed over.
  private var last: UTCTime {
    if case .passing(let time) = stage { time } else { UTCTime(nanosecondsSince1970: 0) }
  }

  private mutating func play(_ elements: inout [RecordingElement]) {
    elements += held
    held = []
    stage = .playing
  }

  private mutating func verdict(on fix: Fix) throws -> Verdict {
    if let lastKnown { return fixes <= lastKnown ? .taken : .new }
    guard let key = KnownFixes.Key(fix) else { return isPastLast ? .new : .refused }
    if let number = try known.number(of: key) {
      if number == known.last { isPastLast = true }
      return .taken
    }
    if isPastLast { return .new }
    return try known.hasOne(after: key.time, within: Self.reach) ? .refused : .new
  }

  /// Which of the fixes of a recording is the last that a store took, counted from 0; `nil` where it has none of them.
  static func lastKnown(in feed: inout some RecordingFeed, _ known: inout KnownFixes) throws -> Int? {
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
