package import WhereaboutsCore
import WhereaboutsGeodesy

/// A `Location` of the service, made into a fix.
package enum ServiceLocation {
  /// - Returns: `nil` where it is no place.
  ///
  /// What the interface says of unknown values: an altitude of the lowest number there is, a speed and a heading of -1.
  package static func fix(_ properties: [String: BusValue]) -> Fix? {
    guard let latitude = properties["Latitude"]?.asDouble, let longitude = properties["Longitude"]?.asDouble,
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    var fix = Fix(coordinate: coordinate, time: time(properties["Timestamp"]), source: .geoClue)
    let accuracy = accuracy(properties["Accuracy"]?.asDouble)
    fix.horizontalAccuracy = accuracy?.meters
    fix.isAccuracyEstimated = accuracy?.isOfDilution ?? false
    // Above the sea: it is the altitude of a receiver's GGA sentence.
    fix.heightAboveGeoid = properties["Altitude"]?.asDouble.flatMap { abs($0) < 1e7 ? $0 : nil }
    // Where a source has no speed, the service divides the way between two positions by the time between them; of
    // wireless networks that is their error and nothing else. Only satellites give a height.
    guard fix.heightAboveGeoid != nil || accuracy?.isOfDilution == true else { return fix }
    fix.speed = properties["Speed"]?.asDouble.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
    // What stands has no course. With a compass the heading is where the device points, and it stands more often then.
    if let speed = fix.speed, speed > 0 {
      fix.course = properties["Heading"]?.asDouble.flatMap {
        $0 >= 0 && $0.isFinite ? $0.wrappedDegrees : nil
      }
    }
    return fix
  }

  /// The accuracy in metres, and whether it was only a class of dilution.
  ///
  /// For satellites the service has no accuracy: it says 0, 1 or 3 m for horizontal dilutions up to 1, 2 and 5. Those
  /// are taken back to the largest dilution of the class, and that times 5 m, as everywhere where only dilutions are
  /// known. Other numbers are passed on: it does not say of them how often they hold.
  ///
  /// - Source: GeoClue 2.5 to 2.7, `get_accuracy_from_hdop`; above a dilution of 5 it says 50, 100 and 300 m, which are
  ///   no better than they claim to be.
  private static func accuracy(_ stated: Double?) -> (meters: Double, isOfDilution: Bool)? {
    switch stated {
    case 0: (5, true)
    case 1: (10, true)
    case 3: (25, true)
    // Half around the earth, and the greatest number there is, mean that it is not known.
    case let stated? where stated > 0 && stated < 20_000_000: (stated, false)
    default: nil
    }
  }

  /// Seconds and microseconds since 1970; `nil` where they are none, or long before there were satellites.
  private static func time(_ value: BusValue?) -> UTCTime? {
    guard case .structure(let parts)? = value?.content, parts.count == 2, let seconds = parts[0].asNumber,
      let microseconds = parts[1].asNumber, seconds > 0, seconds < 9_000_000_000, microseconds < 1_000_000
    else { return nil }
    return UTCTime(nanosecondsSince1970: (Int64(seconds) * 1_000_000 + Int64(microseconds)) * 1000)
  }
}
