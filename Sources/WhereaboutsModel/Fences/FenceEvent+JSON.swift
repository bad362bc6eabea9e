import WhereaboutsGeodesy

extension FenceEvent.ID {
  /// Decodes the plain number.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(UInt64.self))
  }

  /// Encodes the plain number.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(number)
  }
}

extension FenceEvent: Codable {
  /// The keys of the JSON form: the members of the event, with the place as `lat` and `lon` in degrees.
  public enum CodingKeys: String, CodingKey {
    case id, fence, kind = "event", manner, time, timeUncertainty, lastBefore, firstAfter
    case latitude = "lat", longitude = "lon", confidence, decided, decidedBy, pending
  }

  /// Decodes the form documented at ``CodingKeys``.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(ID.self, forKey: .id), fence: try values.decode(FenceID.self, forKey: .fence),
      kind: try values.decode(Kind.self, forKey: .kind),
      manner: try values.decode(Manner.self, forKey: .manner),
      time: try values.decode(UTCTime.self, forKey: .time),
      timeUncertainty: try values.decode(Double.self, forKey: .timeUncertainty),
      lastBefore: try values.decodeIfPresent(UTCTime.self, forKey: .lastBefore),
      firstAfter: try values.decode(UTCTime.self, forKey: .firstAfter),
      place: try values.decodeCoordinate(latitude: .latitude, longitude: .longitude),
      confidence: try values.decode(Double.self, forKey: .confidence),
      decidedBy: try values.decode(Fix.self, forKey: .decidedBy),
      decided: try values.decode(UTCTime.self, forKey: .decided),
      pending: try values.decode(Duration.self, forKey: .pending))
  }

  /// Encodes the form documented at ``CodingKeys``.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(fence, forKey: .fence)
    try values.encode(kind, forKey: .kind)
    try values.encode(manner, forKey: .manner)
    try values.encode(time, forKey: .time)
    try values.encode(timeUncertainty, forKey: .timeUncertainty)
    try values.encodeIfPresent(lastBefore, forKey: .lastBefore)
    try values.encode(firstAfter, forKey: .firstAfter)
    try values.encode(place.latitude, forKey: .latitude)
    try values.encode(place.longitude, forKey: .longitude)
    try values.encode(confidence, forKey: .confidence)
    try values.encode(decided, forKey: .decided)
    try values.encode(decidedBy, forKey: .decidedBy)
    try values.encode(pending, forKey: .pending)
  }
}
