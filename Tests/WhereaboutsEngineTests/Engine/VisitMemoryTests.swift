import Testing
import WhereaboutsEngine
import WhereaboutsModel

/// Open visits at time jumps and losses of permission.
@Suite struct VisitMemoryTests {
  /// Makes an engine with a subscription to visits of a minute, after the arrival was reported.
  private func engineAfterArrival() throws -> Engine {
    var engine = Engine()
    let terms = VisitTerms(radius: 100, minimumStay: .seconds(60))
    _ = engine.handle(.subscribe(s, .visits(terms)), at: t(0))
    let reported = visits(of: &engine, 1000, stride(from: 0, through: 90, by: 10).map { ($0, 0) })
    try #require(reported.count == 1 && reported.first?.departure == nil)
    return engine
  }

  /// Returns the visits reported for fixes with their seconds after a start and metres north.
  private func visits(
    of engine: inout Engine, _ beginning: Double, timesOff: Double = 0, _ fixes: [(Double, Double)]
  ) -> [Visit] {
    fixes.flatMap { second, metres in
      engine.handle(
        live(fix(10, at: beginning + timesOff + second, north: metres)), at: t(beginning + second)
      ).compactMap { if case .notify(s, .visit(let visit)) = $0 { visit } else { nil } }
    }
  }

  @Test func visitEndsWhenTheTimelineRestarts() throws {
    var engine = try engineAfterArrival()
    // Three agreeing fixes start a new timeline.
    let reported = visits(of: &engine, 1100, timesOff: -5000, [(0, 9000), (10, 9000), (20, 9000)])
    #expect(reported.map(\.departure) == [utc(1090)])
    #expect(reported.first?.leftBefore == nil)
  }

  @Test(arguments: [
    Authorization(.denied), Authorization(.notDetermined), Authorization(.always, accuracy: .reduced),
  ])
  func visitIsForgottenWhenAuthorizationEnds(authorization: Authorization) throws {
    var engine = try engineAfterArrival()
    _ = engine.handle(.signal(.authorization(authorization)), at: t(1095))
    _ = engine.handle(.signal(.authorization(Authorization(.always))), at: t(1096))
    // A distant fix would end the visit, but no visit is reported any more.
    let reported = visits(of: &engine, 1100, (0...4).map { (Double($0) * 10, 9000) })
    #expect(reported.isEmpty)
  }
}
