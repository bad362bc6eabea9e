public import WhereaboutsCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why the rules of a time zone can't be had.
public enum TimeZoneFailure: Error, Hashable, Sendable {
  /// The time zone database of this system has no zone of that name, or the name is none.
  case unknown(String)
}

extension TimeZoneFailure: CustomStringConvertible {
  /// What failed, why, and what to do.
  public var description: String {
    switch self {
    case .unknown(let name):
      "no time zone \(name): the system has no such file under TZDIR or /usr/share/zoneinfo. "
        + "Use a name such as Europe/Berlin, or install tzdata"
    }
  }
}

extension TimeZoneRules {
  /// Reads the rules of a zone from the time zone database of this system: the folder that `TZDIR` names, or the usual
  /// ones.
  public init(named name: String) throws(TimeZoneFailure) {
    guard Self.isName(name) else { throw .unknown(name) }
    let named = getenv("TZDIR").map { [String(cString: $0)] } ?? []
    for folder in named + Self.folders {
      guard let bytes = Self.contents(of: "\(folder)/\(name)"),
        let rules = TimeZoneFile.rules(bytes, name: name)
      else { continue }
      self = rules
      return
    }
    throw .unknown(name)
  }

  private static let folders = [
    "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/var/db/timezone/zoneinfo", "/etc/zoneinfo",
  ]
  /// Bytes. The largest zone of tzdata has some 4 kB.
  private static let greatestFile = 1 << 20

  /// The bytes of an ordinary file; `nil` where there is none.
  private static func contents(of path: String) -> [UInt8]? {
    // Not to wait where somebody has put a pipe there.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (44...Self.greatestFile).contains(Int(status.st_size))
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      guard count > 0 else { return nil }
      filled += count
    }
    return bytes
  }
}

extension Fence {
  /// The same fence, with the rules of the time zone that its hours name, if they have none yet.
  public func resolvingTimeZone() throws(TimeZoneFailure) -> Fence {
    guard let zone = terms.activeHours?.zone, !zone.isResolved else { return self }
    var fence = self
    fence.terms.activeHours?.zone = try TimeZoneRules(named: zone.name)
    return fence
  }
}

extension PowerSettings {
  /// The same settings, with the rules of the time zones that the hours in them name.
  public func resolvingTimeZones() throws(TimeZoneFailure) -> PowerSettings {
    var settings = self
    for rule in settings.rules.indices {
      for place in settings.rules[rule].conditions.indices {
        guard case .hours(var hours) = settings.rules[rule].conditions[place], let zone = hours.zone,
          !zone.isResolved
        else { continue }
        hours.zone = try TimeZoneRules(named: zone.name)
        settings.rules[rule].conditions[place] = .hours(hours)
      }
    }
    return settings
  }
}
