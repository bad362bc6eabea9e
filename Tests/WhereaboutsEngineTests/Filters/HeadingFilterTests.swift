import Testing
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct HeadingFilterTests {
  typealias Verdict = HeadingFilter.Verdict

  private func heading(
    _ degrees: Double, _ reference: Heading.Reference = .trueNorth, accuracy: Double? = 2
  ) -> Heading {
    guard let heading = Heading(degrees: degrees, reference: reference, accuracy: accuracy) else {
      preconditionFailure("\(degrees) is no heading")
    }
    return heading
  }

  private func verdicts(_ terms: HeadingTerms, _ headings: [Heading]) -> [Verdict] {
    var filter = HeadingFilter(terms)
    return headings.map { filter.process($0) }
  }

  @Test func turnCountsFromTheLastDeliveredHeading() {
    let headings = [10.0, 13, 14.9, 15, 19, 10, 11].map { heading($0) }
    #expect(
      verdicts(HeadingTerms(filter: 5), headings)
        == [.reported, .suppressed, .suppressed, .reported, .suppressed, .reported, .suppressed])
  }

  @Test func dueNorthIsDelivered() {
    #expect(verdicts(.standard, [heading(0)]) == [.reported])
    #expect(
      verdicts(.standard, [heading(90), heading(0), heading(0)]) == [.reported, .reported, .suppressed])
    #expect(verdicts(.standard, [heading(0, accuracy: 0)]) == [.reported])
  }

  @Test(arguments: [
    (359.5, 0.5, 1.0, true), (0.5, 359.5, 1, true), (359.5, 0.4, 1, false), (350, 10, 20, true),
    (350, 10, 20.1, false), (0, 180, 180, true), (90, 270, 180, true), (1, 180, 180, false),
    (0.4, 1.4, 1, true), (10.1, 11.1, 1, true), (359.9, 0.9, 1, true), (271.3, 91.3, 180, true),
  ])
  func turnsAreMeasuredTheShorterWay(from: Double, to: Double, filter: Double, isTold: Bool) {
    let verdicts = verdicts(HeadingTerms(filter: filter), [heading(from), heading(to)])
    #expect(verdicts == [.reported, isTold ? .reported : .suppressed])
  }

  @Test func zeroFilterDeliversEveryHeading() {
    #expect(
      verdicts(HeadingTerms(filter: 0), [heading(7), heading(7), heading(7)]) == [
        .reported, .reported, .reported,
      ])
  }

  @Test(arguments: [(-1, 0.0), (.nan, 0), (0, 0), (45, 45), (181, 180), (.infinity, 180)])
  func filterIsClampedToItsRange(given: Double, expected: Double) {
    #expect(HeadingTerms(filter: given).filter == expected)
    var changed = HeadingTerms()
    changed.filter = given
    var filter = HeadingFilter(changed), reference = HeadingFilter(HeadingTerms(filter: expected))
    for degrees in [0.0, 3, 44, 46, 200, 20] {
      #expect(filter.process(heading(degrees)) == reference.process(heading(degrees)))
    }
  }

  @Test func unusableHeadingIsReportedOncePerOutage() {
    let bad = heading(10, accuracy: -1), worse = heading(10, accuracy: .nan)
    #expect(
      verdicts(
        HeadingTerms(filter: 5),
        [bad, worse, heading(10), heading(12), bad, bad, heading(12), heading(12)])
        == [
          .unusable, .stillUnusable, .reported, .suppressed, .unusable, .stillUnusable, .reported,
          .suppressed,
        ])
  }

  @Test func headingWithoutAccuracyIsUsable() {
    #expect(verdicts(.standard, [heading(10, accuracy: nil)]) == [.reported])
  }

  @Test func firstHeadingOfAnotherReferenceIsDelivered() {
    #expect(
      verdicts(
        HeadingTerms(filter: 5), [heading(10), heading(10, .magneticNorth), heading(10, .magneticNorth)])
        == [.reported, .reported, .suppressed])
  }

  @Test func alternatingReferencesAreFilteredSeparately() {
    let alternating = (0..<100).flatMap { _ in [heading(10), heading(13, .magneticNorth)] }
    var filter = HeadingFilter(HeadingTerms(filter: 5))
    #expect(alternating.count { filter.process($0) == .reported } == 2)
  }

  @Test func headingOfAnUnrequestedReferenceIsHeld() {
    let terms = HeadingTerms(filter: 5, reference: .magneticNorth)
    #expect(
      verdicts(
        terms,
        [
          heading(10), heading(10, accuracy: -1), heading(10, .magneticNorth), heading(90, .compassNorth),
          heading(12, .magneticNorth), heading(16, .magneticNorth, accuracy: -1), heading(3, accuracy: 1),
          heading(12, .magneticNorth, accuracy: -1),
        ])
        == [
          .suppressed, .suppressed, .reported, .suppressed, .suppressed, .unusable, .suppressed,
          .stillUnusable,
        ])
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func deliveredHeadingIsWithinTheFilter(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let turn = Double.random(in: 0.5...60, using: &random)
    var filter = HeadingFilter(HeadingTerms(filter: turn))
    var degrees = Double.random(in: 0..<360, using: &random)
    var lastReported = degrees
    for _ in 0..<500 {
      degrees += Double.random(in: -20...20, using: &random)
      let heading = heading(degrees)
      let off = abs((heading.degrees - lastReported).remainder(dividingBy: 360))
      switch filter.process(heading) {
      case .reported: lastReported = heading.degrees
      case .suppressed: #expect(off < turn)
      case .unusable, .stillUnusable: Issue.record("a good heading was reported as unusable")
      }
    }
  }
}
