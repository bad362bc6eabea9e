import NIOCore
import Testing
import Whereabouts
import WhereaboutsFormats

@testable import WhereaboutsSources

/// A session that is told what happens, and says in words what it does about it.
struct GPSDSessionRig {
  var session: GPSDSession
  static let watch = "WATCH on"

  init(device: String? = nil, host: String = "localhost") {
    session = GPSDSession(words: GPSDWords(host: host, port: 2947), device: device, ownRelay: "own")
  }

  /// Feeds one event at so many seconds.
  mutating func on(_ event: GPSDSession.Event, at seconds: Double) -> [String] {
    let now = Instant(nanoseconds: Int64((seconds * 1000).rounded()) * 1_000_000)
    return session.handle(event, at: now).map(Self.word)
  }

  /// Feeds lines of gpsd's.
  mutating func hear(_ lines: String..., at seconds: Double) -> [String] {
    on(.bytes(ByteBuffer(string: lines.map { $0 + "\r\n" }.joined())), at: seconds)
  }

  /// When it wants to look again, in seconds.
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
  static func watching(device: String? = nil) -> GPSDSessionRig {
    var rig = GPSDSessionRig(device: device)
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    _ = rig.hear(greeting, devices, watching, at: 0)
    return rig
  }

  private static func word(_ effect: GPSDSession.Effect) -> String {
    switch effect {
    case .connect: "connect"
    case .close: "close"
    case .send(let text):
      text.contains("\"enable\":true")
        ? (text.contains("device") ? "WATCH one" : watch)
        : text.contains("false") ? "WATCH off" : String(text.dropFirst().prefix { $0 != ";" })
    case .tell(.fix): "fix"
    case .tell(.unavailable(let trouble)): trouble.code.rawValue
    case .tell(.segmentBegan): "gap"
    case .tell(.satellites(let sky)): "sky \(sky.satellites.count)"
    case .tell(.heading(let heading)): "heading \(heading.degrees)"
    case .tell(.headingsUnavailable): "no compass"
    case .tell(let signal): "\(signal)"
    }
  }
}

extension Demand {
  static let some = Demand.continuous(ContinuousDemand(accuracy: 10))
}

private let refused = GPSDSession.Event.refused(
  GPSDRefusal(isNobodyThere: true, reason: "connection refused"))

@Suite struct GPSDSessionTests {
  typealias Rig = GPSDSessionRig

  @Test func nothingHappensWithoutDemand() {
    var rig = Rig()
    #expect(rig.on(.demand(.off), at: 0) == [])
    #expect(rig.on(.woke, at: 100) == [])
    #expect(rig.wake == nil)
  }

  @Test func demandConnectsAndWatchesWithoutWaitingForAWord() {
    var rig = Rig()
    #expect(rig.on(.demand(.some), at: 0) == ["connect"])
    #expect(rig.on(.connected, at: 0.1) == [Rig.watch])
    #expect(rig.hear(Rig.greeting, Rig.devices, Rig.watching, at: 0.2) == [])
    #expect(rig.hear(Rig.tpv(0), at: 0.5) == ["fix"])
    #expect(rig.hear(Rig.tpv(0), at: 0.6) == [], "an instant is told once")
    #expect(rig.hear(Rig.tpv(1), at: 1.5) == ["fix"])
  }

  @Test func noDemandDropsTheWatchAndThenTheConnection() {
    var rig = Rig.watching()
    #expect(rig.on(.demand(.off), at: 1) == ["WATCH off"])
    #expect(rig.hear(Rig.tpv(1), at: 1.1) == [], "nobody needs it")
    #expect(rig.wake == 3)
    #expect(rig.on(.woke, at: 2.9) == [])
    #expect(rig.on(.woke, at: 3) == ["close"])
    #expect(rig.wake == nil, "and nothing is left to wake for")
  }

  @Test func whoAsksAgainSoonFindsTheConnection() {
    var rig = Rig.watching()
    _ = rig.on(.demand(.off), at: 1)
    #expect(rig.on(.demand(.some), at: 2) == [Rig.watch])
    #expect(rig.hear(Rig.tpv(2), at: 2.5) == ["fix"])
    #expect(rig.on(.woke, at: 3) == [], "it is kept")
  }

  @Test func demandThatEndsBeforeTheConnectionIsThereGivesItUp() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    #expect(rig.on(.demand(.off), at: 1) == ["close"])
    #expect(rig.on(.connected, at: 1.1) == [])
    #expect(rig.wake == nil)
  }

  @Test func refusalsAreToldOnceAndTriedAgain() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    #expect(rig.on(refused, at: 0) == ["unreachable"])
    var waits: [Double] = []
    var now = 0.0
    for _ in 0..<5 {
      let next = rig.wake ?? .nan
      waits.append(next - now)
      now = next
      #expect(rig.on(.woke, at: now) == ["connect"])
      #expect(rig.on(refused, at: now) == [], "told already")
    }
    #expect(waits == [0.25, 0.5, 1, 1, 1])
    while now < 605 {
      now = rig.wake ?? .infinity
      _ = rig.on(.woke, at: now)
      _ = rig.on(refused, at: now)
    }
    for _ in 0..<8 {
      let next = rig.wake ?? .infinity
      waits.append(next - now)
      now = next
      _ = rig.on(.woke, at: now)
      _ = rig.on(refused, at: now)
    }
    #expect(waits.suffix(3) == [30, 30, 30])
    // Asking anew tries at once.
    #expect(rig.on(.demand(.some), at: now + 1) == ["connect"])
  }

  @Test func anEndOfTheConnectionIsNotTheEnd() {
    var rig = Rig.watching()
    #expect(rig.hear(Rig.tpv(0), at: 0.5) == ["fix"])
    #expect(rig.on(.closed, at: 1) == ["close"])
    #expect(rig.on(.woke, at: 1.25) == ["connect"])
    #expect(rig.on(.connected, at: 1.3) == [Rig.watch], "one watch for each connection")
    #expect(rig.hear(Rig.greeting, Rig.devices, Rig.watching, Rig.tpv(0), at: 1.4) == [], "told before")
    #expect(rig.hear(Rig.tpv(2), at: 2.5) == ["fix"])
    #expect(rig.on(.closed, at: 3) == ["close"])
    #expect(rig.wake == 3.25, "after a fix all patience is new")
  }

  @Test func aConnectionThatIsClosedBeforeAWordIsTrouble() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    #expect(rig.on(.closed, at: 0.1) == ["close", "unreachable"])
    #expect(rig.wake == 0.35)
  }

  @Test func aGpsdThatGreetsAndClosesIsTrouble() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    var told: [String] = []
    for second in 0..<5 {
      _ = rig.on(.woke, at: Double(second))
      _ = rig.on(.connected, at: Double(second))
      told += rig.hear(Rig.greeting, at: Double(second))
      told += rig.on(.closed, at: Double(second))
    }
    #expect(told.filter { $0 == "unreachable" }.count == 1, "told once")
    #expect(told.prefix(2) == ["close", "unreachable"])
  }

  @Test func aGpsdThatReportsAndClosesIsTrouble() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    var told: [String] = []
    for second in 0..<5 {
      _ = rig.on(.woke, at: Double(second))
      _ = rig.on(.connected, at: Double(second))
      told += rig.hear(Rig.greeting, Rig.devices, Rig.watching, Rig.tpv(second, mode: 1), at: Double(second))
      told += rig.on(.closed, at: Double(second) + 0.1)
    }
    #expect(told.filter { $0 != "close" } == ["no-position", "unreachable"])
    _ = rig.on(.woke, at: 6)
    _ = rig.on(.connected, at: 6)
    _ = rig.hear(Rig.greeting, Rig.devices, Rig.watching, at: 6)
    #expect(rig.hear(Rig.tpv(6, mode: 1), at: 7) == [], "whether it holds is not known yet")
    #expect(rig.hear(Rig.tpv(11, mode: 1), at: 11) == ["no-position"])
  }

  @Test func aRelayThatHasNoSourceSaysWhy() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    let relay = Rig.greeting.replacing("3.22\",", with: "3.22\",\"rev\":\"whereabouts-1\",")
    _ = rig.hear(relay, Rig.devices, Rig.watching, at: 0.1)
    let failure = #"{"class":"ERROR","message":"could not open /dev/ttyACM0: permission denied"}"#
    #expect(rig.hear(Rig.tpv(0, mode: 1), failure, at: 0.2) == ["no-position", "no-receiver"])
    #expect(rig.hear(Rig.tpv(1), at: 1) == ["fix"])
  }

  @Test func theSameDemandAgainBeginsAnew() {
    var rig = Rig.watching()
    #expect(rig.on(.demand(.some), at: 5) == ["close", "connect"])
    #expect(rig.on(.connected, at: 5) == [Rig.watch])
    var other = Rig.watching()
    #expect(
      other.on(.demand(.continuous(ContinuousDemand(accuracy: 100))), at: 5) == [],
      "gpsd has one setting only")
  }

  @Test(arguments: [
    "HTTP/1.1 400 Bad Request", "220 mail ready", #"{"jsonrpc":"2.0""#, "\u{0}\u{1}\u{2}",
  ]) func whoIsNoGpsdIsFoundOutAtOnce(line: String) {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    #expect(rig.hear(line, at: 0.1) == ["close", "not-understood"])
    #expect(rig.wake == 0.35)
  }

  @Test func whoSaysNothingIsNoGpsd() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    #expect(rig.wake == 5)
    #expect(rig.on(.woke, at: 5) == ["close", "not-understood"])
  }

  @Test func theRelayOfThisProcessIsNoGpsd() {
    var rig = Rig()
    _ = rig.on(.demand(.some), at: 0)
    _ = rig.on(.connected, at: 0)
    let relay = Rig.greeting.replacing("3.22\",", with: "3.22\",\"rev\":\"own\",")
    #expect(rig.hear(relay, Rig.devices, Rig.watching, Rig.tpv(0), at: 0.1) == ["close", "not-understood"])
  }

  @Test func badLinesLaterAreNoReasonToGo() {
    var rig = Rig.watching()
    #expect(rig.hear(#"{"class":"SKY","satellites":[{"PRN":1"#, "noise", Rig.tpv(0), at: 1) == ["fix"])
  }

  @Test func aHalfOpenConnectionIsFoundOut() {
    var rig = Rig.watching()
    #expect(rig.wake == 5)
    #expect(rig.on(.woke, at: 5) == ["VERSION"])
    #expect(rig.wake == 8)
    #expect(rig.on(.woke, at: 8) == ["close", "connect"])
    #expect(rig.on(.connected, at: 8) == [Rig.watch])
  }

  @Test func aSilentReceiverIsToldOnceWhileGpsdAnswers() {
    var rig = Rig.watching()
    #expect(rig.on(.woke, at: 5) == ["VERSION"])
    #expect(rig.hear(Rig.greeting, at: 5.1) == [])
    #expect(rig.wake == 8, "before whoever watches over it would begin anew")
    #expect(rig.on(.woke, at: 8) == ["silent"])
    #expect(rig.on(.woke, at: 10.1) == ["VERSION"])
    #expect(rig.hear(Rig.greeting, at: 10.2) == [])
    #expect(rig.on(.woke, at: 15.2) == ["VERSION"])
    #expect(rig.hear(Rig.tpv(16), at: 16) == ["fix"])
  }

  @Test func noPositionIsToldOnceForEachLoss() {
    var rig = Rig.watching()
    #expect(rig.hear(Rig.tpv(0, mode: 1), Rig.tpv(1, mode: 1), at: 1) == ["no-position"])
    #expect(rig.hear(Rig.tpv(2), Rig.tpv(3, mode: 1), Rig.tpv(4, mode: 1), at: 4) == ["fix", "no-position"])
  }

  @Test func aReceiverThatRepeatsAnOldPositionHasNone() {
    var rig = Rig.watching()
    #expect(rig.hear(Rig.tpv(0), at: 0) == ["fix"])
    #expect(rig.hear(Rig.tpv(0), at: 1) == [])
    #expect(rig.hear(Rig.tpv(0), at: 5) == ["no-position"])
    #expect(rig.hear(Rig.tpv(0), at: 6) == [])
    #expect(rig.hear(Rig.tpv(7), at: 7) == ["fix"])
  }

  @Test func headingsAreForThoseWhoAsk() {
    let attitude = #"{"class":"ATT","device":"/dev/ttyACM0","heading":12.5}"#
    var rig = Rig.watching()
    #expect(rig.hear(attitude, at: 0.1) == [])
    var demand = Demand.some
    demand.headings = HeadingDemand(filter: 0)
    #expect(rig.on(.demand(demand), at: 1) == [])
    #expect(rig.hear(attitude, at: 2) == ["heading 12.5"])
    #expect(rig.on(.woke, at: 9) == ["VERSION"])
    #expect(rig.on(.woke, at: 11) == ["silent"], "and no compass is missing")
  }

  @Test func aMissingCompassIsToldOnce() {
    var rig = Rig.watching()
    var demand = Demand.some
    demand.headings = HeadingDemand(filter: 0)
    _ = rig.on(.demand(demand), at: 0)
    for second in 1...9 { _ = rig.hear(Rig.tpv(second), at: Double(second)) }
    #expect(rig.on(.woke, at: 9.9) == [])
    #expect(rig.on(.woke, at: 10) == ["no compass"])
    #expect(rig.on(.woke, at: 11) == [])
  }

  @Test func satellitesAreToldWhenTheyChange() {
    let sky = #"{"class":"SKY","device":"/dev/ttyACM0","satellites":[{"PRN":1,"used":true}]}"#
    var rig = Rig.watching()
    #expect(rig.hear(sky, sky, at: 1) == ["sky 1"])
    #expect(rig.hear(#"{"class":"SKY","device":"/dev/ttyACM0","hdop":1}"#, at: 2) == [])
    #expect(rig.hear(#"{"class":"SKY","device":"/dev/ttyACM0","satellites":[]}"#, at: 3) == ["sky 0"])
  }
}
