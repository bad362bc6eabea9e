/// Recommended minimum data: `RMC,time,status,lat,N,lon,E,knots,course,ddmmyy,variation,E[,mode[,navigation status]]`.
struct RMC {
  var time: TimeOfDay?
  /// `A` (or `D`, as some write): a fix. Anything else, and nothing, is none.
  var isValid = false
  var position: Position?
  /// The speed in metres per second.
  var speed: Double?
  /// The course in degrees from true north.
  var course: Double?
  var day: CivilDay?
  var mode: ModeIndicator?

  @inline(__always)
  init(_ fields: inout FieldReader, latest: inout LatestTexts) {
    time = fields.timeOfDay()
    isValid = fields.validity()
    position = fields.repeated(&latest.position) { $0.position() }
    speed = fields.number().map { metersPerSecond(fromKnots: $0) }
    course = fields.course()
    (day, mode) = fields.repeated(&latest.dayAndMode) {
      let day = $0.date()
      $0.skip(2)
      return (day, $0.modeIndicator())
    }
  }
}

/// Geographic position: `GLL,lat,N,lon,E[,time,status[,mode]]`.
struct GLL {
  var position: Position?
  var time: TimeOfDay?
  var isValid = false
  var mode: ModeIndicator?

  @inline(__always)
  init(_ fields: inout FieldReader, latest: inout LatestTexts) {
    position = fields.repeated(&latest.position) { $0.position() }
    time = fields.timeOfDay()
    isValid = fields.validity()
    mode = fields.modeIndicator()
  }
}

/// Fix data: `GGA,time,lat,N,lon,E,quality,satellites,hdop,altitude,M,geoid,M,correction age,station`.
struct GGA {
  var time: TimeOfDay?
  var position: Position?
  /// Whether there is a fix: its quality is given and not 0.
  var isValid = false
  /// `nil` for qualities that are not in the standard.
  var quality: FixQuality?
  var satellitesUsed: Int?
  var horizontalDilution: Double?
  /// The height above mean sea level, in metres.
  var altitude: Double?
  /// The height of the geoid above the ellipsoid, in metres.
  var geoidSeparation: Double?

  @inline(__always)
  init(_ fields: inout FieldReader, latest: inout LatestTexts) {
    time = fields.timeOfDay()
    position = fields.repeated(&latest.position) { $0.position() }
    let digit: Int?
    (digit, satellitesUsed, horizontalDilution) = fields.repeated(&latest.quality) {
      ($0.integer(), $0.integer(), $0.dilution())
    }
    if let digit {
      isValid = digit != 0
      quality = FixQuality(rawValue: digit)
    }
    altitude = fields.number()
    // With both units, the usual text is long enough to be compared.
    geoidSeparation = fields.repeated(&latest.geoidSeparation) {
      $0.skip()
      let separation = $0.number()
      $0.skip()
      return separation
    }
  }
}

/// Fix data of several systems: `GNS,time,lat,N,lon,E,modes,satellites,hdop,altitude,geoid,age,station[,status]`.
struct GNS {
  var time: TimeOfDay?
  var position: Position?
  /// The best of the letters, one for each satellite system.
  var mode: ModeIndicator?
  /// Whether there is a fix by any system.
  var isValid: Bool { mode != nil && mode != .notValid }
  var satellitesUsed: Int?
  var horizontalDilution: Double?
  /// The height above mean sea level, in metres.
  var altitude: Double?
  /// The height of the geoid above the ellipsoid, in metres.
  var geoidSeparation: Double?

  @inline(__always)
  init(_ fields: inout FieldReader, latest: inout LatestTexts) {
    time = fields.timeOfDay()
    position = fields.repeated(&latest.position) { $0.position() }
    mode = fields.bestModeIndicator()
    satellitesUsed = fields.integer()
    horizontalDilution = fields.dilution()
    altitude = fields.number()
    geoidSeparation = fields.number()
  }
}

/// Course and speed: `VTG,course,T,magnetic,M,knots,N,km/h,K[,mode]`.
struct VTG {
  /// The course in degrees from true north.
  var course: Double?
  /// The speed in metres per second.
  var speed: Double?
  var mode: ModeIndicator?

  /// Creates a sentence without values.
  init() {}

  @inline(__always)
  init(_ fields: inout FieldReader) {
    course = fields.course()
    fields.skip(3)
    let knots = fields.number()
    fields.skip()
    let kilometresPerHour = fields.number()
    fields.skip()
    mode = fields.modeIndicator()
    speed = knots.map { metersPerSecond(fromKnots: $0) } ?? kilometresPerHour.map { $0 / 3.6 }
  }
}

/// Reads a speed in knots; one knot is 1852 m an hour. The multiplication is first: the product is exact for the
/// decimals that receivers write.
@inline(__always)
private func metersPerSecond(fromKnots knots: Double) -> Double { knots * 1852 / 3600 }

extension FieldReader {
  /// Reads a status letter; returns whether it marks the data as valid.
  @inline(__always)
  mutating func validity() -> Bool {
    switch letter() {
    case UInt8(ascii: "A"), UInt8(ascii: "D"): return true
    case UInt8(ascii: "V"), nil: return false
    default:
      report(.malformed)
      return false
    }
  }

  /// Reads a mode letter; an unknown letter is reported and absent.
  @inline(__always)
  mutating func modeIndicator() -> ModeIndicator? {
    guard let letter = letter() else { return nil }
    if let mode = ModeIndicator(rawValue: letter) { return mode }
    report(.malformed)
    return nil
  }

  /// Reads the best of several mode letters, one for each satellite system: the first that is not "not valid".
  @inline(__always)
  mutating func bestModeIndicator() -> ModeIndicator? {
    let start = next
    guard let field = text() else { return nil }
    var best: ModeIndicator?
    for index in 0..<field.count {
      guard let mode = ModeIndicator(rawValue: (start + index).load(as: UInt8.self)) else {
        report(.malformed)
        return nil
      }
      if best == nil || best == .notValid { best = mode }
    }
    return best
  }

  /// Reads a dilution of precision. Receivers write 0, 50, 99.99 and the like for "none".
  @inline(__always)
  mutating func dilution() -> Double? {
    guard let value = number(), value > 0, value < 50 else { return nil }
    return value
  }
}
