import WhereaboutsModel

/// A decoder of the files of an OwnTracks Recorder (`rec/USER/DEVICE/YYYY-MM.rec`), and of OwnTracks' messages as JSON,
/// from a stream.
///
/// A line of a Recorder's file is the time of receipt, the topic and the message as JSON, with tabs or blanks between.
/// Messages of the topic `*` are positions; the others are counted. A position is read as ``PhoneDialect/ownTracks``
/// reads it: its speed is km/h, its time is `tst`, or the time of receipt without one. A ping, which repeats the last
/// place with the current time, is counted. Lines are in order of arrival, not of time.
///
/// Messages without a time of receipt are read too: one a line, in an array, or in the array `data` of an answer of the
/// Recorder's API. A position among them without `tst` has no time.
///
/// A message that states the topic of its device begins that device (``RecordingElement/deviceBegan(name:)``): the user
/// and the device with a hyphen between. An encrypted message is a problem. A line or a message may be 64 KiB long.
/// The text is UTF-8 or UTF-16; byte offsets of problems are those of the text in UTF-8.
public struct OwnTracksDecoder: RecordingDecoder, Sendable {
  /// The form of the input.
  private enum Form {
    /// A record or a message a line.
    case lines
    /// A JSON document with an array of messages.
    case document
  }

  /// The form; `nil` while the first bytes do not show it.
  private var form: Form?
  /// The bytes before the form is known.
  private var beginning: [UInt8] = []
  private var lines = LineSplitter(limit: 65_536)
  private var elements = JSONElementReader(arrays: ["data"], limit: 65_536)
  private var reader = OwnTracksRecordReader()
  private var transcoder = UTF16Transcoder()

  /// The number of bytes that show the form at the latest.
  private static let longestBeginning = 4096

  /// Creates a decoder at the beginning of a file.
  public init() {}

  /// Decodes the next bytes, appending a fix for each position that they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    var current = UTF16Transcoder()
    swap(&current, &transcoder)
    current.transcode(bytes) { decodeText($0, into: &batch) }
    swap(&current, &transcoder)
  }

  private mutating func decodeText(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    guard form == nil else { return read(bytes, into: &batch) }
    beginning.append(contentsOf: bytes)
    form = Self.form(of: beginning.prefix(Self.longestBeginning))
    if form == nil, beginning.count >= Self.longestBeginning { form = .lines }
    if form != nil { readBeginning(into: &batch) }
  }

  /// Decodes a last line that has no line feed.
  public mutating func finish(into batch: inout RecordingBatch) {
    var current = UTF16Transcoder()
    swap(&current, &transcoder)
    current.finish { decodeText($0, into: &batch) }
    swap(&current, &transcoder)
    if form == nil {
      form = .lines
      readBeginning(into: &batch)
    }
    switch form {
    case .document: elements.finish { reader.read($0, into: &batch) }
    case .lines, nil: lines.finish { reader.read($0, into: &batch) }
    }
  }

  private mutating func readBeginning(into batch: inout RecordingBatch) {
    let bytes = beginning
    beginning = []
    bytes.withUnsafeBytes { read($0, into: &batch) }
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    switch form {
    case .document: elements.read(bytes) { reader.read($0, into: &batch) }
    case .lines, nil: lines.split(bytes) { reader.read($0, into: &batch) }
    }
  }

  /// Returns the form of an input by its first bytes; `nil` if more are needed.
  private static func form(of beginning: ArraySlice<UInt8>) -> Form? {
    beginning.withUnsafeBytes { bytes in
      let mark = [0xEF, 0xBB, 0xBF] as [UInt8]
      guard let start = bytes.firstIndex(where: { !$0.isXMLSpace && !mark.contains($0) }) else { return nil }
      if bytes[start] == UInt8(ascii: "[") { return .document }
      guard bytes[start] == UInt8(ascii: "{") else { return .lines }
      var scanner = JSONScanner(bytes)
      scanner.position = start + 1
      guard let key = scanner.key() else { return nil }
      let name = UnsafeRawBufferPointer(rebasing: bytes[key.range])
      let isOfAnswer =
        name.equals("data") || name.equals("count") || name.equals("status") || name.equals("version")
      return isOfAnswer ? .document : .lines
    }
  }
}

/// A reader of the lines of a Recorder's file, and of messages.
struct OwnTracksRecordReader {
  /// The time of receipt of a message without one. It is before all messages, so no stated time is corrected by it.
  private static let noReceipt = UTCTime(nanosecondsSince1970: 0)

  private var device: DeviceID?

  /// Reads an element of a JSON document.
  mutating func read(_ event: JSONElementReader.Event, into batch: inout RecordingBatch) {
    switch event {
    case .element(let element):
      read(element.bytes, received: nil, line: element.line, offset: element.offset, into: &batch)
    case .member, .end: break
    case .problem(let kind, let line, let offset, let rule):
      batch.problems.report(kind, line: line, byteOffset: offset, rule.description)
    }
  }

  mutating func read(_ line: TextLine, into batch: inout RecordingBatch) {
    func report(_ kind: InputProblem.Kind, _ rule: String) {
      batch.problems.report(kind, line: line.number, byteOffset: line.offset, rule)
    }
    guard !line.isTooLong else { return report(.tooLong, "line longer than 64 KiB") }
    var bytes = line.bytes
    if line.offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = UnsafeRawBufferPointer(rebasing: bytes[3...])
    }
    guard let first = bytes.first(where: { !$0.isXMLSpace }) else { return }
    if first == UInt8(ascii: "{") {
      return read(bytes, received: nil, line: line.number, offset: line.offset, into: &batch)
    }
    guard let parts = OwnTracksRecord(bytes) else {
      return report(.malformed, "a line without a time, a topic and a message")
    }
    guard parts.topic.equals("*") else { return batch.skippedElements.count(parts.topic) }
    guard let receipt = UTCTime(iso8601: parts.time) else {
      return report(.badTime, "a time of receipt is no time")
    }
    read(parts.message, received: receipt, line: line.number, offset: line.offset, into: &batch)
  }

  private mutating func read(
    _ message: UnsafeRawBufferPointer, received receipt: UTCTime?, line: Int, offset: Int,
    into batch: inout RecordingBatch
  ) {
    // The Recorder stores what the apps send: km/h.
    let request = PhoneRequest(
      userAgent: "OwnTracks Recorder", body: Array(message), arrival: receipt ?? Self.noReceipt)
    let answer = PhoneDialect.ownTracks.report(from: request)
    for rejection in answer.rejections {
      batch.problems.report(rejection.kind, line: line, byteOffset: offset, rejection.reason)
    }
    if !answer.ciphertexts.isEmpty {
      batch.problems.report(.badEncoding, line: line, byteOffset: offset, "an encrypted message")
    }
    if answer.hasImpossibleSpeed { batch.skippedElements.count("impossible speeds") }
    begin(answer.identity, into: &batch)
    for fix in answer.fixes { batch.elements.append(.fix(receipt == nil ? fix.fix : fix.timedFix)) }
    if answer.fixes.isEmpty, answer.rejections.isEmpty, answer.ciphertexts.isEmpty {
      let isPing = answer.otherMessages.counts.contains { $0.name == "ping" }
      batch.skippedElements.count(isPing ? "ping" : "message without a position")
    }
  }

  private mutating func begin(_ identity: PhoneReport.Identity, into batch: inout RecordingBatch) {
    guard let user = identity.user, let name = identity.device else { return }
    let stated = DeviceID("\(user)-\(name)")
    guard device != stated else { return }
    device = stated
    batch.elements.append(.deviceBegan(name: stated.rawValue))
  }
}

/// The parts of a line of a Recorder's file.
struct OwnTracksRecord {
  let time: UnsafeRawBufferPointer
  let topic: UnsafeRawBufferPointer
  /// The message, from its opening bracket on.
  let message: UnsafeRawBufferPointer

  /// - Returns: `nil` for a line of another form.
  init?(_ line: UnsafeRawBufferPointer) {
    // Neither a time nor a topic that the Recorder accepts has a bracket.
    guard let bracket = line.firstIndex(of: UInt8(ascii: "{")) else { return nil }
    let head = line[..<bracket]
    guard let end = head.firstIndex(where: \.isXMLSpace), end > 0 else { return nil }
    time = UnsafeRawBufferPointer(rebasing: head[..<end])
    topic = UnsafeRawBufferPointer(rebasing: head[end...]).trimmed
    message = UnsafeRawBufferPointer(rebasing: line[bracket...])
    // A tab within is between columns of a table.
    guard !topic.isEmpty, !topic.contains(UInt8(ascii: "\t")) else { return nil }
  }
}
