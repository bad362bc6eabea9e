import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsTesting

@testable import WhereaboutsSources

@Suite struct RelaySessionTests {
  private static let now = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)

  private struct RelayFixture {
    var session = RelaySession(device: "whereabouts", revision: "r")

    /// The actions of an event: the first words of each line, and its receivers.
    mutating func handle(_ event: RelaySession.Event, after seconds: Double = 0) -> [String] {
      session.handle(event, at: RelaySessionTests.now.advanced(by: .seconds(seconds))).flatMap {
        effect -> [String] in
        switch effect {
        case .demand(let demand): return [demand == .off ? "off" : "on"]
        case .send(let bytes, let numbers):
          return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { line in
            let name =
              line.hasPrefix("{") ? line.dropFirst(10).prefix { $0 != "\"" } : line.dropFirst().prefix(5)
            return "\(name) \(numbers.map(String.init).joined(separator: ","))"
          }
        }
      }
    }

    mutating func watch(_ number: Int, _ isEnabled: Bool = true, json: Bool? = true, nmea: Bool? = nil)
      -> [String]
    {
      handle(
        .requestReceived(number, .setWatch(isEnabled: isEnabled, isJSON: json, isNMEA: nmea, device: nil)))
    }
  }

  private let fix = SourceSignal.fix(
    .test(latitude: 47, longitude: 8, accuracy: 5, time: RelaySessionTests.now), age: .sinceArrival)

  @Test func receiverIsOnWhileAClientWatches() {
    var rig = RelayFixture()
    #expect(rig.handle(.clientConnected(0, .gpsd)) == ["VERSION 0"])
    #expect(rig.handle(fixEvent()) == [])
    #expect(rig.watch(0) == ["on", "DEVICES 0", "WATCH 0"])
    #expect(rig.handle(.clientConnected(1, .gpsd)) == ["VERSION 1"])
    #expect(rig.watch(1) == ["DEVICES 1", "WATCH 1"])
    #expect(rig.watch(0, false) == ["DEVICES 0", "WATCH 0"])
    #expect(rig.handle(.clientDisconnected(1)) == ["off"])
    #expect(rig.handle(.clientConnected(2, .nmea)) == ["on"], "who connects for sentences wants them")
    #expect(rig.handle(.clientDisconnected(2)) == ["off"])
    #expect(rig.session.status.gpsdClients == 1)
  }

  private func fixEvent() -> RelaySession.Event { .signal(fix) }

  @Test func problemIsSentToCurrentAndLaterWatchers() {
    var rig = RelayFixture()
    _ = rig.handle(.clientConnected(0, .gpsd))
    _ = rig.watch(0)
    let refusal = SourceSignal.authorization(Authorization(.denied, remedy: "Join the group."))
    #expect(rig.handle(.signal(refusal)) == ["ERROR 0", "TPV 0"])
    #expect(rig.session.status.problem?.code == .notPermitted)
    _ = rig.handle(.clientConnected(1, .gpsd))
    #expect(rig.watch(1) == ["DEVICES 1", "WATCH 1", "ERROR 1", "TPV 1"])
    _ = rig.handle(.signal(fix))
    _ = rig.handle(.clientConnected(2, .gpsd))
    #expect(rig.watch(2) == ["DEVICES 2", "WATCH 2"], "it delivers again")
  }

  @Test func eachClientReceivesItsDialect() {
    var rig = RelayFixture()
    for (number, dialect) in [(0, RelaySession.Dialect.gpsd), (1, .nmea), (2, .gpsd), (3, .gpsd)] {
      _ = rig.handle(.clientConnected(number, dialect))
    }
    _ = rig.watch(0)
    _ = rig.watch(2, json: nil, nmea: true)
    #expect(
      rig.handle(.signal(fix)) == ["TPV 0", "GPRMC 1,2", "GPGGA 1,2", "GPGSA 1,2", "GPGST 1,2"],
      "3 does not watch")
    let sky = SatellitesInView(satellites: [.init(constellation: .gps, number: 1, isUsed: true)])
    #expect(rig.handle(.signal(.satellites(sky))) == ["SKY 0", "GPGSV 1,2"])
    #expect(
      rig.handle(.signal(.unavailable(SourceProblem(.noPosition, message: "find a position")))) == [
        "TPV 0", "GPRMC 1,2", "GPGGA 1,2", "GPGSA 1,2",
      ])
  }

  @Test func requestsAreAnsweredAsByGPSD() {
    var rig = RelayFixture()
    _ = rig.handle(.clientConnected(0, .gpsd))
    for (request, answer) in [
      (GPSDRequest.version, "VERSION 0"), (.devices, "DEVICES 0"), (.device, "DEVICE 0"), (.watch, "WATCH 0"),
      (.poll, "POLL 0"), (.unknown("?X"), "ERROR 0"),
      (.setWatch(isEnabled: true, isJSON: true, isNMEA: nil, device: "/dev/x"), "ERROR 0"),
    ] {
      #expect(rig.handle(.requestReceived(0, request)) == [answer])
    }
    _ = rig.handle(.clientConnected(1, .nmea))
    #expect(rig.handle(.requestReceived(1, .poll)) == [], "who takes sentences asks nothing")
  }

  @Test func pollReturnsOnlyFreshPositions() {
    var rig = RelayFixture()
    _ = rig.handle(.clientConnected(0, .gpsd))
    _ = rig.watch(0)
    _ = rig.handle(.signal(fix))
    func hasPosition(after seconds: Double) -> Bool {
      let effects = rig.session.handle(
        .requestReceived(0, .poll), at: Self.now.advanced(by: .seconds(seconds)))
      guard case .send(let bytes, _) = effects.first else { return false }
      return String(decoding: bytes, as: UTF8.self).contains("\"lat\"")
    }
    #expect(hasPosition(after: 9))
    #expect(!hasPosition(after: 11))
  }
}
