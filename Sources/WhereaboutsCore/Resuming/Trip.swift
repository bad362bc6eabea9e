/// What a tracker has counted under a name, as far as it is settled.
public struct Trip: Hashable, Sendable, Codable, Identifiable {
  /// Its name.
  public let id: TripID
  /// What is settled. Nothing in it ever falls, unless the tracker is reset.
  public var totals: TrackTotals
  /// The time of its first fix; `nil` before that.
  public var began: UTCTime?
  /// Until when the way is settled; `nil` before anything is.
  public var settledTo: UTCTime?
  /// When it was ended, by the clock of the fixes; `nil` while it can be gone on with.
  public var ended: UTCTime?
  /// Fixes that came too late to count.
  public var leftOut: Int
  /// Fixes of whose time there was one already.
  public var doubled: Int

  /// A trip.
  public init(
    id: TripID, totals: TrackTotals = TrackTotals(), began: UTCTime? = nil, settledTo: UTCTime? = nil,
    ended: UTCTime? = nil, leftOut: Int = 0, doubled: Int = 0
  ) {
    self.id = id
    self.totals = totals
    self.began = began
    self.settledTo = settledTo
    self.ended = ended
    self.leftOut = leftOut
    self.doubled = doubled
  }
}

/// A gap of a trip, bridged by an assumption.
public struct TripGap: Hashable, Sendable, Codable {
  /// Whose.
  public var trip: TripID
  /// When it was over: the time of the first fix after it.
  public var end: UTCTime
  /// What was assumed.
  public var gap: TrackGap

  /// The gap that a settled point of a trip has bridged; `nil` where it has not, or there is no name.
  init?(of trip: TripID?, endingAt point: TrackPoint) {
    guard let trip, case .bridges(let gap) = point.link else { return nil }
    self.init(trip: trip, end: point.time, gap: gap)
  }

  /// A gap of a trip.
  public init(trip: TripID, end: UTCTime, gap: TrackGap) {
    self.trip = trip
    self.end = end
    self.gap = gap
  }
}
