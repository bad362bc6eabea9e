import WhereaboutsGeodesy
import WhereaboutsModel

/// A stay that a method found.
struct FoundStay {
  var coordinate: Coordinate
  /// Seconds since the beginning.
  var arrival: Double
  var departure: Double
  /// The stated uncertainty of the arrival and the departure, in seconds, where the method states any.
  var uncertainty: (arrival: Double, departure: Double)?
  var duration: Double { departure - arrival }
}
