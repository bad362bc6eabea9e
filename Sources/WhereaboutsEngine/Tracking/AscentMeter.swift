/// A meter of the ascent and descent, from heights with errors.
///
/// A receiver's height wanders by many metres while the device stays level, and the sum of all its rises is a
/// mountain overnight. So a rise counts once it exceeds the noise, and then whole, from the lowest height before it;
/// likewise a fall. Bicycle computers and training sites use this hysteresis: Strava takes 2 m for barometers and 10
/// m for satellites ("Elevation", support.strava.com). Here the threshold follows the noise:
///
/// - **With a stated accuracy**, the threshold is three times the accuracy, and at least 2 m. The difference of two
///   heights has 1.4 times the deviation of one, so the threshold exceeds two deviations of the difference.
/// - **Without one**, the threshold is ten times the noise from one height to the next, between 3 and 15 m. A
///   barometer's noise is a few decimetres, a receiver's a metre. The noise is the median of second differences over
///   1.65, the median's value for white noise of unit deviation. A slope does not change the median, and a step
///   hardly does.
///
/// The median of three removes a single height that is far off, and heights with much noise are smoothed. The totals
/// never decrease. Height changes of a resting device are drift, not climb; pass `isResting`.
///
/// - Complexity: O(1) in time and memory, without allocation.
public struct AscentMeter: Hashable, Sendable, Codable {
  /// The ascent, in metres.
  public private(set) var ascent = 0.0
  /// The descent, in metres.
  public private(set) var descent = 0.0

  /// The direction of the slope, as far as it has counted.
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
  /// The median of the second differences. The initial value is that of a poor receiver.
  private var roughness = 2.5
  /// The offset subtracted from each height: the drift while the device stood.
  private var drift = 0.0

  /// Creates a meter at zero.
  public init() {}

  /// Creates a meter that begins with totals.
  init(ascent: Double, descent: Double) {
    self.ascent = ascent
    self.descent = descent
  }

  /// Processes a height.
  ///
  /// - Parameters:
  ///   - height: metres above any one surface. A height that is not finite is ignored.
  ///   - accuracy: half-width of the interval that holds the true height with 68 % confidence, in metres; `nil` or an
  ///     invalid value where unknown.
  ///   - isResting: whether the device stands still, so that a change of height is drift.
  public mutating func process(height: Double, accuracy: Double?, isResting: Bool = false) {
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
    addHeight(now, threshold: threshold(accuracy))
  }

  /// Ends the segment: the change of height until the next height does not count.
  public mutating func endSegment() {
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

  /// Returns the median of the last three heights, and updates the measured noise.
  private mutating func median(with height: Double) -> Double {
    defer {
      before = last
      last = height
    }
    guard let last, let before else { return height }
    let bend = (height - 2 * last + before).magnitude
    // Moves towards the median: as many second differences are larger as are smaller.
    roughness = min(max(bend > roughness ? roughness * 1.1 : roughness / 1.1, 0.02), 20)
    return max(min(last, before), min(max(last, before), height))
  }

  // MARK: Counting

  private mutating func addHeight(_ height: Double, threshold: Double) {
    switch slope {
    case .none:
      lowest = min(lowest, height)
      highest = max(highest, height)
      if height - lowest >= threshold {
        beginAscent(to: height)
      } else if highest - height >= threshold {
        beginDescent(to: height)
      }
    case .up:
      if height > highest {
        ascent += height - highest
        highest = height
      } else if highest - height >= threshold {
        beginDescent(to: height)
      }
    case .down:
      if height < lowest {
        descent += lowest - height
        lowest = height
      } else if height - lowest >= threshold {
        beginAscent(to: height)
      }
    }
  }

  private mutating func beginAscent(to height: Double) {
    ascent += height - lowest
    highest = height
    slope = .up
  }

  private mutating func beginDescent(to height: Double) {
    descent += highest - height
    lowest = height
    slope = .down
  }
}
