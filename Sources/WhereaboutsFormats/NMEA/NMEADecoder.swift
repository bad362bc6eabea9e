import WhereaboutsModel
import WhereaboutsGeodesy

/// A decoder of NMEA 0183, the protocol of satellite receivers and marine instruments, live or recorded.
///
/// All talkers are accepted. The sentences RMC, GGA, GLL, GNS, VTG, GSA, GSV, GST, GBS, ZDA, HDT, HDM, HDG, THS, ROT,
/// `$PGRME`, `$PUBX,00` and `$PUBX,04` are read. Other sentences, `!` lines (AIS), tag blocks and `#` comment lines are
/// skipped. The sentences of one instant are merged into one ``RecordingElement/fix(_:)``:
///
/// - **Position**: of the last sentence with a position, as in gpsd. Speed and course: of RMC, else of VTG, else of
///   `$PUBX,00`.
/// - **VTG** has no time. Between two instants it belongs to the first one, unless the receiver begins its cycle with
///   VTG: the stream begins with it, or silence is before it.
/// - **No fix**: if any of RMC, GGA, GLL, GNS or GSA states no fix for that instant. A receiver that repeats its last
///   position without a fix gives no fixes.
/// - **Time**: `nil` until RMC, ZDA, `$PUBX,04` or ``Options/startDate`` gives the date; see ``Options/notBefore`` for
///   dates that are 1024 weeks off. Without further dates the day advances when the time of day goes back by more than
///   an hour. A leap second `:60` is the instant after `:59`.
/// - **Mode**: 3D with a height, else the mode of GSA, now or in the last ten seconds.
/// - **Text**: ASCII; in recordings also UTF-16 with a byte order mark, as some shells write it. Byte offsets of problems
///   are then those of the text in UTF-8.
/// - **Accuracy**: at 68 %; see ``Options/rangingErrors`` and `ErrorEstimate`.
///
/// **Emission**: a fix is given when a sentence of another instant arrives, when ``flush(into:)`` is called, or at
/// the end. With ``Options/endsEpochsEarly`` a fix is given with the last sentence of the receiver's cycle, once
/// known. An instant is given once. Elements and problems depend on the bytes alone, not on the chunks.
public struct NMEADecoder: RecordingDecoder {
  let options: Options
  private var transcoder = UTF16Transcoder(needsMark: true)
  var framer = SentenceFramer()
  var clock: ReceiverClock
  var epoch = Epoch()
  /// The types of sentences that come before the date of their instant, by the last instant with another time.
  var kindsBeforeDate: KindSet = []
  var doubt = DateDoubt()
  var latestTexts = LatestTexts()
  var recentValues = RecentValues()
  var cycle = EpochCycle()
  /// Whether the receiver sends VTG first for each instant, so far as that shows.
  var beginsWithVTG = false
  var satelliteView = SatelliteViewBuilder()

  /// The statistics of the sentences read so far.
  public internal(set) var statistics = Statistics()

  /// The last rate of turn of ROT, in degrees per minute, to starboard positive; `nil` if absent or unknown.
  ///
  /// The rate is no element of a recording: the engine does not need it.
  public internal(set) var rateOfTurn: Double?

  /// Creates a decoder at the beginning of a stream.
  public init(options: Options = Options()) {
    self.options = options
    clock = ReceiverClock(
      notBefore: options.notBefore.map(CivilDay.init(containing:)),
      startDay: options.startDate.map(CivilDay.init(containing:)))
  }

  /// Decodes the next bytes; see ``RecordingDecoder/decode(_:into:)-(UnsafeRawBufferPointer,_)``.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    // Any bytes may begin what a live receiver sends.
    guard !options.endsEpochsEarly, !transcoder.isIdle else { return decodeText(bytes, into: &batch) }
    var current = UTF16Transcoder()
    swap(&current, &transcoder)
    current.transcode(bytes) { decodeText($0, into: &batch) }
    swap(&current, &transcoder)
  }

  private mutating func decodeText(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    guard let start = bytes.baseAddress else { return }
    var position = framer.carry.isEmpty ? 0 : resume(bytes, into: &batch)
    while let frame = framer.next(
      in: start, count: bytes.count, stop: bytes.count, position: &position, problems: &batch.problems)
    {
      interpret(frame, into: &batch)
    }
    framer.consumed += bytes.count
  }

  /// Decides the bytes that the last chunk left open, and returns the number of new bytes used.
  private mutating func resume(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) -> Int {
    var joined: [UInt8] = []
    swap(&joined, &framer.carry)
    let carried = joined.count
    // The stored bytes may hold several marks (all but one of them garbage): enough to decide on the last of them.
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

  /// Ends the stream: emits the fix of the open instant.
  public mutating func finish(into batch: inout RecordingBatch) {
    var current = UTF16Transcoder()
    swap(&current, &transcoder)
    current.finish { decodeText($0, into: &batch) }
    swap(&current, &transcoder)
    framer.finish(problems: &batch.problems)
    batch.rolloverCorrections = clock.rolloverCorrections
    emitOpenElements(into: &batch)
  }

  /// Emits the fix of the open instant, if any; later sentences of that instant are ignored.
  ///
  /// For a live source, whose timer calls this when the receiver pauses.
  public mutating func flush(into batch: inout RecordingBatch) {
    recordSilence()
    emitOpenElements(into: &batch)
  }

  private mutating func emitOpenElements(into batch: inout RecordingBatch) {
    emitSatellites(into: &batch)
    emitEpoch(into: &batch)
  }

  /// Whether ``flush(into:)`` may emit an element while the receiver is silent.
  package var hasPendingOutput: Bool {
    satelliteView.isComplete || (!epoch.isEmitted && !epoch.sentences.isEmpty)
  }
}
