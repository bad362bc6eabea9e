import WhereaboutsGeodesy

extension KeyedDecodingContainer {
  /// Reads a place from its two members, in degrees.
  ///
  /// - Throws: `DecodingError` where one is missing or no number, or the two are no place.
  func decodeCoordinate(latitude: Key, longitude: Key) throws -> Coordinate {
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
