import WhereaboutsModel

/// A fix in the units and axes of the estimator.
struct TrackSample: Sendable, Hashable, Codable {
  var time: UTCTime
  /// The place in metres, earth-centred, on the ellipsoid.
  var place: SIMD3<Double>
  /// The stated variance of the place, in m² an axis.
  var variance: Double
  /// The part of ``variance`` that is from rounding the coordinate, in m² an axis.
  var rounding = 0.0
  /// The spacing of the grid of three or four decimals of a degree that the coordinate lies on, by chance or by
  /// rounding, in metres; `nil` where the coordinate lies on neither.
  var gridStep: Double?
  /// The velocity in metres per second, earth-centred; `nil` without a speed and a course.
  var velocity: SIMD3<Double>?
  /// The speed in metres per second; `nil` where none is stated.
  var speed: Double?
  /// The variance of the speed, in m²/s².
  var speedVariance: Double
  /// The height in metres as the fix states it, and its accuracy; the estimator does not use them.
  var height: Double?
  var heightAccuracy: Double?
}
