import WhereaboutsModel

extension NMEADecoder {
  /// Reads one sentence and processes its values.
  @inline(__always)
  mutating func interpret(_ frame: SentenceFramer.Frame, into batch: inout RecordingBatch) {
    guard frame.start.load(as: UInt8.self) == UInt8(ascii: "$") else {
      // Without a checksum it may be any text with this mark, such as a web page's <!DOCTYPE html>.
      if frame.isChecked || options.acceptsMissingChecksums { statistics.encapsulated &+= 1 }
      return
    }
    guard frame.isChecked || options.acceptsMissingChecksums else {
      batch.problems.report(
        .missing, line: frame.line, byteOffset: frame.byteOffset, "a sentence without its checksum")
      return
    }
    guard let (kind, first) = SentenceKind.identify(frame.start, to: frame.bodyEnd) else {
      statistics.unsupportedSentences &+= 1
      return
    }
    statistics.count(kind)
    if options.emitsSatellites {
      if kind != .gsa { satelliteView.endUsedList() }
      if kind != .gsv { emitSatellites(into: &batch) }
    }
    var fields = FieldReader(from: first, to: frame.bodyEnd)
    process(kind, talker: Talker(frame.start), &fields, into: &batch)
    if let problem = fields.problem {
      batch.problems.report(
        problem, line: frame.line, byteOffset: frame.byteOffset, "a field of \(kind.name)")
    }
  }

  @inline(__always)
  private mutating func process(
    _ kind: SentenceKind, talker: Talker, _ fields: inout FieldReader, into batch: inout RecordingBatch
  ) {
    switch kind {
    case .rmc: process(RMC(&fields, latest: &latestTexts), into: &batch)
    case .gga: process(GGA(&fields, latest: &latestTexts), into: &batch)
    case .gll: process(GLL(&fields, latest: &latestTexts), into: &batch)
    case .gns: process(GNS(&fields, latest: &latestTexts), into: &batch)
    case .vtg: processVTG(VTG(&fields), into: &batch)
    case .gsa: processGSA(&fields, talker: talker, into: &batch)
    case .gsv: process(GSV(&fields), talker: talker)
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
  }

  private mutating func process(_ heading: Heading?, into batch: inout RecordingBatch) {
    guard let heading, options.emitsHeadings else { return }
    batch.elements.append(.heading(heading))
  }

  // MARK: - Positions

  @inline(__always)
  private mutating func process(_ rmc: RMC, into batch: inout RecordingBatch) {
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
  }

  @inline(__always)
  private mutating func process(_ gga: GGA, into batch: inout RecordingBatch) {
    beginSentence(.gga, at: gga.time, isValid: gga.isValid, into: &batch)
    epoch.process(gga)
    if doubt.isOpen { doubt.later.process(gga) }
    endSentence(.gga, into: &batch)
  }

  @inline(__always)
  private mutating func process(_ gns: GNS, into batch: inout RecordingBatch) {
    beginSentence(.gns, at: gns.time, isValid: gns.isValid, into: &batch)
    epoch.process(gns)
    if doubt.isOpen { doubt.later.process(gns) }
    endSentence(.gns, into: &batch)
  }

  @inline(__always)
  private mutating func process(_ gll: GLL, into batch: inout RecordingBatch) {
    let isValid = gll.isValid && gll.mode != .notValid
    beginSentence(.gll, at: gll.time, isValid: isValid, into: &batch)
    epoch.process(gll, isValid: isValid)
    if doubt.isOpen { doubt.later.process(gll, isValid: isValid) }
    endSentence(.gll, into: &batch)
  }

  private mutating func process(_ pubx: PUBX00, into batch: inout RecordingBatch) {
    beginSentence(.pubx00, at: pubx.time, isValid: pubx.isValid, into: &batch)
    epoch.process(pubx)
    if doubt.isOpen { doubt.later.process(pubx) }
    endSentence(.pubx00, into: &batch)
  }

  // MARK: - Additional values

  @inline(__always)
  private mutating func processGSA(
    _ fields: inout FieldReader, talker: Talker, into batch: inout RecordingBatch
  ) {
    let start = fields
    let gsa = latestTexts.gsa(&fields, talker: talker)
    epoch.process(gsa)
    if doubt.isOpen { doubt.later.process(gsa) }
    if options.emitsSatellites {
      var satellites = start
      satellites.skip(GSA.fieldsBeforeSatellites)
      satelliteView.process(gsa, satellites: satellites, talker: talker)
    }
    endSentence(.gsa, into: &batch)
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

  @inline(__always)
  private mutating func process(_ gsv: GSV, talker: Talker) {
    recentValues.process(gsv, talker: talker, at: epoch.time)
    if options.emitsSatellites { satelliteView.process(gsv, talker: talker) }
  }

  /// Gives the satellites in view when their run of sentences has ended.
  @inline(__always)
  mutating func emitSatellites(into batch: inout RecordingBatch) {
    guard satelliteView.isComplete else { return }
    batch.elements.append(.satellites(satelliteView.view(at: epoch.instant)))
  }
}
