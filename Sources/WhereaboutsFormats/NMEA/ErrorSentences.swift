import WhereaboutsModel

/// Error statistics: `GST,time,range,major,minor,orientation,latitude,longitude,height`, standard deviations in metres.
struct GST {
  /// The time of the position it is about.
  var time: TimeOfDay?
  var errors: ErrorEstimate?

  init(_ fields: inout FieldReader) {
    time = fields.timeOfDay()
    fields.skip()
    let major = fields.number()
    let minor = fields.number()
    fields.skip()
    let latitude = fields.number()
    let longitude = fields.number()
    let height = fields.number()
    let errors = ErrorEstimate(
      latitude: latitude, longitude: longitude, height: height, majorAxis: major, minorAxis: minor)
    self.errors = errors.horizontal == nil ? nil : errors
  }
}

/// Satellite fault detection: `GBS,time,latitude,longitude,height,…`, expected errors in metres.
///
/// The standard calls them expected errors due to bias with noise as their scale. gpsd and u-blox use them as standard
/// deviations, and receivers that send both GST and GBS state nearly the same numbers in both.
struct GBS {
  /// The time of the position it is about.
  var time: TimeOfDay?
  var errors: ErrorEstimate?

  init(_ fields: inout FieldReader) {
    time = fields.timeOfDay()
    let latitude = fields.number()
    let longitude = fields.number()
    let height = fields.number()
    let errors = ErrorEstimate(latitude: latitude, longitude: longitude, height: height)
    self.errors = errors.horizontal == nil ? nil : errors
  }
}

/// Garmin's estimated errors: `$PGRME,horizontal,M,vertical,M,spherical,M`.
struct PGRME {
  var errors: ErrorEstimate?

  init(_ fields: inout FieldReader) {
    let horizontal = fields.number()
    let horizontalUnit = fields.letter()
    let vertical = fields.number()
    let verticalUnit = fields.letter()
    guard horizontalUnit == UInt8(ascii: "M") else { return }
    let errors = ErrorEstimate(
      medianHorizontal: horizontal, medianVertical: verticalUnit == UInt8(ascii: "M") ? vertical : nil)
    self.errors = errors.horizontal == nil ? nil : errors
  }
}

/// u-blox's position: `$PUBX,00,time,lat,N,lon,E,height above ellipsoid,status,horizontal accuracy,vertical
/// accuracy,km/h,course,velocity downwards,correction age,hdop,vdop,tdop,satellites,…`.
struct PUBX00 {
  var time: TimeOfDay?
  var position: Position?
  /// The height above the ellipsoid, in metres.
  var heightAboveEllipsoid: Double?
  /// Whether there is a fix.
  var isValid = false
  var quality: FixQuality?
  var mode: Fix.Mode?
  var errors: ErrorEstimate?
  /// The speed in metres per second.
  var speed: Double?
  /// The course in degrees from true north.
  var course: Double?
  /// The vertical speed in metres per second, positive upwards.
  var climb: Double?
  var horizontalDilution: Double?
  var verticalDilution: Double?
  var satellitesUsed: Int?

  init(_ fields: inout FieldReader) {
    time = fields.timeOfDay()
    position = fields.position()
    heightAboveEllipsoid = fields.number()
    let start = fields.next
    if let status = fields.text(), status.count == 2 {
      readStatus(status.first, (start + 1).load(as: UInt8.self), &fields)
    }
    let horizontal = fields.number()
    let vertical = fields.number()
    errors = ErrorEstimate(rootMeanSquareHorizontal: horizontal, deviationVertical: vertical)
    speed = fields.number().map { $0 / 3.6 }
    course = fields.course()
    climb = fields.number().map { 0 - $0 }
    fields.skip()
    horizontalDilution = fields.dilution()
    verticalDilution = fields.dilution()
    fields.skip()
    satellitesUsed = fields.integer()
  }

  /// Reads the status: `NF` no fix, `DR` dead reckoning, `G2` and `G3` satellites, `D2` and `D3` with corrections, `RK`
  /// satellites and dead reckoning, `TT` time only.
  private mutating func readStatus(_ first: UInt8, _ second: UInt8, _ fields: inout FieldReader) {
    switch (first, second) {
    case (UInt8(ascii: "G"), UInt8(ascii: "2")): (isValid, mode) = (true, .twoD)
    case (UInt8(ascii: "G"), UInt8(ascii: "3")): (isValid, mode) = (true, .threeD)
    case (UInt8(ascii: "D"), UInt8(ascii: "2")): (isValid, mode, quality) = (true, .twoD, .differential)
    case (UInt8(ascii: "D"), UInt8(ascii: "3")): (isValid, mode, quality) = (true, .threeD, .differential)
    case (UInt8(ascii: "D"), UInt8(ascii: "R")): (isValid, quality) = (true, .estimated)
    case (UInt8(ascii: "R"), UInt8(ascii: "K")): isValid = true
    case (UInt8(ascii: "N"), UInt8(ascii: "F")), (UInt8(ascii: "T"), UInt8(ascii: "T")): break
    default: fields.report(.malformed)
    }
  }
}
