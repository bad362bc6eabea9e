package import WhereaboutsModel
import RealModule

/// A filter that estimates the probability of each motion class from the speeds so far.
///
/// The filter is a forward filter over five classes (a hidden Markov model whose state rarely changes). Each speed
/// makes the classes more probable for which it is typical. A probable class stays probable, so a driver who stops at a
/// light is still a driver. A fast runner does not become a cyclist at once, nor a motorist in a queue a walker. Where
/// the speeds of classes overlap, duration decides, not a threshold.
///
/// Speeds, in metres per second, with their sources:
///
/// | | typical | source |
/// | --- | --- | --- |
/// | walking | 1.35 ± 0.4 | preferred 1.4: Browning et al., *J. Appl. Physiol.* 100 (2006). People run above 2.1: Hreljac, *Med. Sci. Sports Exerc.* 25 (1993) |
/// | running | 3.0 ± 0.75 | finishing times of mass races, 10 km in 45 to 75 minutes |
/// | cycling | 5.0 ± 1.6, sport 8.5 ± 2.8 | 6.0 on the flat, gains 0.2 m/s²: Parkin and Rotheram, *Transport Policy* 17 (2010); below 45 km/h at most: Bohte and Maat, *Transp. Res. C* 17 (2009) |
/// | driving | 0.5 to 36 | queue to motorway; gains 1 to 2 m/s²: Bokare and Maurya, *Transp. Res. Procedia* 25 (2017) |
/// | fast | above 50 | beyond the speeds of motorways |
struct MotionClassFilter: Sendable {
  /// The motion classes, in the order of the vectors. The rest of a vector is not used.
  private static let classes: [Motion] = [.walking, .running, .cycling, .driving, .fast]

  /// The time in seconds after which a speed counts as new evidence: closer speeds are almost equal.
  private static let correlationTime = 12.0
  /// The time constants, in seconds, of a change of the motion class: on the way, and at rest.
  private static let changeTime = 600.0, changeTimeAtRest = 120.0

  /// The probability of each class.
  private var probabilities: SIMD8<Double>
  /// The classes that the activity allows.
  private var allowed: SIMD8<Double>

  init(_ activity: Activity) {
    allowed = Self.allowedClasses(for: activity)
    probabilities = allowed / allowed.sum()
  }

  /// The most probable class.
  var best: (motion: Motion, probability: Double) {
    var best = 0
    for index in 1..<Self.classes.count where probabilities[index] > probabilities[best] { best = index }
    return (Self.classes[best], probabilities[best])
  }

  /// Returns the probability of a motion; 0 for a motion that is no class.
  func probability(of motion: Motion) -> Double {
    Self.classes.firstIndex(of: motion).map { probabilities[$0] } ?? 0
  }

  /// Advances the time while the device rests.
  mutating func advanceAtRest(seconds: Double) { mix(seconds / Self.changeTimeAtRest) }

  /// Processes a speed.
  ///
  /// - Parameters:
  ///   - speed: the speed in metres per second.
  ///   - error: one standard deviation of the speed.
  ///   - seconds: the time since the previous speed.
  ///   - riding: the motion since the last stop, if that is by some vehicle. Nobody leaves a moving vehicle, so a
  ///     change to motion on foot takes three times as long.
  mutating func update(speed: Double, error: Double, seconds: Double, riding: Motion?) {
    mix(seconds / Self.changeTime)
    let weight = min(seconds / Self.correlationTime, 1)
    var typical = Self.densities(speed, variance: error * error)
    for index in 0..<Self.classes.count {
      typical[index] = typical[index] <= Self.leastDensity ? Self.leastLogDensity : Double.log(typical[index])
    }
    if let riding, let vehicle = Self.classes.firstIndex(of: riding), vehicle > 1 {
      for index in 0...1 where typical[index] > typical[vehicle] {
        typical[index] = typical[vehicle] + (typical[index] - typical[vehicle]) / 3
      }
    }
    let least = Double.exp(weight * Self.leastLogDensity)
    for index in 0..<Self.classes.count {
      probabilities[index] *=
        typical[index] == Self.leastLogDensity ? least : Double.exp(weight * typical[index])
    }
    normalise()
  }

  /// Processes the power of a gain in speed.
  ///
  /// - Parameters:
  ///   - power: the least power of the gain, in watts for each kilogram that is moved: gain times speed.
  ///   - seconds: the duration of the gain.
  mutating func update(power: Double, seconds: Double) {
    let evidence = min(0.7 * (power - Self.usualPower), 3.5) * min(seconds / 4, 1)
    guard evidence > 0 else { return }
    let muscles = Double.exp(-evidence)
    probabilities *= SIMD8(muscles, muscles, muscles, 1, 1, 0, 0, 0)
    normalise()
  }

  private mutating func normalise() {
    probabilities *= allowed
    let sum = probabilities.sum()
    probabilities = sum > 0 && sum.isFinite ? probabilities / sum : allowed / allowed.sum()
  }

  private mutating func mix(_ amount: Double) {
    let share = 1 - Double.exp(-amount)
    probabilities += share * (allowed / allowed.sum() - probabilities)
  }

  // MARK: Typical values

  /// The usual power that people put into a gain of speed for some seconds, in watts a kilogram. With drag on top, it
  /// is more than all but racers sustain for minutes (Wilson, *Bicycling Science*, 3rd ed., chapter 2). A car that
  /// starts in town needs 10.
  private static let usualPower = 4.0

  /// The least density of a speed that counts. Most speeds are untypical of most classes, and an impossible speed may be
  /// a receiver's error.
  private static let leastDensity = 1e-4
  private static let leastLogDensity = Double.log(leastDensity)

  /// Returns the density of a speed by class; any number up to ``leastDensity`` where it is certainly not greater.
  private static func densities(_ speed: Double, variance: Double) -> SIMD8<Double> {
    var densities = SIMD8<Double>()
    densities[0] = normalIfTypical(speed, 1.35, 0.16 + variance)
    densities[1] = normalIfTypical(speed, 3, 0.5625 + variance)
    densities[2] =
      0.55 * normal(speed, 5, 2.56 + variance) + 0.45 * normal(speed, 8.5, 7.84 + variance)
    densities[3] = driving(speed)
    densities[4] = speed < 36 ? 0 : 0.004 / (1 + Double.exp(-(speed - 50) / 3))
    return densities
  }

  /// Returns the density of a normal distribution; 0 beyond 4.5 deviations, where it is less than ``leastDensity``.
  ///
  /// - Parameter variance: the variance, at least 0.16.
  private static func normalIfTypical(_ speed: Double, _ mean: Double, _ variance: Double) -> Double {
    let distance = speed - mean
    return distance * distance > 4.5 * 4.5 * variance ? 0 : normal(speed, mean, variance)
  }

  private static func normal(_ speed: Double, _ mean: Double, _ variance: Double) -> Double {
    let distance = speed - mean
    return 0.398_942_28 / variance.squareRoot() * Double.exp(-distance * distance / (2 * variance))
  }

  /// Returns the density of driving speeds: queues, streets, roads, motorways, and few beyond.
  private static func driving(_ speed: Double) -> Double {
    switch speed {
    case ..<3: 0.04
    case ..<16: 0.035
    case ..<36: 0.018
    default: 0.018 * Double.exp(-(speed - 36) / 8)
    }
  }

  // MARK: Activity

  private static func allowedClasses(for activity: Activity) -> SIMD8<Double> {
    switch activity {
    case .other: SIMD8(1, 1, 1, 1, 1, 0, 0, 0)
    case .walk, .run: SIMD8(1, 1, 0, 0, 0, 0, 0, 0)
    case .bike: SIMD8(0, 0, 1, 0, 0, 0, 0, 0)
    case .car: SIMD8(0, 0, 0, 1, 0, 0, 0, 0)
    case .boat, .air: SIMD8(0, 0, 0, 1, 1, 0, 0, 0)
    }
  }
}

extension Activity {
  /// The speed that no device carried in this way sustains for ten seconds, in metres per second; `nil` for any speed.
  ///
  /// On foot, few sustain 8 for so long; racing cyclists have reached 25 downhill; no road vehicle sustains 70.
  package var sustainedSpeed: Double? {
    switch self {
    case .other, .air: nil
    case .walk, .run: 8
    case .bike: 25
    case .car: 70
    case .boat: 40
    }
  }
}
