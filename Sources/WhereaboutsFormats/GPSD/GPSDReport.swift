public import WhereaboutsModel

/// A report of gpsd.
public enum GPSDReport: Hashable, Sendable {
  /// The version of gpsd; the first line after connecting.
  case version(GPSDVersion)
  /// The list of gpsd's devices.
  case devices([GPSDDevice])
  /// A device was added, removed, or identified.
  case device(GPSDDevice)
  /// The state of the watch from now on.
  case watch(GPSDWatch)
  /// A new position, with its device; `nil` if gpsd does not state the device.
  case fix(Fix, device: String?)
  /// A device has no position.
  case noPosition(device: String?)
  /// A device repeats a reported instant, or an earlier one: nothing new.
  case repetition(device: String?)
  /// The satellites that a device has in view.
  case satellites(SatellitesInView, device: String?)
  /// The direction in which a device points.
  case heading(Heading, device: String?)
  /// The reply to `?POLL;`.
  case poll(GPSDPoll)
  /// A request failed, with gpsd's message.
  case failure(String)
}

/// The version of gpsd at the other end.
public struct GPSDVersion: Hashable, Sendable {
  /// The release, such as `3.22`; empty if unstated.
  public var release: String
  /// The protocol's major version, which changes when older clients can no longer read the protocol.
  public var protocolMajor: Int
  /// The protocol's minor version.
  public var protocolMinor: Int

  /// The program's own revision within the release; empty if unstated.
  public var revision: String

  /// Creates a version.
  public init(release: String, revision: String = "", protocolMajor: Int, protocolMinor: Int) {
    self.release = release
    self.revision = revision
    self.protocolMajor = protocolMajor
    self.protocolMinor = protocolMinor
  }
}

/// A receiver or sensor that gpsd reads.
public struct GPSDDevice: Hashable, Sendable {
  /// The device's path, or a URL such as `tcp://host:port`.
  public var path: String
  /// Whether gpsd has the device open. gpsd states the time of opening, omits it before, and states 0 after removal.
  public var isActive: Bool
  /// The driver that gpsd uses, such as `NMEA0183` or `u-blox`; `nil` until known.
  public var driver: String?

  /// Creates a device.
  public init(path: String, isActive: Bool, driver: String? = nil) {
    self.path = path
    self.isActive = isActive
    self.driver = driver
  }
}

/// The kinds of reports that gpsd sends to this client.
public struct GPSDWatch: Hashable, Sendable {
  /// Whether gpsd sends reports.
  public var isEnabled: Bool
  /// Whether gpsd sends reports as JSON.
  public var isJSON: Bool
  /// Whether gpsd sends reports as NMEA 0183.
  public var isNMEA: Bool
  /// The only device whose reports gpsd sends; `nil` for all.
  public var device: String?

  /// Creates a watch.
  public init(isEnabled: Bool, isJSON: Bool = true, isNMEA: Bool = false, device: String? = nil) {
    self.isEnabled = isEnabled
    self.isJSON = isJSON
    self.isNMEA = isNMEA
    self.device = device
  }
}

/// The last report of each of gpsd's devices, which may be old.
public struct GPSDPoll: Hashable, Sendable {
  /// The number of open devices.
  public var activeDevices: Int
  /// The last position of each device that has one.
  public var fixes: [Fix]

  /// Creates a reply.
  public init(activeDevices: Int, fixes: [Fix]) {
    self.activeDevices = activeDevices
    self.fixes = fixes
  }
}

/// The output of a decoder for some bytes from gpsd.
public struct GPSDBatch: Sendable {
  /// The reports, in order.
  public var reports: [GPSDReport] = []
  /// The problems since the decoder began.
  public var problems = ProblemLog()

  /// Creates an empty batch.
  public init() {}

  /// Removes the reports but keeps their storage, and keeps the problems.
  public mutating func removeAll() {
    reports.removeAll(keepingCapacity: true)
  }

  /// The fixes among the reports.
  public var fixes: [Fix] {
    reports.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }
}
