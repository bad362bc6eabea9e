import NIOCore
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsSources

/// Receivers that come and go, or are not there.
@Suite struct GPSDReceiverTests {
  typealias Harness = GPSDSessionHarness

  private let deviceRemoved = #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#
  private let deviceActivated =
    #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2024-06-01T12:00:10.000Z"}"#
  private let deviceClosed = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}"#
  private let noDevices = #"{"class":"DEVICES","devices":[]}"#

  @Test func reattachedReceiverIsAGap() {
    var rig = Harness.watching()
    #expect(rig.receive(Harness.tpv(0), at: 0) == ["fix"])
    #expect(rig.receive(deviceRemoved, deviceRemoved, at: 0.1) == ["no-receiver"], "gpsd may say it twice")
    #expect(rig.receive(deviceActivated, at: 0.9) == [])
    #expect(rig.handle(.timerFired, at: 1.2) == [], "it is back: no need to begin anew")
    #expect(rig.receive(Harness.tpv(12, mode: 2), at: 1.5) == ["gap", "fix"])
  }

  @Test func missingReceiverIsCheckedEverySecond() {
    var rig = Harness.watching()
    _ = rig.receive(Harness.tpv(0), at: 0)
    #expect(rig.receive(deviceRemoved, at: 0.1) == ["no-receiver"])
    #expect(rig.wake == 1.1)
    #expect(rig.handle(.timerFired, at: 1.1) == ["close", "connect"])
    #expect(rig.handle(.connected, at: 1.1) == [Harness.watch])
    #expect(rig.receive(Harness.greeting, deviceClosed, Harness.watching, at: 1.2) == [])
    #expect(rig.wake == 2.2)
    #expect(rig.handle(.timerFired, at: 2.2) == ["close", "connect"])
  }

  @Test func gpsdWithoutReceiversIsReportedAndStaysConnected() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    #expect(rig.receive(Harness.greeting, noDevices, Harness.watching, at: 0.1) == ["no-receiver"])
    #expect(rig.wake == 5.1, "gpsd says when there is one: only its life is asked for")
    #expect(
      rig.receive(deviceActivated, Harness.tpv(3), at: 3) == ["fix"], "no gap: there was nothing before")
  }

  @Test func receiverBeingOpenedIsNoProblem() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    #expect(rig.receive(Harness.greeting, deviceClosed, Harness.watching, at: 0.1) == [])
    #expect(rig.receive(deviceActivated, Harness.tpv(1), at: 0.5) == ["fix"])
  }

  @Test func receiverThatCannotBeOpenedIsAProblem() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    _ = rig.receive(Harness.greeting, deviceClosed, Harness.watching, at: 0.1)
    #expect(rig.handle(.timerFired, at: 1.1) == ["no-receiver", "close", "connect"])
  }

  @Test func selectedReceiverIsRequested() {
    var rig = Harness(device: "/dev/ttyACM0")
    _ = rig.handle(.demand(.some), at: 0)
    #expect(rig.handle(.connected, at: 0) == ["WATCH one"])
    _ = rig.receive(Harness.greeting, Harness.devices, Harness.watching, at: 0.1)
    #expect(rig.receive(Harness.tpv(0, device: "/dev/other"), Harness.tpv(0), at: 0.2) == ["fix"])
  }

  @Test func unknownReceiverIsRequestedAgain() {
    var rig = Harness(device: "/dev/ttyACM0")
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    let refusal = #"{"class":"ERROR","message":"No such device as /dev/ttyACM0"}"#
    #expect(rig.receive(Harness.greeting, refusal, at: 0.1) == ["no-receiver"])
    #expect(rig.wake == 1.1)
    #expect(rig.handle(.timerFired, at: 1.1) == ["DEVICES"])
    #expect(rig.receive(noDevices, at: 1.2) == [])
    #expect(rig.handle(.timerFired, at: 2.1) == ["DEVICES"])
    #expect(rig.receive(Harness.devices, at: 2.2) == ["WATCH one"], "the watch before was none")
    #expect(rig.receive(Harness.devices, Harness.watching, Harness.tpv(3), at: 3) == ["fix"])
    #expect(rig.handle(.timerFired, at: 3.1) == [])
  }

  @Test func devicesThatGPSDHasAreNamedInPlaceOfAnUnknownOne() {
    var rig = Harness(device: "/dev/gps0")
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    let refusal = #"{"class":"ERROR","message":"No such device as /dev/gps0"}"#
    #expect(rig.receive(Harness.greeting, refusal, at: 0.1) == ["no-receiver"])
    #expect(rig.handle(.timerFired, at: 1.1) == ["DEVICES"])
    let problem = GPSDMessages(host: "localhost", port: 2947)
      .noReceiver("/dev/gps0", lost: nil, others: ["/dev/ttyACM0"])
    #expect(problem.remedy?.hasPrefix("Use a device that gpsd has (/dev/ttyACM0), or plug it in; ") == true)
    let now = Instant(nanoseconds: 1_200_000_000)
    let devices = ByteBuffer(string: Harness.devices + "\r\n")
    #expect(rig.session.handle(.bytes(devices), at: now) == [.emit(.unavailable(problem))])
    #expect(rig.handle(.timerFired, at: 2.1) == ["DEVICES"])
    #expect(rig.receive(Harness.devices, at: 2.2) == [], "a repeated problem is not reported")
  }

  @Test func longDeviceNameIsFilteredByTheClient() {
    let long = "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00"
    let words = GPSDMessages(host: "localhost", port: 2947)
    #expect(!words.watchRequest(long).contains("device"))
    #expect(words.watchRequest("/dev/\"x").contains(#""device":"/dev/\"x""#))
    var rig = Harness(device: long)
    _ = rig.handle(.demand(.some), at: 0)
    #expect(rig.handle(.connected, at: 0) == [Harness.watch])
    _ = rig.receive(Harness.greeting, Harness.watching, at: 0.1)
    #expect(rig.receive(Harness.tpv(0), Harness.tpv(0, device: long), at: 0.2) == ["fix"])
  }

  @Test func pausesOfASlowReceiverAreNoSilence() {
    var rig = Harness.watching()
    var silences: [Double] = []
    for round in 0..<6 {
      let start = Double(round) * 10
      #expect(rig.receive(Harness.tpv(round * 10), at: start) == ["fix"])
      // Replies to probes keep the connection alive.
      for second in [4.0, 8.0] {
        #expect(rig.receive(Harness.greeting, at: start + second) == [])
        if rig.handle(.timerFired, at: start + second).contains("silent") { silences.append(start + second) }
      }
    }
    #expect(silences == [8], "one pause shows its interval")
    for second in stride(from: 62.0, through: 68, by: 3) { _ = rig.receive(Harness.greeting, at: second) }
    #expect(rig.handle(.timerFired, at: 70) == ["silent"])
  }

  @Test func oneReceiverIsUsedWhileItHasFixes() {
    var rig = Harness.watching()
    #expect(rig.receive(Harness.tpv(0), at: 0.5) == ["fix"])
    #expect(rig.session.devicesWithFixes?.other == nil)
    #expect(rig.receive(Harness.tpv(0, device: "b"), Harness.tpv(1, device: "b"), at: 1) == [])
    #expect(rig.session.devicesWithFixes?.used == "/dev/ttyACM0")
    #expect(rig.session.devicesWithFixes?.other == "b")
    #expect(rig.receive(Harness.tpv(1, mode: 1, device: "b"), at: 1.5) == [], "what another lacks is no loss")
    #expect(rig.receive(Harness.tpv(4, device: "b"), at: 4) == ["fix"])
    #expect(rig.receive(Harness.tpv(5), Harness.tpv(5, device: "b"), at: 5) == ["fix"], "and now that one")
  }

  @Test func messagesIncludeARemedy() {
    let local = GPSDMessages(host: "localhost", port: 2947)
    let refusal = GPSDConnectionFailure(isConnectionRefused: true, reason: "connection refused")
    #expect(local.unreachable(refusal).message == "reach gpsd at localhost:2947: connection refused")
    #expect(local.unreachable(refusal).remedy?.hasSuffix("to install it: `sudo apt install gpsd`.") == true)
    let installed = GPSDMessages(host: "localhost", port: 2947, isInstalled: true).unreachable(refusal).remedy
    #expect(installed?.hasPrefix("Run `sudo systemctl start gpsd.socket`. ") == true)
    #expect(
      installed?.contains("DEVICES in /etc/default/gpsd") == true && installed?.contains("install ") == false)
    let elsewhere = GPSDMessages(host: "localhost", port: 2948)
    #expect(elsewhere.unreachable(refusal).remedy?.contains("-S 2948, or check the port") == true)
    #expect(GPSDMessages(host: "boat", port: 1).unreachable(refusal).remedy?.contains("-G") == true)
    let unknown = GPSDConnectionFailure(isConnectionRefused: false, reason: "its name is not known")
    let remote = GPSDMessages(host: "boat", port: 1)
    #expect(remote.unreachable(unknown).remedy?.contains("name of the host") == true)
    // A gpsd that hangs accepts connections, too.
    #expect(
      local.notGreeted.remedy?.contains("restart gpsd with `sudo systemctl restart gpsd`, or check the port")
        == true)
    #expect(remote.notGreeted.remedy?.contains("restart gpsd on boat, or check the port") == true)
    #expect(GPSDMessages(host: "::1", port: 1).unreachable(refusal).message.contains("[::1]:1"))
    let network = local.noReceiver(nil, lost: "tcp://a:1").remedy
    #expect(network?.hasPrefix("Once its server runs, run `sudo gpsdctl add tcp://a:1`: ") == true)
    #expect(local.noReceiver(nil, lost: "/dev/a").remedy?.hasPrefix("Plug it in; ") == true)
  }
}
