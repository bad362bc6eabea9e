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

  /// An encoder for the reports of one device.
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
    bytes.append("{\"class\":\"VERSION\",\"release\":")
    bytes.appendJSONString(Self.version.release)
    bytes.append(",\"rev\":")
    bytes.appendJSONString(revision)
    bytes.append(",\"proto_major\":")
    bytes.appendDecimal(Self.version.protocolMajor)
    bytes.append(",\"proto_minor\":")
    bytes.appendDecimal(Self.version.protocolMinor)
    bytes.append("}\r\n")
  }

  /// Appends the list of devices, which has one device.
  ///
  /// - Parameters:
  ///   - activated: the time the device was switched on; `nil` while the device is off.
  ///   - bytes: the array to append to.
  public func appendDevices(activated: UTCTime?, to bytes: inout [UInt8]) {
    bytes.append("{\"class\":\"DEVICES\",\"devices\":[")
    appendDeviceObject(activated: activated, to: &bytes)
    bytes.append("]}\r\n")
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
    bytes.append("{\"class\":\"DEVICE\",\"path\":")
    bytes.appendJSONString(device)
    if let activated {
      bytes.append(",\"driver\":")
      bytes.appendJSONString(driver)
      bytes.append(",\"activated\":\"")
      activated.appendISO8601(to: &bytes)
      bytes.append("\",\"flags\":1")
    }
    bytes.append(",\"readonly\":true}")
  }

  /// Appends the state of a watch.
  public func appendWatch(_ watch: GPSDWatch, to bytes: inout [UInt8]) {
    func append(_ name: StaticString, _ flag: Bool) {
      bytes.append(name)
      bytes.append(flag ? "true" : "false")
    }
    append("{\"class\":\"WATCH\",\"enable\":", watch.isEnabled)
    append(",\"json\":", watch.isJSON)
    append(",\"nmea\":", watch.isNMEA)
    bytes.append(",\"raw\":0,\"scaled\":false,\"timing\":false,\"split24\":false,\"pps\":false")
    if let device = watch.device {
      bytes.append(",\"device\":")
      bytes.appendJSONString(device)
    }
    bytes.append("}\r\n")
  }

  /// Appends an error.
  public func appendFailure(_ message: String, to bytes: inout [UInt8]) {
    bytes.append("{\"class\":\"ERROR\",\"message\":")
    bytes.appendJSONString(message)
    bytes.append("}\r\n")
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
    bytes.append("{\"class\":\"POLL\",\"time\":\"")
    time.appendISO8601(to: &bytes)
    bytes.append("\",\"active\":")
    bytes.appendDecimal(isActive ? 1 : 0)
    bytes.append(",\"tpv\":[")
    if let fix { appendObject(fix, to: &bytes) }
    bytes.append("],\"gst\":[],\"sky\":[")
    if let sky { appendObject(sky, fix, to: &bytes) }
    bytes.append("]}\r\n")
  }

  // MARK: - Reports

  /// Appends a position.
  public func append(_ fix: Fix, to bytes: inout [UInt8]) {
    appendObject(fix, to: &bytes)
    bytes.append("\r\n")
  }

  /// Appends a report that there is no position.
  public func appendNoPosition(to bytes: inout [UInt8]) {
    bytes.append("{\"class\":\"TPV\",\"device\":")
    bytes.appendJSONString(device)
    bytes.append(",\"mode\":1}\r\n")
  }

  /// Appends the satellites, with the dilutions of a fix.
  public func append(_ sky: SatellitesInView, _ fix: Fix?, to bytes: inout [UInt8]) {
    appendObject(sky, fix, to: &bytes)
    bytes.append("\r\n")
  }

  /// Appends a heading; a heading that is neither true nor magnetic is left out.
  public func append(_ heading: Heading, to bytes: inout [UInt8]) {
    guard heading.reference != .compassNorth else { return }
    bytes.append("{\"class\":\"ATT\",\"device\":")
    bytes.appendJSONString(device)
    bytes.appendMember("time", heading.time)
    bytes.append(heading.reference == .trueNorth ? ",\"heading\":" : ",\"mheading\":")
    bytes.appendFixed(heading.degrees, places: 2)
    bytes.append("}\r\n")
  }

  private func appendObject(_ fix: Fix, to bytes: inout [UInt8]) {
    bytes.append("{\"class\":\"TPV\",\"device\":")
    bytes.appendJSONString(device)
    if let status = (fix.isSimulated ? .simulated : fix.solution)?.gpsdStatus {
      bytes.append(",\"status\":")
      bytes.appendDecimal(status)
    }
    bytes.append(",\"mode\":")
    bytes.appendDecimal(fix.gpsdMode)
    bytes.appendMember("time", fix.time)
    bytes.appendFixed("lat", fix.coordinate.latitude, places: 9)
    bytes.appendFixed("lon", fix.coordinate.longitude, places: 9)
    bytes.appendFixed("altHAE", fix.heightAboveEllipsoid, places: 4)
    bytes.appendFixed("altMSL", fix.heightAboveGeoid, places: 4)
    bytes.appendFixed("alt", fix.heightAboveGeoid ?? fix.heightAboveEllipsoid, places: 4)
    bytes.appendFixed("epv", fix.verticalAccuracy.map { $0 / ErrorEstimate.deviationOf95 }, places: 3)
    bytes.appendFixed("track", fix.course, places: 4)
    bytes.appendFixed("speed", fix.speed, places: 3)
    bytes.appendFixed("climb", fix.climb, places: 3)
    bytes.appendFixed("eps", fix.speedAccuracy.map { $0 / ErrorEstimate.deviationOf95 }, places: 2)
    bytes.appendFixed("epd", fix.courseAccuracy.map { $0 / ErrorEstimate.deviationOf95 }, places: 4)
    bytes.appendFixed("geoidSep", fix.geoidSeparation, places: 3)
    bytes.appendFixed("eph", fix.horizontalAccuracy.map { $0 / ErrorEstimate.radiusOf95 }, places: 3)
    bytes.append("}")
  }

  private func appendObject(_ sky: SatellitesInView, _ fix: Fix?, to bytes: inout [UInt8]) {
    bytes.append("{\"class\":\"SKY\",\"device\":")
    bytes.appendJSONString(device)
    bytes.appendMember("time", sky.time)
    bytes.appendFixed("hdop", fix?.horizontalDilution.map(Double.init), places: 2)
    bytes.appendFixed("vdop", fix?.verticalDilution.map(Double.init), places: 2)
    bytes.appendFixed("pdop", fix?.positionDilution.map(Double.init), places: 2)
    bytes.append(",\"nSat\":")
    bytes.appendDecimal(sky.satellites.count)
    bytes.append(",\"uSat\":")
    bytes.appendDecimal(sky.satellites.count { $0.isUsed })
    bytes.append(",\"satellites\":[")
    var isFirst = true
    // So many fit into the longest line that clients are ready for.
    for satellite in sky.satellites.prefix(Self.maxSatellites) {
      if !isFirst { bytes.append(",") }
      isFirst = false
      satellite.appendGPSD(to: &bytes)
    }
    bytes.append("]}")
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

extension SolutionKind {
  /// The number of `status`; `nil` for what gpsd leaves out.
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
    bytes.append("{\"PRN\":")
    bytes.appendDecimal(numbers.prn)
    bytes.appendFixed("el", elevation.map(Double.init), places: 1)
    bytes.appendFixed("az", azimuth.map(Double.init), places: 1)
    bytes.appendFixed("ss", signal.map(Double.init) ?? 0, places: 1)
    bytes.append(isUsed ? ",\"used\":true" : ",\"used\":false")
    if let system = numbers.system {
      bytes.append(",\"gnssid\":")
      bytes.appendDecimal(system)
      bytes.append(",\"svid\":")
      bytes.appendDecimal(numbers.satellite)
    }
    bytes.append("}")
  }

  /// The system's number and the satellite's in it as u-blox counts them, and the one that tells both.
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
  /// Appends a member of an object, after a comma; nothing for `nil`, or a number that nothing on Earth has.
  fileprivate mutating func appendFixed(_ name: StaticString, _ value: Double?, places: Int) {
    guard let value, value.magnitude < 1e9 else { return }
    append(",\"")
    append(name)
    append("\":")
    appendFixed(value, places: places)
  }
}
