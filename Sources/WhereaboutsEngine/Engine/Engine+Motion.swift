public import WhereaboutsModel

/// The engine's handling of the device's motion.
extension Engine {
  /// The motion of the device as of the last fix; `Motion/unknown` where ``EngineSettings/motion`` is `nil`.
  public var motion: Motion { motionMonitor?.motion ?? .unknown }

  /// Processes each fix that is used, before all other consumers.
  mutating func processMotion(_ fix: Fix, at now: Instant, into effects: inout [Effect]) {
    let activity = activity
    if let change = motionMonitor?.process(fix, activity: activity, at: now) { emit(change, into: &effects) }
  }

  /// Advances the motion with each input: the silence since the last fix may be too long.
  mutating func advanceMotion(to now: Instant, into effects: inout [Effect]) {
    if let change = motionMonitor?.advance(to: now) { emit(change, into: &effects) }
  }

  /// Resets the motion: later fixes do not continue the earlier ones.
  mutating func resetMotion(into effects: inout [Effect]) {
    if let change = motionMonitor?.reset() { emit(change, into: &effects) }
  }

  private func emit(_ change: Motion.Change, into effects: inout [Effect]) {
    effects.append(.decided(.motionChanged(change)))
    subscriptions.forEachMotionFollower { effects.append(.notify($0, .motion(change))) }
  }
}
