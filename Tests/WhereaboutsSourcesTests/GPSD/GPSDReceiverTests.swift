import Testing
import WhereaboutsCore

@testable import WhereaboutsSources

/// Receivers that come and go, or are not there.
@Suite struct GPSDReceiverTests {
  typealias Rig = GPSDSessionRig

  private let gone = #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#
  private let back = #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2024-06-01T12:00:10.000Z"}"#
  private let closed = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0"}]}"#
  private let none = #"{"class":"DEVICES","devices":[]}"#

  @Test func unpluggedAndBackIsAGap() {
    var rig = Rig.watching()
    #expect(rig.hear(Rig.tpv(0), at: 0) == ["fix"])
    #expect(rig.hear(gone, gone, at: 0.1) == ["no-receiver"], "gpsd may say it twice")
    #expect(rig.hear(back, at: 0.9) == [])
    #expect(rig.on(.woke, at: 1.2) == [], "it is back: no need to begin anew")
    #expect(rig.hear(Rig.tpv(12, mode: 2), at: 1.5) == ["gap", "fix"])
  }

  @Test func aReceiverThatStaysAwayIsLookedForEverySecond() {
    var rig = Rig.watching()
    _ = rig.hear(Rig.tpv(0), at: 0)
    #expect(rig.hear(gone, at: 0.1) == ["no-receiver"])
    #expect(rig.wake == 1.1)
    #expect(rig.on(.woke, at: 1.1) == ["close", "connect"])
    #expect(rig.on(.connected, at: 1.1) == [Rig.watch])
    #expect(rig.hear(Rig.greeting, closed, Rig.watching, at: 1.2) == [])
    #expect(rig.wake == 2.2)
    #expect(rig.on(.woke, at: 2.2) == ["close", "connect"])
  }

  @Test func aGpsdWithoutReceiversIsSaidToHaveNoneAndListenedTo() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    #expect(rig.hear(Rig.greeting, none, Rig.watching, at: 0.1) == ["no-receiver"])
    #expect(rig.wake == 5.1, "gpsd says when there is one: only its life is asked for")
    #expect(rig.hear(back, Rig.tpv(3), at: 3) == ["fix"], "no gap: there was nothing before")
  }

  @Test func aReceiverThatIsOnlyJustOpenedIsNoTrouble() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    #expect(rig.hear(Rig.greeting, closed, Rig.watching, at: 0.1) == [])
    #expect(rig.hear(back, Rig.tpv(1), at: 0.5) == ["fix"])
  }

  @Test func aReceiverThatCanNotBeOpenedIsTrouble() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    _ = rig.hear(Rig.greeting, closed, Rig.watching, at: 0.1)
    #expect(rig.on(.woke, at: 1.1) == ["no-receiver", "close", "connect"])
  }

  @Test func theOneReceiverThatIsWantedIsAskedFor() {
    var rig = Rig(device: "/dev/ttyACM0")
    _ = rig.on(.demand(.some), at: 0)
    #expect(rig.on(.connected, at: 0) == ["WATCH one"])
    _ = rig.hear(Rig.greeting, Rig.devices, Rig.watching, at: 0.1)
    #expect(rig.hear(Rig.tpv(0, device: "/dev/other"), Rig.tpv(0), at: 0.2) == ["fix"])
  }

  @Test func aReceiverThatGpsdDoesNotKnowIsAskedForAgain() {
    var rig = Rig(device: "/dev/ttyACM0")
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    let refusal = #"{"class":"ERROR","message":"No such device as /dev/ttyACM0"}"#
    #expect(rig.hear(Rig.greeting, refusal, at: 0.1) == ["no-receiver"])
    #expect(rig.wake == 1.1)
    #expect(rig.on(.woke, at: 1.1) == ["DEVICES"])
    #expect(rig.hear(none, at: 1.2) == [])
    #expect(rig.on(.woke, at: 2.1) == ["DEVICES"])
    #expect(rig.hear(Rig.devices, at: 2.2) == ["WATCH one"], "the watch before was none")
    #expect(rig.hear(Rig.devices, Rig.watching, Rig.tpv(3), at: 3) == ["fix"])
    #expect(rig.on(.woke, at: 3.1) == [])
  }

  @Test func aNameTooLongForARequestIsPickedOutHere() {
    let long = "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00"
    let words = GPSDWords(host: "localhost", port: 2947)
    #expect(!words.watch(long).contains("device"))
    #expect(words.watch("/dev/\"x").contains(#""device":"/dev/\"x""#))
    var rig = Rig(device: long)
    _ = rig.on(.demand(.some), at: 0)
    #expect(rig.on(.connected, at: 0) == [Rig.watch])
    _ = rig.hear(Rig.greeting, Rig.watching, at: 0.1)
    #expect(rig.hear(Rig.tpv(0), Rig.tpv(0, device: long), at: 0.2) == ["fix"])
  }

  @Test func oneReceiverIsFollowedAsLongAsItHasFixes() {
    var rig = Rig.watching()
    #expect(rig.hear(Rig.tpv(0), Rig.tpv(0, device: "b"), Rig.tpv(1, device: "b"), at: 1) == ["fix"])
    #expect(rig.hear(Rig.tpv(1, mode: 1, device: "b"), at: 1.5) == [], "what another lacks is no loss")
    #expect(rig.hear(Rig.tpv(4, device: "b"), at: 4) == ["fix"])
    #expect(rig.hear(Rig.tpv(5), Rig.tpv(5, device: "b"), at: 5) == ["fix"], "and now that one")
  }

  @Test func whatIsSaidNamesWhatToDo() {
    let local = GPSDWords(host: "localhost", port: 2947)
    let refusal = GPSDRefusal(isNobodyThere: true, reason: "connection refused")
    #expect(local.unreachable(refusal).message == "reach gpsd at localhost:2947: connection refused")
    #expect(local.unreachable(refusal).remedy?.contains("apt install gpsd") == true)
    #expect(GPSDWords(host: "boat", port: 1).unreachable(refusal).remedy?.contains("-G") == true)
    #expect(GPSDWords(host: "::1", port: 1).unreachable(refusal).message.contains("[::1]:1"))
    #expect(local.noReceiver(nil, lost: "tcp://a:1").remedy?.contains("gpsdctl add tcp://a:1") == true)
  }
}
