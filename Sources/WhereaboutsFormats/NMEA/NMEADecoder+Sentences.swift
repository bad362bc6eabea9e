import WhereaboutsModel

extension NMEADecoder {
  /// Reads one sentence and processes its values.
  ///
  /// The compiler inlines into a method up to some size, and calls what is beyond. So each frequent kind has a method of
  /// its own, rare cases are called, and the rest is small enough to be inlined where sentences are found. The reader is
  /// passed as a value, which stays in registers.
  @inline(__always)
  mutating func interpret(_ frame: SentenceFramer.Frame, into batch: inout RecordingBatch) {
    let isChecked = frame.isChecked || options.acceptsMissingChecksums
    guard frame.start.load(as: UInt8.self) == UInt8(ascii: "$"), isChecked else {
      return passOver(frame, into: &batch)
    }
    guard let (kind, first) = SentenceKind.identify(frame.start, to: frame.bodyEnd) else {
      statistics.unsupportedSentences &+= 1
      return
    }
    statistics.count(kind)
    if options.emitsSatellites { endSatelliteLists(before: kind, into: &batch) }
    let fields = FieldReader(from: first, to: frame.bodyEnd)
    switch kind {
    case .rmc: processRMC(fields, into: &batch)
    case .gga: processGGA(fields, into: &batch)
    case .gsa: processGSA(fields, talker: Talker(frame.start), into: &batch)
    case .gsv: processGSV(fields, talker: Talker(frame.start), into: &batch)
    case .gll: processGLL(fields, into: &batch)
    case .vtg: processVTG(fields, into: &batch)
    default: processOther(kind, fields, into: &batch)
    }
  }

  /// Counts a sentence that begins with `!`, or reports one without its checksum.
  @inline(never)
  private mutating func passOver(_ frame: SentenceFramer.Frame, into batch: inout RecordingBatch) {
    guard frame.start.load(as: UInt8.self) == UInt8(ascii: "$") else {
      // Without a checksum it may be any text with this mark, such as a web page's <!DOCTYPE html>.
      if frame.isChecked || options.acceptsMissingChecksums { statistics.encapsulated &+= 1 }
      return
    }
    batch.problems.report(
      .missing, line: framer.sentenceLine, byteOffset: framer.sentenceOffset,
      "a sentence without its checksum")
  }

  /// Ends the lists of satellites that a sentence of another kind ends.
  @inline(never)
  private mutating func endSatelliteLists(before kind: SentenceKind, into batch: inout RecordingBatch) {
    if kind != .gsa { satelliteView.endUsedList() }
    if kind != .gsv { emitSatellites(into: &batch) }
  }

  /// Reports a field that could not be read. The method changes nothing else. It is mutating, since the decoder would be
  /// copied for the call otherwise.
  @inline(__always)
  mutating func reportProblem(of fields: FieldReader, _ kind: SentenceKind, into batch: inout RecordingBatch)
  {
    if let problem = fields.problem { report(problem, of: kind, into: &batch) }
  }

  @inline(never)
  private mutating func report(
    _ problem: InputProblem.Kind, of kind: SentenceKind, into batch: inout RecordingBatch
  ) {
    batch.problems.report(
      problem, line: framer.sentenceLine, byteOffset: framer.sentenceOffset, "a field of \(kind.name)")
  }

  /// Reads and processes a sentence of a less frequent kind.
  @inline(never)
  private mutating func processOther(
    _ kind: SentenceKind, _ first: FieldReader, into batch: inout RecordingBatch
  ) {
    var fields = first
    switch kind {
    case .rmc, .gga, .gll, .vtg, .gsa, .gsv: break  // each has a method of its own
    case .gns: process(GNS(&fields, latest: &latestTexts), into: &batch)
    case .zda: process(ZDA(&fields))
    case .pubx04: process(ZDA(pubx04: &fields))
    case .gst: process(GST(&fields), into: &batch)
    case .gbs: process(GBS(&fields), into: &batch)
    case .pgrme: process(PGRME(&fields), into: &batch)
    case .pubx00: process(PUBX00(&fields), into: &batch)
    case .hdt: process(Heading(hdt: &fields), into: &batch)
    case .hdm: process(Heading(hdm: &fields), into: &batch)
    case .hdg: process(Heading(hdg: &fields), into: &batch)
    case .ths: process(Heading(ths: &fields), into: &batch)
    case .rot: rateOfTurn = fields.rateOfTurn()
    }
    reportProblem(of: fields, kind, into: &batch)
  }

  private mutating func process(_ heading: Heading?, into batch: inout RecordingBatch) {
    guard let heading, options.emitsHeadings else { return }
    batch.elements.append(.heading(heading))
  }

  // MARK: - Positions

  @inline(never)
  private mutating func processRMC(_ first: FieldReader, into batch: inout RecordingBatch) {
    var fields = first
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
    reportProblem(of: fields, .rmc, into: &batch)
  }

  @inline(never)
  private mutating func processGGA(_ first: FieldReader, into batch: inout RecordingBatch) {
    var fields = first
    let gga = GGA(&fields, latest: &latestTexts)
    beginSentence(.gga, at: gga.time, isValid: gga.isValid, into: &batch)
    epoch.process(gga)
    if doubt.isOpen { doubt.later.process(gga) }
    endSentence(.gga, into: &batch)
    reportProblem(of: fields, .gga, into: &batch)
  }

  private mutating func process(_ gns: GNS, into batch: inout RecordingBatch) {
    beginSentence(.gns, at: gns.time, isValid: gns.isValid, into: &batch)
    epoch.process(gns)
    if doubt.isOpen { doubt.later.process(gns) }
    endSentence(.gns, into: &batch)
  }

  @inline(never)
  private mutating func processGLL(_ first: FieldReader, into batch: inout RecordingBatch) {
    var fields = first
    let gll = GLL(&fields, latest: &latestTexts)
    let isValid = gll.isValid && gll.mode != .notValid
    beginSentence(.gll, at: gll.time, isValid: isValid, into: &batch)
    epoch.process(gll, isValid: isValid)
    if doubt.isOpen { doubt.later.process(gll, isValid: isValid) }
    endSentence(.gll, into: &batch)
    reportProblem(of: fields, .gll, into: &batch)
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
    _ first: FieldReader, talker: Talker, into batch: inout RecordingBatch
  ) {
    var fields = first
    let gsa = latestTexts.gsa(&fields, talker: talker)
    epoch.process(gsa)
    if doubt.isOpen { doubt.later.process(gsa) }
    if options.emitsSatellites {
      var satellites = first
      satellites.skip(GSA.fieldsBeforeSatellites)
      satelliteView.process(gsa, satellites: satellites, talker: talker)
    }
    endSentence(.gsa, into: &batch)
    reportProblem(of: fields, .gsa, into: &batch)
  }

  private mutating func process(_ gst: GST, into batch: inout RecordingBatch) {
    if let time = gst.time, !epoch.isOpen(at: time) { return }
    if let errors = gst.errors {
      epoch.gst = errors
      if doubt.isOpen { doubt.later.gst = errors }
    }
    endSentence(.gst, into: &batch)
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
  private mutating func processGSV(_ first: FieldReader, talker: Talker, into batch: inout RecordingBatch) {
    var fields = first
    let gsv = GSV(&fields)
    recentValues.process(gsv, talker: talker, at: epoch.time)
    if options.emitsSatellites { satelliteView.process(gsv, talker: talker) }
    reportProblem(of: fields, .gsv, into: &batch)
  }

  /// Gives the satellites in view when their run of sentences has ended.
  @inline(__always)
  mutating func emitSatellites(into batch: inout RecordingBatch) {
    guard satelliteView.isComplete else { return }
    batch.elements.append(.satellites(satelliteView.view(at: epoch.instant)))
  }
}
