import WhereaboutsCore
import WhereaboutsGeodesy

/// Reads NMEA 0183: what satellite receivers and marine instruments send, live or as a recording.
///
/// All talkers. Read are RMC, GGA, GLL, GNS, VTG, GSA, GSV, GST, GBS, ZDA, HDT, HDM, HDG, THS, ROT, `$PGRME` and
/// `$PUBX,00`; other sentences, `!` lines (AIS), tag blocks and `#` comment lines are passed over. The sentences of one
/// instant are merged into one ``RecordingElement/fix(_:)``:
///
/// - **Position**: of the last sentence that has one, as gpsd does. Speed and course: of the last that has them.
/// - **No fix**: if any of RMC, GGA, GLL, GNS or GSA says so for that instant. A receiver that repeats its last position
///   while it has none gives no fixes.
/// - **Time**: `nil` until RMC or ZDA has told the date (or ``Options/startDate`` has); see ``Options/notBefore`` for
///   dates that are 1024 weeks off. Without further dates the day advances when the time of day goes back by more
///   than an hour. A leap second `:60` is the instant after `:59`.
/// - **Mode**: 3D with a height, else what GSA says, now or in the last ten seconds.
/// - **Accuracy**: at 68 %; see ``Options/rangingErrors`` and `AccuracyEstimate`.
///
/// **When a fix is given.** When a sentence of another instant arrives, when ``flush(into:)`` is called, or at the end;
/// with ``Options/endsEpochsEarly`` already with the last sentence of the receiver's cycle, once that is known. An
/// instant is given once. Elements and problems depend on the bytes alone and not on how they were cut.
public struct NMEADecoder: RecordingDecoder {
  let options: Options
  var framer = SentenceFramer()
  var clock: ReceiverClock
  var epoch = Epoch()
  var held = HeldValues()
  var cycle = EpochCycle()
  var sky = SkyView()

  /// What was read so far.
  public internal(set) var statistics = Statistics()

  /// How fast the bow turned when ROT said so last, in degrees per minute, to starboard positive; `nil` where the
  /// instrument said nothing or that it did not know.
  ///
  /// It is no element of a recording: nothing in the engine asks for it.
  public internal(set) var rateOfTurn: Double?

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
      in: start, count: bytes.count, stop: bytes.count, position: &position, problems: &batch.problems)
    {
      interpret(frame, into: &batch)
    }
    framer.consumed += bytes.count
  }

  /// Decides what the last chunk left open, and returns how many of these bytes that took.
  private mutating func resume(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) -> Int {
    var joined: [UInt8] = []
    swap(&joined, &framer.carry)
    let carried = joined.count
    // What was kept may hold several marks (all but one of them garbage): enough to decide on the last of them.
    joined.append(contentsOf: bytes.prefix(carried + SentenceScan.lookahead))
    var position = 0
    framer.consumed -= carried
    joined.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      while let frame = framer.next(
        in: start, count: buffer.count, stop: carried, position: &position, problems: &batch.problems)
      {
        interpret(frame, into: &batch)
      }
    }
    framer.consumed += carried
    if framer.carry.isEmpty {
      joined.removeAll(keepingCapacity: true)
      swap(&joined, &framer.carry)
    }
    return position - carried
  }

  /// The stream has ended: gives the fix of the instant that was still open.
  public mutating func finish(into batch: inout RecordingBatch) {
    framer.finish(problems: &batch.problems)
    batch.movedDates = clock.movedDates
    flush(into: &batch)
  }

  /// Gives the fix of the instant that is still open, if it has one; what comes of that instant later is ignored.
  ///
  /// For a live source, whose timer calls this when the receiver has fallen silent.
  public mutating func flush(into batch: inout RecordingBatch) {
    tellSatellites(into: &batch)
    tellEpoch(into: &batch)
  }

  /// Whether ``flush(into:)`` may give something, now that the receiver is silent.
  package var holdsSomething: Bool { sky.isComplete || (!epoch.isTold && !epoch.sentences.isEmpty) }
}
