import ArgumentParser
import WhereaboutsGeodesy

/// A place as typed: latitude and longitude in degrees with a comma between, `51.4779,-0.0015`.
struct PlaceArgument: Hashable, Sendable {
  var coordinate: Coordinate

  /// Reads a place, or `nil` where it is none on Earth.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Self.degrees(parts[0]), let longitude = Self.degrees(parts[1]),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.coordinate = coordinate
  }

  private static func degrees(_ text: Substring) -> Double? {
    let digits = text.drop { $0 == " " }
    // Double would also take "0x10", "inf" and "1e3".
    guard digits.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || ".+-".utf8.contains($0) }) else { return nil }
    return Double(digits)
  }
}

extension PlaceArgument: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

/// Several places as typed, with spaces or semicolons between them: `51.1,0.1 51.2,0.1 51.2,0.2`.
struct PlacesArgument: Hashable, Sendable {
  var coordinates: [Coordinate]

  /// Reads places, or `nil` where one of them is none, or there is none.
  init?(_ text: String) {
    coordinates = []
    for part in text.split(whereSeparator: { $0 == " " || $0 == ";" || $0 == "\n" }) {
      guard let place = PlaceArgument(String(part)) else { return nil }
      coordinates.append(place.coordinate)
    }
    guard !coordinates.isEmpty else { return nil }
  }
}

extension PlacesArgument: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
