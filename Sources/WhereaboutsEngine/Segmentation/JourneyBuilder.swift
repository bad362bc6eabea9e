import WhereaboutsModel
import WhereaboutsGeodesy

/// Makes a journey out of its samples.
struct JourneyBuilder {
  private let samples: [MotionSample]
  private let start: EstimatedTime
  private let end: EstimatedTime
  private let isOpen: Bool
  private let ends: (SIMD3<Double>?, SIMD3<Double>?)

  /// The greatest number of points in the path of a journey.
  private static let longestPath = 2_000

  /// - Parameter ends: the middles of the visits before and after, where there are any.
  init(
    _ samples: [MotionSample], from start: EstimatedTime, until end: EstimatedTime, isOpen: Bool,
    ends: (SIMD3<Double>?, SIMD3<Double>?)
  ) {
    self.samples = samples
    self.start = start
    self.end = end
    self.isOpen = isOpen
    self.ends = ends
  }

  func segment(id: SegmentID) -> JourneySegment {
    let (distance, deviation) = measure()
    return JourneySegment(
      id: id, start: start, end: end, isOpen: isOpen, distance: distance, uncertainty: deviation,
      legs: legs(of: distance), path: path())
  }

  /// Returns the legs, whose distances add up to that of the journey.
  ///
  /// Their steps are straight lines at least, so that errors of fixes make them longer than the way.
  private func legs(of distance: Double) -> [JourneyLeg] {
    var legs = ModeClassifier(samples, from: start.time, until: end.time).legs
    let sum = legs.reduce(0) { $0 + $1.distance }
    for index in legs.indices {
      let share = sum > 0 ? legs[index].distance / sum : 1 / Double(legs.count)
      legs[index].distance = share * distance
    }
    return legs
  }

  /// Returns the distance and its standard deviation, in metres.
  ///
  /// The distance is that of the samples from the first to the last, and at least the straight line between both ends.
  /// The part of that line that the samples do not cover counts as a tenth longer.
  private func measure() -> (Double, Double) {
    guard let first = samples.first, let last = samples.last else { return (0, 0) }
    var counted = last.distance - first.distance
    var variance = max(0, (last.errors - first.errors).variance)
    let straight = ((ends.1 ?? last.place) - (ends.0 ?? first.place)).length
    let noise = (first.accuracy * first.accuracy + last.accuracy * last.accuracy) / 2
    if counted < straight {
      let missing = straight - counted, detour = 0.2 * missing
      variance += (missing + detour) * (missing + detour) / 4 + detour * detour
      counted = straight + detour / 2
    }
    return (counted, (variance + noise).squareRoot())
  }

  private func path() -> [JourneyPoint] {
    let step = max(1, (samples.count + Self.longestPath - 1) / Self.longestPath)
    return samples.indices.filter { $0 % step == 0 || $0 == samples.count - 1 }.compactMap { index in
      samples[index].coordinate.map { JourneyPoint(time: samples[index].time, coordinate: $0) }
    }
  }
}
