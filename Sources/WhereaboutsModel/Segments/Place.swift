package import WhereaboutsGeodesy

/// A place to which visits belong: one that a person has named or merged, or one found from visits.
package struct Place: Hashable, Sendable, Identifiable {
  /// The identifier, unique among the places of a device. That of a found place derives from its first visit.
  package var id: String
  /// The name that a person gave; `nil` without one.
  package var name: String?
  /// The middle of the place.
  package var coordinate: Coordinate
  /// The distance from the middle within which visits belong to the place, in metres.
  package var radius: Double
  /// The identifier of the place whose visits these are, after a merge; `nil` for a place of its own.
  package var mergedInto: String?
  /// The times of the first arrival and of the last fix, as far as known when the place was last changed.
  package var known: Range<UTCTime>?

  /// The radius of a place that was found from visits, in metres.
  package static let standardRadius = 100.0

  /// Creates a place.
  package init(
    id: String, name: String? = nil, coordinate: Coordinate, radius: Double = Place.standardRadius,
    mergedInto: String? = nil, known: Range<UTCTime>? = nil
  ) {
    self.id = id
    self.name = name
    self.coordinate = coordinate
    self.radius = radius
    self.mergedInto = mergedInto
    self.known = known
  }
}

/// A place with the totals of its visits.
package struct VisitedPlace: Hashable, Sendable {
  /// The place.
  package var place: Place
  /// The name that recordings state for a place without a name; `nil` if they state none.
  package var proposedName: String?
  /// The number of visits.
  package var visits = 0
  /// The time of all visits together, in seconds.
  package var duration = 0.0
  /// The first arrival.
  package var first: UTCTime?
  /// The end of the last visit, or its last fix.
  package var last: UTCTime?

  /// Creates a place without visits.
  package init(_ place: Place) { self.place = place }

  /// The place as a store keeps it, with the times of its visits.
  package var kept: Place {
    var kept = place
    if let first, let last, first <= last { kept.known = first..<last }
    return kept
  }
}
