import SystemPackage
public import WhereaboutsModel
import WhereaboutsSystem

/// The host's power supplies, as Linux lists them under `/sys/class/power_supply`.
///
/// Source: the kernel's `Documentation/ABI/testing/sysfs-class-power`. Each folder is a supply with a `type`.
/// Batteries have a `status` and a `capacity`; external supplies are `online` or not. A supply with the `scope`
/// Device, such as the battery of a mouse, is not the host's.
public struct PowerSupplies: Sendable {
  /// The kernel's folder of supplies.
  public static let kernelFolder = "/sys/class/power_supply"
  /// The firmware's file with the user's choice between speed and power.
  public static let kernelProfile = "/sys/firmware/acpi/platform_profile"

  private let folder: String
  private let profile: String

  /// Creates a reader of the power supplies at these paths.
  ///
  /// - Parameters:
  ///   - folder: the folder with a folder for each supply.
  ///   - profile: a file with the text `low-power` if the user wants to save power; need not exist.
  public init(folder: String = kernelFolder, profile: String = kernelProfile) {
    self.folder = folder
    self.profile = profile
  }

  /// Returns whether the host has external power, and its battery's charge.
  ///
  /// A host without a battery has external power. The state is unknown without such a folder, as in a container, or
  /// if the supplies state nothing.
  ///
  /// - Parameter isForeground: whether a user is present, which supplies can't show.
  public func state(isForeground: Bool) -> PowerState {
    let isSparing = firstLine(profile) == "low-power"
    guard let names = Self.names(in: folder) else {
      return PowerState(isForeground: isForeground, isLowPowerMode: isSparing)
    }
    let supplies = names.sorted().compactMap { Supply(text: { firstLine("\(folder)/\($0)") }, name: $0) }
    return PowerState(
      isForeground: isForeground, isCharging: Supply.isExternallyPowered(supplies),
      batteryLevel: Supply.level(supplies),
      isLowPowerMode: isSparing)
  }

  /// Returns the first line of a small file.
  private func firstLine(_ path: String) -> String? {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: 128)
    // A failing driver, such as that of a battery just removed, returns an error here.
    guard let count = try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) }) else { return nil }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self)
  }

  private static func names(in folder: String) -> [String]? {
    guard let handle = opendir(folder) else { return nil }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = entry.entryName
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}

/// One supply of the host.
private struct Supply {
  enum Kind { case battery, external }

  let kind: Kind
  /// For an external supply, whether it is online; for a battery, whether it is present.
  var isOn: Bool?
  var status: String?
  /// The charge, in 0...1.
  var level: Double?
  /// The present and the full content, in the unit that the supply states.
  var content: (unit: String, now: Double, full: Double)?

  init?(text: (String) -> String?, name: String) {
    func value(_ attribute: String) -> String? { text("\(name)/\(attribute)") }
    func number(_ attribute: String) -> Double? { value(attribute).flatMap { Double($0) } }
    guard value("scope") != "Device" else { return nil }
    switch value("type") {
    // A UPS in this folder is the host's supply when the mains fail.
    case "Battery", "UPS": kind = .battery
    // Older kernels distinguish chargers: USB_DCP, USB_PD and so on.
    case let type? where type == "Mains" || type == "Wireless" || type.hasPrefix("USB"): kind = .external
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

  static func isExternallyPowered(_ supplies: [Supply]) -> Bool? {
    let feeds = supplies.filter { $0.kind == .external }
    let batteries = supplies.filter { $0.kind == .battery && $0.isOn != false }
    guard !batteries.isEmpty else { return true }
    // A battery may be held below full to last longer: an external supply counts, not the charging state.
    if feeds.contains(where: { $0.isOn == true }) { return true }
    let all = batteries.compactMap(\.status)
    if all.contains("Charging") { return true }
    if all.contains("Discharging") { return false }
    if !feeds.isEmpty, feeds.allSatisfy({ $0.isOn == false }) { return false }
    return all.contains("Full") || all.contains("Not charging") ? true : nil
  }

  /// Returns the charge of all batteries together, where they state their content in one unit.
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
