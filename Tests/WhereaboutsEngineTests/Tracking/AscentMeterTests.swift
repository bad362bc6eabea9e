import Testing
import WhereaboutsEngine
import WhereaboutsTesting

struct AscentMeterTests {
  private static func measure(_ heights: [Double], accuracy: Double?) -> AscentMeter {
    var meter = AscentMeter()
    for height in heights { meter.process(height: height, accuracy: accuracy) }
    return meter
  }

  /// Moves up and down between two heights a number of times, in small steps.
  private static func hills(_ count: Int, from low: Double, to high: Double) -> [Double] {
    (0..<count).flatMap { _ in
      Array(stride(from: low, to: high, by: 0.5)) + Array(stride(from: high, to: low, by: -0.5))
    }
  }

  @Test(arguments: [(nil, 30.0), (2.0, 30), (0.3, 5), (4, 50)] as [(Double?, Double)])
  func hillsCountInFull(accuracy: Double?, height: Double) {
    let meter = Self.measure(Self.hills(4, from: 400, to: 400 + height), accuracy: accuracy)
    #expect(abs(meter.ascent - 4 * height) < 6, "\(meter)")
    #expect(abs(meter.descent - 4 * height) < 6, "\(meter)")
  }

  @Test func changesWithinTheStatedErrorDoNotCount() {
    let meter = Self.measure(Self.hills(50, from: 100, to: 105), accuracy: 2)
    #expect(meter.ascent == 0 && meter.descent == 0)
  }

  @Test func barometerWithoutAccuracyCountsSmallClimbs() {
    // A gentle dip of 6 m with an accuracy of a decimetre is real; with errors of metres it is not.
    let dips = Self.hills(10, from: 100, to: 106)
    #expect(Self.measure(dips, accuracy: nil).ascent > 50)
    let rough = dips.enumerated().map { $0.element + ($0.offset.isMultiple(of: 2) ? 2 : -2) }
    #expect(Self.measure(rough, accuracy: nil).ascent < 10)
  }

  @Test func outlyingHeightIsIgnored() {
    var heights = [Double](repeating: 50, count: 300)
    for index in stride(from: 20, to: 300, by: 30) { heights[index] = 2000 }
    let meter = Self.measure(heights, accuracy: nil)
    #expect(meter.ascent == 0 && meter.descent == 0)
  }

  @Test func invalidHeightsAreIgnored() {
    var heights = Self.hills(3, from: 0, to: 40)
    let clean = Self.measure(heights, accuracy: 3)
    for index in stride(from: 5, to: heights.count, by: 7) {
      heights.insert([.nan, .infinity, -.infinity, 1e300][index % 4], at: index)
    }
    #expect(Self.measure(heights, accuracy: 3) == clean)
    for accuracy in [Double.nan, -1, .infinity] {
      #expect(
        Self.measure(heights, accuracy: accuracy).ascent == Self.measure(heights, accuracy: nil).ascent)
    }
  }

  @Test func driftAtRestAddsNoAscent() {
    var meter = AscentMeter()
    for height in stride(from: 0.0, to: 100, by: 1) { meter.process(height: height, accuracy: 2) }
    let climbed = meter.ascent
    for height in stride(from: 100.0, to: 160, by: 0.2) {
      meter.process(height: height, accuracy: 2, isResting: true)
    }
    for height in stride(from: 160.0, to: 180, by: 1) { meter.process(height: height, accuracy: 2) }
    #expect(abs(meter.ascent - climbed - 20) < 3, "\(meter)")
  }

  @Test func breakStartsAtANewHeight() {
    var meter = AscentMeter()
    for _ in 0..<5 { meter.process(height: 10, accuracy: nil) }
    meter.endSegment()
    for _ in 0..<5 { meter.process(height: 3000, accuracy: nil) }
    #expect(meter.ascent == 0 && meter.descent == 0)
  }

  @Test(arguments: PropertyCases.seeds(12, of: 1...40 as ClosedRange<UInt64>))
  func receiverAtRestHardlyClimbs(seed: UInt64) {
    var noise = HeightNoise(deviation: 3, correlationTime: 200, white: 0.3, seed: seed)
    var meter = AscentMeter()
    var sum = 0.0
    var last: Double?
    for _ in 0..<3600 {
      let height = 300 + noise.next()
      sum += max(0, height - (last ?? height))
      last = height
      meter.process(height: height, accuracy: 3)
    }
    #expect(meter.ascent < 80 && meter.ascent < sum / 8, "seed \(seed): \(meter.ascent) of \(sum)")
  }

  @Test(arguments: PropertyCases.seeds(12, of: 1...40 as ClosedRange<UInt64>))
  func ascentNeverFallsAndIsSymmetricToDescent(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var noise = HeightNoise(deviation: 5, correlationTime: 60, white: 1, seed: seed)
    var upright = AscentMeter(), upsideDown = AscentMeter(), lifted = AscentMeter()
    var height = 0.0
    for step in 0..<2000 {
      height += Double.random(in: -1...1.2, using: &random) + (step == 700 ? 400 : 0)
      let measured = height + noise.next()
      let accuracy: Double? = step % 3 == 0 ? nil : 5
      let before = upright
      upright.process(height: measured, accuracy: accuracy)
      upsideDown.process(height: -measured, accuracy: accuracy)
      lifted.process(height: measured + 1024, accuracy: accuracy)
      #expect(upright.ascent >= before.ascent && upright.descent >= before.descent, "seed \(seed)")
    }
    #expect(upsideDown.ascent == upright.descent && upsideDown.descent == upright.ascent, "seed \(seed)")
    #expect(abs(lifted.ascent - upright.ascent) < 1e-6, "seed \(seed)")
  }
}

/// A slowly varying error of heights, plus white noise.
private struct HeightNoise {
  let deviation: Double
  let correlationTime: Double
  let white: Double
  private var random: SeededGenerator
  private var wandering = 0.0

  init(deviation: Double, correlationTime: Double, white: Double, seed: UInt64) {
    self.deviation = deviation
    self.correlationTime = correlationTime
    self.white = white
    random = SeededGenerator(seed: seed)
  }

  mutating func next() -> Double {
    let kept = 1 - 1 / correlationTime
    wandering = kept * wandering + deviation * (1 - kept * kept).squareRoot() * normal()
    return wandering + white * normal()
  }

  /// Twelve numbers between 0 and 1 less six: nearly normal, of unit deviation.
  private mutating func normal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }
}
