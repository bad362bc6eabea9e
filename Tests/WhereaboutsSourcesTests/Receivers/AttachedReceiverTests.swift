import Foundation
import NIOCore
import Testing
import WhereaboutsModel

@testable import WhereaboutsSources

#if os(Linux)
  @Suite struct AttachedReceiverTests {
    @Test func likelyReceiversAreFirstAndUnique() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "whereabouts-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let byID = folder.appending(path: "serial/by-id")
      try FileManager.default.createDirectory(at: byID, withIntermediateDirectories: true)
      for name in ["ttyACM0", "ttyACM1", "ttyUSB0", "ttyUSB1", "ttyS0", "ttyAMA0", "null"] {
        try Data().write(to: folder.appending(path: name))
      }
      for (name, target) in [
        ("usb-u-blox_AG_u-blox_7_-_GPS_GNSS_Receiver-if00", "ttyACM1"),
        ("usb-FTDI_FT232R_USB_UART_A10-if00-port0", "ttyUSB0"),
        ("usb-HUAWEI_Mobile_E3372-if00-port0", "ttyUSB1"), ("usb-Gone_GPS", "ttyUSB9"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: byID.appending(path: name).path, withDestinationPath: "../../\(target)")
      }
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "serial0").path, withDestinationPath: "ttyAMA0")
      let found = ReceiverPort.attached(in: folder.path)
      #expect(
        found.map { $0.description.replacingOccurrences(of: folder.path + "/", with: "") } == [
          "serial/by-id/usb-u-blox_AG_u-blox_7_-_GPS_GNSS_Receiver-if00",
          "serial/by-id/usb-FTDI_FT232R_USB_UART_A10-if00-port0", "ttyACM0", "serial0",
        ])
    }

    /// The serial number of an adapter may contain any hexadecimal digits.
    @Test func printersAreLeftOutByNameOnly() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "whereabouts-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let byID = folder.appending(path: "serial/by-id")
      try FileManager.default.createDirectory(at: byID, withIntermediateDirectories: true)
      let adapter =
        "usb-Silicon_Labs_CP2102N_USB_to_UART_Bridge_Controller_3d4f0c8a1b3dec11-if00-port0"
      for (name, device) in [
        (adapter, "ttyUSB0"), ("usb-Prusa_Research__prusa3d.com__Original_Prusa_i3_MK3_CZPX-if00", "ttyACM0"),
        ("usb-Creality_3D_Ender-if00", "ttyACM1"),
      ] {
        try Data().write(to: folder.appending(path: device))
        try FileManager.default.createSymbolicLink(
          atPath: byID.appending(path: name).path, withDestinationPath: "../../\(device)")
      }
      let found = ReceiverPort.attached(in: folder.path)
      #expect(found == [.serial(path: "\(folder.path)/serial/by-id/\(adapter)")])
    }

    @Test func missingFolderHasNoReceivers() {
      #expect(ReceiverPort.attached(in: "/nowhere/at/all").isEmpty)
    }
  }
#endif

@Suite struct ReceiverPortTests {
  /// A route may forbid a connection for now, and all ports of this computer may be in use.
  @Test(arguments: [EACCES, EPERM, EADDRINUSE])
  func connectionThatTheSystemRefusesIsTriedAgain(number: Int32) {
    let opener = LineOpener(port: .tcp(host: "boat", port: 10110), session: ReceiverSession.Settings())
    let failure = opener.networkFailure(IOError(errnoCode: number, reason: "connect"))
    #expect(failure.retry == .later && failure.problem.code == .unreachable)
    #expect(failure.problem.message.hasPrefix("connect to tcp://boat:10110: "))
    #expect((failure.problem.remedy == nil) == (number == EADDRINUSE))
  }

  @Test(arguments: [
    (ReceiverPort.serial(path: "/dev/ttyACM0", baud: 9600), "/dev/ttyACM0"),
    (.tcp(host: "boat", port: 10110), "tcp://boat:10110"), (.tcp(host: "::1", port: 1), "tcp://[::1]:1"),
    (.udp(port: 10110), "udp://:10110"), (.udp(port: 1, host: "224.0.0.1"), "udp://224.0.0.1:1"),
    (.file(path: "/tmp/x"), "/tmp/x"), (.standardInput, "standard input"),
  ])
  func descriptionEqualsTheTypedForm(port: ReceiverPort, name: String) {
    #expect(port.description == name)
  }
}
