import WhereaboutsModel

/// The session's handling of permission.
extension CoreLocationSession {
  /// The pauses after refusals despite permission; they double.
  static let firstRefusalPause = Duration.seconds(5)
  static let longestRefusalPause = Duration.seconds(600)

  /// The time between two readings of a switch that nothing calls back about.
  static let switchCheckInterval = Duration.seconds(30)

  /// Requests a level, unless Core Location would show no question for it. Where a platform has no always, the highest
  /// level is while using.
  mutating func request(_ level: Authorization.Level, into effects: inout [Effect]) {
    let level = platform.hasAlways ? level : .whenInUse
    requestedLevel = level
    guard declarations.allowsRequest(for: level, on: platform) else {
      if reading?.status == nil { reportMissingText(for: level, into: &effects) }
      return
    }
    switch reading {
    case nil: effects.append(.requestAuthorization(level))
    case let reading? where reading.isUndetermined: effects.append(.requestAuthorization(level))
    // The question whether while using becomes always.
    case let reading? where reading.status == .whenInUse && level == .always:
      effects.append(.requestAuthorization(level))
    case .some: break
    }
  }

  /// Requests a level for the first need. The app alone asks whether while using becomes always, in context: Core
  /// Location shows that question once.
  mutating func requestIfUndetermined(_ level: Authorization.Level, into effects: inout [Effect]) {
    // Also for later: the engine does not repeat its request where the permission becomes undetermined unnoticed.
    requestedLevel = level
    guard let reading else {
      isRequestDeferred = true
      return
    }
    if reading.isUndetermined { request(level, into: &effects) }
  }

  /// Requests the undetermined permission again: Core Location ignores a request in the background.
  mutating func requestAgain(into effects: inout [Effect]) {
    guard let reading, reading.isUndetermined else { return }
    if let requestedLevel {
      request(requestedLevel, into: &effects)
    } else if !declarations.allowsRequest(for: .whenInUse, on: platform) {
      reportMissingText(for: .whenInUse, into: &effects)
    }
  }

  /// Processes a permission from Core Location.
  mutating func process(_ new: AuthorizationReading, into effects: inout [Effect]) {
    let isFirst = reading == nil
    reading = new
    refusedReading = nil
    refusalRetry = nil
    report(new.authorization(on: platform), into: &effects)
    guard let demand, demand.fixes != .off else { return }
    if !isFirst || isRequestDeferred || requestedLevel == nil { requestAgain(into: &effects) }
  }

  /// Processes a permission that was read for a demand. The engine waits for the report of a refusal that nothing may
  /// call back about, changed or not.
  ///
  /// - Returns: whether the permission may have changed.
  mutating func processRead(_ new: AuthorizationReading, into effects: inout [Effect]) -> Bool {
    if new.isSwitchUnnoticed { reportedAuthorization = nil }
    guard new.isAllowed || new != refusedReading else {
      report(new.authorization(on: platform), into: &effects)
      return false
    }
    process(new, into: &effects)
    return true
  }

  /// Schedules the next reading of a switch that nothing may call back about, while fixes are demanded or may be
  /// needed for fences: under a refusal the engine demands neither fixes nor regions for them.
  mutating func scheduleSwitchCheck(at now: Instant) {
    guard let demand, demand.fixes != .off || hasHadRegions, reading?.isSwitchUnnoticed == true else {
      switchCheck = nil
      return
    }
    switchCheck = switchCheck ?? now.advanced(by: Self.switchCheckInterval)
  }

  /// Processes a refusal in place of fixes.
  ///
  /// Without permission nothing starts until Core Location calls back, or the permission reads differently at a new
  /// demand: not every system calls back when services are switched on. See ``scheduleSwitchCheck(at:)``.
  ///
  /// With permission, the app is probably not in use: an app in the background can't start updates with the permission
  /// while in use. Core Location may never call back then, so the service is started again after a pause, and with a
  /// new demand. The second refusal is reported. Regions are watched on.
  mutating func processDenial(_ new: AuthorizationReading, at now: Instant, into effects: inout [Effect]) {
    if new.isAllowed, service == .none { return }
    reading = new
    refusedReading = new
    refusalRetry = nil
    report(new.authorization(on: platform), into: &effects)
    guard new.isAllowed else { return }
    hasGap = true
    if refusalPause > Self.firstRefusalPause {
      reportProblem(CoreLocationProblems.notInUse(on: platform), into: &effects)
    }
    refusalRetry = now.advanced(by: refusalPause)
    refusalPause = min(refusalPause * 2, Self.longestRefusalPause)
  }

  private mutating func report(_ authorization: Authorization, into effects: inout [Effect]) {
    if !authorization.isAllowed { hasGap = true }
    guard authorization != reportedAuthorization else { return }
    reportedAuthorization = authorization
    effects.append(.emit(.authorization(authorization)))
  }

  /// Gives up until the next demand: without the text nothing would ever answer.
  private func reportMissingText(for level: Authorization.Level, into effects: inout [Effect]) {
    let isAlwaysMissing = level == .always && declarations.hasWhenInUseText && !platform.isMac
    let key =
      isAlwaysMissing
      ? CoreLocationDeclarations.alwaysKey
      : platform.isMac ? CoreLocationDeclarations.macKey : CoreLocationDeclarations.whenInUseKey
    effects.append(.emit(.failed(CoreLocationProblems.missingText(key))))
  }
}
