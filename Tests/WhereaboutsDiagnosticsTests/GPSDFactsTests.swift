import Testing
import WhereaboutsFormats

@testable import WhereaboutsDiagnostics
@testable import WhereaboutsSources

@Suite struct GPSDFactsTests {
  private static let first = GPSDDevice(path: "/dev/ttyACM0", isActive: true, driver: "u-blox")
  private static let second = GPSDDevice(path: "/dev/ttyUSB0", isActive: false)

  @Test func choiceAmongSeveralDevicesIsExplained() {
    let probe = GPSDProbe(release: "3.22", devices: [Self.first, Self.second])
    #expect(
      probe.facts(of: GPSDAddress()) == [
        "gpsd 3.22, with /dev/ttyACM0 (u-blox), /dev/ttyUSB0, not open",
        "the first device with a fix is used while it has fixes; "
          + "use one only: `--source gpsd://localhost/dev/ttyACM0`",
      ])
    var address = GPSDAddress()
    address.device = "/dev/ttyUSB0"
    #expect(probe.facts(of: address).count == 1)
  }

  @Test func singleDeviceIsNoChoice() {
    let probe = GPSDProbe(release: "", devices: [Self.first])
    #expect(probe.facts(of: GPSDAddress()) == ["gpsd, with /dev/ttyACM0 (u-blox)"])
  }
}
