package import WhereaboutsGeodesy

extension Fence: Codable {
  /// The keys of the JSON form.
  public enum CodingKeys: String, CodingKey { case id, area, terms, name, properties }

  /// Decodes the form documented at ``CodingKeys``.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(FenceID.self, forKey: .id),
      area: try values.decode(AreaForm.self, forKey: .area).area,
      terms: try values.decode(FenceTerms.self, forKey: .terms),
      name: try values.decodeIfPresent(String.self, forKey: .name),
      properties: try values.decodeIfPresent([String: JSONValue].self, forKey: .properties) ?? [:])
  }

  /// Encodes the form documented at ``CodingKeys``, with the area as `AreaForm`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(AreaForm(area), forKey: .area)
    try values.encode(terms, forKey: .terms)
    try values.encodeIfPresent(name, forKey: .name)
    if !properties.isEmpty { try values.encode(properties, forKey: .properties) }
  }
}

/// The JSON form of an area: GeoJSON geometries (RFC 7946) where possible, with an extra `radius` or `width` in
/// metres. Rings are not closed.
package struct AreaForm: Codable {
  package let area: Area

  package init(_ area: Area) { self.area = area }

  private enum CodingKeys: String, CodingKey { case type, coordinates, radius, width }
  private enum Kind: String, Codable {
    case circle = "Point"
    case polygon = "Polygon"
    case multiPolygon = "MultiPolygon"
    case corridor = "LineString"
  }

  /// Longitude and latitude in degrees.
  private struct Position: Codable {
    let coordinate: Coordinate

    init(_ coordinate: Coordinate) { self.coordinate = coordinate }

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      let longitude = try values.decode(Double.self), latitude = try values.decode(Double.self)
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        throw DecodingError.dataCorruptedError(
          in: values, debugDescription: "latitude or longitude out of range")
      }
      self.coordinate = coordinate
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(coordinate.longitude)
      try values.encode(coordinate.latitude)
    }
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    switch try values.decode(Kind.self, forKey: .type) {
    case .circle:
      let center = try values.decode(Position.self, forKey: .coordinates).coordinate
      area = .circle(
        try Area.Circle(center: center, radius: try values.decode(Double.self, forKey: .radius)))
    case .polygon:
      area = .polygon(try Self.polygon(try values.decode([[Position]].self, forKey: .coordinates)))
    case .multiPolygon:
      let polygons = try values.decode([[[Position]]].self, forKey: .coordinates).map(Self.polygon)
      area = .multiPolygon(try Area.MultiPolygon(polygons))
    case .corridor:
      let line = try values.decode([Position].self, forKey: .coordinates).map(\.coordinate)
      area = .corridor(
        try Area.Corridor(line: line, width: try values.decode(Double.self, forKey: .width)))
    }
  }

  private static func polygon(_ rings: [[Position]]) throws -> Area.Polygon {
    try Area.Polygon(
      exterior: rings.first?.map(\.coordinate) ?? [],
      holes: rings.dropFirst().map { $0.map(\.coordinate) })
  }

  private static func rings(_ polygon: Area.Polygon) -> [[Position]] {
    ([polygon.exterior] + polygon.holes).map { $0.map { Position($0) } }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch area {
    case .circle(let circle):
      try values.encode(Kind.circle, forKey: .type)
      try values.encode(Position(circle.center), forKey: .coordinates)
      try values.encode(circle.radius, forKey: .radius)
    case .polygon(let polygon):
      try values.encode(Kind.polygon, forKey: .type)
      try values.encode(Self.rings(polygon), forKey: .coordinates)
    case .multiPolygon(let several):
      try values.encode(Kind.multiPolygon, forKey: .type)
      try values.encode(several.polygons.map(Self.rings), forKey: .coordinates)
    case .corridor(let corridor):
      try values.encode(Kind.corridor, forKey: .type)
      try values.encode(corridor.line.map { Position($0) }, forKey: .coordinates)
      try values.encode(corridor.width, forKey: .width)
    }
  }
}
