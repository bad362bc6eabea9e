import WhereaboutsModel
import WhereaboutsGeodesy

/// A reader of the rows of a Timeline document.
struct TimelineReader {
  /// The reason why a row or a part of it is refused.
  struct Refusal {
    let kind: InputProblem.Kind
    let rule: StaticString
  }

  /// The row that is read.
  var row = Row(line: 1, offset: 0)
  private var device: Int64?
  /// The elements of segments since the first path point without an activity, which a later segment may state.
  var waiting = ActivityBuffer(capacity: 16_384)
  /// The end of the last segment whose path points wait.
  var waitingUntil: UTCTime?
  /// The activities of segments, in the order of their beginnings, for the paths after them.
  var activities: [StatedSpan] = []
  var offsets = OffsetStatements()

  /// An activity between two instants.
  struct StatedSpan {
    let start: UTCTime
    let end: UTCTime
    let activity: Fix.StatedActivity
  }

  struct Row {
    let line: Int
    let offset: Int
  }

  mutating func handle(_ event: JSONElementReader.Event, into batch: inout RecordingBatch) {
    switch event {
    case .element(let element):
      row = Row(line: element.line, offset: element.offset)
      guard let item = JSONItem(element.bytes) else { return }
      let array = element.member.flatMap(TimelineArray.init(rawValue:))
      read(item, of: array, isRecovered: element.isRecovered, into: &batch)
    case .member: break
    case .end: finish(into: &batch)
    case .problem(let kind, let line, let offset, let rule):
      batch.problems.report(kind, line: line, byteOffset: offset, rule.description)
    }
  }

  /// Passes on the elements that wait.
  mutating func finish(into batch: inout RecordingBatch) {
    waiting.release(into: &batch)
    waitingUntil = nil
  }

  private mutating func read(
    _ item: JSONItem, of array: TimelineArray?, isRecovered: Bool, into batch: inout RecordingBatch
  ) {
    switch array {
    case .locations: readRecord(item, into: &batch)
    case .timelineObjects: readTimelineObject(item, into: &batch)
    case .rawSignals:
      finish(into: &batch)
      readRawSignal(item, into: &batch)
    case .semanticSegments: readSegment(item, into: &batch)
    case nil where isRecovered: readRecovered(item, into: &batch)
    case nil: readSegment(item, hasLocalTexts: true, into: &batch)
    }
  }

  /// Reads an object whose array is unknown, by its content. Other objects are parts of a row that was reported.
  private mutating func readRecovered(_ item: JSONItem, into batch: inout RecordingBatch) {
    if item.member("latitudeE7") != nil, item.member("timestamp") ?? item.member("timestampMs") != nil {
      readRecord(item, into: &batch)
    } else if item.member("activitySegment") ?? item.member("placeVisit") != nil {
      readTimelineObject(item, into: &batch)
    } else if item.member("position") != nil {
      readRawSignal(item, into: &batch)
    } else if item.member("startTime") != nil {
      readSegment(item, into: &batch)
    }
  }

  func report(_ refusal: Refusal, into batch: inout RecordingBatch) {
    batch.problems.report(
      refusal.kind, line: row.line, byteOffset: row.offset, refusal.rule.description)
  }

  func report(_ kind: InputProblem.Kind, _ rule: StaticString, into batch: inout RecordingBatch) {
    report(Refusal(kind: kind, rule: rule), into: &batch)
  }

  /// Makes a device that of the following elements; `nil` for elements that name none.
  mutating func begin(_ device: Int64?, into batch: inout RecordingBatch) {
    guard device != self.device else { return }
    self.device = device
    batch.elements.append(.deviceBegan(name: device.map { String($0) }))
  }

  /// Appends a fix, or reports the reason why there is none.
  func append(
    _ coordinate: Coordinate?, _ time: TimelineTime, into batch: inout RecordingBatch,
    _ complete: (inout Fix) -> Void = { _ in }
  ) {
    guard let coordinate else { return report(.badCoordinate, "a position is no place", into: &batch) }
    switch time {
    case .absent: report(.missing, "a position without a time", into: &batch)
    case .unreadable: report(.badTime, "the time of a position is no time", into: &batch)
    case .known(let time):
      var fix = Fix(coordinate: coordinate, time: time, source: .timeline)
      complete(&fix)
      batch.elements.append(.fix(fix))
    }
  }
}

/// A time of a Timeline.
enum TimelineTime {
  case absent, unreadable
  case known(UTCTime)

  /// Creates the time of a text in ISO 8601, or of a number of milliseconds.
  init(_ item: JSONItem?) {
    var offset: Int?
    self.init(item, offset: &offset)
  }

  /// - Parameter offset: set to the minutes ahead of UTC that a text states.
  init(_ item: JSONItem?, offset: inout Int?) {
    guard let item, !item.isNull else {
      self = .absent
      return
    }
    let time = item.withText { bytes -> UTCTime? in
      // A time without a zone is in UTC.
      if bytes.count > 9, bytes[4] == UInt8(ascii: "-") { return UTCTime(iso8601: bytes, offset: &offset) }
      return UTCTime(unix: bytes, nanosecondsPerUnit: 1_000_000)
    }
    self = time.map { .known($0) } ?? .unreadable
  }

  /// Creates the first of two times that is not absent.
  init(_ first: JSONItem?, _ second: JSONItem?) {
    let time = TimelineTime(first)
    if case .absent = time { self = TimelineTime(second) } else { self = time }
  }

  var value: UTCTime? { if case .known(let time) = self { time } else { nil } }
}
