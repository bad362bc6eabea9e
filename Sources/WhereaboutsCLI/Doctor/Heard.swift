import WhereaboutsCore

/// What came of a source while it was listened to.
struct Heard: Equatable {
  private(set) var fixes = 0
  private(set) var lastFix: Fix?
  /// How long the first fix took.
  private(set) var firstFixAfter: Duration?
  private(set) var satellites: SatellitesInView?
  private(set) var hasHeading = false
  /// Why there was no fix last; `nil` where there was one, or nothing is known.
  private(set) var trouble: SourceTrouble?
  private(set) var authorization: Authorization?
  /// How far the system's clock is ahead of the time that the last fix states, with what it took to come.
  private(set) var clockLead: Duration?
  /// Whether it told anything but trouble.
  private(set) var isAlive = false

  /// It told this, so long after it was asked; the system's clock says what time it is.
  mutating func take(_ signal: SourceSignal, after elapsed: Duration, wall: UTCTime) {
    switch signal {
    case .fix(let fix, let rule):
      fixes += 1
      lastFix = fix
      firstFixAfter = firstFixAfter ?? elapsed
      trouble = nil
      isAlive = true
      // What may be cached says nothing about what time it is.
      if rule == .sinceArrival, let time = fix.time { clockLead = wall.since(time) }
    case .satellites(let view):
      satellites = view
      isAlive = true
    case .heading:
      hasHeading = true
      isAlive = true
    case .unavailable(let new), .failed(let new):
      trouble = new
      if new.code == .noPosition { isAlive = true }
    case .authorization(let new): authorization = new
    default: break
    }
  }

  /// Whether more listening would tell nothing more.
  func isEnough(after elapsed: Duration) -> Bool {
    if authorization?.isRefused == true { return true }
    if let firstFixAfter { return satellites != nil || elapsed >= firstFixAfter + .milliseconds(1500) }
    guard let trouble, !isAlive else { return false }
    let lasting: [SourceTrouble.Code] = [
      .unreachable, .noReceiver, .inUse, .notUnderstood, .unusable, .unreadable, .notPermitted,
    ]
    return lasting.contains(trouble.code)
  }
}
