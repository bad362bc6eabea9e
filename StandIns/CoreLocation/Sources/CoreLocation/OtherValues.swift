#if !APPLE_VISIONOS
  public import Foundation
#endif

#if APPLE_IOS || APPLE_MACOS || APPLE_WATCHOS
  open class CLHeading: NSObject {
    public let magneticHeading: CLLocationDirection
    public let trueHeading: CLLocationDirection
    public let headingAccuracy: CLLocationDirection
    public let timestamp: Date
    public let x: CLHeadingComponentValue
    public let y: CLHeadingComponentValue
    public let z: CLHeadingComponentValue

    init(magnetic: Double, true north: Double, accuracy: Double, at timestamp: Date) {
      magneticHeading = magnetic
      trueHeading = north
      headingAccuracy = accuracy
      self.timestamp = timestamp
      (x, y, z) = (0, 0, 0)
    }
  }
#endif

#if APPLE_IOS || APPLE_MACOS
  open class CLVisit: NSObject {
    public let arrivalDate: Date
    public let departureDate: Date
    public let coordinate: CLLocationCoordinate2D
    public let horizontalAccuracy: CLLocationAccuracy

    init(arrival: Date, departure: Date, coordinate: CLLocationCoordinate2D, accuracy: Double) {
      arrivalDate = arrival
      departureDate = departure
      self.coordinate = coordinate
      horizontalAccuracy = accuracy
    }
  }
#endif

#if !APPLE_VISIONOS
  open class CLRegion: NSObject {
    public let identifier: String
    open var notifyOnEntry = true
    open var notifyOnExit = true

    init(identifier: String) { self.identifier = identifier }
  }

  open class CLCircularRegion: CLRegion {
    public let center: CLLocationCoordinate2D
    public let radius: CLLocationDistance

    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
      self.center = center
      self.radius = radius
      super.init(identifier: identifier)
    }

    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
      LocationValues(coordinate: coordinate, timestamp: .distantPast).distance(to: center) <= radius
    }
  }
#endif
