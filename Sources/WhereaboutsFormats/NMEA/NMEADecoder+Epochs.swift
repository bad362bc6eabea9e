import WhereaboutsModel
import WhereaboutsGeodesy

extension NMEADecoder {
  /// Begins a sentence with a position; ends the current instant if the sentence is of another.
  ///
  /// - Parameter day: the date that the sentence states, if it has a fix.
  @inline(__always)
  mutating func beginSentence(
    _ kind: SentenceKind, at time: TimeOfDay?, on day: CivilDay? = nil, isValid: Bool,
    into batch: inout RecordingBatch
  ) {
    if let time {
      if epoch.time != nil {
        if !epoch.isOpen(at: time) {
          closeEpoch(into: &batch)
        } else if epoch.contradicts(day) {
          closeEpochOfEarlierDate(into: &batch)
        } else {
          epoch.processPendingVTG()
          if epoch.sentences.contains(kind.bit) { recordRepetition(of: kind, on: day) }
        }
      } else {
        epoch.processPendingVTG()
        // Before the first position there was more than one VTG: the stream may begin anywhere in the cycle.
        if beginsWithVTG, epoch.sentences.isEmpty, statistics.supportedSentences > 2 { beginsWithVTG = false }
      }
      epoch.time = time
      // Receivers without a fix may state any time.
      if isValid { epoch.day = clock.day(at: time) }
      if let day {
        if epoch.sentences.isEmpty { epoch.beginsWithDay = true }
        epoch.statedDay = day
      }
    } else if epoch.time == nil, epoch.sentences.contains(kind.bit) {
      // Without times, the same type again is another instant.
      closeEpoch(into: &batch)
    } else {
      epoch.processPendingVTG()
    }
    epoch.sentences.insert(kind.bit)
  }

  /// Ends a sentence of the current instant.
  @inline(__always)
  mutating func endSentence(_ kind: SentenceKind, into batch: inout RecordingBatch) {
    guard options.endsEpochsEarly else { return }
    if cycle.isEnded(by: kind, isEmitted: epoch.isEmitted) { emitEpoch(into: &batch) }
  }

  /// Closes the instant, because another one has begun.
  @inline(never)
  private mutating func closeEpoch(into batch: inout RecordingBatch) {
    emitEpoch(into: &batch)
    cycle.close()
    let vtgOfNext = epoch.pendingVTG
    epoch = Epoch()
    epochBeforeRepetition = nil
    if let vtgOfNext { epoch.process(vtgOfNext) }
  }

  @inline(never)
  private mutating func recordRepetition(of kind: SentenceKind, on day: CivilDay?) {
    statistics.repeatedPositions &+= 1
    // Where the date comes first, a sentence that comes again is of that date.
    guard epoch.statedDay != nil, !epoch.beginsWithDay else { return }
    guard day == nil else {
      // The date is still the same, also that of the sentences that came again before it.
      epochBeforeRepetition = nil
      epoch.repeatedSentences = []
      return
    }
    if epochBeforeRepetition == nil { epochBeforeRepetition = epoch }
    epoch.repeatedSentences.insert(kind.bit)
  }

  /// Closes the instant, because a sentence states its time of day on another date. The sentences that came a second
  /// time are of that date, too.
  @inline(never)
  private mutating func closeEpochOfEarlierDate(into batch: inout RecordingBatch) {
    let merged = epoch
    if let before = epochBeforeRepetition {
      epoch = before
      epoch.isEmitted = merged.isEmitted
    }
    closeEpoch(into: &batch)
    epoch.adoptRepeatedSentences(of: merged)
  }

  /// Processes a VTG, which has no time.
  ///
  /// Between two sentences of one instant it is of that instant. Between two instants it is of the first one, unless the
  /// receiver's cycle begins with VTG, as that of a u-blox receiver without RMC. Such a cycle shows itself where the
  /// stream begins with VTG and a position, or where the receiver was silent before VTG.
  @inline(__always)
  mutating func processVTG(_ vtg: VTG, into batch: inout RecordingBatch) {
    let isBeforeFirstInstant = epoch.sentences.isEmpty
    let isFirstSentence = isBeforeFirstInstant && framer.isIntact && statistics.supportedSentences == 1
    if isFirstSentence || epoch.precedesSilence { beginsWithVTG = true }
    guard vtg.mode != .notValid else { return }
    if isBeforeFirstInstant {
      epoch.process(vtg)
    } else {
      if !beginsWithVTG { epoch.processPendingVTG() }
      epoch.pendingVTG = vtg
    }
    if !beginsWithVTG { endSentence(.vtg, into: &batch) }
  }

  /// Records that the receiver is silent: what it sent last ends its cycle.
  mutating func recordSilence() {
    guard !epoch.sentences.isEmpty else { return }
    if epoch.pendingVTG != nil, !epoch.precedesSilence { beginsWithVTG = false }
    epoch.precedesSilence = true
  }

  /// Gives the current instant's fix, if not given yet.
  mutating func emitEpoch(into batch: inout RecordingBatch) {
    if !beginsWithVTG { epoch.processPendingVTG() }
    guard !epoch.isEmitted else { return }
    epoch.isEmitted = true
    guard !epoch.isDenied else {
      statistics.epochsWithoutFix &+= 1
      recentValues.clearSolution()
      return
    }
    recentValues.update(from: epoch)
    epoch.appendFix(to: &batch.elements, held: recentValues, rangingErrors: options.rangingErrors)
  }
}
