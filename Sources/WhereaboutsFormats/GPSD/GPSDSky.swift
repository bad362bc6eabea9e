import WhereaboutsModel

/// The last satellite data of a device.
struct GPSDSky {
  var time: UTCTime?
  var used: UInt8?
  var inView: UInt8?
  var horizontalDilution: Float?
  var verticalDilution: Float?
  var positionDilution: Float?
  /// `nil` where the report has no list: the one before still holds.
  var satellites: [SatellitesInView.Satellite]?
  /// The device; `nil` if gpsd does not state it.
  var device: String?

  init(_ report: GPSDObject) {
    report.eachMember { name, value in
      switch name.count {
      case 4:
        if name.equals("time") { time = report.instant(value) }
        if name.equals("hdop") { horizontalDilution = value.dilution }
        if name.equals("vdop") { verticalDilution = value.dilution }
        if name.equals("pdop") { positionDilution = value.dilution }
        if name.equals("nSat") { inView = value.integer.flatMap(UInt8.init(exactly:)) }
        if name.equals("uSat") { used = value.integer.flatMap(UInt8.init(exactly:)) }
      case 6:
        if name.equals("device") { device = report.string(value) }
      case 10:
        if name.equals("satellites"), case .nested(let position) = value {
          satellites = Self.satellites(of: report, at: position)
        }
      default: break
      }
    }
    guard let satellites else { return }
    // Releases before 3.22 don't count them.
    inView = inView ?? UInt8(clamping: satellites.count)
    used = used ?? UInt8(clamping: satellites.count { $0.isUsed })
  }

  /// Completes the report with an earlier one: a report without a list changes the dilutions only.
  mutating func complete(with earlier: GPSDSky) {
    guard satellites == nil else { return }
    used = used ?? earlier.used
    inView = inView ?? earlier.inView
  }

  private static func satellites(
    of report: GPSDObject, at position: Int
  ) -> [SatellitesInView.Satellite] {
    var satellites: [SatellitesInView.Satellite] = []
    report.eachObject(ofArrayAt: position) { object in
      if let satellite = GPSDSatellite(object).satellite { satellites.append(satellite) }
    }
    return satellites
  }
}

/// A satellite of a SKY report.
private struct GPSDSatellite {
  private var prn: Int?
  private var system: Int?
  private var number: Int?
  private var elevation: Double?
  private var azimuth: Double?
  private var signal: Double?
  private var isUsed = false

  init(_ object: GPSDObject) {
    object.eachMember { name, value in
      switch name.count {
      case 2:
        if name.equals("el") { elevation = value.number }
        if name.equals("az") { azimuth = value.number }
        if name.equals("ss") { signal = value.number }
      case 3:
        if name.equals("PRN") { prn = value.integer }
      case 4:
        if name.equals("used") { isUsed = value.flag ?? false }
        if name.equals("svid") { number = value.integer }
      case 6:
        if name.equals("gnssid") { system = value.integer }
      default: break
      }
    }
  }

  /// The satellite in the numbering of NMEA 0183; `nil` if there is no number.
  var satellite: SatellitesInView.Satellite? {
    guard let (constellation, number) = identity else { return nil }
    return SatellitesInView.Satellite(
      constellation: constellation, number: number,
      elevation: elevation.flatMap { (-90...90).contains($0) ? Float($0) : nil },
      azimuth: azimuth?.wrappedDegrees.map(Float.init),
      // 0 and -1 mean that the satellite is not tracked.
      signal: signal.flatMap { $0 > 0 && $0 < 1000 ? Float($0) : nil }, isUsed: isUsed)
  }

  /// The constellation and number: by the system's number and the satellite's within it, as u-blox counts; else by
  /// `PRN`, which follows the ranges that NMEA receivers use.
  private var identity: (SatellitesInView.Constellation, UInt16)? {
    if let system, let number, number > 0, let place = Self.systems[system] {
      // u-blox uses 255 for a GLONASS satellite whose slot is not known yet.
      if system == Self.glonass, number > 99 { return UInt16(exactly: number).map { (.glonass, $0) } }
      return SatelliteID(number, talker: .gp, system: place).map { ($0.constellation, $0.number) }
    }
    return prn.flatMap { SatelliteID($0, talker: .gp) }.map { ($0.constellation, $0.number) }
  }

  private static let glonass = 6

  /// The system numbers of NMEA 0183 for those of u-blox; satellite-based augmentation goes with GPS there.
  private static let systems = [0: 1, 1: 1, 2: 3, 3: 4, 5: 5, glonass: 2, 7: 6]
}

extension GPSDObject.Value {
  /// A dilution of precision; `nil` where it is none, such as the 99.99 of a receiver without a solution.
  fileprivate var dilution: Float? {
    guard let number, number > 0, number < 99 else { return nil }
    return Float(number)
  }
}
