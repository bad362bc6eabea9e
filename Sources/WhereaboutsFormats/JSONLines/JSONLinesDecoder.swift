import WhereaboutsModel

/// A decoder of JSON lines: one fix a line, in the form that `Fix.CodingKeys` documents.
///
/// Members may stand in any order; unknown ones are skipped with their content. Of two with the same name the first
/// counts; `null` is absent. `lat` and `lon` are required. A known member of the wrong type refuses the line, exactly
/// as in the `Codable` form. A fix without `source` is from ``Whereabouts/Fix/SourceKind/jsonLines``. Blank lines and a
/// byte order mark are skipped. An unreadable line is one problem, and decoding resumes.
///
/// Where `time` is absent, `timestamp` is the time, as other programs write it: text, or a number since 1970 as in
/// ``CSVDecoder``. Any other value of `timestamp` is skipped.
///
/// A line without `lat` and `lon` is read as ``GeoJSONDecoder`` reads a position or a visit of Dawarich, if it is one of
/// its archive of a user's data: with `latitude`, `longitude` and `timestamp`, or with `started_at`.
///
/// A line with an object of gpsd is read as ``GPSDDecoder`` reads it: `gpspipe -w` saves such lines. Of several receivers,
/// the first one with a position is read.
///
/// A track or a segment begins where `trackNumber` or `segment` changes, numbers or text; a track's name is
/// `trackName` of its first line. A line without them belongs to the track and the segment of the line before.
///
/// The text is UTF-8, or UTF-16 as some shells write it; byte offsets of problems are those of the text in UTF-8. A
/// line ends with a line feed, a carriage return, or both. It may be 64 KiB long and nested 64 deep.
public struct JSONLinesDecoder: RecordingDecoder, Sendable {
  private var lines = LineSplitter(limit: 65_536, endsAtReturns: true)
  private var segmentDetector = SegmentDetector()
  private var offsets = OffsetStatements()
  /// The reader of lines without `lat` and `lon`; `nil` refuses them, and reads a line of gpsd as any other.
  var others: GeoJSONTrackReader? = GeoJSONTrackReader()
  private var gpsd = GPSDLogReader()
  private var transcoder = UTF16Transcoder()

  /// Creates a decoder at the beginning of a recording.
  public init() {}

  /// Decodes the next bytes, appending a fix for each line they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    transcoder.transcode(bytes) {
      lines.split($0) { Self.read($0, &gpsd, &segmentDetector, &offsets, &others, into: &batch) }
    }
  }

  /// Decodes a last line that has no line end.
  public mutating func finish(into batch: inout RecordingBatch) {
    transcoder.finish {
      lines.split($0) { Self.read($0, &gpsd, &segmentDetector, &offsets, &others, into: &batch) }
    }
    lines.finish { Self.read($0, &gpsd, &segmentDetector, &offsets, &others, into: &batch) }
  }

  private static func read(
    _ line: TextLine, _ gpsd: inout GPSDLogReader, _ finding: inout SegmentDetector,
    _ offsets: inout OffsetStatements, _ others: inout GeoJSONTrackReader?, into batch: inout RecordingBatch
  ) {
    if others != nil, GPSDLogReader.beginsWithReport(line.bytes) {
      gpsd.read(line, into: &batch)
    } else {
      JSONLineReader.read(line, &finding, &offsets, &others, into: &batch)
    }
  }
}

/// Reads one line.
private struct JSONLineReader {
  private var scanner: JSONScanner
  private var partialFix = PartialFix()
  private var trackNumber = 0..<0
  private var segment = 0..<0
  private var trackName: JSONScanner.Text?
  /// The time by its name in other programs.
  private var timestamp: Timestamp?

  /// A time of other programs.
  private struct Timestamp {
    var time: UTCTime
    /// The minutes ahead of UTC that the text states.
    var offset: Int?
    /// Whether the text states no zone, so that it may be a local time.
    var isWithoutZone: Bool
  }

  private init(scanner: JSONScanner) { self.scanner = scanner }

  static func read(
    _ line: TextLine, _ finding: inout SegmentDetector, _ offsets: inout OffsetStatements,
    _ others: inout GeoJSONTrackReader?, into batch: inout RecordingBatch
  ) {
    guard !line.isTooLong else {
      batch.problems.report(.tooLong, line: line.number, byteOffset: line.offset, "line longer than 64 KiB")
      return
    }
    var reader = JSONLineReader(scanner: JSONScanner(line.bytes))
    if line.offset == 0 { reader.skipByteOrderMark() }
    guard reader.scanner.peek() != nil else { return }
    let refusal: PartialFix.MemberProblem?
    if reader.readObject() {
      refusal = reader.partialFix.problem
      if var fix = reader.partialFix.fix {
        var offset = reader.partialFix.offset, isWithoutZone = reader.partialFix.isTimeWithoutZone
        if fix.time == nil, let timestamp = reader.timestamp {
          fix.time = timestamp.time
          (offset, isWithoutZone) = (timestamp.offset, timestamp.isWithoutZone)
        }
        reader.detectSegment(with: &finding, into: &batch)
        if let offset { offsets.state(offset, at: fix.time, into: &batch) }
        if isWithoutZone { batch.timesWithoutZone += 1 }
        batch.elements.append(.fix(fix))
        return
      }
    } else {
      refusal = PartialFix.MemberProblem(
        kind: .malformed, rule: "not a JSON object on a line", position: reader.scanner.position)
    }
    // Every refused line is tried: Dawarich has members of other meanings under names of this form, such as `status`.
    guard let refusal, others?.read(line, into: &batch) != true else { return }
    batch.problems.report(
      refusal.kind, line: line.number, byteOffset: line.offset + refusal.position, refusal.rule.description)
  }

  private mutating func skipByteOrderMark() {
    if scanner.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
  }

  /// Reads the one object of the line; `false` where it isn't one.
  private mutating func readObject() -> Bool {
    guard scanner.accept("{") else { return false }
    if !scanner.accept("}") {
      repeat {
        guard let key = scanner.key(), readMember(key) else { return false }
      } while scanner.accept(",")
      guard scanner.accept("}") else { return false }
    }
    return scanner.peek() == nil
  }

  private func detectSegment(with finding: inout SegmentDetector, into batch: inout RecordingBatch) {
    finding.advance(
      track: UnsafeRawBufferPointer(rebasing: scanner.bytes[trackNumber]),
      segment: UnsafeRawBufferPointer(rebasing: scanner.bytes[segment]),
      name: { trackName.map { scanner.withBytes(of: $0) { String(decoding: $0, as: UTF8.self) } } },
      into: &batch)
  }

  private mutating func readMember(_ key: JSONScanner.Text) -> Bool {
    guard let member = scanner.withBytes(of: key, FixMemberNames.member(named:)),
      partialFix.isFirst(member.index)
    else {
      return readSegmentMember(key)
    }
    _ = scanner.peek()
    let position = scanner.position
    let property = member.property
    switch scanner.value() {
    case .string(let text): scanner.withBytes(of: text) { partialFix.set(property, text: $0, at: position) }
    case .flag(let flag): partialFix.set(property, flag: flag, at: position)
    case .number(let range): partialFix.set(property, number: scanner.double(range), at: position)
    case .null: break
    case .nested: partialFix.recordProblem(property, at: position)
    case nil: return false
    }
    return true
  }

  /// Reads a member that names the fix's track or segment, or its time as other programs do, and skips any other.
  private mutating func readSegmentMember(_ key: JSONScanner.Text) -> Bool {
    let name = UnsafeRawBufferPointer(rebasing: scanner.bytes[key.range])
    let first = scanner.peek()
    let isText = first == UInt8(ascii: "\"")
    let start = scanner.position
    if name.equals("trackName"), isText {
      guard let text = scanner.string() else { return false }
      if trackName == nil { trackName = text }
      return true
    }
    if name.equals("timestamp"), isText {
      guard let text = scanner.string() else { return false }
      let stated = scanner.withBytes(of: text, Self.timestamp)
      timestamp = timestamp ?? stated
      return true
    }
    guard scanner.skipValue() else { return false }
    let isNumber = first == UInt8(ascii: "-") || first.map { $0 &- 48 < 10 } ?? false
    guard isText || isNumber else { return true }
    if name.equals("trackNumber"), trackNumber.isEmpty {
      trackNumber = start..<scanner.position
    } else if name.equals("segment"), segment.isEmpty {
      segment = start..<scanner.position
    } else if name.equals("timestamp") {
      let stated = Self.timestamp(UnsafeRawBufferPointer(rebasing: scanner.bytes[start..<scanner.position]))
      timestamp = timestamp ?? stated
    }
    return true
  }

  /// Returns the time of other programs' text or number.
  private static func timestamp(_ text: UnsafeRawBufferPointer) -> Timestamp? {
    var offset: Int?
    guard let time = UTCTime(recorded: text, offset: &offset) else { return nil }
    return Timestamp(time: time, offset: offset, isWithoutZone: text.statesTimeWithoutZone)
  }
}
