/// A piece of a geodesic on the auxiliary sphere, in the form for the series. Notation as in ReducedPair.swift.
struct GeodesicArc {
  /// The arc length, in radians.
  let σ12: Double
  /// The sines that give the position of the arc on the geodesic.
  let sines: SineDifferences

  /// Creates an arc from its length and from the cosine of σ1 + σ2.
  @inline(__always)
  init(σ12: Double, sine: Double, cosine: Double, cos2σm: Double) {
    self.σ12 = σ12
    sines = SineDifferences(sinσ12: sine, cosσ12: cosine, cos2σm: cos2σm)
  }

  /// Returns the length of the geodesic in metres, less a correction in metres.
  @inline(__always)
  func length(_ ε: Double, less correction: Double) -> Double {
    // Small terms are summed first: half around the Earth each rounding of the whole costs 2 nm.
    let b = WGS84.semiMinorAxis
    return b * σ12 + (b * GeodesicSeries.length(ε).growth(over: self) - correction)
  }

  /// Creates the arc from σ1 forward to σ2, less than half a turn.
  init(from σ1: Direction, to σ2: Direction) {
    let difference = σ2.minus(σ1).clampedNonnegative
    self.init(
      σ12: difference.radians, sine: difference.sine, cosine: difference.cosine,
      cos2σm: σ1.cosine * σ2.cosine - σ1.sine * σ2.sine)
  }
}

/// sin 2lσ2 − sin 2lσ1 for l from 1 to 6.
struct SineDifferences {
  let l1, l2, l3, l4, l5, l6: Double

  /// Creates the differences from the arc σ12 and the cosine of 2σm = σ1 + σ2: each is 2 cos 2lσm sin lσ12.
  @inline(__always)
  init(sinσ12: Double, cosσ12: Double, cos2σm: Double) {
    // Chebyshev's recurrences give the multiple angles without a further sine.
    let c = 2 * cosσ12, q = 2 * cos2σm
    let s2 = c * sinσ12, t2 = q * cos2σm - 1
    let s3 = c * s2 - sinσ12, t3 = q * t2 - cos2σm
    let s4 = c * s3 - s2, t4 = q * t3 - t2
    let s5 = c * s4 - s3, t5 = q * t4 - t3
    let s6 = c * s5 - s4, t6 = q * t5 - t4
    l1 = sinσ12 * q
    l2 = 2 * s2 * t2
    l3 = 2 * s3 * t3
    l4 = 2 * s4 * t4
    l5 = 2 * s5 * t5
    l6 = 2 * s6 * t6
  }
}
