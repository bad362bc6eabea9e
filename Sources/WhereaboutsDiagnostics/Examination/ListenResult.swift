import WhereaboutsModel

/// The signals of a source during a period of listening.
package struct ListenResult: Equatable {
  private(set) var fixes = 0
  private(set) var lastFix: Fix?
  /// The time to the first fix.
  private(set) var firstFixAfter: Duration?
  private(set) var satellites: SatellitesInView?
  private(set) var hasHeading = false
  /// The last reason for a missing fix; `nil` after a fix, or if no reason is known.
  private(set) var problem: SourceProblem?
  private(set) var authorization: Authorization?
  /// The lead of the system clock over the time of the last fix. The lead includes the fix's transmission delay.
  package private(set) var clockLead: Duration?
  /// Whether the source sent any signal apart from problems.
  private(set) var hasSignal = false

  /// Processes a signal.
  mutating func process(_ signal: SourceSignal, after elapsed: Duration, wall: UTCTime) {
    switch signal {
    case .fix(let fix, let rule):
      fixes += 1
      lastFix = fix
      firstFixAfter = firstFixAfter ?? elapsed
      problem = nil
      hasSignal = true
      // A fix that may be cached cannot check the clock.
      if rule == .sinceArrival, let time = fix.time { clockLead = wall.since(time) }
    case .satellites(let view):
      satellites = view
      hasSignal = true
    case .heading:
      hasHeading = true
      hasSignal = true
    case .unavailable(let new), .failed(let new):
      problem = new
      if new.code == .noPosition { hasSignal = true }
    case .authorization(let new): authorization = new
    default: break
    }
  }

  /// Returns whether further listening would add no information.
  func isComplete(after elapsed: Duration) -> Bool {
    if authorization?.isRefused == true { return true }
    if let firstFixAfter { return satellites != nil || elapsed >= firstFixAfter + .milliseconds(1500) }
    guard let problem, !hasSignal else { return false }
    let lasting: [SourceProblem.Code] = [
      .unreachable, .noReceiver, .inUse, .notUnderstood, .unusable, .unreadable, .notPermitted,
    ]
    return lasting.contains(problem.code)
  }
}
