package import WhereaboutsModel

/// What is known beforehand of how fast a device moves, and how soon it changes that, from the way it is carried.
///
/// A prior and no limit: fixes that show something else for long enough are believed. `Activity/other` assumes
/// nothing.
extension MotionModel {
  /// The model of a device that is carried like this.
  package init(_ activity: Activity) {
    self.init()
    self.activity = activity
    greatestSpeed = activity.greatestSpeed
    switch activity {
    case .other, .air, .boat:
      break
    case .walk, .run:
      // The fastest ever measured on foot (as for `Activity/greatestSpeed`): what is stated above that is an error.
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

  /// In m²/s³ an axis: the most that was measured on foot and by bicycle is half as much.
  private static let greatestMusclePoweredAgility = 1.0
  /// In m²/s³ an axis: the middle of what was measured in a car on a motorway.
  private static let agilityOfCar = 0.5

  /// The seconds of travel that the activity's typical speed counts for, beside what was measured.
  private static let priorSeconds = 300.0

  /// How fast the device usually is, in metres per second, from what it did so far and from its activity; `nil` where
  /// nothing is known.
  func usualSpeed(travelled: Double, elapsed: Double) -> Double? {
    guard activity != .other else { return elapsed > 0 ? travelled / elapsed : nil }
    return (travelled + activity.typicalSpeed * Self.priorSeconds) / (elapsed + Self.priorSeconds)
  }
}
