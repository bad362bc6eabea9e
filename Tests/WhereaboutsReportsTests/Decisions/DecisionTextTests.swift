import Testing
import WhereaboutsModel

@testable import WhereaboutsReports

@Suite struct DecisionTextTests {
  private static let noon = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)

  private func text(_ probability: Double, of needed: Double) -> String {
    FenceText.text(
      FenceDecision.Evidence(
        time: Self.noon, probability: probability, needed: needed, distance: 6, deviation: 3.6))
  }

  @Test func insufficientConfidenceNeverLooksSufficient() {
    let place = "are needed, 6.0 m outside ±3.6 m"
    #expect(text(0.94996, of: 0.95) == "94.9 % sure where 95.0 % \(place)")
    #expect(text(0.57, of: 0.57) == "57.0 % sure where 57.0 % \(place)")
    #expect(text(0.99985, of: 0.9999) == "99.98 % sure where 99.99 % \(place)")
    #expect(text(1, of: 0.95) == "100.0 % sure where 95.0 % \(place)")
  }

  @Test func motionStatesTheSpeedNowAndTheAverage() {
    let change = Motion.Change(
      from: .unknown, to: .moving, time: Self.noon, since: Self.noon, speed: 4.8, because: .statedSpeed(1.83))
    #expect(
      MotionText.line(change)
        == "motion: moving at 17.3 km/h, was unknown: the source's speeds average 6.6 km/h over some seconds")
  }

  @Test func silenceStatesTheLastFix() {
    let change = Motion.Change(
      from: .driving, to: .unknown, time: Self.noon.advanced(by: .seconds(60)), since: Self.noon, speed: nil,
      because: .silence(seconds: 60))
    #expect(
      MotionText.line(change) == "motion: unknown, was driving: no fix for 1 min 00 s after 12:00:00")
  }

  @Test func doubtedFixIsNoCertainOutlier() {
    #expect(
      FenceText.reason(.doubted(at: Self.noon, probability: 0.1))
        == "the fix may be an outlier, 10 % probable, and waits for the next one")
  }
}
