public import Foundation

// Sendable as Apple's, and open only so that it can be unchecked: nothing changes after `init`.
open class CLLocation: NSObject, @unchecked Sendable {
  let values: LocationValues

  init(values: LocationValues) { self.values = values }

  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      values: LocationValues(
        coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), timestamp: Date()))
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      values: LocationValues(
        coordinate: coordinate, timestamp: timestamp, altitude: altitude, horizontalAccuracy: hAccuracy,
        verticalAccuracy: vAccuracy))
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed,
    timestamp: Date
  ) {
    self.init(
      values: LocationValues(
        coordinate: coordinate, timestamp: timestamp, altitude: altitude, horizontalAccuracy: hAccuracy,
        verticalAccuracy: vAccuracy, course: course, speed: speed))
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy,
    timestamp: Date
  ) {
    self.init(
      values: LocationValues(
        coordinate: coordinate, timestamp: timestamp, altitude: altitude, horizontalAccuracy: hAccuracy,
        verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
        speedAccuracy: speedAccuracy))
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy,
    timestamp: Date, sourceInfo: CLLocationSourceInformation
  ) {
    self.init(
      values: LocationValues(
        coordinate: coordinate, timestamp: timestamp, altitude: altitude, horizontalAccuracy: hAccuracy,
        verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
        speedAccuracy: speedAccuracy, isSimulated: sourceInfo.isSimulatedBySoftware,
        isFromAccessory: sourceInfo.isProducedByAccessory))
  }

  open var coordinate: CLLocationCoordinate2D { values.coordinate }
  open var altitude: CLLocationDistance { values.altitude }
  open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
  open var course: CLLocationDirection { values.course }
  open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
  open var speed: CLLocationSpeed { values.speed }
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
  open var timestamp: Date { values.timestamp }
  open var floor: CLFloor? { values.floor.map(CLFloor.init(level:)) }
  open var sourceInformation: CLLocationSourceInformation? {
    values.isSimulated.map {
      CLLocationSourceInformation(
        softwareSimulationState: $0, andExternalAccessoryState: values.isFromAccessory)
    }
  }

  open func distance(from location: CLLocation) -> CLLocationDistance {
    values.distance(to: location.values.coordinate)
  }
}

open class CLFloor: NSObject, @unchecked Sendable {
  public let level: Int

  init(level: Int) { self.level = level }
}

open class CLLocationSourceInformation: NSObject, @unchecked Sendable {
  public let isSimulatedBySoftware: Bool
  public let isProducedByAccessory: Bool

  public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
    isSimulatedBySoftware = isSoftware
    isProducedByAccessory = isAccessory
  }
}
