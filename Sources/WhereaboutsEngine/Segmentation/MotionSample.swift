import WhereaboutsModel
import WhereaboutsGeodesy

/// The estimated state of a device at the time of a fix.
struct MotionSample: Sendable, Hashable {
  var time: UTCTime
  /// Metres, earth-centred: as the odometer settled it, or as the fix states where the odometer left it out.
  var place: SIMD3<Double>
  /// The accuracy of the fix, in metres at 68 %.
  var accuracy: Double
  /// Metres per second; 0 at rest, `nil` where the odometer left the fix out.
  var speed: Double?
  /// The odometer's distance up to the sample, in metres, and its variance.
  var distance: Double
  var variance: Double
  /// The greatest speed since the sample before, in metres per second.
  var fastest: Double
  /// The greatest change of speed since the sample before, in metres per second squared; `nil` where fixes were too
  /// rare to tell.
  var acceleration: Double?

  /// Returns the straight line to another sample, in metres.
  func length(to other: MotionSample) -> Double { (other.place - place).length }

  /// The place as a coordinate.
  var coordinate: Coordinate? { EarthCentred.coordinate(of: place) }
}
