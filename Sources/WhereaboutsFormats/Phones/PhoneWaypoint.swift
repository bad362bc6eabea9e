public import WhereaboutsGeodesy

/// A region of OwnTracks on the phone.
public struct PhoneWaypoint: Hashable, Sendable {
  /// The region's name as written, with OwnTracks' marks.
  public var name: String
  /// The number by which OwnTracks identifies the region: its time of creation, in seconds since 1970; `nil` if none.
  public var created: Int?
  /// The region's id; `nil` if none.
  public var regionID: String?
  /// The center; `nil` for a beacon and for a removed region.
  public var coordinate: Coordinate?
  /// The radius in metres, positive; `nil` for a place without one.
  public var radius: Double?
  /// The UUID of a beacon; `nil` for a region on the map.
  public var beacon: String?
  /// Whether the region was removed: OwnTracks then states an impossible place.
  public var isRemoved = false
  /// The index of the row in its request, from 0.
  public var row: Int

  /// Creates a region.
  public init(name: String, row: Int) {
    self.name = name
    self.row = row
  }

  /// Returns a name without OwnTracks' marks: a `-` in front delays leaving, and `|mode|mode` switches the app's mode.
  static func displayName(_ name: String) -> String {
    let plain = name.prefix { $0 != "|" }
    return String(plain.hasPrefix("-") ? plain.dropFirst() : plain)
  }
}
