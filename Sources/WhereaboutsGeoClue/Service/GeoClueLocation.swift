package import WhereaboutsModel
import WhereaboutsGeodesy

/// A conversion from a `Location` of the service to a fix.
package enum GeoClueLocation {
  /// Returns the fix of a location.
  ///
  /// The interface's unknown values: the lowest number for an altitude, -1 for a speed and a heading.
  ///
  /// - Returns: `nil` if the coordinates are no place.
  package static func fix(_ properties: [String: BusValue]) -> Fix? {
    guard let latitude = properties["Latitude"]?.asDouble, let longitude = properties["Longitude"]?.asDouble,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    var fix = Fix(coordinate: coordinate, time: time(properties["Timestamp"]), source: .geoClue)
    let accuracy = accuracy(properties["Accuracy"]?.asDouble)
    fix.horizontalAccuracy = accuracy?.meters
    fix.isAccuracyEstimated = accuracy?.isOfDilution ?? false
    // Above the geoid: the altitude of a receiver's GGA sentence.
    fix.heightAboveGeoid = properties["Altitude"]?.asDouble.flatMap { abs($0) < 1e7 ? $0 : nil }
    // Without a stated speed, the service divides the distance between two positions by their time. For wireless
    // networks, that is only their error. Only satellites provide a height.
    guard fix.heightAboveGeoid != nil || accuracy?.isOfDilution == true else { return fix }
    fix.speed = properties["Speed"]?.asDouble.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    // A resting device has no course. With a compass, `Heading` is where the device points, even at rest.
    if let speed = fix.speed, speed > 0 {
      fix.course = properties["Heading"]?.asDouble.flatMap {
        (0...360).contains($0) ? $0.wrappedDegrees : nil
      }
    }
    return fix
  }

  /// Returns the accuracy in metres, and whether the service stated a class of dilution.
  ///
  /// For satellites the service has no accuracy: it states 0, 1 or 3 m for horizontal dilutions up to 1, 2 and 5.
  /// These become the class's largest dilution times 5 m, as for every format with dilutions. Other numbers are
  /// passed on: the service states no probability for them.
  ///
  /// - Source: GeoClue 2.5 to 2.7, `get_accuracy_from_hdop`; above a dilution of 5 it states 50, 100 and 300 m, which
  ///   are no better than they claim to be.
  private static func accuracy(_ stated: Double?) -> (meters: Double, isOfDilution: Bool)? {
    switch stated {
    case 0: (5, true)
    case 1: (10, true)
    case 3: (25, true)
    // Half around the earth, and the greatest number, mean unknown.
    case let stated? where stated > 0 && stated < 20_000_000: (stated, false)
    default: nil
    }
  }

  /// Returns the time from seconds and microseconds since 1970; `nil` if absent, or long before satellites.
  private static func time(_ value: BusValue?) -> UTCTime? {
    guard case .structure(let parts)? = value?.content, parts.count == 2, let seconds = parts[0].asNumber,
      let microseconds = parts[1].asNumber, seconds > 0, seconds < 9_000_000_000, microseconds < 1_000_000
    else { return nil }
    return UTCTime(nanosecondsSince1970: (Int64(seconds) * 1_000_000 + Int64(microseconds)) * 1000)
  }
}
