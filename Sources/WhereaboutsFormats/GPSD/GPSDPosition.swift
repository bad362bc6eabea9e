import WhereaboutsModel
import WhereaboutsGeodesy

/// The data of one TPV report, or of several of the same instant.
struct GPSDPosition {
  var device: String?
  /// The mode: 0 unknown, 1 no position, 2 without height, 3 with height; `nil` if the report lacks required members.
  var mode: Int?
  var status: Int?
  var time: UTCTime?
  var latitude: Double?
  var longitude: Double?
  var heightAboveEllipsoid: Double?
  var heightAboveGeoid: Double?
  /// The height above mean sea level in releases before 3.20.
  var altitude: Double?
  var geoidSeparation: Double?
  var errorEast: Double?
  var errorNorth: Double?
  var errorHorizontal: Double?
  var errorVertical: Double?
  var speed: Double?
  var errorSpeed: Double?
  var track: Double?
  var errorTrack: Double?
  var climb: Double?

  /// Whether something known was there and could not be read.
  var hasBadNumber = false
  var hasBadTime = false

  init(_ report: GPSDObject) {
    report.eachMember { name, value in
      switch name.count {
      case 3: set(shortName: name, value)
      case 4: set(name, value, of: report)
      case 5:
        if name.equals("speed") { set(\.speed, value) }
        if name.equals("track") { set(\.track, value) }
        if name.equals("climb") { set(\.climb, value) }
      case 6:
        if name.equals("device") { device = report.string(value) }
        if name.equals("status") { status = value.integer }
        if name.equals("altHAE") { set(\.heightAboveEllipsoid, value) }
        if name.equals("altMSL") { set(\.heightAboveGeoid, value) }
      case 8:
        if name.equals("geoidSep") { set(\.geoidSeparation, value) }
      default: break
      }
    }
    dropImplausible()
  }

  private mutating func set(shortName name: UnsafeRawBufferPointer, _ value: GPSDObject.Value) {
    if name.equals("lat") { return set(\.latitude, value) }
    if name.equals("lon") { return set(\.longitude, value) }
    if name.equals("alt") { return set(\.altitude, value) }
    if name.equals("epx") { return set(\.errorEast, value) }
    if name.equals("epy") { return set(\.errorNorth, value) }
    if name.equals("eph") { return set(\.errorHorizontal, value) }
    if name.equals("epv") { return set(\.errorVertical, value) }
    if name.equals("eps") { return set(\.errorSpeed, value) }
    if name.equals("epd") { return set(\.errorTrack, value) }
  }

  /// `mode` and `time`.
  private mutating func set(
    _ name: UnsafeRawBufferPointer, _ value: GPSDObject.Value, of report: GPSDObject
  ) {
    if name.equals("mode") {
      mode = value.integer
    } else if name.equals("time") {
      time = report.instant(value)
      hasBadTime = time == nil
    }
  }

  private mutating func set(_ member: WritableKeyPath<GPSDPosition, Double?>, _ value: GPSDObject.Value) {
    if let number = value.number {
      self[keyPath: member] = number
    } else {
      hasBadNumber = true
    }
  }

  /// The greatest plausible speed and distance of a report, in metres a second and metres: well beyond anything that
  /// satellites locate.
  private static let maxSpeed = 100_000.0
  private static let maxDistance = 1e9

  /// Removes values that can only be damaged.
  private mutating func dropImplausible() {
    func drop(_ member: WritableKeyPath<GPSDPosition, Double?>, beyond limit: Double) {
      guard let number = self[keyPath: member], !(number.magnitude <= limit) else { return }
      self[keyPath: member] = nil
      hasBadNumber = true
    }
    drop(\.speed, beyond: Self.maxSpeed)
    drop(\.climb, beyond: Self.maxSpeed)
    drop(\.heightAboveEllipsoid, beyond: Self.maxDistance)
    drop(\.heightAboveGeoid, beyond: Self.maxDistance)
    drop(\.altitude, beyond: Self.maxDistance)
    drop(\.track, beyond: 360)
  }

  /// Adds values of this instant's earlier reports that this report lacks.
  mutating func complete(with earlier: GPSDPosition) {
    // A position is replaced whole, never one number of it.
    if latitude == nil || longitude == nil {
      latitude = earlier.latitude
      longitude = earlier.longitude
    }
    status = status ?? earlier.status
    heightAboveEllipsoid = heightAboveEllipsoid ?? earlier.heightAboveEllipsoid
    heightAboveGeoid = heightAboveGeoid ?? earlier.heightAboveGeoid
    altitude = altitude ?? earlier.altitude
    geoidSeparation = geoidSeparation ?? earlier.geoidSeparation
    errorEast = errorEast ?? earlier.errorEast
    errorNorth = errorNorth ?? earlier.errorNorth
    errorHorizontal = errorHorizontal ?? earlier.errorHorizontal
    errorVertical = errorVertical ?? earlier.errorVertical
    speed = speed ?? earlier.speed
    errorSpeed = errorSpeed ?? earlier.errorSpeed
    track = track ?? earlier.track
    errorTrack = errorTrack ?? earlier.errorTrack
    climb = climb ?? earlier.climb
  }
}

extension GPSDPosition {
  /// Whether the device states a position.
  var hasPosition: Bool { (mode ?? 0) >= 2 && latitude != nil && longitude != nil }

  /// Whether the report states the error of the position.
  var hasHorizontalError: Bool { errorHorizontal != nil || (errorEast != nil && errorNorth != nil) }

  /// Returns whether the position is the same to the last digit.
  func hasSameCoordinates(as other: GPSDPosition) -> Bool {
    latitude == other.latitude && longitude == other.longitude
  }
}

extension UTCTime {
  /// The GPS week count of the first satellites has 10 bits.
  private static let rollover: Int64 = 1024 * 7 * 86_400 * 1_000_000_000

  /// Returns the true time for a receiver that has lost whole rounds of the GPS week count.
  func correctedForRollover(notBefore: UTCTime?) -> UTCTime {
    guard let notBefore, self < notBefore else { return self }
    let (missing, isFar) = notBefore.nanosecondsSince1970.subtractingReportingOverflow(nanosecondsSince1970)
    guard !isFar else { return self }
    let rounds = (missing - 1) / Self.rollover + 1
    let (distance, isTooFar) = rounds.multipliedReportingOverflow(by: Self.rollover)
    let (moved, isOver) = nanosecondsSince1970.addingReportingOverflow(distance)
    return isTooFar || isOver ? self : UTCTime(nanosecondsSince1970: moved)
  }
}

extension GPSDObject {
  /// Reads an instant: text in ISO 8601, or a number of seconds since 1970, as in very old releases.
  func instant(_ value: Value) -> UTCTime? {
    switch value {
    case .text(let text): withBytes(of: text) { UTCTime(iso8601: $0) }
    case .number(let seconds): UTCTime(secondsSince1970: seconds)
    case .flag, .nested, .none: nil
    }
  }
}
