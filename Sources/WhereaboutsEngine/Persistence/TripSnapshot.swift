public import WhereaboutsModel

/// A tracker's count under a name at one moment: the state that must survive the process.
public struct TripSnapshot: Hashable, Sendable, Identifiable {
  /// The trip's name.
  public let id: TripID
  /// Whether later fixes count; `false` where the tracker was stopped, and until the first fix since the start.
  public internal(set) var isCounting: Bool
  /// The meter of the tracker.
  var meter: TrackMeter
  /// The time of the first fix that counted.
  var began: UTCTime?

  init(id: TripID, isCounting: Bool, meter: TrackMeter, began: UTCTime?) {
    self.id = id
    self.isCounting = isCounting
    self.meter = meter
    self.began = began
  }

  /// Creates the snapshot of an open trip whose state was erased, from the stored totals.
  package init(resuming trip: Trip) {
    self.init(
      id: trip.id, isCounting: false, meter: TrackMeter(TrackTerms(), continuing: trip), began: trip.began)
  }

  /// The settled count.
  public var trip: Trip {
    Trip(
      id: id, totals: meter.totals, began: began, settledTo: meter.settledTo, lateFixes: meter.lateFixes,
      duplicates: meter.duplicates)
  }

  /// Returns the trip as it would be if it ended now, all settled.
  ///
  /// - Parameter fixes: the fixes that were processed after the snapshot, in the order of processing.
  package func tripIfEnded(after fixes: [LoggedFix] = []) -> Trip {
    var snapshot = self
    for fix in fixes { snapshot.replay(fix) }
    snapshot.settle()
    return snapshot.trip
  }

  /// Replays a fix that another process had processed after the snapshot.
  mutating func replay(_ logged: LoggedFix) {
    guard isCounting, logged.use != .implausible else { return }
    let fix = logged.timedFix
    began = began ?? fix.time
    // The signal strength and the motion at that time are not stored: they matter to the candidate odometer alone.
    meter.process(fix, upTo: .infinity, isStill: false) { _, _ in }
  }

  /// Settles the whole count: later fixes do not continue it.
  ///
  /// - Returns: the gaps that are settled by it.
  @discardableResult
  mutating func settle() -> [Trip.Gap] {
    var gaps: [Trip.Gap] = []
    meter.endSegment { [id] point, gap in
      if let gap { gaps.append(Trip.Gap(trip: id, end: point.time, gap: gap)) }
    }
    isCounting = false
    return gaps
  }
}

extension TripSnapshot: Codable {
  private enum CodingKeys: String, CodingKey { case id, isCounting, meter, began }

  /// Reads the form that ``encode(to:)`` writes.
  ///
  /// - Throws: the decoder's errors, and an error where the decoded state can't be resumed.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(TripID.self, forKey: .id)
    isCounting = try values.decode(Bool.self, forKey: .isCounting)
    meter = try values.decode(TrackMeter.self, forKey: .meter)
    began = try values.decodeIfPresent(UTCTime.self, forKey: .began)
    guard meter.isConsistent else {
      throw DecodingError.dataCorruptedError(
        forKey: .meter, in: values, debugDescription: "not the state of an odometer")
    }
  }

  /// Encodes the whole snapshot.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(isCounting, forKey: .isCounting)
    try values.encode(meter, forKey: .meter)
    try values.encodeIfPresent(began, forKey: .began)
  }
}
