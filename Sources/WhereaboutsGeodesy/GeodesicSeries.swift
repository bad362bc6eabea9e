// The integrals of length, reduced length and longitude along a geodesic, as series in its expansion parameter ε. The
// series go to the sixth order of the flattening; the truncation error is below 1 nm. The compiler folds the
// coefficients, which are rational numbers. Notation as in ReducedPair.swift.

/// Returns the expansion parameter ε of the geodesic that crosses the equator at α0: 0 for the equator, 0.0017 for a
/// meridian.
@inline(__always)
func expansionParameter(cos²α0: Double) -> Double {
  let k² = WGS84.secondEccentricitySquared * cos²α0
  let root = 1 + (1 + k²).squareRoot()
  return k² / (root * root)
}

/// A mean rate of growth and the waves about it: an integral along the geodesic from 0 to σ is
/// (1 + excess) · (σ + c1 sin 2σ + c2 sin 4σ + … + c6 sin 12σ).
struct GeodesicSeries {
  let excess: Double
  let c1, c2, c3, c4, c5, c6: Double

  /// Returns the integral from σ1 to σ2.
  @inline(__always)
  func integral(over arc: GeodesicArc) -> Double { arc.σ12 + growth(over: arc) }

  /// Returns the excess of the integral over σ12: some thousandths of σ12, with as many more digits.
  @inline(__always)
  func growth(over arc: GeodesicArc) -> Double {
    let s = arc.sines
    let waves = c6 * s.l6 + c5 * s.l5 + c4 * s.l4 + c3 * s.l3 + c2 * s.l2 + c1 * s.l1
    return excess * arc.σ12 + (1 + excess) * waves
  }

  /// Returns the periodic terms at σ alone, in radians.
  @inline(__always)
  func periodicTerms(at σ: Direction) -> Double {
    // Clenshaw's recurrence for sines of multiples of 2σ.
    let double = 2 - 4 * σ.sine * σ.sine
    let b5 = double * c6 + c5
    let b4 = double * b5 - c6 + c4
    let b3 = double * b4 - b5 + c3
    let b2 = double * b3 - b4 + c2
    let b1 = double * b2 - b3 + c1
    return 2 * σ.sine * σ.cosine * b1
  }
}

extension GeodesicSeries {
  /// Returns I1, the length in units of b.
  ///
  /// - Source: Karney (2013), equations 7, 15, 17 and 18.
  @inline(__always)
  static func length(_ ε: Double) -> GeodesicSeries {
    let ε2 = ε * ε
    return GeodesicSeries(
      excess: (ε + ε2 * (1 / 4 + ε2 * (1 / 64 + ε2 * (1 / 256)))) / (1 - ε),
      c1: ε * (-1 / 2 + ε2 * (3 / 16 + ε2 * (-1 / 32))),
      c2: ε2 * (-1 / 16 + ε2 * (1 / 32 + ε2 * (-9 / 2048))),
      c3: ε2 * ε * (-1 / 48 + ε2 * (3 / 256)),
      c4: ε2 * ε2 * (-5 / 512 + ε2 * (3 / 512)),
      c5: ε2 * ε2 * ε * (-7 / 1280),
      c6: ε2 * ε2 * ε2 * (-7 / 2048))
  }

  /// Returns the inverse of I1: σ from the length, both in units of 1 + the excess of `length`.
  ///
  /// - Source: Karney (2013), equations 20 and 21.
  @inline(__always)
  static func arcOfLength(_ ε: Double) -> GeodesicSeries {
    let ε2 = ε * ε
    return GeodesicSeries(
      excess: 0,
      c1: ε * (1 / 2 + ε2 * (-9 / 32 + ε2 * (205 / 1536))),
      c2: ε2 * (5 / 16 + ε2 * (-37 / 96 + ε2 * (1335 / 4096))),
      c3: ε2 * ε * (29 / 96 + ε2 * (-75 / 128)),
      c4: ε2 * ε2 * (539 / 1536 + ε2 * (-2391 / 2560)),
      c5: ε2 * ε2 * ε * (3467 / 7680),
      c6: ε2 * ε2 * ε2 * (38081 / 61440))
  }

  /// Returns I2; the reduced length follows from its difference from the length.
  ///
  /// - Source: Karney (2013), equations 41 to 43.
  static func reducedLength(_ ε: Double) -> GeodesicSeries {
    let ε2 = ε * ε
    return GeodesicSeries(
      excess: (1 - ε) * (1 + ε2 * (1 / 4 + ε2 * (9 / 64 + ε2 * (25 / 256)))) - 1,
      c1: ε * (1 / 2 + ε2 * (1 / 16 + ε2 * (1 / 32))),
      c2: ε2 * (3 / 16 + ε2 * (1 / 32 + ε2 * (35 / 2048))),
      c3: ε2 * ε * (5 / 48 + ε2 * (5 / 256)),
      c4: ε2 * ε2 * (35 / 512 + ε2 * (7 / 512)),
      c5: ε2 * ε2 * ε * (63 / 1280),
      c6: ε2 * ε2 * ε2 * (77 / 2048))
  }

  /// Returns I3, the lag of the longitude behind ω, in units of f sin α0.
  ///
  /// - Source: Karney (2013), equations 8 and 23 to 25.
  @inline(__always)
  static func longitude(_ ε: Double) -> GeodesicSeries {
    let n = WGS84.thirdFlattening
    let n2 = n * n
    let ε2 = ε * ε
    let c1Low = (1 - n) / 4 + ε * ((1 - n2) / 8)
    let c1High = (3 + 3 * n - n2) / 64 + ε * ((5 + 2 * n) / 128 + ε * (3 / 128))
    let c2Low = (2 - 3 * n + n2) / 32 + ε * ((3 - 2 * n - 3 * n2) / 64)
    let c2High = (3 + n) / 128 + ε * (5 / 256)
    return GeodesicSeries(
      excess: longitudeExcess(ε),
      c1: ε * (c1Low + ε2 * c1High),
      c2: ε2 * (c2Low + ε2 * c2High),
      c3: ε2 * ε * ((5 - 9 * n + 5 * n2) / 192 + ε * ((9 - 10 * n) / 384 + ε * (7 / 512))),
      c4: ε2 * ε2 * ((7 - 14 * n) / 512 + ε * (7 / 512)),
      c5: ε2 * ε2 * ε * (21 / 2560),
      c6: 0)
  }

  /// Returns the excess of I3, which is negative.
  @inline(__always)
  static func longitudeExcess(_ ε: Double) -> Double {
    let n = WGS84.thirdFlattening
    let n2 = n * n
    let low = (1 - n) / 2 + ε * ((2 + n - 3 * n2) / 8)
    let high = (1 + 3 * n + n2) / 16 + ε * ((3 + 2 * n) / 64 + ε * (3 / 128))
    return -ε * (low + ε * ε * high)
  }
}
