import WhereaboutsCore
import WhereaboutsGeodesy

extension NMEADecoder {
  /// Sentences whose times differ by less than this are of one instant, in nanoseconds. Some receivers round the same
  /// instant differently in different sentences.
  static let sameInstant: Int64 = 10_000_000

  @inline(__always)
  mutating func interpret(_ frame: SentenceFramer.Frame, into batch: inout RecordingBatch) {
    guard frame.start.load(as: UInt8.self) == UInt8(ascii: "$"),
      let (kind, first) = SentenceKind.identify(frame.start, to: frame.bodyEnd)
    else { return }
    var fields = FieldReader(from: first, to: frame.bodyEnd)
    switch kind {
    case .rmc: take(RMC(&fields), into: &batch)
    case .gga: take(GGA(&fields), into: &batch)
    case .gll: take(GLL(&fields), into: &batch)
    case .gns: take(GNS(&fields), into: &batch)
    case .vtg: take(VTG(&fields))
    case .gsa: takeGSA(&fields)
    case .zda: takeZDA(&fields)
    default: break
    }
    if let problem = fields.problem {
      batch.problems.report(
        problem, line: frame.line, byteOffset: frame.byteOffset, "a field of a \(kind) sentence")
    }
  }

  mutating func enter(_ kind: SentenceKind, at time: TimeOfDay?, into batch: inout RecordingBatch) {
    let bit = UInt32(1) << UInt32(kind.rawValue)
    if let time {
      if let current = epoch.time {
        if (current.nanoseconds &- time.nanoseconds).magnitude >= UInt64(Self.sameInstant) {
          tellEpoch(into: &batch)
          epoch = Epoch()
        }
      }
      epoch.time = time
      epoch.day = clock.day(at: time)
    } else if epoch.kinds & bit != 0 {
      tellEpoch(into: &batch)
      epoch = Epoch()
    }
    epoch.kinds |= bit
  }

  mutating func take(_ rmc: RMC, into batch: inout RecordingBatch) {
    let isValid = rmc.isValid && rmc.mode != .notValid
    enter(.rmc, at: rmc.time, into: &batch)
    if rmc.isValid, let day = rmc.day, let time = rmc.time {
      clock.set(day, at: time)
      epoch.day = clock.day(at: time)
    }
    guard isValid else {
      epoch.word = .noFix
      epoch.denials.insert(.rmc)
      return
    }
    if let position = rmc.position {
      epoch.position = position
      epoch.word = .fix
    }
    epoch.speed = rmc.speed ?? epoch.speed
    epoch.course = rmc.course ?? epoch.course
    epoch.indicator = rmc.mode ?? epoch.indicator
  }

  mutating func take(_ gga: GGA, into batch: inout RecordingBatch) {
    enter(.gga, at: gga.time, into: &batch)
    guard let quality = gga.quality, quality != .notValid else {
      epoch.word = .noFix
      epoch.denials.insert(.gga)
      return
    }
    epoch.quality = quality
    if let position = gga.position {
      epoch.position = position
      epoch.word = .fix
    }
    epoch.altitude = gga.altitude
    epoch.geoidSeparation = gga.geoidSeparation
    epoch.satellitesUsed = gga.satellitesUsed
    epoch.horizontalDilution = gga.horizontalDilution
  }

  mutating func take(_ gns: GNS, into batch: inout RecordingBatch) {
    enter(.gns, at: gns.time, into: &batch)
    guard let mode = gns.mode, mode != .notValid else {
      epoch.word = .noFix
      epoch.denials.insert(.gns)
      return
    }
    epoch.indicator = mode
    if let position = gns.position {
      epoch.position = position
      epoch.word = .fix
    }
    epoch.altitude = gns.altitude
    epoch.geoidSeparation = gns.geoidSeparation
    epoch.satellitesUsed = gns.satellitesUsed
    epoch.horizontalDilution = gns.horizontalDilution
  }

  mutating func take(_ gll: GLL, into batch: inout RecordingBatch) {
    enter(.gll, at: gll.time, into: &batch)
    guard gll.isValid, gll.mode != .notValid else {
      epoch.word = .noFix
      epoch.denials.insert(.gll)
      return
    }
    if let position = gll.position {
      epoch.position = position
      epoch.word = .fix
    }
  }

  mutating func take(_ vtg: VTG) {
    guard vtg.mode != .notValid else { return }
    epoch.speed = vtg.speed ?? epoch.speed
    epoch.course = vtg.course ?? epoch.course
  }

  mutating func takeGSA(_ fields: inout FieldReader) {
    fields.skip()
    switch fields.integer() {
    case 1:
      epoch.word = .noFix
      epoch.denials.insert(.gsa)
    case 2: epoch.mode = .twoD
    case 3: epoch.mode = .threeD
    default: break
    }
  }

  mutating func takeZDA(_ fields: inout FieldReader) {
    let time = fields.timeOfDay()
    guard let time, let day = fields.integer(), let month = fields.integer(), let year = fields.integer(),
      let date = CivilDay(year: year, month: month, day: day)
    else { return }
    clock.set(date, at: time)
    if let time = epoch.time { epoch.day = clock.day(at: time) }
  }

  mutating func tellEpoch(into batch: inout RecordingBatch) {
    guard let position = epoch.position, epoch.denials.isEmpty,
      let coordinate = Coordinate(latitude: position.latitude, longitude: position.longitude)
    else { return }
    var time: UTCTime?
    if let day = epoch.day, let timeOfDay = epoch.time { time = day.at(timeOfDay) }
    var fix = Fix(coordinate: coordinate, time: time, source: .nmea)
    fix.heightAboveGeoid = epoch.altitude
    if let altitude = epoch.altitude, let separation = epoch.geoidSeparation {
      fix.heightAboveEllipsoid = altitude + separation
    }
    fix.speed = epoch.speed
    fix.course = epoch.course?.wrappedDegrees
    fix.mode = epoch.mode ?? (epoch.altitude != nil && (epoch.satellitesUsed ?? 0) > 3 ? .threeD : .twoD)
    fix.solution = epoch.quality?.solution ?? epoch.indicator?.solution
    fix.isSimulated = fix.solution == .simulated
    fix.satellitesUsed = epoch.satellitesUsed.flatMap(UInt8.init(exactly:))
    fix.horizontalDilution = epoch.horizontalDilution.map(Float.init)
    batch.elements.append(.fix(fix))
  }
}
