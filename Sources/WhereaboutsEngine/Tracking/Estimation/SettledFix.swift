import WhereaboutsModel

/// A fix whose part of the track does not change any more.
struct SettledFix: Sendable {
  /// The connection of a fix to the one before.
  enum Link: Sendable {
    case begins, follows
    case bridges(GapBridge)
  }

  var time: UTCTime
  /// The place in metres, earth-centred.
  var place: SIMD3<Double>
  /// The speed in metres per second; 0 while the device stands.
  var speed: Double
  var isMoving: Bool
  /// The distance from the fix before, in metres; 0 where the fix does not continue one.
  var stride: Double
  /// The time from the fix before, in seconds; 0 likewise.
  var duration: Double
  /// The part of ``duration`` in which the device moved, in seconds.
  var moving: Double
  var height: Double?
  var heightAccuracy: Double?
  var link: Link
  /// The errors of the distance up to the fix, without those of bridged gaps.
  var errors: DistanceErrorSums
}
