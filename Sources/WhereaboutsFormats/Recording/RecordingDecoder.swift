public import WhereaboutsModel

/// A decoder of a recording: bytes in, elements out, for chunks of any size.
///
/// A decoder is a value without a clock, file or task. Feed it chunks of any size in order, then call
/// ``finish(into:)`` once. The same bytes give the same elements and problems for any chunks. A decoder never traps
/// on its input, and its memory does not grow with the length of the recording.
public protocol RecordingDecoder {
  /// Decodes the next bytes, appending the completed elements.
  ///
  /// The buffer is not kept after the call. Call ``RecordingBatch/removeAll()`` on the batch between chunks to reuse
  /// its storage: a warm decoder then allocates nothing per element.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch)

  /// Ends the recording: open elements are completed or reported.
  mutating func finish(into batch: inout RecordingBatch)

  /// Appends elements of bytes that were decoded already, which a limit of the batch has held back.
  ///
  /// - Returns: whether there were any. Call it until it returns `false`, after ``decode(_:into:)`` and after
  ///   ``finish(into:)``, if the batch has a ``RecordingBatch/limit``.
  mutating func decodeHeldBack(into batch: inout RecordingBatch) -> Bool
}

extension RecordingDecoder {
  /// Holds nothing back.
  public mutating func decodeHeldBack(into batch: inout RecordingBatch) -> Bool { false }

  /// Decodes the next bytes of an array; see ``decode(_:into:)-(UnsafeRawBufferPointer,_)``.
  public mutating func decode(_ bytes: [UInt8], into batch: inout RecordingBatch) {
    bytes.withUnsafeBytes { decode($0, into: &batch) }
  }

  /// Decodes a whole recording in memory.
  public mutating func decodeAll(_ bytes: [UInt8]) -> RecordingBatch {
    var batch = RecordingBatch()
    decode(bytes, into: &batch)
    finish(into: &batch)
    return batch
  }
}

/// The output of a decoder for some bytes of a recording.
public struct RecordingBatch: Sendable {
  /// The elements, in order.
  public var elements: [RecordingElement] = []
  /// The number of elements from which a decoder may hold back the rest until
  /// ``RecordingDecoder/decodeHeldBack(into:)``. Unlimited unless set: a long track of KML is then emitted at once.
  public var limit = Int.max
  /// The problems since the decoder began.
  public var problems = ProblemLog()

  /// The number of fixes since the decoder began that are problems, too, because their time could not be read.
  package var unreadableTimes = 0

  /// The number of waypoints and route points since the decoder began that are problems, too, because their time could not
  /// be read: some of them may be fixes.
  package var waypointsWithUnreadableTime = 0

  /// The number of times since the decoder began whose text states no zone, so that they count as UTC.
  package var timesWithoutZone = 0

  /// The unknown elements of a document that were skipped since the decoder began.
  public var skippedElements = SkippedElements()

  /// The number of receiver dates moved by whole rounds of 1,024 weeks; final once the recording has ended.
  public var rolloverCorrections = 0

  /// Creates an empty batch.
  public init() {}

  /// Removes the elements but keeps their storage, and keeps the problems and skipped elements.
  public mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
  }

  /// The fixes among the elements.
  public var fixes: [Fix] {
    elements.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }
}
