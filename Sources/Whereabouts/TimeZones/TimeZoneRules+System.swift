public import WhereaboutsModel
import WhereaboutsSystem

extension TimeZoneRules {
  /// An error of reading the rules of a time zone.
  public enum LookupError: Error, Hashable, Sendable {
    /// The system's time zone database has no zone of this name, or the name is invalid.
    case unknown(String)
  }
}

extension TimeZoneRules.LookupError: CustomStringConvertible {
  /// The failure, the reason and the remedy, as text.
  public var description: String {
    switch self {
    case .unknown(let name):
      "no time zone \(name): the system has no such file under TZDIR or /usr/share/zoneinfo. "
        + "Use a name such as Europe/Berlin, or install tzdata"
    }
  }
}

extension TimeZoneRules {
  /// Reads a zone's rules from the system's time zone database: the folder in `TZDIR`, or the usual folders.
  public init(named name: String) throws(LookupError) {
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
  /// The size of a zone file, in bytes. The largest zone of tzdata has some 4 kB.
  private static let sizes = 44...1 << 20
  private static let chunk = 8192

  /// Returns the bytes of a file, or `nil` if none of a valid size exists.
  private static func contents(of path: String) -> [UInt8]? {
    // Don't block on a named pipe. On iOS, `fstat` needs a reason, and the App Store has none for files of the system.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= sizes.upperBound {
      let filled = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: chunk))
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), chunk)
      }
      guard count >= 0 else { return nil }
      bytes.removeLast(chunk - count)
      if count == 0 { return sizes.contains(bytes.count) ? bytes : nil }
    }
    return nil
  }
}

extension Fence {
  /// Returns the fence with the rules of the time zone of its hours, if still missing.
  public func resolvingTimeZone() throws(TimeZoneRules.LookupError) -> Fence {
    guard let zone = terms.activeHours?.zone, !zone.isResolved else { return self }
    var fence = self
    fence.terms.activeHours?.zone = try TimeZoneRules(named: zone.name)
    return fence
  }
}

extension PowerSettings {
  /// Returns the settings with the rules of the time zones of their hours.
  ///
  /// A manager does so by itself, and takes the hours of an unknown zone in UTC.
  ///
  /// - Throws: ``TimeZoneRules/LookupError`` for the first zone that is unknown.
  public func resolvingTimeZones() throws(TimeZoneRules.LookupError) -> PowerSettings {
    var settings = self
    for rule in settings.rules.indices {
      for place in settings.rules[rule].conditions.indices {
        settings.rules[rule].conditions[place] = try rules[rule].conditions[place].resolvingTimeZone()
      }
    }
    return settings
  }

  /// Returns the settings with the rules of those time zones that the system knows.
  func resolvingKnownTimeZones() -> PowerSettings {
    var settings = self
    for rule in settings.rules.indices {
      settings.rules[rule].conditions = rules[rule].conditions.map { (try? $0.resolvingTimeZone()) ?? $0 }
    }
    return settings
  }
}

extension PowerSettings.Condition {
  /// Returns the condition with the rules of the time zone of its hours, if still missing.
  fileprivate func resolvingTimeZone() throws(TimeZoneRules.LookupError) -> PowerSettings.Condition {
    guard case .hours(var hours) = self, let zone = hours.zone, !zone.isResolved else { return self }
    hours.zone = try TimeZoneRules(named: zone.name)
    return .hours(hours)
  }
}
