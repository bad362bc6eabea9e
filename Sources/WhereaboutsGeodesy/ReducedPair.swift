// Notation, here and in every file on geodesics, follows C. F. F. Karney, "Algorithms for geodesics", Journal of
// Geodesy 87 (2013), 43-55, doi 10.1007/s00190-012-0578-z:
//   φ, λ  latitude and longitude           α  azimuth, α0 that at the equator
//   β     reduced latitude                 σ  arc length on the auxiliary sphere
//   n     third flattening                 ω  longitude on the auxiliary sphere
// Indices 1 and 2 are the ends; 12 is the difference between them.

/// Two places in the form for distances: their reduced latitudes and their difference of longitude.
struct ReducedPair {
  /// sin β1 and sin β2.
  let sinβ: SIMD2<Double>
  /// cos β1 and cos β2, never negative.
  let cosβ: SIMD2<Double>
  /// a/N at either end, N being the radius of curvature across the meridian; also the root of 1 − e² sin²φ.
  let w: SIMD2<Double>
  /// sin ½λ12 and cos ½λ12 for λ12 in [-180°, 180°].
  let halfλ12: SIMD2<Double>

  @inline(__always)
  init(_ start: Coordinate, _ end: Coordinate) {
    let sinφ = sines(ofDegrees: SIMD2(start.latitude, end.latitude))
    let cosφ = sines(ofDegrees: 90 - SIMD2(start.latitude.magnitude, end.latitude.magnitude))
    w = (1 - WGS84.eccentricitySquared * (sinφ * sinφ)).squareRoot()
    // tan β = (1 − f) tan φ, and w normalizes its sine and cosine.
    let unit = 1 / w
    sinβ = sinφ * unit * (1 - WGS84.flattening)
    cosβ = cosφ * unit
    halfλ12 = sines(ofDegrees: halfDifference(ofLongitudes: start.longitude, end.longitude))
  }

  /// Creates a pair with one known end.
  @inline(__always)
  init(_ start: ReducedPlace, _ end: Coordinate) {
    let second = ReducedPlace(end)
    sinβ = SIMD2(start.sinβ, second.sinβ)
    cosβ = SIMD2(start.cosβ, second.cosβ)
    w = SIMD2(start.w, second.w)
    halfλ12 = sines(ofDegrees: halfDifference(ofLongitudes: start.longitude, end.longitude))
  }

  /// sin(β2 − β1), accurate to about 1 nm on the ground.
  @inline(__always)
  var sineOfDifference: Double { cosβ.x * sinβ.y - sinβ.x * cosβ.y }

  /// Returns sin(β2 − β1), accurate to all digits for neighbours too.
  @inline(__always)
  func sineOfDifference(from start: Coordinate, to end: Coordinate) -> Double {
    // tan β is (1 − f) tan φ, so the result is sin(φ2 − φ1) up to a factor, and φ2 − φ1 is exact for neighbours.
    (1 - WGS84.flattening) * Direction(degrees: end.latitude - start.latitude).sine / (w.x * w.y)
  }
}

/// One end of a pair, stored for repeated distances from the same place.
struct ReducedPlace: Hashable, Sendable {
  let sinφ, cosφ, sinβ, cosβ, w, longitude: Double

  @inline(__always)
  init(_ place: Coordinate) {
    let φ = sines(ofDegrees: SIMD2(place.latitude, 90 - place.latitude.magnitude))
    sinφ = φ.x
    cosφ = φ.y
    w = (1 - WGS84.eccentricitySquared * (sinφ * sinφ)).squareRoot()
    let unit = 1 / w
    sinβ = sinφ * unit * (1 - WGS84.flattening)
    cosβ = cosφ * unit
    longitude = place.longitude
  }
}

/// Returns half the difference of two longitudes, in [-90°, 90°] to rounding, and 90° less its magnitude.
///
/// The difference of two doubles has 53 bits and an error. The function carries the error along: near 180° the error
/// amounts to 3 nm.
@inline(__always)
private func halfDifference(ofLongitudes start: Double, _ end: Double) -> SIMD2<Double> {
  var difference = end - start
  let taken = difference - end
  let error = (end - (difference - taken)) - (start + taken)
  // Both steps are exact.
  if difference > 180 { difference -= 360 }
  if difference < -180 { difference += 360 }
  let half = difference * 0.5, halfError = error * 0.5
  let complement = 90 - half.magnitude
  return SIMD2(half + halfError, difference < 0 ? complement + halfError : complement - halfError)
}
