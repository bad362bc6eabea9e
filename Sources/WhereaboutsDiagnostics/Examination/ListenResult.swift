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
  /// The lead of the system clock over the time of the last fix. The lead includes the fix's transmission delay. `nil`
  /// if unknown: a fix that may be cached shows only that the clock is behind.
  package private(set) var clockLead: Duration?
  /// The time to the first signal that shows that the source works: a fix, satellites, a heading, or that there is no
  /// position yet.
  private(set) var firstSignalAfter: Duration?

  /// Whether a signal has shown that the source works.
  var hasSignal: Bool { firstSignalAfter != nil }

  /// Processes a signal.
  mutating func process(_ signal: SourceSignal, after elapsed: Duration, wall: UTCTime) {
    if Self.provesOperation(signal) { firstSignalAfter = firstSignalAfter ?? elapsed }
    switch signal {
    case .fix(let fix, let rule):
      fixes += 1
      lastFix = fix
      firstFixAfter = firstFixAfter ?? elapsed
      problem = nil
      if let time = fix.time, Self.checksClock(rule, ahead: time.since(wall)) { clockLead = wall.since(time) }
    case .satellites(let view): satellites = view
    case .heading: hasHeading = true
    case .unavailable(let new), .failed(let new): problem = new
    case .authorization(let new): authorization = new
    default: break
    }
  }

  /// Returns whether a fix checks the clock. A fix that may be cached does so only if it is refused as from the future.
  private static func checksClock(_ rule: SourceSignal.AgeRule, ahead: Duration) -> Bool {
    switch rule {
    case .sinceArrival: true
    case .sinceFixTime: ahead > SourceSignal.AgeRule.futureTolerance
    case .sinceTrustedTime: false
    }
  }

  /// Returns whether a signal shows that the source works.
  private static func provesOperation(_ signal: SourceSignal) -> Bool {
    switch signal {
    case .fix, .satellites, .heading: true
    case .unavailable(let problem), .failed(let problem): problem.code == .noPosition
    default: false
    }
  }

  /// Returns whether the reason for a missing fix is clear enough to end listening where no time was given.
  func hasReason(after elapsed: Duration) -> Bool {
    // A source reports silence only after a timeout of its own.
    if problem?.code == .silent, !hasSignal { return true }
    guard fixes == 0, let firstSignalAfter else { return false }
    return elapsed >= firstSignalAfter + ListeningPeriod.patience
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
