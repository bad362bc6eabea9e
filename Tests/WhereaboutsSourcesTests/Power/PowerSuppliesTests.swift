import Foundation
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsSources

/// A made-up `/sys/class/power_supply`.
private struct PowerSupplyFolder {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent("supplies-\(UUID().uuidString)")
    .path

  init(_ supplies: [String: [String: String]]) throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    for (name, attributes) in supplies {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
      for (attribute, text) in attributes {
        try "\(text)\n".write(toFile: "\(root)/\(name)/\(attribute)", atomically: false, encoding: .utf8)
      }
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: root) }
}

/// Power supplies as reported by the kernel, with the expected state.
struct SupplyCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let supplies: [String: [String: String]]
  let isCharging: Bool?
  let level: Double?

  init(
    _ name: String, _ supplies: [String: [String: String]], charging isCharging: Bool?, _ level: Double? = nil
  ) {
    testDescription = name
    self.supplies = supplies
    self.isCharging = isCharging
    self.level = level
  }
}

private func battery(_ status: String?, _ capacity: String? = nil, _ more: [String: String] = [:]) -> [String:
  String]
{
  var all = ["type": "Battery", "present": "1"]
  all["status"] = status
  all["capacity"] = capacity
  return all.merging(more) { $1 }
}
private let pluggedIn = ["type": "Mains", "online": "1"], unplugged = ["type": "Mains", "online": "0"]

@Suite struct PowerSuppliesTests {
  @Test(arguments: cases) func kernelAttributesAreParsed(row: SupplyCase) throws {
    let tree = try PowerSupplyFolder(row.supplies)
    defer { tree.remove() }
    let state = PowerSupplies(folder: tree.root, profile: "\(tree.root)/none").state(isForeground: false)
    #expect(
      state == PowerState(isForeground: false, isCharging: row.isCharging, batteryLevel: row.level))
  }

  static let cases: [SupplyCase] = [
    SupplyCase("a desktop, a Raspberry Pi: no supply at all", [:], charging: true),
    SupplyCase("a desktop that tells of its mains", ["AC": pluggedIn], charging: true),
    SupplyCase(
      "a desktop with ports that nothing feeds", ["ucsi": ["type": "USB", "online": "0"]], charging: true),
    SupplyCase(
      "a laptop that charges", ["AC": pluggedIn, "BAT0": battery("Charging", "41")], charging: true, 0.41),
    SupplyCase(
      "a laptop on battery", ["AC": unplugged, "BAT0": battery("Discharging", "7")], charging: false, 0.07),
    SupplyCase(
      "a full laptop that is plugged in", ["AC": pluggedIn, "BAT0": battery("Full", "100")], charging: true, 1
    ),
    SupplyCase(
      "a laptop that is held at 80 %", ["AC": pluggedIn, "BAT0": battery("Not charging", "80")],
      charging: true,
      0.8),
    SupplyCase(
      "a charger that is too weak", ["AC": pluggedIn, "BAT0": battery("Discharging", "50")], charging: true,
      0.5
    ),
    SupplyCase(
      "fed by USB-C",
      ["AC": unplugged, "usb": ["type": "USB", "online": "2"], "BAT0": battery("Charging", "9")],
      charging: true, 0.09),
    SupplyCase(
      "fed by an older kernel's USB_DCP",
      ["u": ["type": "USB_DCP", "online": "1"], "BAT0": battery("Unknown", "9")],
      charging: true, 0.09),
    SupplyCase(
      "unplugged, and the battery state is unknown", ["AC": unplugged, "BAT0": battery("Unknown", "50")],
      charging: false, 0.5),
    SupplyCase("a battery without a state", ["BAT0": battery(nil)], charging: nil),
    SupplyCase(
      "a battery that charges from an unknown supply", ["BAT0": battery("Charging", "50")], charging: true,
      0.5),
    SupplyCase("a full battery and nothing else", ["BAT0": battery("Full")], charging: true),
    SupplyCase(
      "two batteries, of which one is at work",
      [
        "AC": unplugged,
        "BAT0": battery("Not charging", "100", ["energy_now": "10", "energy_full": "10"]),
        "BAT1": battery("Discharging", "20", ["energy_now": "8", "energy_full": "40"]),
      ], charging: false, 0.36),
    SupplyCase(
      "two batteries that count differently",
      [
        "BAT0": battery("Discharging", "100", ["energy_now": "10", "energy_full": "10"]),
        "BAT1": battery("Discharging", "20", ["charge_now": "8", "charge_full": "40"]),
      ], charging: false, 0.6),
    SupplyCase(
      "a bay without a battery in it", ["AC": pluggedIn, "BAT1": battery("Unknown", "0", ["present": "0"])],
      charging: true),
    SupplyCase(
      "the mouse's battery is the mouse's",
      ["hidpp_battery_0": battery("Discharging", "5", ["scope": "Device"]), "AC": pluggedIn], charging: true),
    SupplyCase(
      "the mouse's battery alone", ["hidpp_battery_0": battery("Discharging", "5", ["scope": "Device"])],
      charging: true),
    SupplyCase(
      "the host's battery beside the mouse's",
      [
        "hid": battery("Discharging", "5", ["scope": "Device"]),
        "BAT0": battery("Discharging", "60", ["scope": "System"]),
      ], charging: false, 0.6),
    SupplyCase(
      "running on a UPS", ["ups": ["type": "UPS", "status": "Discharging", "capacity": "70"]],
      charging: false, 0.7),
    SupplyCase(
      "an unknown kind of supply",
      ["x": ["type": "Flux", "online": "1"], "BAT0": battery("Discharging", "30")], charging: false, 0.3),
    SupplyCase(
      "a supply without a state", ["x": [:], "BAT0": battery("Discharging", "30")], charging: false, 0.3),
    SupplyCase(
      "a level from the charge",
      ["BAT0": battery("Discharging", nil, ["charge_now": "30", "charge_full": "120"])], charging: false, 0.25
    ),
    SupplyCase(
      "a level in words", ["BAT0": battery("Discharging", nil, ["capacity_level": "Critical"])],
      charging: false, 0),
    SupplyCase(
      "a level in no word that is a number",
      ["BAT0": battery("Discharging", nil, ["capacity_level": "Normal"])], charging: false),
    SupplyCase(
      "levels that can't be",
      ["BAT0": battery("Discharging", "255", ["energy_now": "-3", "energy_full": "0"])], charging: false),
    SupplyCase("a level that is no number", ["BAT0": battery("Discharging", "nan")], charging: false),
    SupplyCase(
      "more charge than it holds",
      ["BAT0": battery("Discharging", nil, ["energy_now": "50", "energy_full": "40"])], charging: false, 1),
  ]

  @Test func stateIsUnknownWithoutTheFolder() {
    let state = PowerSupplies(folder: "/nonexistent/supplies", profile: "/nonexistent/profile").state(
      isForeground: true)
    #expect(state == .unknown)
  }

  @Test func platformProfileSetsLowPowerMode() throws {
    let tree = try PowerSupplyFolder(["profiles": ["low": "low-power", "fast": "performance"]])
    defer { tree.remove() }
    func isSparing(_ profile: String) -> Bool {
      PowerSupplies(folder: tree.root, profile: "\(tree.root)/profiles/\(profile)").state(isForeground: true)
        .isLowPowerMode
    }
    #expect(isSparing("low") && !isSparing("fast") && !isSparing("none"))
  }

  @Test func hostIsPolledOnlyWhileNeeded() async throws {
    let tree = try PowerSupplyFolder(["AC": unplugged, "BAT0": battery("Discharging", "50")])
    defer { tree.remove() }
    let (needs, needsIn) = AsyncStream.makeStream(of: Bool.self)
    let (states, statesIn) = AsyncStream.makeStream(of: PowerState.self)
    let monitor = SystemPowerMonitor(
      isForeground: true, supplies: PowerSupplies(folder: tree.root, profile: "/nonexistent"),
      interval: .milliseconds(1))
    let running = Task { await monitor.run(PowerLink(needs: needs) { statesIn.yield($0) }) }
    var seen = states.makeAsyncIterator()
    needsIn.yield(true)
    #expect(await seen.next() == PowerState(isCharging: false, batteryLevel: 0.5))
    try "1\n".write(toFile: "\(tree.root)/AC/online", atomically: true, encoding: .utf8)
    var state = await seen.next()
    while state?.isCharging == false { state = await seen.next() }
    #expect(state == PowerState(isCharging: true, batteryLevel: 0.5))
    needsIn.yield(false)
    needsIn.finish()
    await running.value
    statesIn.finish()
    while await seen.next() != nil {}
  }
}
