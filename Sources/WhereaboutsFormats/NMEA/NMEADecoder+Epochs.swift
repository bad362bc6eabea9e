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
          closeEpochOfEarlierDate(than: day, into: &batch)
        } else {
          epoch.processPendingVTG()
          if epoch.sentences.contains(kind.bit) { statistics.repeatedPositions &+= 1 }
          if epoch.statedDay != nil { recordDoubt(of: kind, on: day) }
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
        if epoch.statedDay == nil { kindsBeforeDate = epoch.sentences }
        epoch.statedDay = day
      }
    } else if epoch.time == nil, epoch.sentences.contains(kind.bit) {
      // Without times, the same type again is another instant.
      closeEpoch(into: &batch)
    } else {
      epoch.processPendingVTG()
    }
    epoch.sentences.insert(kind.bit)
    if doubt.isOpen { doubt.later.sentences.insert(kind.bit) }
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
    if options.endsEpochsEarly { cycle.close() }
    let vtgOfNext = epoch.pendingVTG
    epoch = Epoch()
    doubt.isOpen = false
    if let vtgOfNext { epoch.process(vtgOfNext) }
  }

  /// Records a sentence after the date of the instant. Where its type comes before the date, it may be of the next date.
  @inline(__always)
  private mutating func recordDoubt(of kind: SentenceKind, on day: CivilDay?) {
    if day != nil {
      // The date is still the same, also that of the sentences before it.
      doubt.isOpen = false
    } else if kindsBeforeDate.contains(kind.bit), !doubt.isOpen {
      doubt = DateDoubt(isOpen: true, earlier: epoch)
    }
  }

  /// Closes the instant, because a sentence states its time of day on another date. The sentences in doubt are of that
  /// date, too.
  @inline(never)
  private mutating func closeEpochOfEarlierDate(than day: CivilDay?, into batch: inout RecordingBatch) {
    let wasOpen = doubt.isOpen
    if wasOpen {
      let isEmitted = epoch.isEmitted
      epoch = doubt.earlier
      epoch.isEmitted = isEmitted
    }
    closeEpoch(into: &batch)
    if wasOpen { epoch = doubt.later }
    // The order of the sentences remains known, also if one is missing on this date.
    epoch.statedDay = day
  }

  /// Processes a VTG, which has no time.
  ///
  /// Between two sentences of one instant it is of that instant. Between two instants it is of the first one, unless the
  /// receiver's cycle begins with VTG, as that of a u-blox receiver without RMC. Such a cycle shows itself where the
  /// stream begins with VTG and a position, or where the receiver was silent before VTG.
  @inline(never)
  mutating func processVTG(_ first: FieldReader, into batch: inout RecordingBatch) {
    var fields = first
    let vtg = fields.repeated(&latestTexts.vtg) { VTG(&$0) }
    reportProblem(of: fields, .vtg, into: &batch)
    let isBeforeFirstInstant = epoch.sentences.isEmpty
    let isFirstSentence = isBeforeFirstInstant && framer.isIntact && statistics.supportedSentences == 1
    if isFirstSentence || epoch.precedesSilence { beginsWithVTG = true }
    guard vtg.mode != .notValid else { return }
    if isBeforeFirstInstant {
      epoch.process(vtg)
    } else {
      if !beginsWithVTG { epoch.processPendingVTG() }
      epoch.pendingVTG = vtg
      if doubt.isOpen { doubt.later.process(vtg) }
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
    if epoch.position != nil, epoch.day != nil, clock.recordFix() { batch.elements.append(.segmentBegan) }
    epoch.appendFix(to: &batch.elements, held: recentValues, rangingErrors: options.rangingErrors)
  }
}
