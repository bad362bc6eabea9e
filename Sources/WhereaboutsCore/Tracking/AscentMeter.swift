/// Metres climbed and descended, from heights that are not exact.
///
/// A receiver's height wanders by many metres while nothing climbs, and the sum of all its rises is a mountain overnight.
/// So a rise counts once it is larger than the noise, and then whole, from the lowest height before it; likewise a fall.
/// That is the hysteresis that bicycle computers and training sites use: Strava takes 2 m for barometers and 10 m for
/// satellites ("Elevation", support.strava.com). Here it follows what is known of the noise:
///
/// - **Where the source states an accuracy**, three times that, and at least 2 m. The difference of two heights has 1.4
///   times the deviation of one, so that is more than two of its deviations.
/// - **Where it does not**, ten times the noise from one height to the next, between 3 and 15 m: a barometer's is a few
///   decimetres, a receiver's a metre. It is the median of second differences, which a slope does not change and a step
///   hardly, over 1.65, what it is for white noise of unit deviation.
///
/// A single height that is far off is passed over, by the median of three, and what is noisy from one to the next
/// is smoothed. The totals never fall. Heights of a device that stands still are drift and no climb: say that it rests.
///
/// - Complexity: O(1) in time and memory, and it allocates nothing.
public struct AscentMeter: Hashable, Sendable, Codable {
  /// Metres climbed.
  public private(set) var ascent = 0.0
  /// Metres descended.
  public private(set) var descent = 0.0

  /// Which way it goes, as far as has counted.
  private enum Slope: String, Hashable, Sendable, Codable {
    case none, up, down
  }

  private var slope = Slope.none
  /// The lowest and the highest smoothed height since the slope last changed.
  private var lowest = 0.0
  private var highest = 0.0
  private var smoothed: Double?
  // The last two heights.
  private var last: Double?
  private var before: Double?
  /// The median of the second differences. Begins as for a poor receiver.
  private var roughness = 2.5
  /// What is taken off each height: drift while it stood.
  private var drift = 0.0

  /// A meter at zero.
  public init() {}

  /// Takes a height.
  ///
  /// - Parameters:
  ///   - height: metres above any one surface. One that is not finite is passed over.
  ///   - accuracy: half-width of the interval that holds the true height with 68 % confidence, in metres; `nil`, or what
  ///     is no accuracy, where it is not known.
  ///   - isResting: whether the device stands still, so that what the height has changed by is drift.
  public mutating func take(height: Double, accuracy: Double?, isResting: Bool = false) {
    guard height.isFinite, height.magnitude < 1e6 else { return }
    let middle = median(with: height)
    guard let smoothed else {
      self.smoothed = middle
      (lowest, highest) = (middle, middle)
      return
    }
    let now = smoothed + (middle - drift - smoothed) / (1 + 2 * noise)
    guard !isResting else {
      drift += now - smoothed
      return
    }
    self.smoothed = now
    count(now, threshold: threshold(accuracy))
  }

  /// What comes next does not continue what came before: the change of height until then does not count.
  public mutating func breakOff() {
    smoothed = nil
    last = nil
    before = nil
    slope = .none
    drift = 0
  }

  // MARK: Noise

  /// The deviation from one height to the next, in metres.
  private var noise: Double { roughness / 1.65 }

  private func threshold(_ accuracy: Double?) -> Double {
    guard let accuracy, accuracy >= 0, accuracy.isFinite else { return min(max(3, 10 * noise), 15) }
    return max(2, 3 * accuracy, 5 * noise)
  }

  /// The middle one of the last three heights, and what they say of the noise.
  private mutating func median(with height: Double) -> Double {
    defer {
      before = last
      last = height
    }
    guard let last, let before else { return height }
    let bend = (height - 2 * last + before).magnitude
    // Towards the median: as many are larger as are smaller.
    roughness = min(max(bend > roughness ? roughness * 1.1 : roughness / 1.1, 0.02), 20)
    return max(min(last, before), min(max(last, before), height))
  }

  // MARK: Counting

  private mutating func count(_ height: Double, threshold: Double) {
    switch slope {
    case .none:
      lowest = min(lowest, height)
      highest = max(highest, height)
      if height - lowest >= threshold {
        turnUp(to: height)
      } else if highest - height >= threshold {
        turnDown(to: height)
      }
    case .up:
      if height > highest {
        ascent += height - highest
        highest = height
      } else if highest - height >= threshold {
        turnDown(to: height)
      }
    case .down:
      if height < lowest {
        descent += lowest - height
        lowest = height
      } else if height - lowest >= threshold {
        turnUp(to: height)
      }
    }
  }

  private mutating func turnUp(to height: Double) {
    ascent += height - lowest
    highest = height
    slope = .up
  }

  private mutating func turnDown(to height: Double) {
    descent += highest - height
    lowest = height
    slope = .down
  }
}
