public import WhereaboutsCore
import WhereaboutsGeodesy

/// Reads NMEA 0183: what receivers send, live or as a recording.
///
/// All talkers; RMC, GGA, GLL, GNS, VTG, GSA, GSV, GST, GBS, ZDA, HDT, HDM, HDG, ROT, `$PGRME` and `$PUBX,00`. The
/// sentences of one instant are merged into one ``RecordingElement/fix(_:)``.
public struct NMEADecoder: RecordingDecoder {
  /// How to read.
  public struct Options: Hashable, Sendable {
    /// A day before which the recording can't have been made, at midnight UTC; `nil` for none.
    ///
    /// Receivers that lost count of GPS weeks give dates that are whole rounds of 1024 weeks too early. Rounds are added
    /// until the date is not before this one. The standard value, 1999-08-22, is the first such rollover: it moves no
    /// recording made since. For a live receiver give a later date, such as the day the program was built.
    public var notBefore: UTCTime? = UTCTime(CivilTime(year: 1999, month: 8, day: 22))

    /// The day on which the recording began, for recordings without a date; its time of day does not count.
    public var startDate: UTCTime?

    /// Whether ``RecordingElement/satellites(_:)`` are given.
    public var emitsSatellites = false

    /// The standard way to read a recording.
    public init() {}
  }

  let options: Options
  var framer = SentenceFramer()
  var clock: ReceiverClock
  var epoch = Epoch()

  /// A decoder at the beginning of a stream.
  public init(options: Options = Options()) {
    self.options = options
    clock = ReceiverClock(
      notBefore: options.notBefore.map(CivilDay.init(containing:)),
      startDay: options.startDate.map(CivilDay.init(containing:)))
  }

  /// Decodes the next bytes; see ``RecordingDecoder/decode(_:into:)-(UnsafeRawBufferPointer,_)``.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    guard let start = bytes.baseAddress else { return }
    var position = framer.carry.isEmpty ? 0 : resume(bytes, into: &batch)
    while let frame = framer.next(
      in: start, count: bytes.count, position: &position, problems: &batch.problems)
    {
      interpret(frame, into: &batch)
    }
    framer.consumed += bytes.count
  }

  /// Decides what the last chunk left open, and returns how many of these bytes that took.
  private mutating func resume(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) -> Int {
    var candidate: [UInt8] = []
    swap(&candidate, &framer.carry)
    let carried = candidate.count
    candidate.append(contentsOf: bytes.prefix(SentenceScan.lookahead - carried))
    var position = 0
    framer.consumed -= carried
    candidate.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      if let frame = framer.candidate(
        in: start, count: buffer.count, position: &position, problems: &batch.problems)
      {
        interpret(frame, into: &batch)
      }
      // A candidate may turn out to be shorter than what was kept of it; its rest begins no other.
      while position < carried,
        let frame = framer.next(in: start, count: carried, position: &position, problems: &batch.problems)
      {
        interpret(frame, into: &batch)
      }
    }
    framer.consumed += carried
    if framer.carry.isEmpty {
      candidate.removeAll(keepingCapacity: true)
      swap(&candidate, &framer.carry)
    }
    return position - carried
  }

  /// The stream has ended: gives the fix of the instant that was still open.
  public mutating func finish(into batch: inout RecordingBatch) {
    framer.finish(problems: &batch.problems)
    flush(into: &batch)
  }

  /// Gives the fix of the instant that is still open, if there is one.
  ///
  /// For a live source, whose timer calls this when the receiver has fallen silent.
  public mutating func flush(into batch: inout RecordingBatch) {
    tellEpoch(into: &batch)
    epoch = Epoch()
  }
}
