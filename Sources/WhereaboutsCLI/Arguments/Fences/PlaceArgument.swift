import ArgumentParser
import WhereaboutsGeodesy

/// A place as typed: latitude and longitude in degrees, separated by a comma, `51.4779,-0.0015`.
struct PlaceArgument: Hashable, Sendable {
  var coordinate: Coordinate

  /// Parses a place; returns `nil` if the text is not a position on Earth.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Self.degrees(parts[0]), let longitude = Self.degrees(parts[1]),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.coordinate = coordinate
  }

  private static func degrees(_ text: Substring) -> Double? {
    let digits = text.drop { $0 == " " }
    // Double would also parse "0x10", "inf" and "1e3".
    guard digits.utf8.allSatisfy({ ($0 >= 48 && $0 <= 57) || ".+-".utf8.contains($0) }) else { return nil }
    return Double(digits)
  }
}

extension PlaceArgument: ExplainedArgument {
  static let form =
    "Write latitude and longitude in degrees, as in 51.4779,-0.0015; the latitude is from -90 to 90, the longitude from -180 to 180"

  init?(argument: String) { self.init(argument) }
}

/// Several places as typed, separated by spaces or semicolons: `51.1,0.1 51.2,0.1 51.2,0.2`.
struct PlacesArgument: Hashable, Sendable {
  var coordinates: [Coordinate]

  /// Parses places; returns `nil` if one of them is invalid, or if the list is empty.
  init?(_ text: String) {
    coordinates = []
    for part in text.split(whereSeparator: { $0 == " " || $0 == ";" || $0 == "\n" }) {
      guard let place = PlaceArgument(String(part)) else { return nil }
      coordinates.append(place.coordinate)
    }
    guard !coordinates.isEmpty else { return nil }
  }
}

extension PlacesArgument: ExplainedArgument {
  static let form =
    "Write places with spaces between, as in '51.1,0.1 51.2,0.1 51.2,0.2'. \(PlaceArgument.form)"

  init?(argument: String) { self.init(argument) }
}
