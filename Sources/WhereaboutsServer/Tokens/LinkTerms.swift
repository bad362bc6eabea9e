import WhereaboutsGeodesy
package import WhereaboutsModel

/// The conditions of a link: a token that shows one device to others for a while.
package struct LinkTerms: Hashable, Sendable, Codable {
  /// The allowed numbers of looks.
  package static let lookCounts = 1...100
  /// The allowed distances of ``Nearness``, in metres.
  package static let distances = 50.0...100_000

  /// A destination; entering it ends the link.
  package struct Arrival: Hashable, Sendable, Codable {
    /// The id of the fence.
    package var fence: FenceID
    /// The device's last fence record at the creation of the link; later ones count.
    package var afterNumber: UInt64
  }

  /// A circle in which places are exact in spite of the accuracy cap.
  package struct Nearness: Hashable, Sendable, Codable {
    /// The latitude of the center in degrees.
    package var latitude: Double
    /// The longitude of the center in degrees.
    package var longitude: Double
    /// The radius in metres.
    package var distance: Double

    /// Returns whether a place is in the circle.
    func holds(_ place: Coordinate) -> Bool {
      guard let center = Coordinate(latitude: latitude, longitude: longitude) else { return false }
      return center.distance(to: place) <= distance
    }
  }

  /// The number of looks after which the link shows nothing to others; `nil` for any number.
  package var looks: Int?
  /// The destination; `nil` for none.
  package var arrival: Arrival?
  /// The circle of exact places; `nil` for none.
  package var nearness: Nearness?
  /// The end of the journey that the link shows; `nil` for a link that shows the present.
  package var until: UTCTime?

  /// The reason why no link can have these conditions; `nil` if one can.
  var problem: String? {
    if let looks, !Self.lookCounts.contains(looks) { return "a link has 1 to 100 looks" }
    if until != nil, arrival != nil || nearness != nil { return "a link to a journey has no arrival" }
    guard let nearness else { return nil }
    return Self.distances.contains(nearness.distance) ? nil : "a place is near within 50 m to 100 km"
  }
}
