public import WhereaboutsModel
public import WhereaboutsGeodesy

/// A stay at a place as the phone's system judged it.
public struct PhoneVisit: Hashable, Sendable {
  /// The place.
  public var coordinate: Coordinate
  /// The accuracy of the place at 68 %, in metres; `nil` if unknown.
  public var horizontalAccuracy: Double?
  /// The time of arriving; `nil` if unknown.
  public var arrived: UTCTime?
  /// The time of leaving; `nil` while the stay continues.
  public var departed: UTCTime?
  /// The index of the row in its request, from 0.
  public var row: Int

  /// Creates a stay.
  public init(_ coordinate: Coordinate, row: Int) {
    self.coordinate = coordinate
    self.row = row
  }
}
