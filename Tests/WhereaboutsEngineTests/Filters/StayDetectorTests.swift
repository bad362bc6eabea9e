import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct StayDetectorTests {
  /// Fixes at one place, one each `interval` seconds over a span of seconds, both ends included.
  private func resting(
    _ span: ClosedRange<Double>, every interval: Double = 10, north: Double = 0, accuracy: Double? = 10
  ) -> [Fix] {
    stride(from: span.lowerBound, through: span.upperBound, by: interval).map {
      fix(accuracy, at: $0, north: north)
    }
  }

  private func times(_ visits: [Visit]) -> [[Double?]] {
    visits.map { visit in
      [visit.arrival, visit.departure, visit.leftBefore].map { $0?.seconds(since: utc(0)) }
    }
  }

  @Test func arrivalIsReportedAfterTheMinimumStay() {
    #expect(visits(resting(0...299)).isEmpty)
    #expect(times(visits(resting(0...300))) == [[0, nil, nil]])
    #expect(times(visits(resting(0...3000))) == [[0, nil, nil]])
    #expect(
      times(visits(resting(0...40), terms: VisitTerms(minimumStay: .seconds(30)))) == [[0, nil, nil]])
  }

  @Test func departureIsBetweenTheLastInsideAndFirstOutsideFix() {
    let fixes = resting(0...600) + resting(640...700, north: 500)
    #expect(times(visits(fixes)) == [[0, nil, nil], [0, 600, 640]])
    // The stay is certain after a minute.
    #expect(times(visits(fixes.dropLast())) == [[0, nil, nil]])
  }

  @Test func outlierDoesNotEndAStay() {
    let outlier = fix(5, at: 605, north: 5000)
    #expect(times(visits(resting(0...600) + [outlier] + resting(610...900))) == [[0, nil, nil]])
    // Two disagreeing outliers a minute apart are errors.
    let other = fix(5, at: 670, north: -5000)
    #expect(
      times(visits(resting(0...600) + [outlier, other] + resting(680...900))) == [[0, nil, nil]])
    // A short series of outliers does not end the stay.
    let usage = resting(605...655, north: 5000)
    #expect(times(visits(resting(0...600) + usage + resting(660...900))) == [[0, nil, nil]])
    // An outlier at the beginning does not change the arrival.
    #expect(
      times(visits([fix(5, at: -10, north: 5000)] + resting(0...310))) == [[0, nil, nil]])
    #expect(
      times(visits(resting(0...100) + [fix(5, at: 105, north: 5000)] + resting(110...310))) == [
        [0, nil, nil]
      ])
  }

  @Test func coarseFixOverlappingThePlaceIsNoDeparture() {
    let cells = stride(from: 610.0, through: 2000, by: 30).map { fix(2000, at: $0, north: 2050) }
    #expect(times(visits(resting(0...600) + cells)) == [[0, nil, nil]])
    // An outlier does not prolong the stay.
    let left = visits(resting(0...600) + cells + resting(2010...2100, north: 3000))
    #expect(times(left) == [[0, nil, nil], [0, 600, 2010]])
    // Coarse fixes end a stay if their distance exceeds their accuracy.
    let far = stride(from: 610.0, through: 700, by: 30).map { fix(2000, at: $0, north: 2200) }
    #expect(times(visits(resting(0...600) + far)) == [[0, nil, nil], [0, 600, 610]])
  }

  @Test func coarseFixesAloneAreNoStay() {
    #expect(visits(resting(0...3000, accuracy: 250)).isEmpty)
    #expect(visits(resting(0...300, accuracy: 150)).count == 1)
  }

  @Test func departureBoundsSpanASilence() {
    let hours = 4 * 3600.0
    let elsewhere = resting(hours...hours + 60, every: 60, north: 20_000)
    #expect(times(visits(resting(0...600) + elsewhere)) == [[0, nil, nil], [0, 600, hours]])
    // A device that returns after a silence may have stayed all the time.
    #expect(times(visits(resting(0...600) + resting(hours...hours + 60))) == [[0, nil, nil]])
  }

  @Test func rareFixesDetectStays() {
    let home = resting(0...7200, every: 1800), work = resting(9000...18_000, every: 1800, north: 9000)
    #expect(
      times(visits(home + work)) == [[0, nil, nil], [0, 7200, 9000], [9000, nil, nil]])
  }

  @Test func nearbyPlaceStartsAnotherStayAtItsFirstFix() {
    let fixes = resting(0...600) + resting(700...2000, north: 400)
    #expect(times(visits(fixes)) == [[0, nil, nil], [0, 600, 700], [700, nil, nil]])
  }

  @Test func restartedTimeEndsTheStay() {
    var detector = StayDetector(.standard)
    func process(_ fixes: [Fix]) -> [Visit] {
      fixes.flatMap { detector.process(TimedFix(fix: $0, validAt: .start)) }
    }
    #expect(times(process(resting(90_000...90_600))) == [[90_000, nil, nil]])
    #expect(detector.restartTimeline().map { times([$0]) } == [[90_000, 90_600, nil]])
    #expect(detector.restartTimeline() == nil)
    #expect(times(process(resting(0...600))) == [[0, nil, nil]])
    // Without a stay nothing ends.
    var fresh = StayDetector(.standard)
    _ = fresh.process(TimedFix(fix: fix(5, at: 1000), validAt: .start))
    #expect(fresh.restartTimeline() == nil)
    #expect(fresh.process(TimedFix(fix: fix(5, at: 0), validAt: .start)).isEmpty)
  }

  @Test func timelessAndLateFixesAreIgnored() {
    let odd = (0...30).flatMap { [fix(10, at: Double($0 * 10)), fix(10, at: nil, north: 9000)] }
    #expect(times(visits(odd)) == [[0, nil, nil]])
    let late = (0...30).flatMap {
      [fix(10, at: Double($0 * 10)), fix(10, at: Double($0 * 10 - 1), north: 9000)]
    }
    #expect(times(visits(late)) == [[0, nil, nil]])
  }

  @Test func fixesAreWeightedByAccuracy() throws {
    let fixes = (0...60).map {
      fix($0.isMultiple(of: 2) ? 5 : 90, at: Double($0 * 10), north: $0.isMultiple(of: 2) ? 0 : 60)
    }
    let visit = try #require(visits(fixes + resting(700...800, north: 900)).last)
    let north = (visit.coordinate.latitude - 47) * 111_170
    #expect((1...8).contains(north))
    #expect((5...40).contains(visit.accuracy))
    let plain = try #require(visits(resting(0...300, accuracy: 20)).first)
    #expect(abs(plain.accuracy - 20) < 1e-9)
  }

  @Test func fixesWithoutAccuracyDetectStays() {
    let fixes = resting(0...600, accuracy: nil) + resting(640...700, north: 500, accuracy: nil)
    #expect(times(visits(fixes)) == [[0, nil, nil], [0, 600, 640]])
    let odd = resting(0...600, accuracy: .nan) + resting(0...600, accuracy: -1)
    #expect(visits(odd).isEmpty)
  }

  @Test func invalidTermsBecomeDocumentedValues() {
    for radius in [0, -1, .nan] { #expect(VisitTerms(radius: radius) == .standard) }
    #expect(VisitTerms(radius: .infinity).radius == 100_000)
    #expect(VisitTerms(minimumStay: .seconds(-5)).minimumStay == .seconds(1))
    #expect(VisitTerms(minimumStay: .seconds(1e12)).minimumStay == .seconds(365 * 86_400))
    var changed = VisitTerms()
    changed.radius = .nan
    changed.minimumStay = .seconds(-1)
    #expect(times(visits(resting(0...10, every: 1), terms: changed)) == [[0, nil, nil]])
  }

  @Test func extremeTimesDoNotTrap() {
    let ends = [UTCTime(nanosecondsSince1970: .min), UTCTime(nanosecondsSince1970: .max)]
    let fixes = ends.map { Fix.test(latitude: 90, longitude: 0, accuracy: 1, time: $0) }
    #expect(visits(fixes).count == 1)
    #expect(
      visits(fixes + [Fix.test(latitude: -90, longitude: 0, accuracy: 1e300, time: ends[1])]).count == 1)
  }
}
