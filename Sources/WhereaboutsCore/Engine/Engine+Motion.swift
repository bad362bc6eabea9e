/// What an engine makes of how the device moves.
extension Engine {
  /// How the device moves, as the last fix has it; ``Motion/unknown`` where ``EngineSettings/motion`` is `nil`.
  public var motion: Motion { motionWatch?.motion ?? .unknown }

  /// To be called with each fix that is used, before anything else is made of it.
  mutating func watchMotion(_ fix: Fix, at now: Instant, into effects: inout [Effect]) {
    let activity = activity
    if let change = motionWatch?.take(fix, activity: activity, at: now) { tell(change, into: &effects) }
  }

  /// To be called with each input: there may have been no fix for too long.
  mutating func passTimeOfMotion(to now: Instant, into effects: inout [Effect]) {
    if let change = motionWatch?.pass(to: now) { tell(change, into: &effects) }
  }

  /// What comes next does not continue what came before.
  mutating func beginMotionAnew(into effects: inout [Effect]) {
    if let change = motionWatch?.beginAnew() { tell(change, into: &effects) }
  }

  private func tell(_ change: MotionChange, into effects: inout [Effect]) {
    effects.append(.decided(.motionChanged(change)))
    subscriptions.forEachMotionFollower { effects.append(.tell($0, .motion(change))) }
  }
}
