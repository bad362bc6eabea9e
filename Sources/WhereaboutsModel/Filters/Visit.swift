public import WhereaboutsGeodesy

/// A stay at one place: reported when it has lasted long enough, and again, complete, when it has ended.
///
/// Both reports have the same ``arrival``. All times are those of fixes.
public struct Visit: Hashable, Sendable {
  /// The middle of the fixes of the stay, weighted by their accuracy. Degrees, WGS 84.
  public var coordinate: Coordinate
  /// The radius around ``coordinate`` in metres at 68 %: the accuracy of a typical fix of the stay.
  ///
  /// Many fixes do not reduce the radius, since one receiver's error at one place hardly changes between fixes.
  public var accuracy: Double
  /// The time of the first fix of the stay.
  public var arrival: UTCTime
  /// The time of the last fix inside; `nil` while the stay continues.
  public var departure: UTCTime?
  /// The time of the first fix outside: the device left between ``departure`` and this time. `nil` while the stay
  /// continues, and where the source's time began anew before any fix outside.
  public var leftBefore: UTCTime?

  /// Creates a visit; without a departure, the stay continues.
  public init(
    coordinate: Coordinate, accuracy: Double, arrival: UTCTime, departure: UTCTime? = nil,
    leftBefore: UTCTime? = nil
  ) {
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.arrival = arrival
    self.departure = departure
    self.leftBefore = leftBefore
  }
}

extension Visit: Codable {
  /// The JSON form of a visit: one flat object whose absent keys are absent.
  ///
  /// | key | type, unit | meaning |
  /// | --- | --- | --- |
  /// | `lat`, `lon` | degrees | ``Visit/coordinate`` |
  /// | `hacc` | m at 68 % | ``Visit/accuracy`` |
  /// | `arrival`, `departure`, `leftBefore` | RFC 3339, UTC | the times |
  public enum CodingKeys: String, CodingKey, CaseIterable {
    /// Latitude of ``Visit/coordinate``
    case latitude = "lat"
    /// Longitude of ``Visit/coordinate``
    case longitude = "lon"
    /// ``Visit/accuracy``
    case accuracy = "hacc"
    /// ``Visit/arrival``
    case arrival
    /// ``Visit/departure``
    case departure
    /// ``Visit/leftBefore``
    case leftBefore
  }

  /// Reads the form that ``CodingKeys`` documents.
  ///
  /// - Throws: `DecodingError` where a value is missing or has the wrong type, or the coordinate is no place.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let coordinate = try values.decodeCoordinate(latitude: .latitude, longitude: .longitude)
    self.init(
      coordinate: coordinate, accuracy: try values.decode(Double.self, forKey: .accuracy),
      arrival: try values.decode(UTCTime.self, forKey: .arrival),
      departure: try values.decodeIfPresent(UTCTime.self, forKey: .departure),
      leftBefore: try values.decodeIfPresent(UTCTime.self, forKey: .leftBefore))
  }

  /// Writes the form that ``CodingKeys`` documents.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(coordinate.latitude, forKey: .latitude)
    try values.encode(coordinate.longitude, forKey: .longitude)
    try values.encode(accuracy, forKey: .accuracy)
    try values.encode(arrival, forKey: .arrival)
    try values.encodeIfPresent(departure, forKey: .departure)
    try values.encodeIfPresent(leftBefore, forKey: .leftBefore)
  }
}
