import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

@testable import WhereaboutsServer

@Suite struct BatteryRegistryTests {
  private let now = 1_715_675_200
  private var arrival: UTCTime { UTCTime(nanosecondsSince1970: Int64(now) * 1_000_000_000) }

  /// A batch of positions with levels in percent.
  private func positions(_ levels: [(secondsAgo: Int, percent: Int)]) -> PhoneReport {
    let messages = levels.map { level in
      #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(now - level.secondsAgo),"batt":\#(level.percent)}"#
    }
    let body = Array("[\(messages.joined(separator: ","))]".utf8)
    return PhoneDialect.ownTracks.report(from: PhoneRequest(body: body, arrival: arrival))
  }

  /// A message without a position.
  private func heartbeat(_ query: String) -> PhoneReport {
    PhoneDialect.osmAnd.report(from: PhoneRequest(query: "id=a&\(query)", arrival: arrival))
  }

  /// A late batch, and positions that are not in order of time, do not replace a newer level.
  @Test func newestLevelCounts() {
    let batteries = BatteryRegistry { _ in nil }
    func level(after report: PhoneReport) -> Double? {
      batteries.update(report, arrival: arrival, of: "anna")
      return batteries["anna"]?.level
    }
    #expect(level(after: positions([(60, 50)])) == 0.5)
    #expect(level(after: positions([(7200, 90), (3600, 80)])) == 0.5)
    #expect(level(after: positions([(30, 48), (3600, 80)])) == 0.48)
    #expect(level(after: heartbeat("batt=70&timestamp=\(now - 600)")) == 0.48)
    #expect(level(after: heartbeat("batt=47")) == 0.47)
    // A clock that is ahead does not keep its level for ever.
    #expect(level(after: heartbeat("batt=46&timestamp=\(now + 86_400)")) == 0.46)
    #expect(level(after: heartbeat("batt=45")) == 0.45)
    batteries.forget("anna")
    #expect(level(after: positions([(7200, 90)])) == 0.9)
  }

  /// No level is known after a restart, but the store has newer fixes than those of a late batch.
  @Test func levelFromBeforeTheNewestFixIsNotNoted() {
    let newest = arrival.advanced(by: .seconds(-60))
    let batteries = BatteryRegistry { $0 == "anna" ? newest : nil }
    batteries.update(positions([(7200, 90), (3600, 80)]), arrival: arrival, of: "anna")
    #expect(batteries["anna"] == nil)
    batteries.update(positions([(7200, 90)]), arrival: arrival, of: "bob")
    #expect(batteries["bob"]?.level == 0.9)
    // The batch of the newest fix may be sent again.
    batteries.update(positions([(60, 50)]), arrival: arrival, of: "anna")
    #expect(batteries["anna"]?.level == 0.5)
  }

  /// A fix ahead of the clock, from a wrong date, keeps out no level of now.
  @Test func levelOfNowIsNotedAfterAFixFromTheFuture() {
    let newest = arrival.advanced(by: .seconds(86_400))
    let batteries = BatteryRegistry { _ in newest }
    batteries.update(heartbeat("batt=45"), arrival: arrival, of: "anna")
    #expect(batteries["anna"]?.level == 0.45)
  }
}
