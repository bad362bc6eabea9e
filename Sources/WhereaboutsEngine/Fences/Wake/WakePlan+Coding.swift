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

  private struct StoredMember: Codable {
    var fence: FenceID
    var serial: UInt64

    init(_ member: Place.Member) {
      fence = member.fence
      serial = member.serial
    }

    var member: Place.Member { Place.Member(fence: fence, serial: serial) }
  }

  /// A place with its first fence, and the others of a circle that covers several.
  private struct StoredPlace: Codable {
    var fence: FenceID
    var serial: UInt64
    var others: [StoredMember]?
    var circle: StoredCircle
    var crossing: WakeRegion.Crossing

    init(_ place: Place) {
      fence = place.members[0].fence
      serial = place.members[0].serial
      others = place.members.count > 1 ? place.members.dropFirst().map(StoredMember.init) : nil
      circle = StoredCircle(place.circle)
      crossing = place.crossing
    }

    func place() throws -> Place {
      Place(
        members: [Place.Member(fence: fence, serial: serial)] + (others ?? []).map(\.member),
        circle: try circle.circle(), crossing: crossing)
    }
  }

  private enum CodingKeys: String, CodingKey { case around, places, isCrowded }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    around = try values.decodeIfPresent(StoredCircle.self, forKey: .around)?.circle()
    places = try values.decode([StoredPlace].self, forKey: .places).map { try $0.place() }
    isCrowded = try values.decode(Bool.self, forKey: .isCrowded)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(around.map(StoredCircle.init), forKey: .around)
    try values.encode(places.map(StoredPlace.init), forKey: .places)
    try values.encode(isCrowded, forKey: .isCrowded)
  }
}

extension WakePlanner: Codable {
  private enum CodingKeys: String, CodingKey { case capacity, plan, serial, greatestRadius }

  /// Decodes a planner. One of an earlier version has no serial, and plans anew with the next fix.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      capacity: try values.decode(Int.self, forKey: .capacity),
      margins: Margins(greatestRadius: try values.decodeIfPresent(Double.self, forKey: .greatestRadius)),
      plan: try values.decode(WakePlan.self, forKey: .plan),
      plannedSerial: try values.decodeIfPresent(UInt64.self, forKey: .serial))
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(capacity, forKey: .capacity)
    try values.encode(plan, forKey: .plan)
    try values.encodeIfPresent(plannedSerial, forKey: .serial)
    if margins.greatestRadius != Margins().greatestRadius {
      try values.encode(margins.greatestRadius, forKey: .greatestRadius)
    }
  }
}
