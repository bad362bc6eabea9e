import WhereaboutsCore
import WhereaboutsGeodesy

/// Reads what ``FenceEventJSON`` writes.
extension ToldEvent: Decodable {
  private enum CodingKeys: String, CodingKey {
    case id, fence, event, manner, time, uncertainty, decided, lat, lon, confidence, pending, between, again
    case revised, revoked
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(UInt64.self, forKey: .id)
    fence = try values.decode(FenceID.self, forKey: .fence)
    kind = try values.decode(FenceEvent.Kind.self, forKey: .event)
    manner = try values.decode(FenceEvent.Manner.self, forKey: .manner)
    time = try values.decode(UTCTime.self, forKey: .time)
    uncertainty = try values.decode(Double.self, forKey: .uncertainty)
    decided = try values.decode(UTCTime.self, forKey: .decided)
    guard
      let place = Coordinate(
        latitude: try values.decode(Double.self, forKey: .lat),
        longitude: try values.decode(Double.self, forKey: .lon))
    else {
      throw DecodingError.dataCorruptedError(forKey: .lat, in: values, debugDescription: "no place on Earth")
    }
    self.place = place
    confidence = try values.decode(Double.self, forKey: .confidence)
    pending = .seconds(min(max(try values.decode(Double.self, forKey: .pending), 0), 9e9))
    let between = try values.decodeIfPresent([UTCTime].self, forKey: .between) ?? []
    lastSeen = between.count == 2 ? between[0] : nil
    firstSeen = between.count == 2 ? between[1] : time
    func isSet(_ key: CodingKeys) throws -> Bool {
      try values.decodeIfPresent(Bool.self, forKey: key) ?? false
    }
    if try isSet(.revoked) {
      news = .revoked
    } else if try isSet(.revised) {
      news = .revised
    } else {
      news = try isSet(.again) ? .again : .new
    }
  }
}
