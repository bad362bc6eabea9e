import WhereaboutsCore

extension NMEADecoder {
  /// Reads one sentence and takes what it says.
  @inline(__always)
  mutating func interpret(_ frame: SentenceFramer.Frame, into batch: inout RecordingBatch) {
    guard frame.start.load(as: UInt8.self) == UInt8(ascii: "$") else {
      statistics.encapsulated &+= 1
      return
    }
    guard frame.isChecked || options.acceptsMissingChecksums else {
      batch.problems.report(
        .missing, line: frame.line, byteOffset: frame.byteOffset, "a sentence without its checksum")
      return
    }
    guard let (kind, first) = SentenceKind.identify(frame.start, to: frame.bodyEnd) else {
      statistics.unread &+= 1
      return
    }
    statistics.count(kind)
    if options.emitsSatellites {
      if kind != .gsa { sky.endUsed() }
      if kind != .gsv { tellSatellites(into: &batch) }
    }
    var fields = FieldReader(from: first, to: frame.bodyEnd)
    take(kind, talker: Talker(frame.start), &fields, into: &batch)
    if let problem = fields.problem {
      batch.problems.report(
        problem, line: frame.line, byteOffset: frame.byteOffset, "a field of \(kind.name)")
    }
  }

  @inline(__always)
  private mutating func take(
    _ kind: SentenceKind, talker: Talker, _ fields: inout FieldReader, into batch: inout RecordingBatch
  ) {
    switch kind {
    case .rmc: take(RMC(&fields), into: &batch)
    case .gga: take(GGA(&fields), into: &batch)
    case .gll: take(GLL(&fields), into: &batch)
    case .gns: take(GNS(&fields), into: &batch)
    case .vtg: take(VTG(&fields), into: &batch)
    case .gsa: take(GSA(&fields), talker: talker, into: &batch)
    case .gsv: take(GSV(&fields), talker: talker)
    case .zda: take(ZDA(&fields))
    case .gst: take(GST(&fields), into: &batch)
    case .gbs: take(GBS(&fields), into: &batch)
    case .pgrme: take(PGRME(&fields), into: &batch)
    case .pubx00: take(PUBX00(&fields), into: &batch)
    case .hdt: take(Heading(hdt: &fields), into: &batch)
    case .hdm: take(Heading(hdm: &fields), into: &batch)
    case .hdg: take(Heading(hdg: &fields), into: &batch)
    case .ths: take(Heading(ths: &fields), into: &batch)
    case .rot: rateOfTurn = fields.rateOfTurn()
    }
  }

  private mutating func take(_ heading: Heading?, into batch: inout RecordingBatch) {
    guard let heading, options.emitsHeadings else { return }
    batch.elements.append(.heading(heading))
  }

  // MARK: - Positions

  @inline(__always)
  private mutating func take(_ rmc: RMC, into batch: inout RecordingBatch) {
    let isValid = rmc.isValid && rmc.mode != .notValid
    enter(.rmc, at: rmc.time, isValid: isValid, into: &batch)
    // Receivers without a fix may give any date.
    if isValid, let day = rmc.day, let time = rmc.time {
      clock.set(day, at: time)
      epoch.day = clock.day(at: time)
    }
    epoch.take(rmc, isValid: isValid)
    leave(.rmc, into: &batch)
  }

  @inline(__always)
  private mutating func take(_ gga: GGA, into batch: inout RecordingBatch) {
    enter(.gga, at: gga.time, isValid: gga.isValid, into: &batch)
    epoch.take(gga)
    leave(.gga, into: &batch)
  }

  @inline(__always)
  private mutating func take(_ gns: GNS, into batch: inout RecordingBatch) {
    enter(.gns, at: gns.time, isValid: gns.isValid, into: &batch)
    epoch.take(gns)
    leave(.gns, into: &batch)
  }

  @inline(__always)
  private mutating func take(_ gll: GLL, into batch: inout RecordingBatch) {
    let isValid = gll.isValid && gll.mode != .notValid
    enter(.gll, at: gll.time, isValid: isValid, into: &batch)
    epoch.take(gll, isValid: isValid)
    leave(.gll, into: &batch)
  }

  private mutating func take(_ pubx: PUBX00, into batch: inout RecordingBatch) {
    enter(.pubx00, at: pubx.time, isValid: pubx.isValid, into: &batch)
    epoch.take(pubx)
    leave(.pubx00, into: &batch)
  }

  // MARK: - What goes with a position

  @inline(__always)
  private mutating func take(_ vtg: VTG, into batch: inout RecordingBatch) {
    guard vtg.mode != .notValid else { return }
    epoch.take(vtg)
    leave(.vtg, into: &batch)
  }

  @inline(__always)
  private mutating func take(_ gsa: GSA, talker: Talker, into batch: inout RecordingBatch) {
    epoch.take(gsa)
    if options.emitsSatellites { sky.take(gsa, talker: talker) }
    leave(.gsa, into: &batch)
  }

  private mutating func take(_ gst: GST, into batch: inout RecordingBatch) {
    if let time = gst.time, !epoch.isOpen(at: time) { return }
    epoch.gst = gst.errors ?? epoch.gst
    leave(.gst, into: &batch)
  }

  private mutating func take(_ gbs: GBS, into batch: inout RecordingBatch) {
    if let time = gbs.time, !epoch.isOpen(at: time) { return }
    epoch.gbs = gbs.errors ?? epoch.gbs
    leave(.gbs, into: &batch)
  }

  private mutating func take(_ pgrme: PGRME, into batch: inout RecordingBatch) {
    epoch.pgrme = pgrme.errors ?? epoch.pgrme
    leave(.pgrme, into: &batch)
  }

  private mutating func take(_ zda: ZDA) {
    guard let time = zda.time, let day = zda.day else { return }
    clock.set(day, at: time)
    // The instant at hand may have waited for a date.
    if let open = epoch.time { epoch.day = clock.day(at: open) }
  }

  // MARK: - Satellites

  @inline(__always)
  private mutating func take(_ gsv: GSV, talker: Talker) {
    held.take(gsv, talker: talker, at: epoch.time)
    if options.emitsSatellites { sky.take(gsv, talker: talker) }
  }

  /// Gives the satellites in view when the sentences about them have come to an end.
  @inline(__always)
  mutating func tellSatellites(into batch: inout RecordingBatch) {
    guard sky.isComplete else { return }
    batch.elements.append(.satellites(sky.view(at: epoch.instant)))
  }
}
