/// A decoder of a recording's XML document, with one parser that copies of it share.
struct XMLRecordingDecoder<Handler: XMLRecordingHandler> {
  private let document = XMLRecording<Handler>()
  private var feedCount = 0

  init() {}

  mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    checkNotCopied()
    document.decode(bytes, into: &batch)
  }

  mutating func finish(into batch: inout RecordingBatch) {
    checkNotCopied()
    document.finish(into: &batch)
  }

  /// Calls the closure with the handler, whose batch is the caller's during the call.
  mutating func handle<Result>(
    into batch: inout RecordingBatch, _ body: (inout Handler) -> Result
  ) -> Result {
    checkNotCopied()
    return document.handle(into: &batch, body)
  }

  private mutating func checkNotCopied() {
    precondition(
      document.feedCount == feedCount, "a decoder of XML was copied, and an older copy of it was fed")
    feedCount += 1
    document.feedCount = feedCount
  }
}

/// A handler of the events of a recording's document, which can resume in its middle.
protocol XMLRecordingHandler: XMLHandler {
  /// The elements at which reading can resume after a failure.
  static var landmarks: [ElementLandmark] { get }

  /// The batch to append to; the document swaps in the caller's while it parses.
  var batch: RecordingBatch { get set }

  /// Creates a handler at the beginning of a document.
  init()

  /// Prepares for the made-up beginning of the next part, after the parser failed.
  mutating func willResume()

  /// Ends the made-up beginning: the following events are of the recording.
  mutating func didResume()

  /// Appends unfinished elements; no more events follow.
  mutating func finish()
}

extension XMLRecordingHandler {
  mutating func report(_ kind: InputProblem.Kind, at cursor: XMLCursor, _ rule: StaticString) {
    batch.problems.report(kind, line: cursor.line, byteOffset: cursor.byteOffset, rule.description)
    // The whole document has it, and nothing is refused.
    if kind == .badEncoding { batch.problems.countFurtherProblems() }
  }
}
