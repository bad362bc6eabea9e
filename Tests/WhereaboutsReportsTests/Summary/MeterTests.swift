import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsReports

@Suite struct MeterTests {
  @Test func quantilesOfFewNumbersAreExact() {
    var distribution = Distribution()
    #expect(distribution.quantile(0.5) == nil && distribution.least == nil)
    for value in [4.0, 1, 3, 2] { distribution.add(value) }
    #expect(distribution.quantile(0) == 1)
    #expect(distribution.quantile(0.5) == 2)
    #expect(distribution.quantile(0.95) == 4)
    #expect(distribution.count(above: 2) == 2)
  }

  @Test func invalidValuesAreIgnored() {
    var distribution = Distribution()
    for value in [-1.0, .nan, -.infinity] { distribution.add(value) }
    #expect(distribution.count == 0)
    distribution.add(.infinity)
    #expect(distribution.greatest == .infinity)
  }

  @Test(arguments: PropertyCases.seeds(5, of: 1...20)) func quantilesOfManyNumbersAreWithinTheirBound(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var distribution = Distribution()
    var all: [Double] = []
    for _ in 0..<40_000 {
      let spread = Double.random(in: 100...126, using: &random)
      // Over ten powers of ten, and now and then nothing at all.
      let power = Double.random(in: -6...4, using: &random)
      let value = Int.random(in: 0..<50, using: &random) == 0 ? 0 : spread * exponential(power)
      all.append(value)
      distribution.add(value)
    }
    all.sort()
    for share in [0.0, 0.01, 0.25, 0.5, 0.95, 0.999, 1] {
      let exact = all[max(Int((share * Double(all.count)).rounded(.up)), 1) - 1]
      let found = try #require(distribution.quantile(share))
      #expect((found - exact).magnitude <= max(0.004 * exact, 1e-4), "seed \(seed), share \(share)")
    }
    for limit in [0.0, 0.5, 30, 2e5] {
      let exact = all.count { $0 > limit }
      #expect(
        (distribution.count(above: limit) - exact).magnitude <= all.count / 500, "seed \(seed), \(limit)")
    }
  }

  private func exponential(_ power: Double) -> Double {
    var result = 1.0
    for _ in 0..<Int(power.magnitude * 10) { result *= power < 0 ? 0.7943 : 1.2589 }
    return result
  }

  @Test func noiseAddsNoAscent() {
    var climb = ClimbMeter()
    for index in 0..<1000 { climb.add(height: index.isMultiple(of: 2) ? 100 : 104.9, accuracy: 4) }
    #expect(climb.ascent == 0 && climb.descent == 0)
    #expect(climb.lowest == 100 && climb.highest == 104.9)
  }

  @Test func hillAddsAscentAndDescent() {
    var climb = ClimbMeter()
    for height in stride(from: 0.0, through: 60, by: 1) { climb.add(height: height, accuracy: 2) }
    for height in stride(from: 60.0, through: 20, by: -1) { climb.add(height: height, accuracy: 2) }
    #expect(abs(climb.ascent - 60) < 2 && abs(climb.descent - 40) < 3)
  }

  @Test func interruptionResetsHeight() {
    var climb = ClimbMeter()
    climb.add(height: 0, accuracy: nil)
    climb.interrupt()
    climb.add(height: 3000, accuracy: nil)
    #expect(climb.ascent == 0 && climb.highest == 3000)
  }

  @Test func standstillAddsNoMovingTime() {
    var speeds = SpeedMeter()
    speeds.addStep(metres: 10, seconds: 1, stated: nil)
    speeds.addStep(metres: 0.2, seconds: 1, stated: nil)
    #expect(speeds.averageWhileMoving == 10 && speeds.movingSeconds == 1)
    #expect(speeds.greatest == 10 && !speeds.isStated)
  }

  @Test func statedSpeedIsUsedOverShortStepsOnly() {
    var speeds = SpeedMeter()
    speeds.add(stated: 2)
    speeds.addStep(metres: 30, seconds: 1, stated: 2)
    #expect(speeds.averageWhileMoving == 2 && speeds.greatest == 2 && speeds.isStated)
    speeds.addStep(metres: 60, seconds: 60, stated: 20)
    #expect(speeds.averageWhileMoving == 62.0 / 61)
  }

  /// A walk with stated speeds, then a ride without.
  @Test func greatestSpeedIsNotBelowAverageOfPartlyStatedSpeeds() throws {
    var speeds = SpeedMeter()
    for _ in 0..<60 {
      speeds.add(stated: 1)
      speeds.addStep(metres: 1, seconds: 1, stated: 1)
    }
    // One noisy step in ten.
    for index in 0..<100 {
      speeds.addStep(metres: index.isMultiple(of: 10) ? 30 : 10, seconds: 1, stated: nil)
    }
    #expect(speeds.greatest == 12 && !speeds.isStated)
    let average = try #require(speeds.averageWhileMoving)
    #expect(average < 12)
  }

  @Test func greatestSpeedOverLongStepsIgnoresStandstillThatIsStated() {
    var speeds = SpeedMeter()
    for _ in 0..<30 {
      speeds.add(stated: 0)
      speeds.addStep(metres: 200, seconds: 20, stated: 0)
    }
    #expect(speeds.averageWhileMoving == 10 && speeds.greatest == 10 && !speeds.isStated)
  }

  @Test func outlierWithoutStatedSpeedIsNoGreatestSpeed() {
    var speeds = SpeedMeter()
    for speed in [15.0] + Array(repeating: 10, count: 1000) {
      speeds.add(stated: speed)
      speeds.addStep(metres: speed, seconds: 1, stated: speed)
    }
    speeds.addStep(metres: 2000, seconds: 1, stated: nil)
    speeds.addStep(metres: 300, seconds: 11, stated: 10)
    #expect(speeds.greatest == 15 && speeds.isStated)
  }

  @Test func outlierOfInfrequentFixesWithSpeedsIsNoGreatestSpeed() {
    var speeds = SpeedMeter()
    for speed in [25.0] + Array(repeating: 10, count: 100) {
      speeds.add(stated: speed)
      speeds.addStep(metres: 600, seconds: 60, stated: speed)
    }
    for _ in 0..<2 { speeds.addStep(metres: 5000, seconds: 60, stated: 10) }
    #expect(speeds.greatest == 25 && speeds.isStated)
  }

  @Test func zeroIntervalYieldsNoSpeed() {
    var speeds = SpeedMeter()
    speeds.addStep(metres: 30, seconds: 0, stated: nil)
    speeds.addStep(metres: 30, seconds: -1, stated: nil)
    #expect(speeds.greatest == nil && speeds.averageWhileMoving == nil)
  }

  @Test func gapThresholdDependsOnRecording() throws {
    let start = try #require(UTCTime(secondsSince1970: 1_700_000_000))
    var each = GapMeter()
    for _ in 0..<100 { each.add(seconds: 1, from: start) }
    each.add(seconds: 9, from: start)
    #expect(each.count == 0 && each.longest == nil && each.threshold == 10)
    each.add(seconds: 31, from: start.advanced(by: .seconds(50)))
    each.add(seconds: 12, from: start)
    #expect(each.count == 2 && each.longest == 31)
    #expect(each.longestBegan == start.advanced(by: .seconds(50)))

    var thrifty = GapMeter()
    for index in 0..<100 { thrifty.add(seconds: index % 5 == 0 ? 14 : 1, from: start) }
    #expect(thrifty.threshold == 42 && thrifty.count == 0)

    var minutely = GapMeter()
    for _ in 0..<100 { minutely.add(seconds: 60, from: start) }
    #expect(minutely.threshold == 300 && minutely.count == 0)
  }
}
