import RealModule

/// An angle as its sine and its cosine, which keep their digits where the angle in radians would lose them.
struct Direction {
  let sine, cosine: Double

  @inline(__always)
  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  /// The direction of a vector that is not zero, of any length.
  @inline(__always)
  init(y: Double, x: Double) {
    let length = Double.hypot(x, y)
    self.init(sine: y / length, cosine: x / length)
  }

  /// This angle in radians, in [-π, π].
  @inline(__always)
  var radians: Double { .atan2(y: sine, x: cosine) }

  /// This angle less another.
  @inline(__always)
  func minus(_ other: Direction) -> Direction {
    Direction(
      sine: sine * other.cosine - cosine * other.sine, cosine: cosine * other.cosine + sine * other.sine)
  }

  /// This angle and another in radians, of any size.
  func turned(by angle: Double) -> Direction {
    let sinδ = Double.sin(angle), cosδ = Double.cos(angle)
    return Direction(y: sine * cosδ + cosine * sinδ, x: cosine * cosδ - sine * sinδ)
  }

  /// This angle where it is known to be in [0, π] and rounding may have put it a hair below 0.
  var madeNonnegative: Direction {
    sine > 0 ? self : Direction(sine: 0, cosine: cosine)
  }
}
