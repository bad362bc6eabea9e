import WhereaboutsModel

extension NMEADecoder {
  /// Reads one sentence and processes its values.
  @inline(__always)
  mutating func interpret(_ frame: SentenceFramer.Frame, into batch: inout RecordingBatch) {
    let isEncapsulated = frame.start.load(as: UInt8.self) != UInt8(ascii: "$")
    guard frame.isChecked || options.acceptsMissingChecksums else {
      // With another mark it may be any text, such as a web page's <!DOCTYPE html>.
      if !isEncapsulated {
        batch.problems.report(
          .missing, line: frame.line, byteOffset: frame.byteOffset, "a sentence without its checksum")
      }
      return
    }
    if isEncapsulated {
      statistics.encapsulated &+= 1
      return
    }
    guard let (kind, first) = SentenceKind.identify(frame.start, to: frame.bodyEnd) else {
      statistics.unsupportedSentences &+= 1
      return
    }
    statistics.count(kind)
    if options.emitsSatellites { endSatelliteLists(before: kind, into: &batch) }
    let fields = FieldReader(from: first, to: frame.bodyEnd)
    if let problem = process(kind, talker: Talker(frame.start), fields, into: &batch) {
      batch.problems.report(
        problem, line: frame.line, byteOffset: frame.byteOffset, "a field of \(kind.name)")
    }
  }

  /// Processes a sentence, and returns the problem of its fields.
  ///
  /// Each of the frequent kinds has a function that is not inlined, so that everything within it is.
  @inline(__always)
  private mutating func process(
    _ kind: SentenceKind, talker: Talker, _ fields: FieldReader, into batch: inout RecordingBatch
  ) -> InputProblem.Kind? {
    switch kind {
    case .rmc: processRMC(fields, into: &batch)
    case .gga: processGGA(fields, into: &batch)
    case .gll: processGLL(fields, into: &batch)
    case .vtg: processVTG(fields, into: &batch)
    case .gsa: processGSA(fields, talker: talker, into: &batch)
    case .gsv: processGSV(fields, talker: talker)
    case .gst: processGST(fields, into: &batch)
    default: processRare(kind, fields, into: &batch)
    }
  }

  @inline(never)
  private mutating func processRare(
    _ kind: SentenceKind, _ fields: FieldReader, into batch: inout RecordingBatch
  ) -> InputProblem.Kind? {
    var fields = fields
    switch kind {
    case .rmc, .gga, .gll, .vtg, .gsa, .gsv, .gst: break
    case .gns: process(GNS(&fields, latest: &latestTexts), into: &batch)
    case .zda: process(ZDA(&fields))
    case .pubx04: process(ZDA(pubx04: &fields))
    case .gbs: process(GBS(&fields), into: &batch)
    case .pgrme: process(PGRME(&fields), into: &batch)
    case .pubx00: process(PUBX00(&fields), into: &batch)
    case .hdt: process(Heading(hdt: &fields), into: &batch)
    case .hdm: process(Heading(hdm: &fields), into: &batch)
    case .hdg: process(Heading(hdg: &fields), into: &batch)
    case .ths: process(Heading(ths: &fields), into: &batch)
    case .rot: rateOfTurn = fields.rateOfTurn()
    }
    return fields.problem
  }

  private mutating func process(_ heading: Heading?, into batch: inout RecordingBatch) {
    guard let heading, options.emitsHeadings else { return }
    batch.elements.append(.heading(heading))
  }

  // MARK: - Positions

  @inline(never)
  private mutating func processRMC(
    _ fields: FieldReader, into batch: inout RecordingBatch
  ) -> InputProblem.Kind? {
    var fields = fields
    let rmc = RMC(&fields, latest: &latestTexts)
    let isValid = rmc.isValid && rmc.mode != .notValid
    beginSentence(.rmc, at: rmc.time, on: isValid ? rmc.day : nil, isValid: isValid, into: &batch)
    // Receivers without a fix may send any date.
    if isValid, let day = rmc.day, let time = rmc.time {
      clock.setDay(day, at: time)
      epoch.day = clock.day(at: time)
    }
    epoch.process(rmc, isValid: isValid)
    if doubt.isOpen { doubt.later.process(rmc, isValid: isValid) }
    endSentence(.rmc, into: &batch)
    return fields.problem
  }

  @inline(never)
  private mutating func processGGA(
    _ fields: FieldReader, into batch: inout RecordingBatch
  ) -> InputProblem.Kind? {
    var fields = fields
    let gga = GGA(&fields, latest: &latestTexts)
    beginSentence(.gga, at: gga.time, isValid: gga.isValid, into: &batch)
    epoch.process(gga)
    if doubt.isOpen { doubt.later.process(gga) }
    endSentence(.gga, into: &batch)
    return fields.problem
  }

  private mutating func process(_ gns: GNS, into batch: inout RecordingBatch) {
    beginSentence(.gns, at: gns.time, isValid: gns.isValid, into: &batch)
    epoch.process(gns)
    if doubt.isOpen { doubt.later.process(gns) }
    endSentence(.gns, into: &batch)
  }

  @inline(never)
  private mutating func processGLL(
    _ fields: FieldReader, into batch: inout RecordingBatch
  ) -> InputProblem.Kind? {
    var fields = fields
    let gll = GLL(&fields, latest: &latestTexts)
    let isValid = gll.isValid && gll.mode != .notValid
    beginSentence(.gll, at: gll.time, isValid: isValid, into: &batch)
    epoch.process(gll, isValid: isValid)
    if doubt.isOpen { doubt.later.process(gll, isValid: isValid) }
    endSentence(.gll, into: &batch)
    return fields.problem
  }

  @inline(never)
  private mutating func processVTG(
    _ fields: FieldReader, into batch: inout RecordingBatch
  ) -> InputProblem.Kind? {
    var fields = fields
    processVTG(VTG(&fields), into: &batch)
    return fields.problem
  }

  private mutating func process(_ pubx: PUBX00, into batch: inout RecordingBatch) {
    beginSentence(.pubx00, at: pubx.time, isValid: pubx.isValid, into: &batch)
    epoch.process(pubx)
    if doubt.isOpen { doubt.later.process(pubx) }
    endSentence(.pubx00, into: &batch)
  }

  // MARK: - Additional values

  @inline(never)
  private mutating func processGSA(
    _ start: FieldReader, talker: Talker, into batch: inout RecordingBatch
  ) -> InputProblem.Kind? {
    var fields = start
    let gsa = latestTexts.gsa(&fields, talker: talker)
    epoch.process(gsa)
    if doubt.isOpen { doubt.later.process(gsa) }
    if options.emitsSatellites {
      var satellites = start
      satellites.skip(GSA.fieldsBeforeSatellites)
      satelliteView.process(gsa, satellites: satellites, talker: talker)
    }
    endSentence(.gsa, into: &batch)
    return fields.problem
  }

  @inline(never)
  private mutating func processGST(
    _ fields: FieldReader, into batch: inout RecordingBatch
  ) -> InputProblem.Kind? {
    var fields = fields
    let gst = GST(&fields)
    if let time = gst.time, !epoch.isOpen(at: time) { return fields.problem }
    if let errors = gst.errors {
      epoch.gst = errors
      if doubt.isOpen { doubt.later.gst = errors }
    }
    endSentence(.gst, into: &batch)
    return fields.problem
  }

  private mutating func process(_ gbs: GBS, into batch: inout RecordingBatch) {
    if let time = gbs.time, !epoch.isOpen(at: time) { return }
    if let errors = gbs.errors {
      epoch.gbs = errors
      if doubt.isOpen { doubt.later.gbs = errors }
    }
    endSentence(.gbs, into: &batch)
  }

  private mutating func process(_ pgrme: PGRME, into batch: inout RecordingBatch) {
    if let errors = pgrme.errors {
      epoch.pgrme = errors
      if doubt.isOpen { doubt.later.pgrme = errors }
    }
    endSentence(.pgrme, into: &batch)
  }

  private mutating func process(_ zda: ZDA) {
    guard let time = zda.time, let day = zda.day else { return }
    clock.setDay(day, at: time)
    // The instant at hand may have waited for a date.
    if let open = epoch.time { epoch.day = clock.day(at: open) }
  }

  // MARK: - Satellites

  @inline(never)
  private mutating func processGSV(_ fields: FieldReader, talker: Talker) -> InputProblem.Kind? {
    var fields = fields
    let gsv = GSV(&fields)
    recentValues.process(gsv, talker: talker, at: epoch.time)
    if options.emitsSatellites { satelliteView.process(gsv, talker: talker) }
    return fields.problem
  }

  /// Ends the lists of satellites that a sentence of another kind ends.
  @inline(never)
  private mutating func endSatelliteLists(before kind: SentenceKind, into batch: inout RecordingBatch) {
    if kind != .gsa { satelliteView.endUsedList() }
    if kind != .gsv { emitSatellites(into: &batch) }
  }

  /// Gives the satellites in view when their run of sentences has ended.
  mutating func emitSatellites(into batch: inout RecordingBatch) {
    guard satelliteView.isComplete else { return }
    batch.elements.append(.satellites(satelliteView.view(at: epoch.instant)))
  }
}
