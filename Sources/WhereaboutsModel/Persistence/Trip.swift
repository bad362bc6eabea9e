/// A tracker's settled count under a name.
public struct Trip: Hashable, Sendable, Codable, Identifiable {
  /// The trip's name.
  public let id: TripID
  /// The settled totals. No total ever decreases, unless the tracker is reset.
  public var totals: TrackTotals
  /// The time of the trip's first fix; `nil` before that.
  public var began: UTCTime?
  /// The time up to which the track is settled; `nil` before anything is.
  public var settledTo: UTCTime?
  /// The time of its end, by the clock of the fixes; `nil` while the trip can be resumed.
  public var ended: UTCTime?
  /// The number of fixes that arrived too late to count.
  public var lateFixes: Int
  /// The number of fixes dropped because an earlier fix has the same time.
  public var duplicates: Int
  /// The distance since ``settledTo`` that would be added if the trip ended now, in metres: later fixes may change it.
  /// Reports about open trips state it; elsewhere it is `nil`.
  package var ahead: Double?
  /// The time up to which the track would be settled if the trip ended now: that of its last fix. As with ``ahead``, only
  /// reports about open trips state it.
  package var provisionalTo: UTCTime?

  /// Creates a trip.
  public init(
    id: TripID, totals: TrackTotals = TrackTotals(), began: UTCTime? = nil, settledTo: UTCTime? = nil,
    ended: UTCTime? = nil, lateFixes: Int = 0, duplicates: Int = 0
  ) {
    self.id = id
    self.totals = totals
    self.began = began
    self.settledTo = settledTo
    self.ended = ended
    self.lateFixes = lateFixes
    self.duplicates = duplicates
  }
}

extension [Trip] {
  /// Sets ``Trip/ahead`` and ``Trip/provisionalTo`` of the open trips.
  ///
  /// - Parameter ended: the trips as they would be if they ended now.
  package mutating func setAhead(from ended: [Trip]) {
    for index in indices where self[index].ended == nil {
      guard let end = ended.last(where: { $0.id == self[index].id }) else { continue }
      self[index].ahead = Swift.max(0, end.totals.distance - self[index].totals.distance)
      self[index].provisionalTo = end.settledTo
    }
  }
}

extension Trip {
  /// A gap of a trip: bridged by an assumption, or an interruption, of which nothing is counted.
  public struct Gap: Hashable, Sendable, Codable {
    /// The trip.
    public var trip: TripID
    /// The end of the gap: the time of the first fix after it.
    public var end: UTCTime
    /// The duration of the gap, its length, and the distance counted for it. An interruption has
    /// ``TrackPoint/Gap/counted`` and ``TrackPoint/Gap/uncertainty`` 0.
    public var gap: TrackPoint.Gap

    /// Creates a gap of a trip.
    public init(trip: TripID, end: UTCTime, gap: TrackPoint.Gap) {
      self.trip = trip
      self.end = end
      self.gap = gap
    }
  }
}
