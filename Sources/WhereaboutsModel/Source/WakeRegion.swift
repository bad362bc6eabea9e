public import WhereaboutsGeodesy

/// A region whose crossing is worth waking a resting program.
///
/// A crossed region is never a fence event: it only asks for fixes.
public struct WakeRegion: Hashable, Sendable {
  /// The crossing that is worth a wake.
  public enum Crossing: String, Hashable, Sendable, Codable {
    /// From outside to inside.
    case enter
    /// From inside to outside.
    case exit
  }

  /// The prefix of every identifier, because a process shares its regions with others.
  public static let prefix = "wa."

  /// The name on the platform. It changes with the circle, so a region of the same name needs no change.
  public var identifier: String
  /// The watched circle.
  public var circle: Area.Circle
  /// The crossing to watch.
  public var crossing: Crossing

  /// Creates a region.
  public init(identifier: String, circle: Area.Circle, crossing: Crossing) {
    self.identifier = identifier
    self.circle = circle
    self.crossing = crossing
  }
}

extension WakeRegion: Codable {
  private enum CodingKeys: String, CodingKey { case identifier, latitude, longitude, radius, crossing }

  /// Reads the form that ``encode(to:)`` writes.
  ///
  /// - Throws: the decoder's errors, and an error where the numbers make no circle.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    identifier = try values.decode(String.self, forKey: .identifier)
    crossing = try values.decode(Crossing.self, forKey: .crossing)
    let radius = try values.decode(Double.self, forKey: .radius)
    let center = Coordinate(
      latitude: try values.decode(Double.self, forKey: .latitude),
      longitude: try values.decode(Double.self, forKey: .longitude))
    guard let center, let circle = try? Area.Circle(center: center, radius: radius) else {
      throw DecodingError.dataCorruptedError(forKey: .radius, in: values, debugDescription: "not a circle")
    }
    self.circle = circle
  }

  /// Writes the circle as its three numbers.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(identifier, forKey: .identifier)
    try values.encode(circle.center.latitude, forKey: .latitude)
    try values.encode(circle.center.longitude, forKey: .longitude)
    try values.encode(circle.radius, forKey: .radius)
    try values.encode(crossing, forKey: .crossing)
  }
}
