/// A tracker that counts under a name, as of one moment: what must outlive a process.
public struct TripSnapshot: Hashable, Sendable, Identifiable {
  /// The name.
  public let id: TripID
  /// Whether fixes count, or it was stopped.
  public internal(set) var isCounting: Bool
  /// What it counts with.
  var meter: TrackMeter
  /// The time of the first fix that counted.
  var began: UTCTime?

  init(id: TripID, isCounting: Bool, meter: TrackMeter, began: UTCTime?) {
    self.id = id
    self.isCounting = isCounting
    self.meter = meter
    self.began = began
  }

  /// What has been counted, as far as it is settled.
  public var trip: Trip {
    Trip(
      id: id, totals: meter.totals, began: began, settledTo: meter.settledTo, leftOut: meter.leftOut,
      doubled: meter.doubled)
  }

  /// Takes a fix that another process had taken and that came after the snapshot.
  mutating func retake(_ seen: SeenFix) {
    guard isCounting, seen.use != .implausible else { return }
    var fix = seen.fix
    fix.time = seen.time
    began = began ?? fix.time
    // How good the signal was then is not kept: it matters to the method of candidates alone.
    meter.take(fix, upTo: .infinity, isStill: false) { _ in }
  }

  /// Settles all of it: what comes next does not continue it.
  mutating func settle() {
    meter.breakOff { _ in }
    isCounting = false
  }
}

extension TripSnapshot: Codable {
  private enum CodingKeys: String, CodingKey { case id, isCounting, meter, began }

  /// Reads the form that ``encode(to:)`` writes.
  ///
  /// - Throws: where it can't be gone on with, besides what decoding throws.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(TripID.self, forKey: .id)
    isCounting = try values.decode(Bool.self, forKey: .isCounting)
    meter = try values.decode(TrackMeter.self, forKey: .meter)
    began = try values.decodeIfPresent(UTCTime.self, forKey: .began)
    guard meter.isSound else {
      throw DecodingError.dataCorruptedError(
        forKey: .meter, in: values, debugDescription: "not a way's state")
    }
  }

  /// Writes all of it.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(isCounting, forKey: .isCounting)
    try values.encode(meter, forKey: .meter)
    try values.encodeIfPresent(began, forKey: .began)
  }
}
