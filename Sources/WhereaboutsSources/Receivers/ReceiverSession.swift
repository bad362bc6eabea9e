import WhereaboutsModel
import WhereaboutsFormats

/// A state machine that turns the bytes of one line into signals. A value without a clock: each event states its
/// time.
struct ReceiverSession {
  struct Settings: Hashable, Sendable {
    var acceptsMissingChecksums = false
    /// The day before which dates are wrong, as ``WhereaboutsFormats/NMEADecoder/Options/notBefore``.
    var notBefore: UTCTime?
    /// Whether a time of day without a date gets the date of its arrival.
    var assumesDates = true
    /// Whether the receiver has stated a date before. Its first fixes then wait for a date.
    var hasStatedDate = false
    /// The number of fixes within which a receiver that states dates states one.
    var undatedFixLimit = 10
    /// The pause after which an instant's data counts as complete.
    var flushDelay = Duration.milliseconds(250)
    /// The time without bytes after which a receiver counts as silent. Receivers send every second; few send less
    /// often than every five, and their pauses are learnt.
    var silenceTimeout = Duration.seconds(5)
    /// The time within which a sentence must state a position, or that there is none.
    var positionTimeout = Duration.seconds(4)
    /// The time without sentences that counts as a pause, longer than that between the instants of most receivers.
    var pauseDuration = Duration.seconds(2)
    /// The time after a pause within which a sentence must state a position, or that there is none.
    var positionTimeoutAfterPause = Duration.seconds(1)
    /// The time within which a receiver with a compass sends its first heading.
    var headingTimeout = Duration.seconds(10)
    /// The number of bytes without a sentence that count as not understood.
    var noiseByteCount = 300
    var noiseDuration = Duration.seconds(3)
    var search = SpeedSearch.Settings()
  }

  /// The produced signals, which the caller removes.
  var signals: [SourceSignal] = []
  /// The speed to set the line to; the caller clears it.
  var requestedSpeed: Int?
  /// Whether a sentence was read.
  private(set) var hasReadSentence = false
  /// Whether the receiver has stated a date, now or before.
  private(set) var hasStatedDate: Bool
  private(set) var search: SpeedSearch?

  private let settings: Settings
  private let problems: ReceiverProblems
  private let fixedSpeed: Int?
  private var decoder: NMEADecoder
  private var batch = RecordingBatch()
  private var detector = ProtocolDetector()
  private var reportedProblem: SourceProblem?
  private var satellites: SatellitesInView?

  private var flushAt: Instant?
  private var headingDeadline: Instant?
  /// The time of the last bytes; before any, the time the line was opened.
  private(set) var lastBytes: Instant
  private var firstBytes: Instant?
  /// The longest pause between bytes, and the longest but one.
  private var longestPauses = (first: Duration.zero, second: Duration.zero)
  private var pauses = ReceiverPauses()
  /// The time of the last sentence; before any, and at another speed, the time of the first byte.
  private var lastSentence: Instant?
  /// The time of the last position or "no fix" report; before any, the time of the first sentence. After a pause and
  /// a change of the sender it is later.
  private var lastPositionReport: Instant?
  /// The time of the last check for timeouts.
  private var lastCheck = Instant(nanoseconds: .min)
  private var sentences = 0
  private var instantsWithoutFix = 0
  private var undatedFixes = 0
  /// The wall clock's lead over the monotonic clock, in nanoseconds; `nil` before it is known.
  private var wallOffset: Int64?
  /// The step of the wall clock that may change the assumed day, in nanoseconds.
  private static let wallStep: Int64 = 43_200_000_000_000
  /// The number of sentences that had repeated an instant at ``lastInstant``.
  private var repetitions = 0

  /// Creates a session for a line that was just opened.
  ///
  /// - Parameters:
  ///   - search: the search for the line's speed; `nil` if the line has none or `speed` is given.
  ///   - speed: the line's speed, if given.
  init(
    _ port: ReceiverPort, at now: Instant, settings: Settings, search: SpeedSearch? = nil, speed: Int? = nil
  ) {
    self.settings = settings
    self.search = search
    hasStatedDate = settings.hasStatedDate
    fixedSpeed = speed
    problems = ReceiverProblems(port: port)
    decoder = Self.makeDecoder(settings)
    lastBytes = now
  }

  private static func makeDecoder(_ settings: Settings) -> NMEADecoder {
    var options = NMEADecoder.Options()
    options.acceptsMissingChecksums = settings.acceptsMissingChecksums
    options.endsEpochsEarly = true
    options.emitsSatellites = true
    if let notBefore = settings.notBefore { options.notBefore = notBefore }
    return NMEADecoder(options: options)
  }

  // MARK: Events

  /// Processes bytes that arrived.
  ///
  /// - Parameter wall: the wall clock's time; `nil` where it is unknown.
  mutating func process(_ bytes: UnsafeRawBufferPointer, at now: Instant, wall: UTCTime? = nil) {
    guard !bytes.isEmpty else { return }
    if hasReadSentence { pauses.recordData(at: now, after: lastBytes) }
    if firstBytes != nil { recordPause(now.since(lastBytes)) }
    firstBytes = firstBytes ?? now
    lastBytes = now
    if lastSentence == nil { lastSentence = now }
    detector.append(bytes)
    search?.recordBytes(bytes.count, at: now)
    if let wall {
      let offset = wall.nanosecondsSince1970 &- now.nanoseconds
      if let wallOffset, (offset &- wallOffset).magnitude >= Self.wallStep { decoder.recordArrivalStep() }
      wallOffset = offset
    }
    let isDateExpected = hasStatedDate && undatedFixes < settings.undatedFixLimit
    decoder.arrival = settings.assumesDates && !isDateExpected ? wall : nil
    decoder.decode(bytes, into: &batch)
    collectSignals(at: now)
    flushAt = decoder.hasPendingOutput ? now.advanced(by: settings.flushDelay) : nil
    checkTimeouts(at: now)
  }

  /// Processes a timer event; too early or too late does no harm.
  mutating func handleTimer(at now: Instant) {
    if let flushAt, now >= flushAt {
      self.flushAt = nil
      decoder.flush(into: &batch)
      collectSignals(at: now)
    }
    checkTimeouts(at: now)
  }

  /// Ends the current input: the next bytes are from another sender, or there are none.
  mutating func endInput(at now: Instant) {
    flushAt = nil
    decoder.finish(into: &batch)
    collectSignals(at: now)
    // Nothing follows the end of standard input: a short input is judged by its few bytes.
    if case .standardInput = problems.port, !hasReadSentence, detector.count > 0 {
      reportProblem(notUnderstoodProblem)
    }
    resetDecoder()
  }

  /// Begins the input of another sender.
  mutating func changeSender(from old: String, to new: String, at now: Instant) {
    endInput(at: now)
    if hasReadSentence { lastPositionReport = now }
    reportProblem(problems.senderChanged(old: old, new: new))
    signals.append(.segmentBegan)
  }

  /// The time of the next timer event; `nil` if only bytes can change the state.
  var nextWake: Instant? {
    var next: Instant?
    func consider(_ instant: Instant?) {
      // A check that found nothing waits for bytes.
      if let instant, instant > lastCheck, next.map({ instant < $0 }) ?? true { next = instant }
    }
    consider(flushAt)
    consider(search?.deadline)
    if reportedProblem?.code != .silent { consider(silentAt) }
    if hasReadSentence, reportedProblem?.code != .noPosition {
      consider(lastPositionReport?.advanced(by: settings.positionTimeout))
    }
    consider(headingDeadline)
    return next
  }

  /// The longest time between bytes of the line that occurred twice: a single one may be a stop of the sender. `nil`
  /// before the bytes beside that one show how often the sender sends.
  var longestPause: Duration? {
    guard let firstBytes,
      lastBytes.since(firstBytes) - longestPauses.first >= settings.pauseDuration
    else { return nil }
    return longestPauses.second
  }

  private mutating func recordPause(_ pause: Duration) {
    longestPauses.second = max(longestPauses.second, min(longestPauses.first, pause))
    longestPauses.first = max(longestPauses.first, pause)
  }

  // MARK: Output

  private mutating func collectSignals(at now: Instant) {
    let count = decoder.statistics.sentences
    if count > sentences {
      sentences = count
      extendPositionTimeoutAfterPause(at: now)
      lastSentence = now
      detector.removeAll()
      search?.markFound()
      if !hasReadSentence {
        hasReadSentence = true
        lastPositionReport = now
        headingDeadline = now.advanced(by: settings.headingTimeout)
      }
    }
    if decoder.knowsDate { hasStatedDate = true }
    var hasFix = false
    for element in batch.elements {
      switch element {
      case .fix(let fix):
        hasFix = true
        lastPositionReport = now
        repetitions = decoder.statistics.repeatedPositions
        reportedProblem = nil
        if fix.time == nil { undatedFixes += 1 }
        signals.append(.fix(fix, age: .sinceArrival))
      case .segmentBegan: signals.append(.segmentBegan)
      case .heading(let heading):
        headingDeadline = nil
        signals.append(.heading(heading))
      case .satellites(let view):
        if view.satellites != satellites?.satellites { signals.append(.satellites(view)) }
        satellites = view
      case .trackBegan, .waypoint, .routeBegan, .routePoint, .deviceBegan, .visit, .offset: break
      }
    }
    batch.removeAll()
    if decoder.statistics.epochsWithoutFix > instantsWithoutFix {
      instantsWithoutFix = decoder.statistics.epochsWithoutFix
      lastPositionReport = now
      repetitions = decoder.statistics.repeatedPositions
      if !hasFix { reportProblem(problems.noFix) }
    }
  }

  /// Gives the first sentences after a pause the time to state a position: no instant before them could.
  private mutating func extendPositionTimeoutAfterPause(at now: Instant) {
    guard let lastReport = lastPositionReport, let lastSentence,
      now >= lastSentence.advanced(by: settings.pauseDuration)
    else { return }
    lastPositionReport = max(
      lastReport, now.advanced(by: settings.positionTimeoutAfterPause - settings.positionTimeout))
  }

  private mutating func reportProblem(_ problem: SourceProblem) {
    guard reportedProblem != problem else { return }
    reportedProblem = problem
    signals.append(.unavailable(problem))
  }

  /// The time at which the receiver counts as silent.
  private var silentAt: Instant {
    lastBytes.advanced(by: pauses.silenceTimeout(atLeast: settings.silenceTimeout))
  }

  private var silenceProblem: SourceProblem {
    if hasReadSentence { return pauses.isIntervalKnown ? problems.silent : problems.silentSinceFirstData }
    // A few bytes before the silence identify their sender.
    return detector.count == 0 ? problems.silent : notUnderstoodProblem
  }

  /// Reports data that has been missing for too long.
  private mutating func checkTimeouts(at now: Instant) {
    lastCheck = now
    if now >= silentAt {
      reportProblem(silenceProblem)
    } else if isNoise(at: now) {
      // Bytes read before may still be in the detector's sample, but not in the search's.
      if search?.hasFoundSpeed == true, !detector.isBinaryProtocol { search?.restart(at: now) }
      if search.map({ $0.hasFoundSpeed || $0.hasTriedAllSpeeds }) ?? true {
        reportProblem(notUnderstoodProblem)
      }
    } else if hasReadSentence, let lastPositionReport, let lastSentence, lastSentence > lastPositionReport,
      now >= lastPositionReport.advanced(by: settings.positionTimeout)
    {
      reportProblem(
        decoder.statistics.repeatedPositions > repetitions
          ? problems.repeatedTime : problems.noPositionSentences)
    }
    if let headingDeadline, now >= headingDeadline {
      self.headingDeadline = nil
      signals.append(.headingsUnavailable(problems.noCompass))
    }
    continueSpeedSearch(at: now)
  }

  private var notUnderstoodProblem: SourceProblem {
    problems.notUnderstood(
      detector.kind, at: fixedSpeed ?? search?.speed, isSearched: search?.hasTriedAllSpeeds ?? false)
  }

  private func isNoise(at now: Instant) -> Bool {
    guard detector.count > 0, let lastSentence else { return false }
    // gpsd greets a connection with less than a hundred bytes, and then waits for a request. Elsewhere a program has
    // asked it: the sentences of `gpspipe -r` follow its greeting.
    if case .tcp = problems.port, !hasReadSentence, detector.kind == .gpsd { return true }
    if let search, search.hasTriedAllSpeeds, !search.hasFoundSpeed {
      return detector.count >= settings.search.byteLimit
        || now >= lastSentence.advanced(by: settings.search.listenDuration / 2)
    }
    return detector.count >= settings.noiseByteCount
      && now >= lastSentence.advanced(by: settings.noiseDuration)
  }

  private mutating func continueSpeedSearch(at now: Instant) {
    guard let search, !search.hasFoundSpeed else { return }
    if detector.isBinaryProtocol {
      self.search?.markFound()
    } else if let speed = self.search?.nextSpeed(at: now) {
      requestedSpeed = speed
      // The decoder's state stays: a USB device may ignore the speed, and noise has no valid checksum.
      detector.removeAll()
      lastSentence = nil
    }
  }

  private mutating func resetDecoder() {
    decoder = Self.makeDecoder(settings)
    batch = RecordingBatch()
    detector.removeAll()
    pauses = ReceiverPauses()
    flushAt = nil
    sentences = 0
    instantsWithoutFix = 0
    undatedFixes = 0
    repetitions = 0
    lastSentence = nil
  }
}
