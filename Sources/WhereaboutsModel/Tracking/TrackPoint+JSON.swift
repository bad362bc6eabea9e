import WhereaboutsGeodesy

extension TrackPoint: Codable {
  /// The names of the JSON form: the members of the point, and its place as `lat` and `lon` in degrees.
  public enum CodingKeys: String, CodingKey {
    case time, latitude = "lat", longitude = "lon", distance, uncertainty, speed, height, motion, link
  }

  /// Reads the form that ``CodingKeys`` documents.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let coordinate = try values.decodeCoordinate(latitude: .latitude, longitude: .longitude)
    self.init(
      time: try values.decode(UTCTime.self, forKey: .time), coordinate: coordinate,
      distance: try values.decode(Double.self, forKey: .distance),
      uncertainty: try values.decode(Double.self, forKey: .uncertainty),
      speed: try values.decode(Double.self, forKey: .speed),
      height: try values.decodeIfPresent(Double.self, forKey: .height),
      motion: try values.decode(Motion.self, forKey: .motion),
      link: try values.decode(Link.self, forKey: .link))
  }

  /// Writes the form that ``CodingKeys`` documents.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(time, forKey: .time)
    try values.encode(coordinate.latitude, forKey: .latitude)
    try values.encode(coordinate.longitude, forKey: .longitude)
    try values.encode(distance, forKey: .distance)
    try values.encode(uncertainty, forKey: .uncertainty)
    try values.encode(speed, forKey: .speed)
    try values.encodeIfPresent(height, forKey: .height)
    try values.encode(motion, forKey: .motion)
    try values.encode(link, forKey: .link)
  }
}
