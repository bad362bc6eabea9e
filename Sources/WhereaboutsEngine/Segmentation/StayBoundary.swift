import WhereaboutsModel
import WhereaboutsGeodesy

/// The estimation of an arrival or a departure, from samples around it.
///
/// The device reached the place between the last sample outside and the first inside. The duration of the rest of the
/// way is its distance over the speed of approach. A departure is an arrival with the time reversed.
struct StayBoundary {
  /// The estimate.
  var estimate: EstimatedTime
  /// The index of the sample inside that is next to the boundary.
  var inside: Int
  /// Whether no sample lies outside.
  var isOpen: Bool

  /// The way is longer than the straight line by this factor.
  private static let circuity = 1.15
  /// The least speed of a device on its way, in m/s.
  private static let leastSpeed = 0.6
  /// The longest step between two samples, in seconds, that shows a speed.
  private static let longestStep = 420.0
  /// The walking speed in metres per second.
  private static let walkingSpeed = 1.2

  /// Estimates an arrival.
  ///
  /// - Parameters:
  ///   - samples: samples in the order of time, from before the arrival until after it.
  ///   - before: the number of samples, of the first ones, that are not of the stay.
  ///   - center: the middle of the place.
  ///   - reach: the distance within which the device is at the place, in metres.
  ///   - radius: the distance from which the device is surely elsewhere, in metres.
  static func arrival(
    _ samples: [MotionSample], before: Int, center: SIMD3<Double>, reach: Double, radius: Double
  ) -> StayBoundary? {
    estimate(samples, before, center, reach, radius, sign: 1)
  }

  /// Estimates a departure; the parameters are those of an arrival.
  ///
  /// - Parameter after: the number of samples, of the last ones, that are not of the stay.
  static func departure(
    _ samples: [MotionSample], after: Int, center: SIMD3<Double>, reach: Double, radius: Double
  ) -> StayBoundary? {
    guard var found = estimate(samples.reversed(), after, center, reach, radius, sign: -1) else { return nil }
    found.inside = samples.count - 1 - found.inside
    (found.estimate.earliest, found.estimate.latest) = (found.estimate.latest, found.estimate.earliest)
    return found
  }

  /// - Parameter sign: 1, or -1 where the samples are in the reverse order of time.
  private static func estimate(
    _ samples: [MotionSample], _ elsewhere: Int, _ center: SIMD3<Double>, _ reach: Double, _ radius: Double,
    sign: Double
  ) -> StayBoundary? {
    let distances = samples.map { ($0.place - center).length }
    guard let inside = firstInside(samples, distances, elsewhere, reach, radius) else { return nil }
    let here = samples[inside]
    guard inside > 0 else {
      let estimate = EstimatedTime(time: here.time, uncertainty: 0, earliest: nil, latest: here.time)
      return StayBoundary(estimate: estimate, inside: inside, isOpen: true)
    }
    let outside = samples[inside - 1]
    let step = sign * here.time.seconds(since: outside.time)
    let left = max(0, distances[inside - 1] - reach / 4)
    var seconds = step / 2, uncertainty = 0.34 * step
    // Unknown after a long silence: on foot.
    let speed = speed(samples, before: inside) ?? (step > longestStep ? walkingSpeed : nil)
    if let speed {
      seconds = min(step, left * circuity / speed)
      let byDistance = (reach / 2 + outside.accuracy / 2) / speed
      uncertainty = min(0.45 * step, 2 * (byDistance * byDistance + 0.01 * step * step).squareRoot())
    }
    let time = outside.time.advanced(by: .seconds(sign * seconds))
    let estimate = EstimatedTime(
      time: time, uncertainty: max(3, uncertainty), earliest: outside.time, latest: here.time)
    return StayBoundary(estimate: estimate, inside: inside, isOpen: false)
  }

  /// Returns the first sample within reach, or at rest near it, that others follow there; otherwise the nearest one.
  /// An earlier stay at the same place does not count. A sample of the stay that lies far from its middle, as in a
  /// large garden, ends no such stay.
  private static func firstInside(
    _ samples: [MotionSample], _ distances: [Double], _ elsewhere: Int, _ reach: Double, _ radius: Double
  ) -> Int? {
    func isInside(_ index: Int) -> Bool {
      let sample = samples[index]
      // Without a speed, the fix stands alone, and its own error decides.
      let error = sample.speed == nil ? min(2 * sample.accuracy, 0.75 * radius) : 0
      return distances[index] <= max(reach, sample.speed == 0 ? radius : error)
    }
    let start = distances.prefix(elsewhere).lastIndex { $0 > radius } ?? 0
    for index in start..<distances.count where isInside(index) {
      let next = (index + 1)..<min(distances.count, index + 3)
      if next.isEmpty || next.contains(where: isInside) { return index }
    }
    return (start..<distances.count).min { distances[$0] < distances[$1] }
  }

  /// Returns the speed of the approach, in metres per second; `nil` where unknown.
  private static func speed(_ samples: [MotionSample], before inside: Int) -> Double? {
    var speed = samples[inside - 1].speed ?? 0
    for index in stride(from: inside - 1, to: max(0, inside - 4), by: -1) {
      let step = samples[index].time.seconds(since: samples[index - 1].time).magnitude
      guard step > 0, step <= longestStep else { break }
      let pace = samples[index - 1].length(to: samples[index]) / step
      // The speed next to the place counts; one farther off only where the device stood there.
      speed = max(speed, index == inside - 1 || speed < leastSpeed ? pace : 0)
    }
    return speed >= leastSpeed ? speed : nil
  }
}
