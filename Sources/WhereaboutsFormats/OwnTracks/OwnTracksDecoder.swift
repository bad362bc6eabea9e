import WhereaboutsModel

/// A decoder of the files of an OwnTracks Recorder (`rec/USER/DEVICE/YYYY-MM.rec`) from a stream.
///
/// A line is the time of receipt, the topic and the message as JSON, with tabs or blanks between. Messages of the topic
/// `*` are positions; the others are counted. A position is read as ``PhoneDialect/ownTracks`` reads it: its speed is
/// km/h, its time is `tst`, or the time of receipt without one. Lines are in order of arrival, not of time.
///
/// A message that states the topic of its device begins that device (``RecordingElement/deviceBegan(name:)``): the user
/// and the device with a hyphen between. An encrypted message is a problem. A line may be 64 KiB long.
public struct OwnTracksDecoder: RecordingDecoder, Sendable {
  private var lines = LineSplitter(limit: 65_536)
  private var reader = OwnTracksRecordReader()

  /// Creates a decoder at the beginning of a file.
  public init() {}

  /// Decodes the next bytes, appending a fix for each position that they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    lines.split(bytes) { reader.read($0, into: &batch) }
  }

  /// Decodes a last line that has no line feed.
  public mutating func finish(into batch: inout RecordingBatch) {
    lines.finish { reader.read($0, into: &batch) }
  }
}

/// A reader of the lines of a Recorder's file.
struct OwnTracksRecordReader {
  private var device: String?

  mutating func read(_ line: TextLine, into batch: inout RecordingBatch) {
    func report(_ kind: InputProblem.Kind, _ rule: String) {
      batch.problems.report(kind, line: line.number, byteOffset: line.offset, rule)
    }
    guard !line.isTooLong else { return report(.tooLong, "line longer than 64 KiB") }
    guard line.bytes.contains(where: { !$0.isXMLSpace }) else { return }
    guard let parts = OwnTracksRecord(line.bytes) else {
      return report(.malformed, "a line without a time, a topic and a message")
    }
    guard parts.topic.equals("*") else { return batch.skippedElements.count(parts.topic) }
    guard let receipt = UTCTime(iso8601: parts.time) else {
      return report(.badTime, "a time of receipt is no time")
    }
    // The Recorder stores what the apps send: km/h.
    let request = PhoneRequest(userAgent: "OwnTracks Recorder", body: Array(parts.message), arrival: receipt)
    let answer = PhoneDialect.ownTracks.report(from: request)
    for rejection in answer.rejections { report(rejection.kind, rejection.reason) }
    if !answer.ciphertexts.isEmpty { report(.badEncoding, "an encrypted message") }
    begin(answer.identity, into: &batch)
    for fix in answer.fixes { batch.elements.append(.fix(fix.timedFix)) }
    if answer.fixes.isEmpty, answer.rejections.isEmpty, answer.ciphertexts.isEmpty {
      batch.skippedElements.count("message without a position")
    }
  }

  private mutating func begin(_ identity: PhoneReport.Identity, into batch: inout RecordingBatch) {
    guard let user = identity.user, let name = identity.device, device != "\(user)-\(name)" else { return }
    device = "\(user)-\(name)"
    batch.elements.append(.deviceBegan(name: "\(user)-\(name)"))
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
    guard !topic.isEmpty else { return nil }
  }
}
