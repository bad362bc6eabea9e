import RealModule

/// The geodesic between two places that are not nearly antipodal, solved for ω12.
///
/// The auxiliary sphere has the reduced latitudes and azimuths of the geodesic, but its own difference of longitude,
/// ω12. A spherical triangle gives everything else from ω12, including λ12. Newton's method finds ω12, with a
/// derivative to the first order of the flattening. The paper solves for α1. Solving for ω12 makes meridians, the
/// equator and the poles ordinary cases, with one arc tangent a step. The method fails near the antipode, where
/// geodesics meet again. Notation as in ReducedPair.swift.
struct RegularGeodesic {
  private let triangle: SphericalTriangle
  private let ω12: SphereLongitude
  private let ε: Double
  private let arc: GeodesicArc
  /// λ12 less the difference of longitude that this triangle gives, in radians.
  private let residual: Double

  /// Creates the geodesic; `nil` without convergence, near the antipode and for a place and itself.
  ///
  /// - Parameters:
  ///   - along: sin(β2 − β1).
  ///   - tolerance: the residual allowed, in radians for a σ12 of 90°.
  @inline(__always)
  init?(_ pair: ReducedPair, along: Double, tolerance: Double) {
    var ω12 = SphereLongitude(half: pair.halfλ12)
    var triangle = SphericalTriangle(pair, along: along, ω12)
    // 8° from the antipode the method converges slowly, and closer to the antipode fails.
    guard triangle.cosσ12 > -0.99 else { return nil }
    // The first step needs few terms: the truncation error is 1e-8 rad.
    var step = triangle.approximateLead / triangle.longitudeRate
    var lead = 0.0
    for _ in 0..<8 {
      lead += step
      ω12.advance(by: step)
      triangle = SphericalTriangle(pair, along: along, ω12)
      let ε = expansionParameter(cos²α0: triangle.cos²α0)
      let arc = triangle.arc
      let lag = GeodesicSeries.longitude(ε).integral(over: arc)
      let residual = WGS84.flattening * triangle.sinα0 * lag - lead
      if residual.magnitude <= tolerance * triangle.sinσ12 {
        self.triangle = triangle
        self.ω12 = ω12
        self.ε = ε
        self.arc = arc
        self.residual = residual
        return
      }
      step = residual / triangle.longitudeRate
    }
    return nil
  }

  /// Returns the length of the geodesic in metres.
  ///
  /// The derivative of the length by the longitude of its end is a sin α0. The derivative itself changes as on the
  /// sphere. Two terms replace the last step of Newton's method, so ω12 is needed to half the digits only.
  @inline(__always)
  var distance: Double {
    let shift = WGS84.semiMajorAxis * residual * (triangle.sinα0 + triangle.sinα0Rate * residual / 2)
    return arc.length(ε, less: -shift)
  }

  /// The azimuths at the start and at the end, for a geodesic found with a small tolerance.
  var azimuths: (start: Direction, end: Direction) {
    var ω12 = ω12
    ω12.advance(by: residual / triangle.longitudeRate)
    return triangle.azimuths(ω12)
  }
}

/// A difference of longitude on the sphere as sine and versine, which keep their digits for neighbours.
struct SphereLongitude {
  private(set) var sine: Double
  /// 1 − cosine.
  private(set) var versine: Double

  @inline(__always)
  init(half: SIMD2<Double>) {
    sine = 2 * half.x * half.y
    versine = 2 * half.x * half.x
  }

  /// Adds some hundredths of a radian.
  @inline(__always)
  mutating func advance(by δ: Double) {
    let sinδ = smallSine(δ), versδ = smallVersine(δ)
    let cosine = 1 - versine
    versine += cosine * versδ + sine * sinδ
    sine += cosine * sinδ - sine * versδ
  }
}
