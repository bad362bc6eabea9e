public import WhereaboutsModel
public import WhereaboutsGeodesy

/// A stay at a place as a recording states it.
///
/// The program that wrote the recording has judged it from positions that the recording may not have. The coordinate
/// can be that of the place's entry in a map, and not that of the device. A value that the recording does not state is
/// `nil`.
public struct RecordedVisit: Hashable, Sendable {
  /// The coordinate of the place, or of the device at the place where the recording states it.
  public var coordinate: Coordinate
  /// The time of arrival.
  public var arrival: UTCTime
  /// The time of departure.
  public var departure: UTCTime
  /// The place's name.
  public var name: String?
  /// The place's address.
  public var address: String?
  /// The place's kind in the words of the recording, such as `TYPE_HOME`.
  public var kind: String?
  /// The place's identifier in the map of the program that wrote the recording.
  public var placeID: String?
  /// The probability of the place in [0, 1], by the recording's own judgement.
  public var probability: Double?
  /// Whether the person confirmed the place.
  public var isConfirmed: Bool
  /// The depth of the stay: 0 for a stay that lies in no other one, 1 for a shop in a mall.
  public var level: Int

  /// Creates a stay with the rest absent.
  public init(
    coordinate: Coordinate, arrival: UTCTime, departure: UTCTime, name: String? = nil,
    address: String? = nil, kind: String? = nil, placeID: String? = nil, probability: Double? = nil,
    isConfirmed: Bool = false, level: Int = 0
  ) {
    self.coordinate = coordinate
    self.arrival = arrival
    self.departure = departure
    self.name = name
    self.address = address
    self.kind = kind
    self.placeID = placeID
    self.probability = probability
    self.isConfirmed = isConfirmed
    self.level = level
  }
}
