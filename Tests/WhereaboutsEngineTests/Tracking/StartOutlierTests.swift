import EngineTestSupport
import Testing

@testable import WhereaboutsEngine

@Suite struct StartOutlierTests {
  /// Exact places of a device at rest with a fix a second, one of them off by a distance.
  private func samples(_ index: Int, off metres: Double, deviation: Double) -> [TrackSample] {
    (0..<StartOutlierTest.requiredFixes).map {
      TrackSample(
        time: utc(Double($0)), place: SIMD3($0 == index ? metres : 0, 0, 0), variance: deviation * deviation,
        speedVariance: 0.02)
    }
  }

  @Test(arguments: [0, 1, 2], [30.0, 60, 150, 1000]) func outlierIsFound(index: Int, metres: Double) {
    let samples = samples(index, off: metres, deviation: 2)
    #expect(StartOutlierTest.outlier(in: samples, MotionModel()) == index)
  }

  /// The filter judges these fixes, but only after three others: none of those may be removed in their place.
  @Test(arguments: [3, 4], [5.0, 8, 11, 13, 14, 15, 20, 25, 26, 40, 150])
  func outlierAfterTheFirstFixesIsLeftToTheFilter(index: Int, metres: Double) {
    for deviation in [0.33, 1, 2] {
      let samples = samples(index, off: metres, deviation: deviation)
      #expect(StartOutlierTest.outlier(in: samples, MotionModel()) == nil, "\(deviation)")
    }
  }

  /// A start, a sharp turn and a motorway at the possible accelerations.
  @Test(arguments: [(1.0, 5.0), (1, 40), (10, 35), (0.1, 30)])
  func deviceThatMovesAtOnceHasNoOutlier(interval: Double, speed: Double) {
    for turn in 1..<4 {
      let samples = (0..<StartOutlierTest.requiredFixes).map { index in
        let turned = Double(max(0, index - turn)), change = min(speed, 5 * interval)
        return TrackSample(
          time: utc(Double(index) * interval),
          place: SIMD3(Double(index) * speed, turned * change, 0) * interval, variance: 4, speedVariance: 0.02
        )
      }
      #expect(StartOutlierTest.outlier(in: samples, MotionModel()) == nil, "\(turn)")
    }
  }
}
