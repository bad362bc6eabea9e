import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsTesting

@Suite struct ModelTests {
  @Test(arguments: [
    (0.0, 0.0), (-0.0, 0), (359.9, 359.9), (360, 0), (-90, 270), (725, 5), (-1e-18, 0), (1e300, nil),
  ])
  func headingIsNormalizedToTheCircle(degrees: Double, expected: Double?) throws {
    let heading = try #require(Heading(degrees: degrees, reference: .trueNorth))
    #expect((0..<360).contains(heading.degrees))
    if let expected { #expect(heading.degrees == expected) }
    #expect(heading.degrees.sign == .plus)
  }

  @Test func nonFiniteHeadingIsRefused() {
    #expect(Heading(degrees: .nan, reference: .trueNorth) == nil)
    #expect(Heading(degrees: .infinity, reference: .magneticNorth) == nil)
  }

  @Test(arguments: [(725.0, 5.0), (-90, 270), (-0.0, 0), (359.5, 359.5)])
  func decodedHeadingIsNormalizedToTheCircle(degrees: Double, expected: Double) throws {
    let json = Data(#"{"degrees":\#(degrees),"reference":"true","accuracy":3}"#.utf8)
    let heading = try JSONDecoder().decode(Heading.self, from: json)
    #expect(heading == Heading(degrees: expected, reference: .trueNorth, accuracy: 3))
    #expect(heading.degrees.sign == .plus)
    #expect(try JSONDecoder().decode(Heading.self, from: try JSONEncoder().encode(heading)) == heading)
  }

  @Test func standardLevelsMatchTheDocumentation() {
    let table = AccuracyLevel.standard.map { "\($0.name) \($0.worstAccuracy) \($0.maxAge)" }
    #expect(
      table == [
        "room 5.0 5.0 seconds", "house 15.0 15.0 seconds", "block 100.0 60.0 seconds",
        "neighborhood 1000.0 300.0 seconds", "city 5000.0 600.0 seconds",
      ])
  }

  @Test(arguments: [(15.0, 15.0, true), (15.001, 1, false), (1, 15.5, false), (0, 0, true), (.nan, 0, false)])
  func levelNeedsAccuracyAndAge(accuracy: Double, age: Double, isReached: Bool) {
    #expect(AccuracyLevel.house.isReached(byAccuracy: accuracy, age: .seconds(age)) == isReached)
  }

  @Test(arguments: [0, -1, .nan, .infinity]) func customLevelNeedsAValidAccuracy(accuracy: Double) {
    #expect(AccuracyLevel.custom(worstAccuracy: accuracy, maxAge: .seconds(1)) == nil)
  }

  @Test(
    arguments: [
      (#""worstAccuracy":5,"maxAge":[0,5000000000000000000]"#, .room),
      (#""worstAccuracy":0,"maxAge":[0,5000000000000000000]"#, nil),
      (#""worstAccuracy":-5,"maxAge":[0,5000000000000000000]"#, nil),
      (#""worstAccuracy":5,"maxAge":[-1,0]"#, nil),
    ] as [(String, AccuracyLevel?)])
  func decodedLevelNeedsAValidRadiusAndAge(members: String, expected: AccuracyLevel?) {
    let json = Data(#"{"name":"room",\#(members)}"#.utf8)
    let level = try? JSONDecoder().decode(AccuracyLevel.self, from: json)
    #expect(level == expected)
  }

  @Test func levelsAreOrderedByAccuracyAndAge() throws {
    #expect(AccuracyLevel.standard.shuffled().sorted(by: >) == AccuracyLevel.standard)
    let newer = try #require(AccuracyLevel.custom(worstAccuracy: 15, maxAge: .seconds(3)))
    let same = try #require(AccuracyLevel.custom(worstAccuracy: 15, maxAge: .seconds(15)))
    #expect(newer > .house && newer < .room)
    #expect((same < .house) != (same > .house), "of another name it is not equal")
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>) func mergingDemandsDoesNotDependOnTheOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let demands = (0..<6).map { _ -> Demand in
      switch Int.random(in: 0...4, using: &random) {
      case 0: .off
      case 1: .significantChanges
      default:
        .continuous(
          Demand.Continuous(
            accuracy: [5, 15, 100].randomElement(using: &random) ?? 5,
            distanceFilter: [0, 10].randomElement(using: &random) ?? 0,
            interval: [.zero, .seconds(30)].randomElement(using: &random) ?? .zero,
            activity: [.car, .walk, .other].randomElement(using: &random) ?? .other))
      }
    }
    let merged = demands.reduce(Demand.off) { $0.merged(with: $1) }
    #expect(merged == demands.shuffled(using: &random).reduce(Demand.off) { $0.merged(with: $1) })
    #expect(merged == demands.reversed().reduce(Demand.off) { $1.merged(with: $0) })
    #expect(merged.merged(with: merged) == merged)
  }

  @Test func demandForSignificantChangesSurvivesMergingWithFixes() throws {
    let fixes = Demand.continuous(Demand.Continuous(accuracy: 15))
    let both = fixes.merged(with: .significantChanges)
    #expect(both.fixes == fixes.fixes && both.watchesSignificantChanges)
    #expect(both.merged(with: fixes) == both && both.merged(with: .off) == both)
    #expect(!fixes.watchesSignificantChanges && !Demand.significantChanges.watchesSignificantChanges)
    #expect(try JSONDecoder().decode(Demand.self, from: JSONEncoder().encode(both)) == both)
  }

  @Test func durationsBeyondTheRangeAreClamped() {
    #expect(Instant(.seconds(1e15)).nanoseconds == .max)
    #expect(Instant(.seconds(-1e15)).nanoseconds == .min)
    #expect(Instant(.nanoseconds(-1)).nanoseconds == -1)
    #expect(Instant.start.advanced(by: .milliseconds(-1500)).nanoseconds == -1_500_000_000)
  }
}
