import WhereaboutsModel

/// The time of a track, in seconds since its first point. The clock never goes back: points whose time goes back are
/// placed directly after the earlier points.
struct TrackClock: Sendable {
  /// The time of the first point.
  private(set) var origin: UTCTime?
  /// Whether points were shifted from their own time.
  private(set) var isShifted = false
  private(set) var now = 0.0
  private var shift = 0.0

  /// Advances to the next point, and returns its seconds.
  mutating func advance(to time: UTCTime) -> Double {
    guard let origin else {
      self.origin = time
      return 0
    }
    let own = time.seconds(since: origin)
    if own + shift < now {
      shift = now - own
      isShifted = true
    }
    now = own + shift
    return now
  }
}
