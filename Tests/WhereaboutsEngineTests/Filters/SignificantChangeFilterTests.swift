import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct SignificantChangeFilterTests {
  /// Returns the delivered fixes; each fix arrives at its own time unless `arrivals` are given.
  private func deliveryDecisions(
    _ fixes: [Fix], arrivals: [Double]? = nil, terms: SignificantChangeTerms = .standard
  ) -> [Bool] {
    var filter = SignificantChangeFilter(terms)
    return fixes.enumerated().map { index, fix in
      let arrival = arrivals?[index] ?? fix.time?.seconds(since: utc(0)) ?? 0
      return filter.process(TimedFix(fix: fix, validAt: t(arrival).instant))
    }
  }

  @Test(arguments: [(nil, true), (0, true), (500, true), (501, false), (3000, false)] as [(Double?, Bool)])
  func firstFixIsDeliveredIfAccurateEnough(accuracy: Double?, isTold: Bool) {
    #expect(deliveryDecisions([fix(accuracy, at: 0)]) == [isTold])
    // A fix that is too coarse has no effect.
    #expect(deliveryDecisions([fix(accuracy, at: 0), fix(10, at: 1)]) == [isTold, !isTold])
  }

  /// As where the person allows the reduced accuracy only.
  @Test func coarseFixIsDeliveredFirstWhereNoOtherComes() {
    let wait = [0.0, 200, 299, 300, 900].map { fix(4000, at: $0) }
    #expect(deliveryDecisions(wait) == [false, false, false, true, false])
    // Both accuracies count between two coarse fixes.
    let moves = [(0.0, 0.0), (300, 0), (900, 7900), (1500, 8100)]
    #expect(
      deliveryDecisions(moves.map { fix(4000, at: $0, north: $1 * 1.0001) }) == [false, true, false, true])
    let fine = [fix(4000, at: 0), fix(4000, at: 300), fix(10, at: 600, north: 600)]
    #expect(deliveryDecisions(fine) == [false, true, true])
    #expect(deliveryDecisions([fix(.infinity, at: 0), fix(.infinity, at: 900)]) == [false, false])
  }

  @Test(arguments: [
    // Metres, seconds.
    (501.0, 300.0, true), (501, 299, false), (499, 300, false), (499, 1e6, false), (4999, 299, false),
    (5001, 1, true), (20_000, 0.1, true),
  ])
  func changeNeedsDistanceAndIntervalOrFarDistance(metres: Double, seconds: Double, isTold: Bool) {
    let fixes = [fix(10, at: 0), fix(10, at: seconds, north: metres * 1.0001)]
    #expect(deliveryDecisions(fixes) == [true, isTold])
  }

  @Test func changeCountsFromTheLastDeliveredFix() {
    let steps = [(0.0, 0.0), (200, 400), (400, 400), (500, 600), (700, 1200), (800, 1200), (900, 100)]
    let fixes = steps.map { fix(10, at: $0, north: $1) }
    #expect(deliveryDecisions(fixes) == [true, false, false, true, false, true, false])
  }

  @Test(
    arguments: [
      // Accuracy of the first and the second, metres between them.
      (400.0, 400.0, 790.0, false), (400, 400, 810, true), (10, 2000, 1900, false), (10, 2000, 2100, true),
      (10, 9000, 8900, false), (10, 9000, 9100, true), (nil, nil, 990, false), (nil, nil, 1010, true),
      (10, nil, 505, false), (10, nil, 515, true),
    ] as [(Double?, Double?, Double, Bool)])
  func changeMustExceedBothAccuracies(one: Double?, other: Double?, metres: Double, isTold: Bool) {
    let fixes = [fix(one, at: 0), fix(other, at: 1000, north: metres * 1.0001)]
    #expect(deliveryDecisions(fixes) == [true, isTold])
  }

  @Test func alternatingCellFixesAreNoChange() {
    let fixes = (0..<200).map { index in
      fix(index == 0 ? 100 : 2000, at: Double(index) * 400, north: index % 2 == 0 ? 0 : 1800)
    }
    #expect(deliveryDecisions(fixes).count { $0 } == 1)
    // Cells of 2 km with centres 3 km apart, after a real move from far away.
    let afterMove = fixes.enumerated().map { index, given in
      index == 0 ? given : fix(2000, at: Double(index) * 400, north: index % 2 == 0 ? 50_000 : 53_000)
    }
    #expect(deliveryDecisions(afterMove).count { $0 } == 2)
  }

  @Test func accurateFixIsDeliveredAfterAWrongCoarseOne() {
    let fixes = [
      fix(10, at: 0), fix(20_000, at: 1000, north: 60_000), fix(20_000, at: 2000, north: 75_000),
      fix(10, at: 2001, north: 75_000), fix(20_000, at: 3000, north: 60_000),
    ]
    #expect(deliveryDecisions(fixes) == [true, true, false, true, false])
  }

  @Test func clockSetBackByAYearBlocksNoChange() {
    let year = 365 * 86_400.0
    let fixes = [year, year + 400, 3, 203].enumerated().map { fix(10, at: $1, north: Double($0) * 600) }
    #expect(deliveryDecisions(fixes, arrivals: [0, 400, 800, 1000]) == [true, true, true, false])
    #expect(deliveryDecisions(fixes, arrivals: [0, 400, 600, 700]) == [true, true, false, true])
  }

  @Test func invalidTermsBecomeDocumentedValues() {
    for distance in [0, -1, .nan, .infinity] {
      #expect(SignificantChangeTerms(distance: distance) == .standard)
    }
    #expect(SignificantChangeTerms(farDistance: .nan) == .standard)
    #expect(SignificantChangeTerms(distance: 900, farDistance: 100).farDistance == 900)
    #expect(SignificantChangeTerms(interval: .seconds(-1)).interval == .zero)
    var changed = SignificantChangeTerms()
    changed.distance = .nan
    #expect(
      deliveryDecisions([fix(10, at: 0), fix(10, at: 300, north: 501)], terms: changed) == [true, true])
    let neverFar = SignificantChangeTerms(farDistance: .infinity)
    #expect(
      deliveryDecisions([fix(10, at: 0), fix(10, at: 299, north: 90_000)], terms: neverFar) == [true, false])
  }

  @Test func fixesWithInvalidAccuracyAreNeverDelivered() {
    #expect(deliveryDecisions([fix(.nan, at: 0)]) == [false])
    #expect(deliveryDecisions([fix(10, at: 0), fix(.nan, at: 1000, north: 90_000)]) == [true, false])
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func driveIsReportedAtMostEveryFiveMinutes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var track = TrackBuilder(from: fix(5, at: 0).coordinate, at: utc(0))
    for _ in 0..<20 {
      track.move(
        azimuth: Double.random(in: 0..<360, using: &random), distance: 1500,
        speed: Double.random(in: 3...16, using: &random))
    }
    let fixes = track.fixes(every: .seconds(5), noise: .cityPhone, seed: seed)
    let kept = zip(fixes, deliveryDecisions(fixes)).compactMap { $1 ? $0 : nil }
    #expect(kept.count > 3)
    for (earlier, later) in zip(kept, kept.dropFirst()) {
      let moved = earlier.coordinate.distance(to: later.coordinate)
      let seconds = try #require(later.time).seconds(since: try #require(earlier.time))
      #expect(moved >= 500 && (seconds >= 300 || moved >= 5000))
    }
  }
}
