import WhereaboutsGeodesy

/// Where the device probably was at a time.
struct PathPoint: Hashable, Sendable {
  let time: UTCTime
  let place: Coordinate
  /// The standard deviation of the place in metres, an axis.
  let deviation: Double
  /// Whether there was a fix; between fixes it is where the way between them leads.
  let isFix: Bool
}

extension PathPoint: Codable {
  private enum CodingKeys: String, CodingKey {
    case time, latitude = "lat", longitude = "lon", deviation, isFix
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      time: try values.decode(UTCTime.self, forKey: .time),
      place: try values.decodeCoordinate(latitude: .latitude, longitude: .longitude),
      deviation: try values.decode(Double.self, forKey: .deviation),
      isFix: try values.decode(Bool.self, forKey: .isFix))
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(time, forKey: .time)
    try values.encode(place.latitude, forKey: .latitude)
    try values.encode(place.longitude, forKey: .longitude)
    try values.encode(deviation, forKey: .deviation)
    try values.encode(isFix, forKey: .isFix)
  }
}
