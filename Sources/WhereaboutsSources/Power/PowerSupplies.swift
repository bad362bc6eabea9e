import SystemPackage
public import WhereaboutsCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What Linux says of the host's power under `/sys/class/power_supply`.
///
/// Source: the kernel's `Documentation/ABI/testing/sysfs-class-power`. Each folder is a supply, which says its `type`:
/// batteries have a `status` and a `capacity`, whatever feeds them is `online` or not. What belongs to a device, such as
/// the battery of a mouse, has the `scope` Device, and is none of the host's.
public struct PowerSupplies: Sendable {
  /// Where the kernel tells of supplies.
  public static let kernelFolder = "/sys/class/power_supply"
  /// Where the firmware tells of the person's choice between speed and power.
  public static let kernelProfile = "/sys/firmware/acpi/platform_profile"

  private let folder: String
  private let profile: String

  /// Reads from these places.
  ///
  /// - Parameters:
  ///   - folder: has a folder for each supply.
  ///   - profile: a file that says `low-power` where everything is to be sparing; it need not be there.
  public init(folder: String = kernelFolder, profile: String = kernelProfile) {
    self.folder = folder
    self.profile = profile
  }

  /// Whether the host is fed from outside, and how full its battery is.
  ///
  /// A host without a battery is fed from outside, or it would not run. Nothing is known where there is no such folder, as
  /// in a container, or where the supplies there are don't say.
  ///
  /// - Parameter isForeground: whether somebody looks, which this can't see.
  public func state(isForeground: Bool) -> PowerState {
    let isSparing = text(profile) == "low-power"
    guard let names = Self.names(in: folder) else {
      return PowerState(isForeground: isForeground, isLowPowerMode: isSparing)
    }
    let supplies = names.sorted().compactMap { Supply(text: { text("\(folder)/\($0)") }, name: $0) }
    return PowerState(
      isForeground: isForeground, isCharging: Supply.isFed(supplies), batteryLevel: Supply.level(supplies),
      isLowPowerMode: isSparing)
  }

  /// The first line of a small file.
  private func text(_ path: String) -> String? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 128)
    // A driver that fails while it is asked, as one of a battery just taken out, gives an error here.
    guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self)
  }

  private static func names(in folder: String) -> [String]? {
    guard let handle = opendir(folder) else { return nil }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}

/// One supply, as far as it is the host's.
private struct Supply {
  enum Kind { case battery, feed }

  let kind: Kind
  /// Of a feed: whether it feeds. Of a battery: whether it is there.
  var isOn: Bool?
  var status: String?
  /// How full, in 0...1.
  var level: Double?
  /// What is in it and what may be, in whatever unit.
  var content: (unit: String, now: Double, full: Double)?

  init?(text: (String) -> String?, name: String) {
    func value(_ attribute: String) -> String? { text("\(name)/\(attribute)") }
    func number(_ attribute: String) -> Double? { value(attribute).flatMap { Double($0) } }
    guard value("scope") != "Device" else { return nil }
    switch value("type") {
    // A UPS that tells of itself here is what the host runs on when the mains are gone.
    case "Battery", "UPS": kind = .battery
    // Older kernels tell chargers apart: USB_DCP, USB_PD and so on.
    case let type? where type == "Mains" || type == "Wireless" || type.hasPrefix("USB"): kind = .feed
    default: return nil
    }
    isOn = number(kind == .battery ? "present" : "online").map { $0 > 0 }
    guard kind == .battery else { return }
    status = value("status")
    for unit in ["energy", "charge"] {
      guard let now = number("\(unit)_now"), let full = number("\(unit)_full"), full > 0, now >= 0 else {
        continue
      }
      content = (unit, min(now, full), full)
      break
    }
    switch value("capacity_level") {
    case "Full": level = 1
    case "Critical": level = 0
    default: break
    }
    if let capacity = number("capacity"), (0...100).contains(capacity) { level = capacity / 100 }
    if level == nil, let content { level = content.now / content.full }
  }

  static func isFed(_ supplies: [Supply]) -> Bool? {
    let feeds = supplies.filter { $0.kind == .feed }
    let batteries = supplies.filter { $0.kind == .battery && $0.isOn != false }
    guard !batteries.isEmpty else { return true }
    // One that is not filled may be held back to last longer: what feeds counts, not what becomes of it.
    if feeds.contains(where: { $0.isOn == true }) { return true }
    let all = batteries.compactMap(\.status)
    if all.contains("Charging") { return true }
    if all.contains("Discharging") { return false }
    if !feeds.isEmpty, feeds.allSatisfy({ $0.isOn == false }) { return false }
    return all.contains("Full") || all.contains("Not charging") ? true : nil
  }

  /// Of several batteries what is in all of them counts, where they say it in one unit.
  static func level(_ supplies: [Supply]) -> Double? {
    let batteries = supplies.filter { $0.kind == .battery && $0.isOn != false }
    let contents = batteries.compactMap(\.content)
    if batteries.count > 1, contents.count == batteries.count, Set(contents.map(\.unit)).count == 1 {
      return contents.reduce(0) { $0 + $1.now } / contents.reduce(0) { $0 + $1.full }
    }
    let levels = batteries.compactMap(\.level)
    return levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
  }
}
