import WhereaboutsGeodesy
import WhereaboutsModel

extension WakePlan: Codable {
  /// A circle by its numbers: latitude, longitude, radius.
  private struct StoredCircle: Codable {
    var numbers: [Double]

    init(_ circle: Area.Circle) {
      numbers = [circle.center.latitude, circle.center.longitude, circle.radius]
    }

    func circle() throws -> Area.Circle {
      guard numbers.count == 3, let center = Coordinate(latitude: numbers[0], longitude: numbers[1]) else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not a circle"))
      }
      return try Area.Circle(center: center, radius: numbers[2])
    }
  }

  private struct StoredPlace: Codable {
    var fence: FenceID
    var serial: UInt64
    var circle: StoredCircle
    var crossing: WakeRegion.Crossing
  }

  private enum CodingKeys: String, CodingKey { case around, places, isCrowded }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    around = try values.decodeIfPresent(StoredCircle.self, forKey: .around)?.circle()
    places = try values.decode([StoredPlace].self, forKey: .places).map {
      Place(fence: $0.fence, serial: $0.serial, circle: try $0.circle.circle(), crossing: $0.crossing)
    }
    isCrowded = try values.decode(Bool.self, forKey: .isCrowded)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(around.map(StoredCircle.init), forKey: .around)
    try values.encode(
      places.map {
        StoredPlace(
          fence: $0.fence, serial: $0.serial, circle: StoredCircle($0.circle), crossing: $0.crossing)
      }, forKey: .places)
    try values.encode(isCrowded, forKey: .isCrowded)
  }
}

extension WakePlanner: Codable {
  private enum CodingKeys: String, CodingKey { case capacity, plan }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      capacity: try values.decode(Int.self, forKey: .capacity),
      plan: try values.decode(WakePlan.self, forKey: .plan))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(capacity, forKey: .capacity)
    try values.encode(plan, forKey: .plan)
  }
}
