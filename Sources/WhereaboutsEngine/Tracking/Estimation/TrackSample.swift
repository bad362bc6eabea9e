import WhereaboutsModel

/// A fix as the estimator takes it: numbers on the axes it works in.
struct TrackSample: Sendable, Hashable, Codable {
  var time: UTCTime
  /// Metres, earth-centred, on the ellipsoid.
  var place: SIMD3<Double>
  /// Variance of the place as stated, in m² an axis.
  var variance: Double
  /// The part of that which is from rounding the coordinate, in m² an axis.
  var rounding = 0.0
  /// Metres between the lines of the grid of three or four decimals of a degree that the coordinate lies on, by
  /// chance or because it was rounded; `nil` where it lies on neither.
  var gridStep: Double?
  /// Metres per second, earth-centred; `nil` without a speed and a course.
  var velocity: SIMD3<Double>?
  /// Metres per second; `nil` where none is stated.
  var speed: Double?
  /// Variance of the speed, in m²/s².
  var speedVariance: Double
  /// Metres, as the fix states it, and how sure that is; carried along.
  var height: Double?
  var heightAccuracy: Double?
}
