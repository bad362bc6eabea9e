public import WhereaboutsCore

/// One thing that gpsd says.
public enum GPSDReport: Hashable, Sendable {
  /// Who answers; the first line after connecting.
  case version(GPSDVersion)
  /// Every device that gpsd knows of.
  case devices([GPSDDevice])
  /// A device came, went, or turned out to be something.
  case device(GPSDDevice)
  /// What is watched from now on.
  case watch(GPSDWatch)
  /// A new position, and which device gave it; `nil` where gpsd does not say.
  case fix(Fix, device: String?)
  /// The device says that it has no position.
  case noPosition(device: String?)
  /// The device repeats an instant that was told before, or an earlier one: nothing new.
  case repetition(device: String?)
  /// What a device sees of the sky.
  case satellites(SatellitesInView, device: String?)
  /// Where a device points.
  case heading(Heading, device: String?)
  /// The answer to `?POLL;`.
  case poll(GPSDPoll)
  /// gpsd could not do what was asked; in its words.
  case failure(String)
}

/// Who answers at the other end.
public struct GPSDVersion: Hashable, Sendable {
  /// The release, such as `3.22`; empty where it is not said.
  public var release: String
  /// The protocol's version, of which the first number changes when older clients can't read it any more.
  public var protocolMajor: Int
  /// The protocol's version behind the point.
  public var protocolMinor: Int

  /// What the program that answers calls itself within the release; empty where it is not said.
  public var revision: String

  /// A version.
  public init(release: String, revision: String = "", protocolMajor: Int, protocolMinor: Int) {
    self.release = release
    self.revision = revision
    self.protocolMajor = protocolMajor
    self.protocolMinor = protocolMinor
  }
}

/// A receiver or sensor that gpsd reads.
public struct GPSDDevice: Hashable, Sendable {
  /// Where it is: a path, or a URL such as `tcp://host:port`.
  public var path: String
  /// Whether gpsd has it open. gpsd gives the time since when, leaves it out before, and says 0 when it is gone.
  public var isActive: Bool
  /// What gpsd takes it for, such as `NMEA0183` or `u-blox`; `nil` until it knows.
  public var driver: String?

  /// A device.
  public init(path: String, isActive: Bool, driver: String? = nil) {
    self.path = path
    self.isActive = isActive
    self.driver = driver
  }
}

/// What gpsd sends to this client.
public struct GPSDWatch: Hashable, Sendable {
  /// Whether it sends reports.
  public var isEnabled: Bool
  /// Whether it sends them as JSON.
  public var isJSON: Bool
  /// Whether it sends them as NMEA 0183.
  public var isNMEA: Bool
  /// The one device whose reports it sends; `nil` is all.
  public var device: String?

  /// A watch.
  public init(isEnabled: Bool, isJSON: Bool = true, isNMEA: Bool = false, device: String? = nil) {
    self.isEnabled = isEnabled
    self.isJSON = isJSON
    self.isNMEA = isNMEA
    self.device = device
  }
}

/// The last that gpsd has of each device, which may be old.
public struct GPSDPoll: Hashable, Sendable {
  /// How many devices are open.
  public var activeDevices: Int
  /// The last position of each device that has one.
  public var fixes: [Fix]

  /// An answer.
  public init(activeDevices: Int, fixes: [Fix]) {
    self.activeDevices = activeDevices
    self.fixes = fixes
  }
}

/// What some bytes from gpsd turned into.
public struct GPSDBatch: Sendable {
  /// What gpsd says, in its order.
  public var reports: [GPSDReport] = []
  /// What could not be read, since the decoder began.
  public var problems = ProblemLog()

  /// An empty batch.
  public init() {}

  /// Forgets the reports but keeps their storage, and keeps the problems.
  public mutating func removeAll() {
    reports.removeAll(keepingCapacity: true)
  }

  /// The fixes among the reports.
  public var fixes: [Fix] {
    reports.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }
}
