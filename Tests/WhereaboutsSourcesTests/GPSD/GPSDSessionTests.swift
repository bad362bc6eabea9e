import NIOCore
import Testing
import Whereabouts
import WhereaboutsFormats

@testable import WhereaboutsSources

/// A session with its actions as text.
struct GPSDSessionHarness {
  var session: GPSDSession
  static let watch = "WATCH on"

  init(device: String? = nil, host: String = "localhost") {
    session = GPSDSession(messages: GPSDMessages(host: host, port: 2947), device: device, ownRelay: "own")
  }

  /// Sends one event at a time in seconds.
  mutating func handle(_ event: GPSDSession.Event, at seconds: Double) -> [String] {
    let now = Instant(nanoseconds: Int64((seconds * 1000).rounded()) * 1_000_000)
    return session.handle(event, at: now).map(Self.summary)
  }

  /// Feeds lines of gpsd's.
  mutating func receive(_ lines: String..., at seconds: Double) -> [String] {
    handle(.bytes(ByteBuffer(string: lines.map { $0 + "\r\n" }.joined())), at: seconds)
  }

  /// The next wake time in seconds.
  var wake: Double? { session.nextWake.map { (Double($0.nanoseconds) / 1e6).rounded() / 1e3 } }

  static let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#
  static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2024-06-01T12:00:00.000Z"}]}"#
  static let watching = #"{"class":"WATCH","enable":true,"json":true}"#
  static func tpv(_ second: Int, mode: Int = 3, device: String = "/dev/ttyACM0") -> String {
    let place = mode >= 2 ? #","lat":47.5,"lon":8.25"# : ""
    let time = "2024-06-01T12:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60).000Z"
    return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"\#(time)"\#(place)}"#
  }

  /// A session that has a connection and watches, since second 0.
  static func watching(device: String? = nil) -> GPSDSessionHarness {
    var rig = GPSDSessionHarness(device: device)
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    _ = rig.receive(greeting, devices, watching, at: 0)
    return rig
  }

  private static func summary(_ effect: GPSDSession.Effect) -> String {
    switch effect {
    case .connect: "connect"
    case .close: "close"
    case .send(let text):
      text.contains("\"enable\":true")
        ? (text.contains("device") ? "WATCH one" : watch)
        : text.contains("false") ? "WATCH off" : String(text.dropFirst().prefix { $0 != ";" })
    case .emit(.fix): "fix"
    case .emit(.unavailable(let problem)): problem.code.rawValue
    case .emit(.segmentBegan): "gap"
    case .emit(.satellites(let sky)): "sky \(sky.satellites.count)"
    case .emit(.heading(let heading)): "heading \(heading.degrees)"
    case .emit(.headingsUnavailable): "no compass"
    case .emit(let signal): "\(signal)"
    }
  }
}

extension Demand {
  static let some = Demand.continuous(Demand.Continuous(accuracy: 10))
}

private let refused = GPSDSession.Event.connectionFailed(
  GPSDConnectionFailure(isConnectionRefused: true, reason: "connection refused"))

@Suite struct GPSDSessionTests {
  typealias Harness = GPSDSessionHarness

  @Test func sessionIsIdleWithoutDemand() {
    var rig = Harness()
    #expect(rig.handle(.demand(.off), at: 0) == [])
    #expect(rig.handle(.timerFired, at: 100) == [])
    #expect(rig.wake == nil)
  }

  @Test func demandConnectsAndWatchesAtOnce() {
    var rig = Harness()
    #expect(rig.handle(.demand(.some), at: 0) == ["connect"])
    #expect(rig.handle(.connected, at: 0.1) == [Harness.watch])
    #expect(rig.receive(Harness.greeting, Harness.devices, Harness.watching, at: 0.2) == [])
    #expect(rig.receive(Harness.tpv(0), at: 0.5) == ["fix"])
    #expect(rig.receive(Harness.tpv(0), at: 0.6) == [], "an instant is reported once")
    #expect(rig.receive(Harness.tpv(1), at: 1.5) == ["fix"])
  }

  @Test func endOfDemandDropsTheWatchAndThenTheConnection() {
    var rig = Harness.watching()
    #expect(rig.handle(.demand(.off), at: 1) == ["WATCH off"])
    #expect(rig.receive(Harness.tpv(1), at: 1.1) == [], "there is no demand")
    #expect(rig.wake == 3)
    #expect(rig.handle(.timerFired, at: 2.9) == [])
    #expect(rig.handle(.timerFired, at: 3) == ["close"])
    #expect(rig.wake == nil, "and nothing is left to wake for")
  }

  @Test func newDemandReusesARecentConnection() {
    var rig = Harness.watching()
    _ = rig.handle(.demand(.off), at: 1)
    #expect(rig.handle(.demand(.some), at: 2) == [Harness.watch])
    #expect(rig.receive(Harness.tpv(2), at: 2.5) == ["fix"])
    #expect(rig.handle(.timerFired, at: 3) == [], "it is kept")
  }

  @Test func endOfDemandAbandonsAPendingConnection() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    #expect(rig.handle(.demand(.off), at: 1) == ["close"])
    #expect(rig.handle(.connected, at: 1.1) == [])
    #expect(rig.wake == nil)
  }

  @Test func refusedConnectionIsReportedOnceAndRetried() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    #expect(rig.handle(refused, at: 0) == ["unreachable"])
    var waits: [Double] = []
    var now = 0.0
    for _ in 0..<5 {
      let next = rig.wake ?? .nan
      waits.append(next - now)
      now = next
      #expect(rig.handle(.timerFired, at: now) == ["connect"])
      #expect(rig.handle(refused, at: now) == [], "a repeated problem is not reported")
    }
    #expect(waits == [0.25, 0.5, 1, 1, 1])
    while now < 605 {
      now = rig.wake ?? .infinity
      _ = rig.handle(.timerFired, at: now)
      _ = rig.handle(refused, at: now)
    }
    for _ in 0..<8 {
      let next = rig.wake ?? .infinity
      waits.append(next - now)
      now = next
      _ = rig.handle(.timerFired, at: now)
      _ = rig.handle(refused, at: now)
    }
    #expect(waits.suffix(3) == [30, 30, 30])
    // A new demand connects at once.
    #expect(rig.handle(.demand(.some), at: now + 1) == ["connect"])
  }

  @Test func closedConnectionIsReopened() {
    var rig = Harness.watching()
    #expect(rig.receive(Harness.tpv(0), at: 0.5) == ["fix"])
    #expect(rig.handle(.closed, at: 1) == ["close"])
    #expect(rig.handle(.timerFired, at: 1.25) == ["connect"])
    #expect(rig.handle(.connected, at: 1.3) == [Harness.watch], "one watch for each connection")
    #expect(
      rig.receive(Harness.greeting, Harness.devices, Harness.watching, Harness.tpv(0), at: 1.4) == [],
      "a reported instant is not repeated")
    #expect(rig.receive(Harness.tpv(2), at: 2.5) == ["fix"])
    #expect(rig.handle(.closed, at: 3) == ["close"])
    #expect(rig.wake == 3.25, "a fix resets the delays")
  }

  @Test func connectionClosedBeforeTheGreetingIsAProblem() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    #expect(rig.handle(.closed, at: 0.1) == ["close", "unreachable"])
    #expect(rig.wake == 0.35)
  }

  @Test func connectionClosedAfterTheGreetingIsAProblem() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    var actions: [String] = []
    for second in 0..<5 {
      _ = rig.handle(.timerFired, at: Double(second))
      _ = rig.handle(.connected, at: Double(second))
      actions += rig.receive(Harness.greeting, at: Double(second))
      actions += rig.handle(.closed, at: Double(second))
    }
    #expect(actions.filter { $0 == "unreachable" }.count == 1, "the problem is reported once")
    #expect(actions.prefix(2) == ["close", "unreachable"])
  }

  @Test func closeOfALongConnectionIsNoCloseAfterTheGreeting() {
    let messages = GPSDMessages(host: "localhost", port: 2947)
    let noDevices = #"{"class":"DEVICES","devices":[]}"#
    for (seconds, problem) in [(60, messages.closed), (1, messages.closedAfterGreeting)] {
      var rig = Harness()
      _ = rig.handle(.demand(.some), at: 0)
      _ = rig.handle(.connected, at: 0)
      _ = rig.receive(Harness.greeting, noDevices, Harness.watching, at: 0)
      let end = Instant(nanoseconds: Int64(seconds) * 1_000_000_000)
      #expect(rig.session.handle(.closed, at: end) == [.close, .emit(.unavailable(problem))])
    }
    #expect(messages.closed.remedy?.contains("clients") == false)
  }

  @Test func connectionClosedAfterReportsIsAProblem() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    var actions: [String] = []
    for second in 0..<5 {
      _ = rig.handle(.timerFired, at: Double(second))
      _ = rig.handle(.connected, at: Double(second))
      actions += rig.receive(
        Harness.greeting, Harness.devices, Harness.watching, Harness.tpv(second, mode: 1), at: Double(second))
      actions += rig.handle(.closed, at: Double(second) + 0.1)
    }
    #expect(actions.filter { $0 != "close" } == ["no-position", "unreachable"])
    _ = rig.handle(.timerFired, at: 6)
    _ = rig.handle(.connected, at: 6)
    _ = rig.receive(Harness.greeting, Harness.devices, Harness.watching, at: 6)
    #expect(rig.receive(Harness.tpv(6, mode: 1), at: 7) == [], "whether it holds is not known yet")
    #expect(rig.receive(Harness.tpv(11, mode: 1), at: 11) == ["no-position"])
  }

  @Test func relayErrorIsReported() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    let relay = Harness.greeting.replacing("3.22\",", with: "3.22\",\"rev\":\"whereabouts-1\",")
    _ = rig.receive(relay, Harness.devices, Harness.watching, at: 0.1)
    let failure = #"{"class":"ERROR","message":"could not open /dev/ttyACM0: permission denied"}"#
    #expect(rig.receive(failure, at: 0.2) == ["no-receiver"])
    #expect(rig.receive(Harness.tpv(0, mode: 1), at: 0.3) == [], "it belongs to the problem of the relay")
    let unplugged = failure.replacing("open", with: "read")
    #expect(rig.receive(unplugged, Harness.tpv(0, mode: 1), at: 0.4) == ["no-receiver"])
    #expect(
      rig.receive(Harness.tpv(0, mode: 1), at: 0.5) == ["no-position"], "the receiver is back without a fix")
    #expect(rig.receive(Harness.tpv(1), at: 1) == ["fix"])
  }

  @Test func repeatedDemandReconnects() {
    var rig = Harness.watching()
    #expect(rig.handle(.demand(.some), at: 5) == ["close", "connect"])
    #expect(rig.handle(.connected, at: 5) == [Harness.watch])
    var other = Harness.watching()
    #expect(
      other.handle(.demand(.continuous(Demand.Continuous(accuracy: 100))), at: 5) == [],
      "gpsd has one setting only")
  }

  @Test(arguments: [
    "HTTP/1.1 400 Bad Request", "220 mail ready", #"{"jsonrpc":"2.0""#, "\u{0}\u{1}\u{2}",
  ]) func otherServerIsRecognisedAtOnce(line: String) {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    #expect(rig.receive(line, at: 0.1) == ["close", "not-understood"])
    #expect(rig.wake == 0.35)
  }

  @Test func serverThatSendsNothingIsSilentAndMayYetBeGPSD() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    #expect(rig.wake == 5)
    #expect(rig.handle(.timerFired, at: 5) == ["close", "silent"])
    // A starting gpsd greets once it has opened its receivers.
    #expect(rig.handle(.timerFired, at: rig.wake ?? .infinity) == ["connect"])
    #expect(rig.handle(.connected, at: 6) == [Harness.watch])
    #expect(
      rig.receive(Harness.greeting, Harness.devices, Harness.watching, Harness.tpv(9), at: 9) == ["fix"])
  }

  @Test func refusedWatchIsReportedWithTheText() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    let refusal = #"{"class":"ERROR","message":"reports \u001b[2Jneed a licence"}"#
    let problem = GPSDMessages(host: "localhost", port: 2947).watchRefused("reports \u{1B}[2Jneed a licence")
    #expect(problem.message == "get reports from gpsd: it answers with an error (reports  [2Jneed a licence)")
    let now = Instant(nanoseconds: 100_000_000)
    let bytes = ByteBuffer(string: Harness.greeting + "\n" + refusal + "\n")
    #expect(rig.session.handle(.bytes(bytes), at: now) == [.emit(.unavailable(problem))])
    #expect(rig.receive(refusal, at: 1) == [], "the problem is reported once")
    for second in stride(from: 2.0, to: 31, by: 4) { _ = rig.receive(Harness.greeting, at: second) }
    #expect(rig.wake == 30.1)
    #expect(rig.handle(.timerFired, at: 30.1) == ["close", "connect"])
    #expect(rig.handle(.connected, at: 30.1) == [Harness.watch])
    #expect(rig.receive(refusal, at: 30.2) == [])
    #expect(rig.handle(.timerFired, at: 35.2) == ["VERSION"], "an answer is as good as a greeting")
    #expect(rig.receive(Harness.tpv(36), at: 36) == ["fix"], "the server sends reports all the same")
    #expect(rig.receive(refusal, at: 36.1) == [])
    let long = GPSDMessages(host: "boat", port: 1).watchRefused(String(repeating: "a", count: 10_000))
    #expect(long.message.count < 200)
  }

  @Test func ownRelayIsRefused() {
    var rig = Harness()
    _ = rig.handle(.demand(.some), at: 0)
    _ = rig.handle(.connected, at: 0)
    let relay = Harness.greeting.replacing("3.22\",", with: "3.22\",\"rev\":\"own\",")
    #expect(
      rig.receive(relay, Harness.devices, Harness.watching, Harness.tpv(0), at: 0.1) == [
        "close", "not-understood",
      ])
  }

  @Test func malformedLinesDoNotEndTheConnection() {
    var rig = Harness.watching()
    #expect(rig.receive(#"{"class":"SKY","satellites":[{"PRN":1"#, "noise", Harness.tpv(0), at: 1) == ["fix"])
  }

  @Test func impossibleCoordinateDoesNotUseUpItsInstant() {
    var rig = Harness.watching()
    let bad = Harness.tpv(1).replacing("47.5", with: "97.5")
    #expect(rig.receive(Harness.tpv(0), bad, at: 1) == ["fix"])
    #expect(rig.receive(Harness.tpv(1), at: 1.1) == ["fix"])
    #expect(rig.receive(bad, Harness.tpv(1), at: 1.2) == [], "an instant is reported once")
  }

  @Test func hungServerIsNoSilentReceiver() {
    var rig = Harness.watching()
    // A timer fires a little late.
    #expect(rig.handle(.timerFired, at: 5.125) == ["VERSION"])
    #expect(rig.handle(.timerFired, at: 8.0625) == [], "gpsd has not answered")
    #expect(rig.wake == 8.125)
    #expect(rig.handle(.timerFired, at: 8.125) == ["close", "connect"])
  }

  @Test func halfOpenConnectionIsDetected() {
    var rig = Harness.watching()
    #expect(rig.wake == 5)
    #expect(rig.handle(.timerFired, at: 5) == ["VERSION"])
    #expect(rig.wake == 8)
    #expect(rig.handle(.timerFired, at: 8) == ["close", "connect"])
    #expect(rig.handle(.connected, at: 8) == [Harness.watch])
  }

  @Test func silentReceiverIsReportedOnceWhileGPSDAnswers() {
    var rig = Harness.watching()
    #expect(rig.handle(.timerFired, at: 5) == ["VERSION"])
    #expect(rig.receive(Harness.greeting, at: 5.1) == [])
    #expect(rig.wake == 8, "before the watchdog would restart it")
    #expect(rig.handle(.timerFired, at: 8) == ["silent"])
    #expect(rig.handle(.timerFired, at: 10.1) == ["VERSION"])
    #expect(rig.receive(Harness.greeting, at: 10.2) == [])
    #expect(rig.handle(.timerFired, at: 15.2) == ["VERSION"])
    #expect(rig.receive(Harness.tpv(16), at: 16) == ["fix"])
  }

  @Test func secondSilenceIsReportedToo() {
    let toff = #"{"class":"TOFF","device":"/dev/ttyACM0"}"#
    var rig = Harness.watching()
    // The interval is known: a receiver that has sent once may send seldom.
    for second in 0...3 { _ = rig.receive(Harness.tpv(second), at: Double(second)) }
    for start in [3.0, 23.0] {
      // Other reports keep the connection alive without a probe.
      for second in 1...7 { #expect(rig.receive(toff, at: start + Double(second)) == []) }
      #expect(rig.handle(.timerFired, at: start + 8) == ["silent"])
      for second in 9...19 { _ = rig.receive(toff, at: start + Double(second)) }
      #expect(rig.receive(Harness.tpv(Int(start) + 20), at: start + 20) == ["fix"])
    }
  }

  @Test func reportsOfAnAISRadioAreNoSilence() {
    let ais = #"{"class":"AIS","device":"/dev/ttyACM0","type":1,"mmsi":244670316,"lat":51.85,"lon":4.37}"#
    var rig = Harness.watching()
    for second in 1...7 { #expect(rig.receive(ais, at: Double(second)) == []) }
    #expect(rig.wake == 8)
    #expect(rig.handle(.timerFired, at: 8) == ["no-receiver"])
    #expect(rig.receive(ais, at: 9) == [])
    #expect(rig.receive(Harness.tpv(10), ais, at: 10) == ["fix"])
  }

  @Test func noPositionIsReportedOncePerLoss() {
    var rig = Harness.watching()
    #expect(rig.receive(Harness.tpv(0, mode: 1), Harness.tpv(1, mode: 1), at: 1) == ["no-position"])
    #expect(
      rig.receive(Harness.tpv(2), Harness.tpv(3, mode: 1), Harness.tpv(4, mode: 1), at: 4) == [
        "fix", "no-position",
      ])
  }

  @Test func repeatedOldPositionIsNoPosition() {
    var rig = Harness.watching()
    #expect(rig.receive(Harness.tpv(0), at: 0) == ["fix"])
    #expect(rig.receive(Harness.tpv(0), at: 1) == [])
    #expect(rig.receive(Harness.tpv(0), at: 5) == ["no-position"])
    #expect(rig.receive(Harness.tpv(0), at: 6) == [])
    #expect(rig.receive(Harness.tpv(7), at: 7) == ["fix"])
  }

  @Test func headingsAreSentOnlyOnDemand() {
    let attitude = #"{"class":"ATT","device":"/dev/ttyACM0","heading":12.5}"#
    var rig = Harness.watching()
    #expect(rig.receive(attitude, at: 0.1) == [])
    var demand = Demand.some
    demand.headings = Demand.Headings(filter: 0)
    #expect(rig.handle(.demand(demand), at: 1) == [])
    #expect(rig.receive(attitude, at: 2) == ["heading 12.5"])
    #expect(rig.handle(.timerFired, at: 9) == ["VERSION"])
    #expect(rig.receive(Harness.greeting, at: 9.1) == [])
    #expect(rig.handle(.timerFired, at: 11) == ["silent"], "and no compass is missing")
  }

  @Test func missingCompassIsReportedOnce() {
    var rig = Harness.watching()
    var demand = Demand.some
    demand.headings = Demand.Headings(filter: 0)
    _ = rig.handle(.demand(demand), at: 0)
    for second in 1...9 { _ = rig.receive(Harness.tpv(second), at: Double(second)) }
    #expect(rig.handle(.timerFired, at: 9.9) == [])
    #expect(rig.handle(.timerFired, at: 10) == ["no compass"])
    #expect(rig.handle(.timerFired, at: 11) == [])
  }

  @Test func compassIsAwaitedFromTheConnectionOn() {
    var rig = Harness()
    var demand = Demand.some
    demand.headings = Demand.Headings(filter: 0)
    _ = rig.handle(.demand(demand), at: 0)
    _ = rig.handle(refused, at: 0.1)
    #expect(rig.handle(.timerFired, at: 30) == ["connect"])
    _ = rig.handle(.connected, at: 30.1)
    _ = rig.receive(Harness.greeting, Harness.devices, Harness.watching, at: 30.2)
    #expect(rig.handle(.timerFired, at: 30.3) == [])
    for second in 31...39 { _ = rig.receive(Harness.tpv(second), at: Double(second)) }
    #expect(rig.handle(.timerFired, at: 40.1) == ["no compass"])
  }

  @Test func satellitesAreReportedWhenTheyChange() {
    let sky = #"{"class":"SKY","device":"/dev/ttyACM0","satellites":[{"PRN":1,"used":true}]}"#
    var rig = Harness.watching()
    #expect(rig.receive(sky, sky, at: 1) == ["sky 1"])
    #expect(rig.receive(#"{"class":"SKY","device":"/dev/ttyACM0","hdop":1}"#, at: 2) == [])
    #expect(rig.receive(#"{"class":"SKY","device":"/dev/ttyACM0","satellites":[]}"#, at: 3) == ["sky 0"])
  }
}
