import Testing
import WhereaboutsEngine
import WhereaboutsModel

/// What becomes of a visit that goes on when time or permission breaks off.
@Suite struct VisitMemoryTests {
  /// An engine with somebody who is told visits of a minute, and has been told that the device arrived.
  private func engineAfterArrival() throws -> Engine {
    var engine = Engine()
    let terms = VisitTerms(radius: 100, minimumStay: .seconds(60))
    _ = engine.handle(.subscribe(s, .visits(terms)), at: t(0))
    let told = visits(of: &engine, 1000, stride(from: 0, through: 90, by: 10).map { ($0, 0) })
    try #require(told.count == 1 && told.first?.departure == nil)
    return engine
  }

  /// The visits told while fixes come, so many seconds after a beginning and so many metres north.
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
    // Three fixes that agree make a new timeline.
    let told = visits(of: &engine, 1100, timesOff: -5000, [(0, 9000), (10, 9000), (20, 9000)])
    #expect(told.map(\.departure) == [utc(1090)])
    #expect(told.first?.leftBefore == nil)
  }

  @Test(arguments: [
    Authorization(.denied), Authorization(.notDetermined), Authorization(.always, accuracy: .reduced),
  ])
  func visitIsForgottenWhenAuthorizationEnds(authorization: Authorization) throws {
    var engine = try engineAfterArrival()
    _ = engine.handle(.signal(.authorization(authorization)), at: t(1095))
    _ = engine.handle(.signal(.authorization(Authorization(.always))), at: t(1096))
    // Far away, which would end the visit: nobody hears of it any more.
    let told = visits(of: &engine, 1100, (0...4).map { (Double($0) * 10, 9000) })
    #expect(told.isEmpty)
  }
}
