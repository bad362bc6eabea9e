import WhereaboutsGeodesy

/// A boundary that was crossed, or a side that was found out first.
struct Crossing: Hashable, Sendable, Codable {
  var kind: FenceEvent.Kind
  var manner: FenceEvent.Manner
  var time: UTCTime
  /// Seconds.
  var uncertainty: Double
  var lastBefore: UTCTime?
  var firstAfter: UTCTime
  var place: Coordinate
  var confidence: Double
  var suspectedSince: UTCTime?

  /// The side that the device is on since.
  var side: FenceSide { kind == .exit ? .outside : .inside }
}
