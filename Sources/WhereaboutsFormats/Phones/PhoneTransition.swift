public import WhereaboutsModel
public import WhereaboutsGeodesy

/// A crossing of a region as the app itself judged it. A value that the message does not state is `nil`.
public struct PhoneTransition: Hashable, Sendable {
  /// The kind of a crossing.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// The device entered.
    case enter
    /// The device left.
    case exit
    /// The device has stayed inside.
    case dwell
  }

  /// The kind of the crossing.
  public var kind: Kind
  /// The time of the crossing; the time of arrival if none is stated.
  public var time: UTCTime
  /// The origin of ``time``.
  public var timeOrigin: PhoneFix.TimeOrigin
  /// The place of the device, or of the crossing.
  public var coordinate: Coordinate?
  /// The accuracy of ``coordinate`` at 68 %, in metres.
  public var horizontalAccuracy: Double?
  /// The region's name; `nil` if none.
  public var name: String?
  /// The region's id; `nil` if none.
  public var regionID: String?
  /// The number by which OwnTracks identifies the region: its time of creation, in seconds since 1970.
  public var created: Int?
  /// The cause in the app's own word.
  public var trigger: String?
  /// Whether the crossing was made by a simulator.
  public var isSimulated = false
  /// The index of the row in its request, from 0.
  public var row: Int

  /// Creates a crossing.
  public init(_ kind: Kind, time: UTCTime, timeOrigin: PhoneFix.TimeOrigin, row: Int) {
    self.kind = kind
    self.time = time
    self.timeOrigin = timeOrigin
    self.row = row
  }
}
