import WhereaboutsCore

/// The time that passes on a way, in seconds since its first point. It never goes back: where the points' own time does,
/// what follows is put right behind what came before.
struct WayClock: Sendable {
  /// When the first point was.
  private(set) var origin: UTCTime?
  /// Whether points were put elsewhere than their own time says.
  private(set) var isShifted = false
  private(set) var now = 0.0
  private var shift = 0.0

  /// The seconds of the next point.
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
