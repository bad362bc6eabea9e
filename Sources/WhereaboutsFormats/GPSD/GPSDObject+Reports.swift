import WhereaboutsModel
import WhereaboutsGeodesy

/// The class of an object.
enum GPSDClass {
  case tpv, sky, att, version, devices, device, watch, poll, error
  /// A class that is not read.
  case other
  /// An object without a class.
  case missing

  init(of object: GPSDObject) {
    var found = GPSDClass.missing
    object.eachMember { name, value in
      guard name.equals("class"), case .text(let text) = value else { return }
      found = object.withBytes(of: text, GPSDClass.init(named:))
    }
    self = found
  }

  private init(named name: UnsafeRawBufferPointer) {
    switch name.count {
    case 3 where name.equals("TPV"): self = .tpv
    case 3 where name.equals("SKY"): self = .sky
    case 3 where name.equals("ATT"): self = .att
    case 4 where name.equals("POLL"): self = .poll
    case 5 where name.equals("WATCH"): self = .watch
    case 5 where name.equals("ERROR"): self = .error
    case 6 where name.equals("DEVICE"): self = .device
    case 7 where name.equals("DEVICES"): self = .devices
    case 7 where name.equals("VERSION"): self = .version
    default: self = .other
    }
  }
}

extension GPSDReport {
  /// Creates a heading from `heading`, which is true, or else `mheading`, which is magnetic; `nil` without either.
  init?(attitude object: GPSDObject) {
    var time: UTCTime?
    var device: String?
    var trueNorth: Double?
    var magneticNorth: Double?
    object.eachMember { name, value in
      if name.equals("time") { time = object.instant(value) }
      if name.equals("device") { device = object.string(value) }
      if name.equals("heading") { trueNorth = value.number }
      if name.equals("mheading") { magneticNorth = value.number }
    }
    guard let degrees = trueNorth ?? magneticNorth,
      let heading = Heading(
        degrees: degrees, reference: trueNorth == nil ? .magneticNorth : .trueNorth, time: time)
    else { return nil }
    self = .heading(heading, device: device)
  }

  init(failure object: GPSDObject) {
    var message = ""
    object.eachMember { name, value in
      if name.equals("message") { message = object.string(value) ?? "" }
    }
    self = .failure(message)
  }
}

extension GPSDVersion {
  init(_ object: GPSDObject) {
    self.init(release: "", protocolMajor: 0, protocolMinor: 0)
    object.eachMember { name, value in
      if name.equals("release") { release = object.string(value) ?? "" }
      if name.equals("rev") { revision = object.string(value) ?? "" }
      if name.equals("proto_major") { protocolMajor = value.integer ?? 0 }
      if name.equals("proto_minor") { protocolMinor = value.integer ?? 0 }
    }
  }
}

extension GPSDDevice {
  init?(_ object: GPSDObject) {
    self.init(path: "", isActive: false)
    object.eachMember { name, value in
      if name.equals("path") { path = object.string(value) ?? "" }
      if name.equals("driver") { driver = object.string(value) }
      if name.equals("activated") {
        switch value {
        case .number(let since): isActive = since > 0
        case .text: isActive = true
        case .flag, .nested, .none: break
        }
      }
    }
    guard !path.isEmpty else { return nil }
  }

  static func list(_ object: GPSDObject) -> [GPSDDevice] {
    var devices: [GPSDDevice] = []
    object.eachMember { name, value in
      guard name.equals("devices"), case .nested(let position) = value else { return }
      object.eachObject(ofArrayAt: position) { element in
        if let device = GPSDDevice(element) { devices.append(device) }
      }
    }
    return devices
  }
}

extension GPSDWatch {
  init(_ object: GPSDObject) {
    self.init(isEnabled: true, isJSON: false)
    object.eachMember { name, value in
      if name.equals("enable") { isEnabled = value.flag ?? true }
      if name.equals("json") { isJSON = value.flag ?? false }
      if name.equals("nmea") { isNMEA = value.flag ?? false }
      if name.equals("device") { device = object.string(value) }
    }
  }
}

extension GPSDPoll {
  init(_ object: GPSDObject) {
    self.init(activeDevices: 0, fixes: [])
    object.eachMember { name, value in
      if name.equals("active") { activeDevices = value.integer ?? 0 }
      guard name.equals("tpv"), case .nested(let position) = value else { return }
      object.eachObject(ofArrayAt: position) { element in
        if let fix = GPSDPosition(element).fix(sky: nil) { fixes.append(fix) }
      }
    }
  }
}

extension GPSDPosition {
  /// Whether its coordinates are no place on Earth.
  var isNowhere: Bool {
    guard let latitude, let longitude else { return false }
    return Coordinate(latitude: latitude, longitude: longitude) == nil
  }
}
