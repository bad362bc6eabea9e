import WhereaboutsModel
import WhereaboutsGeodesy

/// The estimated state of a device at the time of a fix.
struct MotionSample: Sendable, Hashable {
  var time: UTCTime
  /// The time since the sample before, in seconds; infinite for the first one.
  var step: Double
  /// The place in metres, earth-centred: as settled by the odometer, or as stated by a fix that the odometer left out.
  var place: SIMD3<Double>
  /// The accuracy of the fix, in metres at 68 %.
  var accuracy: Double
  /// The speed in metres per second; 0 at rest, `nil` if the odometer left the fix out.
  var speed: Double?
  /// The odometer's distance up to the sample, in metres, and its errors.
  var distance: Double
  var errors: DistanceErrorSums
  /// The greatest speed since the sample before, in metres per second.
  var fastest: Double
  /// The greatest change of speed since the sample before, in metres per second squared; `nil` if the fixes were too
  /// rare to measure it.
  var acceleration: Double?
  /// The activity that the fix states; `nil` if it states none.
  var activity: Fix.StatedActivity?

  /// Returns the straight line to another sample, in metres.
  func length(to other: MotionSample) -> Double { (other.place - place).length }

  /// The place as a coordinate.
  var coordinate: Coordinate? { EarthCentred.coordinate(of: place) }
}
