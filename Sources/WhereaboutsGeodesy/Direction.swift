import RealModule

/// An angle as its sine and cosine, which keep digits that the angle in radians would lose.
struct Direction {
  let sine, cosine: Double

  @inline(__always)
  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  /// Creates the direction of a vector of any nonzero length.
  @inline(__always)
  init(y: Double, x: Double) {
    let length = (x * x + y * y).squareRoot()
    self.init(sine: y / length, cosine: x / length)
  }

  /// Creates a direction from any finite angle in degrees; multiples of 90° are exact.
  @inline(__always)
  init(degrees: Double) {
    let angle = degrees.magnitude <= 180 ? degrees : degrees.remainder(dividingBy: 360)
    let isObtuse = angle.magnitude > 90
    let acute = isObtuse ? 180 - angle.magnitude : angle.magnitude
    let pair = sines(ofDegrees: SIMD2(acute, 90 - acute))
    self.init(sine: angle < 0 ? -pair.x : pair.x, cosine: isObtuse ? -pair.y : pair.y)
  }

  /// This angle in radians, in [-π, π].
  @inline(__always)
  var radians: Double { .atan2(y: sine, x: cosine) }

  /// This angle as an azimuth: in degrees, in [0, 360).
  @inline(__always)
  var azimuth: Double {
    let degrees = radians * (180 / .pi)
    // The sum of a tiny negative angle and 360 is 360. Adding 0 turns −0 into 0.
    let positive = degrees < 0 ? degrees + 360 : degrees + 0
    return positive < 360 ? positive : 0
  }

  /// Returns this angle less another.
  @inline(__always)
  func minus(_ other: Direction) -> Direction {
    Direction(
      sine: sine * other.cosine - cosine * other.sine, cosine: cosine * other.cosine + sine * other.sine)
  }

  /// Returns the sum of this angle and another in radians, of any size.
  @inline(__always)
  func turned(by angle: Double) -> Direction {
    let sinδ = Double.sin(angle), cosδ = Double.cos(angle)
    return Direction(sine: sine * cosδ + cosine * sinδ, cosine: cosine * cosδ - sine * sinδ)
  }

  /// Returns the sum of this angle and some hundredths of a radian.
  @inline(__always)
  func turned(slightlyBy δ: Double) -> Direction {
    let sinδ = smallSine(δ), versδ = smallVersine(δ)
    return Direction(
      sine: sine - (sine * versδ - cosine * sinδ), cosine: cosine - (cosine * versδ + sine * sinδ))
  }

  /// This angle clamped to [0, π], for an angle that only rounding can put slightly below 0.
  var clampedNonnegative: Direction {
    sine > 0 ? self : Direction(sine: 0, cosine: cosine)
  }
}

/// Returns the sine of some hundredths of a radian; the truncation error at 0.02 is 1e-21.
@inline(__always)
func smallSine(_ δ: Double) -> Double {
  let δ² = δ * δ
  return δ * (1 - δ² * (1 / 6 - δ² * (1 / 120 - δ² * (1 / 5040))))
}

/// Returns 1 − cosine of some hundredths of a radian.
@inline(__always)
func smallVersine(_ δ: Double) -> Double {
  let δ² = δ * δ
  return δ² * (1 / 2 - δ² * (1 / 24 - δ² * (1 / 720 - δ² * (1 / 40320))))
}
