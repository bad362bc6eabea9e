public import WhereaboutsCore

/// Bytes of a recording in, its elements out, however the bytes are cut.
///
/// A decoder is a value with no clock, file or task in it. Feed it chunks of any size in order, then call
/// ``finish(into:)`` once. The same bytes give the same elements and problems whatever the chunks. It never traps on
/// what it is fed, and its memory does not grow with the length of the recording.
public protocol RecordingDecoder {
  /// Decodes the next bytes, appending what they complete.
  ///
  /// The buffer is not kept after the call. Call ``RecordingBatch/removeAll()`` on the batch between chunks to reuse
  /// its storage: a warm decoder then allocates nothing per element.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch)

  /// The recording has ended: whatever was still open is completed or reported.
  mutating func finish(into batch: inout RecordingBatch)
}

extension RecordingDecoder {
  /// Decodes the next bytes of an array; see ``decode(_:into:)-(UnsafeRawBufferPointer,_)``.
  public mutating func decode(_ bytes: [UInt8], into batch: inout RecordingBatch) {
    bytes.withUnsafeBytes { decode($0, into: &batch) }
  }

  /// Everything in a recording that is wholly in memory.
  public mutating func decodeAll(_ bytes: [UInt8]) -> RecordingBatch {
    var batch = RecordingBatch()
    decode(bytes, into: &batch)
    finish(into: &batch)
    return batch
  }
}

/// What some bytes of a recording turned into.
public struct RecordingBatch: Sendable {
  /// What the recording says, in its order.
  public var elements: [RecordingElement] = []
  /// What could not be read, since the decoder began.
  public var problems = ProblemLog()

  /// Elements of a document that the decoder knows nothing of and that were passed over, since it began.
  public var unread = UnreadElements()

  /// How many dates of a receiver were moved by whole rounds of 1,024 weeks; known once the recording has ended.
  public var movedDates = 0

  /// An empty batch.
  public init() {}

  /// Forgets the elements but keeps their storage, and keeps the problems and what was not read.
  public mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
  }

  /// The fixes among the elements.
  public var fixes: [Fix] {
    elements.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }
}
