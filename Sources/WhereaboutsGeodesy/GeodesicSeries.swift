import RealModule

// The integrals of length and of longitude along a geodesic, as series to the sixth order of the flattening.
// What they leave out is below 1 nm. Source: Karney (2013), equations 15 to 21 and 23 to 25; the coefficients are
// rational and the compiler folds them. Notation as in ReducedPair.swift.

/// The expansion parameter ε of the geodesic that crosses the equator at α0: 0 for the equator, 0.0017 for a meridian.
@inline(__always)
func expansionParameter(cos²α0: Double) -> Double {
  let k² = WGS84.secondEccentricitySquared * cos²α0
  let root = 1 + (1 + k²).squareRoot()
  return k² / (root * root)
}

/// sin 2lσ2 − sin 2lσ1 for l from 1 to 6: where along the geodesic its two ends lie.
struct SineDifferences {
  let l1, l2, l3, l4, l5, l6: Double

  /// From the arc σ12 and from the cosine of 2σm, the sum of σ1 and σ2: 2 cos 2lσm sin lσ12.
  @inline(__always)
  init(sinσ12: Double, cosσ12: Double, cos2σm: Double) {
    // Multiple angles by the recurrences of Chebyshev; no further sine is needed.
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

/// I1(σ2) − I1(σ1): the length of a geodesic between two places on it, in units of b.
@inline(__always)
func lengthIntegral(σ12: Double, _ d: SineDifferences, ε: Double) -> Double {
  let ε2 = ε * ε
  let c1 = ε * (-1 / 2 + ε2 * (3 / 16 + ε2 * (-1 / 32)))
  let c2 = ε2 * (-1 / 16 + ε2 * (1 / 32 + ε2 * (-9 / 2048)))
  let c3 = ε2 * ε * (-1 / 48 + ε2 * (3 / 256))
  let c4 = ε2 * ε2 * (-5 / 512 + ε2 * (3 / 512))
  let c5 = ε2 * ε2 * ε * (-7 / 1280)
  let c6 = ε2 * ε2 * ε2 * (-7 / 2048)
  let sum = c6 * d.l6 + c5 * d.l5 + c4 * d.l4 + c3 * d.l3 + c2 * d.l2 + c1 * d.l1
  return lengthFactor(ε) * (σ12 + sum)
}

/// A1: the mean length of a unit of σ, in units of b.
@inline(__always)
func lengthFactor(_ ε: Double) -> Double {
  let ε2 = ε * ε
  return (1 + ε2 * (1 / 4 + ε2 * (1 / 64 + ε2 * (1 / 256)))) / (1 - ε)
}

/// I3(σ2) − I3(σ1): by how much the longitude falls behind ω, in units of f sin α0.
@inline(__always)
func longitudeIntegral(σ12: Double, _ d: SineDifferences, ε: Double) -> Double {
  let n = WGS84.thirdFlattening
  let n2 = n * n
  let ε2 = ε * ε
  let c1Low = (1 - n) / 4 + ε * ((1 - n2) / 8)
  let c1High = (3 + 3 * n - n2) / 64 + ε * ((5 + 2 * n) / 128 + ε * (3 / 128))
  let c1 = ε * (c1Low + ε2 * c1High)
  let c2Low = (2 - 3 * n + n2) / 32 + ε * ((3 - 2 * n - 3 * n2) / 64)
  let c2 = ε2 * (c2Low + ε2 * ((3 + n) / 128 + ε * (5 / 256)))
  let c3 = ε2 * ε * ((5 - 9 * n + 5 * n2) / 192 + ε * ((9 - 10 * n) / 384 + ε * (7 / 512)))
  let c4 = ε2 * ε2 * ((7 - 14 * n) / 512 + ε * (7 / 512))
  let c5 = ε2 * ε2 * ε * (21 / 2560)
  let sum = c5 * d.l5 + c4 * d.l4 + c3 * d.l3 + c2 * d.l2 + c1 * d.l1
  return longitudeFactor(ε) * (σ12 + sum)
}

/// A3: the mean of the longitude integral for a unit of σ.
@inline(__always)
func longitudeFactor(_ ε: Double) -> Double {
  let n = WGS84.thirdFlattening
  let n2 = n * n
  let low = (1 - n) / 2 + ε * ((2 + n - 3 * n2) / 8)
  let high = (1 + 3 * n + n2) / 16 + ε * ((3 + 2 * n) / 64 + ε * (3 / 128))
  return 1 - ε * (low + ε * ε * high)
}

/// I2(σ2) − I2(σ1), which with the length gives the reduced length.
func reducedLengthIntegral(σ12: Double, _ d: SineDifferences, ε: Double) -> Double {
  let ε2 = ε * ε
  let c1 = ε * (1 / 2 + ε2 * (1 / 16 + ε2 * (1 / 32)))
  let c2 = ε2 * (3 / 16 + ε2 * (1 / 32 + ε2 * (35 / 2048)))
  let c3 = ε2 * ε * (5 / 48 + ε2 * (5 / 256))
  let c4 = ε2 * ε2 * (35 / 512 + ε2 * (7 / 512))
  let c5 = ε2 * ε2 * ε * (63 / 1280)
  let c6 = ε2 * ε2 * ε2 * (77 / 2048)
  let sum = c6 * d.l6 + c5 * d.l5 + c4 * d.l4 + c3 * d.l3 + c2 * d.l2 + c1 * d.l1
  let factor = (1 - ε) * (1 + ε2 * (1 / 4 + ε2 * (9 / 64 + ε2 * (25 / 256))))
  return factor * (σ12 + sum)
}
