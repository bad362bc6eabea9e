import Testing
import WhereaboutsCore

/// How an engine steers a tracker.
@Suite struct TrackerTests {
  /// A tracker that tells its points.
  static let terms = TrackTerms(tellsPoints: true)

  @Test func subscribingIsPreparing() {
    var engine = Engine()
    let effects = engine.handle(.subscribe(s, .track(Self.terms)), at: t(0))
    #expect(effects.tells.first == .trackPhase(.prepared, because: .asked(.prepare)))
    #expect(effects.contains(wants(5)))
    for second in 1...20 {
      let effects = engine.handle(
        live(fix(4, at: Double(second), north: Double(second) * 10)), at: t(Double(second)))
      #expect(effects.tells.allSatisfy { $0.points.isEmpty })
    }
    #expect(engine.track(of: s)?.totals == TrackTotals())
    #expect(engine.track(of: s)?.signal == .strong)
  }

  @Test func startCountsStopKeepsAndTheGapBetweenIsNotCounted() throws {
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .track(Self.terms)), at: t(0))
    _ = engine.handle(.track(s, .start), at: t(0))
    for second in 0...60 {
      _ = engine.handle(live(fix(4, at: Double(second), north: Double(second) * 10)), at: t(Double(second)))
    }
    let stop = engine.handle(.track(s, .stop), at: t(60))
    let first = try #require(stop.tells.compactMap(\.update).last)
    #expect(first.phase == .stopped && abs(first.totals.distance - 600) < 10)
    #expect(stop.contains(.demand(.off)))
    let start = engine.handle(.track(s, .start), at: t(1000))
    #expect(start.contains(wants(5)))
    for second in 1000...1060 {
      let metres = Double(second) * 10
      _ = engine.handle(live(fix(4, at: Double(second), north: metres)), at: t(Double(second)))
    }
    let last = try #require(engine.handle(.track(s, .stop), at: t(1060)).tells.compactMap(\.update).last)
    #expect(abs(last.totals.distance - 1200) < 20)
  }
}

extension [Effect] {
  /// What is told, to whomever.
  var tells: [SubscriptionEvent] { compactMap { if case .tell(_, let event) = $0 { event } else { nil } } }
}

extension SubscriptionEvent {
  var update: TrackUpdate? { if case .track(let update) = self { update } else { nil } }
  var points: [TrackPoint] { if case .trackPoint(let point) = self { [point] } else { [] } }
}
