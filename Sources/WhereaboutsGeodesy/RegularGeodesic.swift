import RealModule

/// The geodesic between two places that are not nearly antipodal, solved on the auxiliary sphere.
///
/// The sphere has the reduced latitudes and the azimuths of the geodesic but its own difference of longitude, ω12, from
/// which a spherical triangle gives all else, λ12 too. ω12 is found by Newton's method with a derivative to the first
/// order of the flattening. Solving for ω12, not for the paper's α1, makes meridians, the equator and the poles ordinary
/// cases and takes one arc tangent a step; it fails near the antipode, where geodesics meet again. Notation as in ReducedPair.swift.
struct RegularGeodesic {
  /// The geodesic on the sphere.
  let triangle: SphericalTriangle
  /// ε and the places of the ends on the geodesic.
  let ε: Double
  let ends: SineDifferences
  /// λ12 less the difference of longitude of this geodesic, in radians.
  let residual: Double

  /// The geodesic, or `nil` where it does not settle, which is near the antipode only.
  ///
  /// - Parameter tolerance: the residual allowed, in radians for a σ12 of 90°.
  @inline(__always)
  init?(_ pair: ReducedPair, tolerance: Double) {
    var ω12 = SphereLongitude(half: pair.halfλ12)
    var triangle = SphericalTriangle(pair, ω12)
    // The first step needs few terms: what it leaves out is 1e-8 rad.
    var step = triangle.roughLead / triangle.longitudeRate
    var lead = 0.0
    for _ in 0..<8 {
      lead += step
      ω12.advance(by: step)
      triangle = SphericalTriangle(pair, ω12)
      let ε = expansionParameter(cos²α0: triangle.cos²α0)
      let ends = SineDifferences(triangle)
      let residual =
        WGS84.flattening * triangle.sinα0 * longitudeIntegral(σ12: triangle.σ12, ends, ε: ε) - lead
      if residual.magnitude <= tolerance * triangle.sinσ12 {
        self.triangle = triangle
        self.ε = ε
        self.ends = ends
        self.residual = residual
        return
      }
      step = residual / triangle.longitudeRate
    }
    return nil
  }

  /// The length of the geodesic to the right longitude, in metres.
  ///
  /// The length changes with λ12 as a sin α0, and that as on the sphere, so that the square root of the precision is enough for ω12.
  @inline(__always)
  var distance: Double {
    let length = WGS84.semiMinorAxis * lengthIntegral(σ12: triangle.σ12, ends, ε: ε)
    return length + WGS84.semiMajorAxis * residual * (triangle.sinα0 + triangle.sinα0Rate * residual / 2)
  }
}

/// A difference of longitude on the sphere as its sine and versine, which keep their digits for neighbours.
struct SphereLongitude {
  var sine: Double
  /// 1 − cosine.
  var versine: Double

  @inline(__always)
  init(half: SIMD2<Double>) {
    sine = 2 * half.x * half.y
    versine = 2 * half.x * half.x
  }

  /// Adds an angle of at most some hundredths of a radian.
  @inline(__always)
  mutating func advance(by δ: Double) {
    let δ2 = δ * δ
    let sinδ = δ * (1 - δ2 * (1 / 6.0 - δ2 * (1 / 120.0 - δ2 * (1 / 5040.0))))
    let versδ = δ2 * (1 / 2.0 - δ2 * (1 / 24.0 - δ2 * (1 / 720.0)))
    let cosine = 1 - versine
    versine += cosine * versδ + sine * sinδ
    sine += cosine * sinδ - sine * versδ
  }
}

/// The triangle of two places and a pole on the auxiliary sphere.
struct SphericalTriangle {
  let sinσ12, cosσ12, σ12: Double
  let sinα0, cos²α0: Double
  let sinProduct, cosProduct: Double

  /// d sin α0/dω12.
  let sinα0Rate: Double

  @inline(__always)
  init(_ pair: ReducedPair, _ ω12: SphereLongitude) {
    sinProduct = pair.sinβ.x * pair.sinβ.y
    cosProduct = pair.cosβ.x * pair.cosβ.y
    let along = pair.cosβ.x * pair.sinβ.y - pair.sinβ.x * pair.cosβ.y
    let across = cosProduct * ω12.sine
    let cosω12 = 1 - ω12.versine
    // sin σ12 is the length of either end's direction to the other; the mean of both squares does not mind their order.
    let north = along + SIMD2(pair.sinβ.x * pair.cosβ.y, -pair.cosβ.x * pair.sinβ.y) * ω12.versine
    let east = pair.cosβ * ω12.sine
    let squares = north * north + east * east
    sinσ12 = ((squares.x + squares.y) / 2).squareRoot()
    cosσ12 = sinProduct + cosProduct * cosω12
    σ12 = Double.atan2(y: sinσ12, x: cosσ12)
    sinα0 = across / sinσ12
    cos²α0 = 1 - sinα0 * sinα0
    sinα0Rate = (cosProduct * cosω12 - sinα0 * sinα0 * cosσ12) / sinσ12
  }

  /// dλ12/dω12 to the first order of the flattening.
  @inline(__always)
  var longitudeRate: Double {
    1 - WGS84.flattening * (σ12 * sinα0Rate + sinα0 * sinα0)
  }

  /// ω12 − λ12 to the second order of the flattening.
  @inline(__always)
  var roughLead: Double {
    let ε = WGS84.secondEccentricitySquared / 4 * cos²α0
    let product = cos²α0 * cosσ12 - 2 * sinProduct
    let second = WGS84.secondEccentricitySquared / 8 * sinσ12 * product
    return WGS84.flattening * sinα0 * (σ12 * (1 - ε / 2) + second)
  }
}

extension SineDifferences {
  @inline(__always)
  init(_ triangle: SphericalTriangle) {
    // On the equator 2σm has no meaning, and what it is multiplied with is 0.
    let bounded =
      triangle.cos²α0 > 1e-14 ? triangle.cosσ12 - 2 * triangle.sinProduct / triangle.cos²α0 : 0
    self.init(
      sinσ12: triangle.sinσ12, cosσ12: triangle.cosσ12, cos2σm: Swift.max(-1, Swift.min(1, bounded)))
  }
}
