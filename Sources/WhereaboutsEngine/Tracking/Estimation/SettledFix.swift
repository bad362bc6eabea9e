import WhereaboutsModel

/// A fix whose part in the way does not change any more.
struct SettledFix: Sendable {
  /// How it follows on the one before.
  enum Link: Sendable {
    case begins, follows
    case bridges(GapBridge)
  }

  var time: UTCTime
  /// Metres, earth-centred.
  var place: SIMD3<Double>
  /// Metres per second; 0 while it stands.
  var speed: Double
  var isMoving: Bool
  /// Metres from the fix before; 0 where it does not follow one.
  var stride: Double
  /// Seconds from the fix before, alike.
  var duration: Double
  var height: Double?
  var heightAccuracy: Double?
  var link: Link
}
