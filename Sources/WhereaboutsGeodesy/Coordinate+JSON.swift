extension KeyedDecodingContainer {
  /// Reads a place from its two members, in degrees.
  ///
  /// - Throws: `DecodingError` where one is missing or no number, or the two are no valid coordinate.
  package func decodeCoordinate(latitude: Key, longitude: Key) throws -> Coordinate {
    let coordinate = Coordinate(
      latitude: try decode(Double.self, forKey: latitude),
      longitude: try decode(Double.self, forKey: longitude))
    guard let coordinate else {
      throw DecodingError.dataCorruptedError(
        forKey: latitude, in: self, debugDescription: "latitude or longitude out of range")
    }
    return coordinate
  }
}

extension Coordinate: Codable {
  /// The names of the JSON form: `lat` and `lon`, in degrees.
  public enum CodingKeys: String, CodingKey { case latitude = "lat", longitude = "lon" }

  /// Reads the form that ``CodingKeys`` documents.
  ///
  /// - Throws: `DecodingError` where one is missing or no number, or the two are no valid coordinate.
  public init(from decoder: any Decoder) throws {
    self = try decoder.container(keyedBy: CodingKeys.self)
      .decodeCoordinate(latitude: .latitude, longitude: .longitude)
  }

  /// Writes the form that ``CodingKeys`` documents.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(latitude, forKey: .latitude)
    try values.encode(longitude, forKey: .longitude)
  }
}
