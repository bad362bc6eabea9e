import WhereaboutsModel
import WhereaboutsGeodesy

/// A crossing of a boundary, or the first determination of a side.
struct Crossing: Hashable, Sendable, Codable {
  var kind: FenceEvent.Kind
  var manner: FenceEvent.Manner
  var time: UTCTime
  /// The uncertainty in seconds.
  var uncertainty: Double
  var lastBefore: UTCTime?
  var firstAfter: UTCTime
  var place: Coordinate
  var confidence: Double
  var suspectedSince: UTCTime?

  /// The side of the device after the crossing.
  var side: FenceState.Side { kind == .exit ? .outside : .inside }
}
