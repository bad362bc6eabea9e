public import WhereaboutsModel
import WhereaboutsGeodesy

/// An encoder of gpsd's JSON protocol, so that programs made for gpsd can use fixes of any source.
///
/// The output is that of release 3.22, as far as values are known; `GPSDDecoder` reads the same fixes back.
/// Accuracies at 68 % become estimates at 95 %, by the decoder's documented factors. Every object ends with CR LF.
public struct GPSDEncoder: Sendable {
  /// The protocol's version: that of release 3.22.
  public static let version = GPSDVersion(release: "3.22", protocolMajor: 3, protocolMinor: 14)

  /// The name of the device.
  public let device: String
  /// The name of the device's driver.
  public let driver: String

  /// Creates an encoder for the reports of one device.
  public init(device: String, driver: String) {
    self.device = device
    self.driver = driver
  }

  // MARK: - Replies

  /// Appends the version.
  ///
  /// - Parameters:
  ///   - revision: the replying program, for `rev`.
  ///   - bytes: the array to append to.
  public func appendVersion(revision: String, to bytes: inout [UInt8]) {
    bytes.appendGPSD("VERSION") {
      $0.appendJSONMember("release", Self.version.release)
      $0.appendJSONMember("rev", revision)
      $0.appendJSONMember("proto_major", Self.version.protocolMajor)
      $0.appendJSONMember("proto_minor", Self.version.protocolMinor)
    }
    bytes.append("\r\n")
  }

  /// Appends the list of devices, which has one device.
  ///
  /// - Parameters:
  ///   - activated: the time the device was switched on; `nil` while the device is off.
  ///   - bytes: the array to append to.
  public func appendDevices(activated: UTCTime?, to bytes: inout [UInt8]) {
    bytes.appendGPSD("DEVICES") {
      $0.appendJSONMember("devices", CollectionOfOne(activated)) {
        appendDeviceObject(activated: $1, to: &$0)
      }
    }
    bytes.append("\r\n")
  }

  /// Appends the device.
  ///
  /// - Parameters:
  ///   - activated: the time the device was switched on; `nil` while the device is off.
  ///   - bytes: the array to append to.
  public func appendDevice(activated: UTCTime?, to bytes: inout [UInt8]) {
    appendDeviceObject(activated: activated, to: &bytes)
    bytes.append("\r\n")
  }

  private func appendDeviceObject(activated: UTCTime?, to bytes: inout [UInt8]) {
    bytes.appendGPSD("DEVICE") {
      $0.appendJSONMember("path", device)
      if let activated {
        $0.appendJSONMember("driver", driver)
        $0.appendJSONMember("activated", activated)
        $0.appendJSONMember("flags", 1)
      }
      $0.appendJSONMember("readonly", true)
    }
  }

  /// Appends the state of a watch.
  public func appendWatch(_ watch: GPSDWatch, to bytes: inout [UInt8]) {
    bytes.appendGPSD("WATCH") {
      $0.appendJSONMember("enable", watch.isEnabled)
      $0.appendJSONMember("json", watch.isJSON)
      $0.appendJSONMember("nmea", watch.isNMEA)
      $0.appendJSONMember("raw", 0)
      $0.appendJSONMember("scaled", false)
      $0.appendJSONMember("timing", false)
      $0.appendJSONMember("split24", false)
      $0.appendJSONMember("pps", false)
      $0.appendJSONMember("device", watch.device)
    }
    bytes.append("\r\n")
  }

  /// Appends an error.
  public func appendFailure(_ message: String, to bytes: inout [UInt8]) {
    bytes.appendGPSD("ERROR") { $0.appendJSONMember("message", message) }
    bytes.append("\r\n")
  }

  /// Appends the reply to `?POLL;`.
  ///
  /// - Parameters:
  ///   - time: the present time.
  ///   - fix: the last fix, if any.
  ///   - sky: the satellites at that time.
  ///   - isActive: whether the device is on.
  ///   - bytes: the array to append to.
  public func appendPoll(
    at time: UTCTime, _ fix: Fix?, _ sky: SatellitesInView?, isActive: Bool, to bytes: inout [UInt8]
  ) {
    bytes.appendGPSD("POLL") {
      $0.appendJSONMember("time", time)
      $0.appendJSONMember("active", isActive ? 1 : 0)
      $0.appendJSONMember("tpv", [fix].compactMap(\.self)) { appendObject($1, to: &$0) }
      $0.appendJSONMember("gst", EmptyCollection<Fix>()) { appendObject($1, to: &$0) }
      $0.appendJSONMember("sky", [sky].compactMap(\.self)) { appendObject($1, fix, to: &$0) }
    }
    bytes.append("\r\n")
  }

  // MARK: - Reports

  /// Appends a position.
  public func append(_ fix: Fix, to bytes: inout [UInt8]) {
    appendObject(fix, to: &bytes)
    bytes.append("\r\n")
  }

  /// Appends a report that there is no position.
  public func appendNoPosition(to bytes: inout [UInt8]) {
    bytes.appendGPSD("TPV") {
      $0.appendJSONMember("device", device)
      $0.appendJSONMember("mode", 1)
    }
    bytes.append("\r\n")
  }

  /// Appends the satellites, with the dilutions of a fix.
  public func append(_ sky: SatellitesInView, _ fix: Fix?, to bytes: inout [UInt8]) {
    appendObject(sky, fix, to: &bytes)
    bytes.append("\r\n")
  }

  /// Appends a heading; a heading that is neither true nor magnetic is left out.
  public func append(_ heading: Heading, to bytes: inout [UInt8]) {
    guard heading.reference != .compassNorth else { return }
    bytes.appendGPSD("ATT") {
      $0.appendJSONMember("device", device)
      $0.appendJSONMember("time", heading.time)
      $0.appendJSONKey(heading.reference == .trueNorth ? "heading" : "mheading")
      $0.appendFixed(heading.degrees, places: 2)
    }
    bytes.append("\r\n")
  }

  private func appendObject(_ fix: Fix, to bytes: inout [UInt8]) {
    bytes.appendGPSD("TPV") {
      $0.appendJSONMember("device", device)
      $0.appendJSONMember("status", (fix.isSimulated ? .simulated : fix.solution)?.gpsdStatus)
      $0.appendJSONMember("mode", fix.gpsdMode)
      $0.appendJSONMember("time", fix.time)
      $0.appendFixed("lat", fix.coordinate.latitude, places: 9)
      $0.appendFixed("lon", fix.coordinate.longitude, places: 9)
      $0.appendFixed("altHAE", fix.heightAboveEllipsoid, places: 4)
      $0.appendFixed("altMSL", fix.heightAboveGeoid, places: 4)
      $0.appendFixed("alt", fix.heightAboveGeoid ?? fix.heightAboveEllipsoid, places: 4)
      $0.appendFixed("epv", fix.verticalAccuracy.map { $0 / ErrorEstimate.deviationOf95 }, places: 3)
      $0.appendFixed("track", fix.course, places: 4)
      $0.appendFixed("speed", fix.speed, places: 3)
      $0.appendFixed("climb", fix.climb, places: 3)
      $0.appendFixed("eps", fix.speedAccuracy.map { $0 / ErrorEstimate.deviationOf95 }, places: 2)
      $0.appendFixed("epd", fix.courseAccuracy.map { $0 / ErrorEstimate.deviationOf95 }, places: 4)
      $0.appendFixed("geoidSep", fix.geoidSeparation, places: 3)
      $0.appendFixed("eph", fix.horizontalAccuracy.map { $0 / ErrorEstimate.radiusOf95 }, places: 3)
    }
  }

  private func appendObject(_ sky: SatellitesInView, _ fix: Fix?, to bytes: inout [UInt8]) {
    bytes.appendGPSD("SKY") {
      $0.appendJSONMember("device", device)
      $0.appendJSONMember("time", sky.time)
      $0.appendFixed("hdop", fix?.horizontalDilution.map(Double.init), places: 2)
      $0.appendFixed("vdop", fix?.verticalDilution.map(Double.init), places: 2)
      $0.appendFixed("pdop", fix?.positionDilution.map(Double.init), places: 2)
      $0.appendJSONMember("nSat", sky.satellites.count)
      $0.appendJSONMember("uSat", sky.satellites.count { $0.isUsed })
      // The greatest number that fits into the longest line that clients accept.
      $0.appendJSONMember("satellites", sky.satellites.prefix(Self.maxSatellites)) { $1.appendGPSD(to: &$0) }
    }
  }

  private static let maxSatellites = 90
}

extension Fix {
  fileprivate var gpsdMode: Int {
    switch mode {
    case .twoD: 2
    case .threeD: 3
    case nil: heightAboveGeoid ?? heightAboveEllipsoid == nil ? 2 : 3
    }
  }
}

extension Fix.SolutionKind {
  /// The number of `status`; `nil` for values that gpsd leaves out.
  fileprivate var gpsdStatus: Int? {
    switch self {
    case .autonomous: nil
    case .differential: 2
    case .rtkFixed: 3
    case .rtkFloat: 4
    case .deadReckoning: 5
    case .satellitesAndDeadReckoning: 6
    case .fixedPosition: 7
    case .simulated: 8
    case .precise: 9
    }
  }
}

extension SatellitesInView.Satellite {
  fileprivate func appendGPSD(to bytes: inout [UInt8]) {
    let numbers = gpsdNumbers
    bytes.appendJSONObject {
      $0.appendJSONMember("PRN", numbers.prn)
      $0.appendFixed("el", elevation.map(Double.init), places: 1)
      $0.appendFixed("az", azimuth.map(Double.init), places: 1)
      $0.appendFixed("ss", signal.map(Double.init) ?? 0, places: 1)
      $0.appendJSONMember("used", isUsed)
      if let system = numbers.system {
        $0.appendJSONMember("gnssid", system)
        $0.appendJSONMember("svid", numbers.satellite)
      }
    }
  }

  /// The number of the system and of the satellite in it as u-blox counts them, and the number that identifies both.
  private var gpsdNumbers: (prn: Int, system: Int?, satellite: Int) {
    let number = Int(number)
    return switch constellation {
    case .gps: (number, 0, number)
    case .sbas: (number + 87, 1, number + 87)
    case .galileo: (number + 300, 2, number)
    case .beidou: (number + 400, 3, number)
    case .qzss: (number + 192, 5, number)
    case .glonass: number > 64 && number < 100 ? (number, 6, number - 64) : (number, 6, number)
    case .navic: (number + 500, 7, number)
    case .unknown: (number, nil, number)
    }
  }
}

extension [UInt8] {
  /// Appends an object of a class.
  fileprivate mutating func appendGPSD(_ name: StaticString, _ members: (inout [UInt8]) -> Void) {
    appendJSONObject {
      $0.appendJSONMember("class", text: name)
      members(&$0)
    }
  }

  /// Appends a member; nothing for `nil`, or a number that nothing on Earth has.
  fileprivate mutating func appendFixed(_ name: StaticString, _ value: Double?, places: Int) {
    guard let value, value.magnitude < 1e9 else { return }
    appendJSONKey(name)
    appendFixed(value, places: places)
  }
}
