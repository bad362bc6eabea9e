package import WhereaboutsModel

/// The prior knowledge of a device's speed and its changes, from the way the device is carried.
///
/// The activity is a prior, not a limit: fixes that contradict it for long enough are trusted. `Activity/other` assumes
/// nothing.
extension MotionModel {
  /// Creates the model of a device that is carried in a way.
  package init(_ activity: Activity) {
    self.init()
    self.activity = activity
    greatestSpeed = activity.greatestSpeed
    switch activity {
    case .other, .air, .boat:
      break
    case .walk, .run:
      // The fastest ever measured on foot (as for `Activity/greatestSpeed`): a greater stated speed is an error.
      greatestSpeed = 12.4
      greatestAcceleration = activity.greatestAcceleration
      greatestAgility = Self.greatestMusclePoweredAgility
    case .bike:
      greatestAcceleration = activity.greatestAcceleration
      greatestAgility = Self.greatestMusclePoweredAgility
    case .car:
      initialAgility = Self.agilityOfCar
    }
  }

  /// The greatest agility by muscle power, in m²/s³ an axis: twice the most that was measured on foot and by bicycle.
  private static let greatestMusclePoweredAgility = 1.0
  /// The agility of a car, in m²/s³ an axis: the middle of the values measured on a motorway.
  private static let agilityOfCar = 0.5

  /// The weight of the activity's typical speed beside measured speeds, as seconds of travel.
  private static let priorSeconds = 300.0

  /// Returns the usual speed of the device in metres per second, from its travel so far and from its activity; `nil`
  /// where neither is known.
  func usualSpeed(travelled: Double, elapsed: Double) -> Double? {
    guard activity != .other else { return elapsed > 0 ? travelled / elapsed : nil }
    return (travelled + activity.typicalSpeed * Self.priorSeconds) / (elapsed + Self.priorSeconds)
  }
}
