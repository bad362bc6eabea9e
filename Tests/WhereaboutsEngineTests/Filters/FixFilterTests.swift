import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct FixFilterTests {
  /// Returns the delivered fixes; each fix arrives at its own time unless `arrivals` are given.
  private func deliveryDecisions(_ terms: FixTerms, _ fixes: [Fix], arrivals: [Double]? = nil) -> [Bool] {
    var filter = FixFilter(terms)
    return fixes.enumerated().map { index, fix in
      let arrival = arrivals?[index] ?? fix.time?.seconds(since: utc(0)) ?? 0
      return filter.process(TimedFix(fix: fix, validAt: t(arrival).instant))
    }
  }

  @Test func distanceCountsFromTheLastDeliveredFix() {
    let fixes = [0.0, 6, 9, 11, 5, 0].enumerated().map { fix(5, at: Double($0), north: $1) }
    #expect(
      deliveryDecisions(FixTerms(level: .house, distanceFilter: 10), fixes) == [
        true, false, false, true, false, true,
      ])
  }

  @Test func everyFixIsDeliveredWithoutAFilter() {
    let fixes = [0.0, 0, 0].enumerated().map { fix(5, at: Double($0), north: $1) }
    #expect(deliveryDecisions(.every(.house), fixes) == [true, true, true])
  }

  @Test(arguments: [(0.0, 179.9999, -179.9999), (89.9999, 0, 180), (-89.9999, -90, 90), (47, 8, 8)])
  func distanceFilterIsInMetresEverywhere(latitude: Double, one: Double, other: Double) throws {
    let here = try #require(Coordinate(latitude: latitude, longitude: one))
    let there =
      one == other
      ? try #require(here.destination(azimuth: 90, distance: 22))
      : try #require(Coordinate(latitude: latitude, longitude: other))
    let metres = here.distance(to: there)
    #expect((20...25).contains(metres))
    let fixes = [here, there].enumerated().map {
      Fix.test(latitude: $1.latitude, longitude: $1.longitude, accuracy: 5, time: utc(Double($0)))
    }
    #expect(deliveryDecisions(FixTerms(level: .house, distanceFilter: metres - 0.01), fixes) == [true, true])
    #expect(
      deliveryDecisions(FixTerms(level: .house, distanceFilter: metres + 0.01), fixes) == [true, false])
  }

  @Test(
    arguments: [
      // Speed, elasticity, resulting distance of a filter of 30 m.
      (nil, 1, 30.0), (0, 1, 30), (2.4, 1, 30), (7.4, 1, 30), (7.7, 1, 60), (12.4, 1, 60), (12.5, 1, 90),
      (27, 1, 150), (27, 0, 30), (27, 2, 300), (7.7, 0.25, 30), (7.7, .nan, 30), (7.7, -3, 30),
      (7.7, .infinity, 30), (0, 2, 30), (-8, 1, 30), (.nan, 1, 30),
    ] as [(Double?, Double, Double)])
  func elasticityStretchesTheFilterWithSpeed(speed: Double?, elasticity: Double, reach: Double) {
    let terms = FixTerms(level: .house, distanceFilter: 30, elasticity: elasticity)
    for (north, isTold) in [(reach - 0.1, false), (reach + 0.1, true)] {
      let fixes = [fix(5, at: 0, speed: 30), fix(5, at: 1, north: north * 1.0001, speed: speed)]
      #expect(deliveryDecisions(terms, fixes) == [true, isTold], "\(north) m")
    }
  }

  @Test func intervalCountsFromTheLastDeliveredFix() {
    let fixes = [0.0, 4, 9, 10, 19, 30, 31].map { fix(5, at: $0) }
    #expect(
      deliveryDecisions(FixTerms(level: .house, minimumInterval: .seconds(10)), fixes)
        == [true, false, false, true, false, true, false])
  }

  @Test func distanceAndIntervalMustBothHold() {
    let terms = FixTerms(level: .house, distanceFilter: 10, minimumInterval: .seconds(10))
    let fixes = [(0.0, 0.0), (5, 20), (10, 5), (11, 20), (12, 40)].map { fix(5, at: $0, north: $1) }
    #expect(deliveryDecisions(terms, fixes) == [true, false, false, true, false])
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func unpunctualReceiverLosesNoFix(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let arrivals = (0..<300).map { Double($0) + Double.random(in: 0...0.24, using: &random) }
    let terms = FixTerms(level: .house, minimumInterval: .seconds(1))
    // By arrival for fixes without a time, by time for late arrivals, and with jittering times.
    let timeless = arrivals.map { _ in fix(5, at: nil) }
    #expect(deliveryDecisions(terms, timeless, arrivals: arrivals).allSatisfy { $0 })
    let punctual = arrivals.indices.map { fix(5, at: Double($0)) }
    #expect(deliveryDecisions(terms, punctual, arrivals: arrivals.map { $0 * 0.01 }).allSatisfy { $0 })
    #expect(deliveryDecisions(terms, arrivals.map { fix(5, at: $0) }).allSatisfy { $0 })
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func intervalToleranceDoesNotAccumulate(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let interval = Double.random(in: 0.2...20, using: &random)
    let terms = FixTerms(level: .house, minimumInterval: .seconds(interval))
    var seconds = 0.0
    let fixes = (0..<2000).map { _ in
      seconds += Double.random(in: 0.05...0.15, using: &random)
      return fix(5, at: seconds)
    }
    let kept = zip(fixes, deliveryDecisions(terms, fixes)).compactMap { $1 ? $0.time : nil }
    let tolerance = min(interval / 4, 0.5)
    for (earlier, later) in zip(kept, kept.dropFirst()) {
      #expect(later.seconds(since: earlier) >= interval - tolerance - 1e-6)
    }
    for index in kept.indices {
      let mean = kept[index].seconds(since: kept[0])
      #expect(mean >= Double(index) * interval - tolerance - 1e-5, "fix \(index)")
    }
  }

  @Test func clockSetBackByAYearBlocksNoFix() {
    let year = 365 * 86_400.0
    let terms = FixTerms(level: .house, minimumInterval: .seconds(10))
    let fixes = [year, year + 10, 3, 13, 23].map { fix(5, at: $0) }
    #expect(
      deliveryDecisions(terms, fixes, arrivals: [0, 10, 20, 30, 40]) == [true, true, true, true, true])
    #expect(
      deliveryDecisions(terms, fixes, arrivals: [0, 10, 13, 20, 30]) == [true, true, false, true, true])
  }

  @Test func replaySpeedDoesNotChangeTheResult() {
    let fixes = (0..<60).map { fix(5, at: Double($0)) }
    let terms = FixTerms(level: .house, minimumInterval: .seconds(7))
    let expected = deliveryDecisions(terms, fixes)
    #expect(expected.count { $0 } == 9)
    for speed in [0.1, 1000] {
      #expect(deliveryDecisions(terms, fixes, arrivals: fixes.indices.map { Double($0) / speed }) == expected)
    }
  }

  @Test func invalidTermsBecomeDocumentedValues() {
    let bad = FixTerms(
      level: .house, distanceFilter: .nan, elasticity: -.infinity, minimumInterval: .seconds(-5),
      maximumCount: -3, duration: .seconds(-1), lastFixUpTo: .seconds(-1))
    #expect(bad == FixTerms(level: .house, maximumCount: 0, duration: .zero))
    for filter in [-1, 0, .nan] {
      #expect(FixTerms(level: .house, distanceFilter: filter).distanceFilter == 0)
    }
    var changed = FixTerms.every(.house)
    changed.distanceFilter = .nan
    changed.elasticity = .nan
    changed.minimumInterval = .seconds(-1)
    #expect(deliveryDecisions(changed, [fix(5, at: 0), fix(5, at: 1)]) == [true, true])
    changed.minimumInterval = .seconds(1e15)
    #expect(
      deliveryDecisions(changed, [fix(5, at: 0), fix(5, at: 1e9), fix(5, at: 0.5)]) == [true, false, false])
    changed = FixTerms(level: .house, distanceFilter: .infinity)
    #expect(deliveryDecisions(changed, [fix(5, at: 0), fix(5, at: 1, north: 1e6)]) == [true, false])
  }
}
