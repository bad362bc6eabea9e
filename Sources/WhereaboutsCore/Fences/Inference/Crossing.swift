import WhereaboutsGeodesy

/// A boundary that was crossed, or a side that was found out first.
struct Crossing: Hashable, Sendable {
  var kind: FenceEvent.Kind
  var manner: FenceEvent.Manner
  var time: UTCTime
  /// Seconds.
  var uncertainty: Double
  var lastBefore: UTCTime?
  var firstAfter: UTCTime
  var place: Coordinate
  var confidence: Double
  var suspectedSince: UTCTime?

  /// The side that the device is on since.
  var side: FenceSide { kind == .exit ? .outside : .inside }
}

extension Crossing: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, manner, time, uncertainty, lastBefore, firstAfter, latitude, longitude, confidence
    case suspectedSince
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      kind: try values.decode(FenceEvent.Kind.self, forKey: .kind),
      manner: try values.decode(FenceEvent.Manner.self, forKey: .manner),
      time: try values.decode(UTCTime.self, forKey: .time),
      uncertainty: try values.decode(Double.self, forKey: .uncertainty),
      lastBefore: try values.decodeIfPresent(UTCTime.self, forKey: .lastBefore),
      firstAfter: try values.decode(UTCTime.self, forKey: .firstAfter),
      place: try values.decodeCoordinate(latitude: .latitude, longitude: .longitude),
      confidence: try values.decode(Double.self, forKey: .confidence),
      suspectedSince: try values.decodeIfPresent(UTCTime.self, forKey: .suspectedSince))
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encode(manner, forKey: .manner)
    try values.encode(time, forKey: .time)
    try values.encode(uncertainty, forKey: .uncertainty)
    try values.encodeIfPresent(lastBefore, forKey: .lastBefore)
    try values.encode(firstAfter, forKey: .firstAfter)
    try values.encode(place.latitude, forKey: .latitude)
    try values.encode(place.longitude, forKey: .longitude)
    try values.encode(confidence, forKey: .confidence)
    try values.encodeIfPresent(suspectedSince, forKey: .suspectedSince)
  }
}
