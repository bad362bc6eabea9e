import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsTesting

@testable import WhereaboutsSources

@Suite struct RelayDeskTests {
  private static let now = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)

  private struct Rig {
    var desk = RelayDesk(device: "whereabouts", revision: "r")

    /// What is done about an event: the first words of each line, and to whom.
    mutating func on(_ event: RelayDesk.Event, after seconds: Double = 0) -> [String] {
      desk.handle(event, at: RelayDeskTests.now.advanced(by: .seconds(seconds))).flatMap {
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
      on(.asked(number, .setWatch(isEnabled: isEnabled, isJSON: json, isNMEA: nmea, device: nil)))
    }
  }

  private let fix = SourceSignal.fix(
    .test(latitude: 47, longitude: 8, accuracy: 5, time: RelayDeskTests.now), age: .sinceArrival)

  @Test func theReceiverIsOnWhileSomebodyWatches() {
    var rig = Rig()
    #expect(rig.on(.joined(0, .gpsd)) == ["VERSION 0"])
    #expect(rig.on(fix0()) == [])
    #expect(rig.watch(0) == ["on", "DEVICES 0", "WATCH 0"])
    #expect(rig.on(.joined(1, .gpsd)) == ["VERSION 1"])
    #expect(rig.watch(1) == ["DEVICES 1", "WATCH 1"])
    #expect(rig.watch(0, false) == ["DEVICES 0", "WATCH 0"])
    #expect(rig.on(.left(1)) == ["off"])
    #expect(rig.on(.joined(2, .nmea)) == ["on"], "who connects for sentences wants them")
    #expect(rig.on(.left(2)) == ["off"])
    #expect(rig.desk.status.gpsdClients == 1)
  }

  private func fix0() -> RelayDesk.Event { .signal(fix) }

  @Test func whyThereIsNoPositionIsSentToThoseWhoWatchAndWhoComeLater() {
    var rig = Rig()
    _ = rig.on(.joined(0, .gpsd))
    _ = rig.watch(0)
    let refusal = SourceSignal.authorization(Authorization(.denied, remedy: "Join the group."))
    #expect(rig.on(.signal(refusal)) == ["TPV 0", "ERROR 0"])
    #expect(rig.desk.status.trouble?.code == .notPermitted)
    _ = rig.on(.joined(1, .gpsd))
    #expect(rig.watch(1) == ["DEVICES 1", "WATCH 1", "TPV 1", "ERROR 1"])
    _ = rig.on(.signal(fix))
    _ = rig.on(.joined(2, .gpsd))
    #expect(rig.watch(2) == ["DEVICES 2", "WATCH 2"], "it delivers again")
  }

  @Test func eachGetsWhatHeSpeaks() {
    var rig = Rig()
    for (number, dialect) in [(0, RelayDesk.Dialect.gpsd), (1, .nmea), (2, .gpsd), (3, .gpsd)] {
      _ = rig.on(.joined(number, dialect))
    }
    _ = rig.watch(0)
    _ = rig.watch(2, json: nil, nmea: true)
    #expect(
      rig.on(.signal(fix)) == ["TPV 0", "GPRMC 1,2", "GPGGA 1,2", "GPGSA 1,2", "GPGST 1,2"],
      "3 does not watch")
    let sky = SatellitesInView(satellites: [.init(constellation: .gps, number: 1, isUsed: true)])
    #expect(rig.on(.signal(.satellites(sky))) == ["SKY 0", "GPGSV 1,2"])
    #expect(
      rig.on(.signal(.unavailable(SourceTrouble(.noPosition, message: "find a position")))) == [
        "TPV 0", "GPRMC 1,2", "GPGGA 1,2", "GPGSA 1,2",
      ])
  }

  @Test func requestsAreAnsweredLikeGpsdDoes() {
    var rig = Rig()
    _ = rig.on(.joined(0, .gpsd))
    for (request, answer) in [
      (GPSDRequest.version, "VERSION 0"), (.devices, "DEVICES 0"), (.device, "DEVICE 0"), (.watch, "WATCH 0"),
      (.poll, "POLL 0"), (.unknown("?X"), "ERROR 0"),
      (.setWatch(isEnabled: true, isJSON: true, isNMEA: nil, device: "/dev/x"), "ERROR 0"),
    ] {
      #expect(rig.on(.asked(0, request)) == [answer])
    }
    _ = rig.on(.joined(1, .nmea))
    #expect(rig.on(.asked(1, .poll)) == [], "who takes sentences asks nothing")
  }

  @Test func aPollIsAnsweredWithWhatIsFresh() {
    var rig = Rig()
    _ = rig.on(.joined(0, .gpsd))
    _ = rig.watch(0)
    _ = rig.on(.signal(fix))
    func hasPosition(after seconds: Double) -> Bool {
      let effects = rig.desk.handle(.asked(0, .poll), at: Self.now.advanced(by: .seconds(seconds)))
      guard case .send(let bytes, _) = effects.first else { return false }
      return String(decoding: bytes, as: UTF8.self).contains("\"lat\"")
    }
    #expect(hasPosition(after: 9))
    #expect(!hasPosition(after: 11))
  }
}
