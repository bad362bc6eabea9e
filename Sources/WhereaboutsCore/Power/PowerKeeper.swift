/// The power policy of one engine, and what it has decided: looked at with each input, judged anew only where something
/// that it depends on is otherwise.
struct PowerKeeper: Sendable {
  /// All that a decision depends on, but for the numbers in it that change with each fix.
  private struct Ground: Equatable {
    var needs = -1
    var fences = Demand.off
    var motion = Motion.unknown
    var isFast = false
    /// Inside which of the fences that rules ask for.
    var inside: UInt64 = 0
  }

  private var policy: PowerPolicy
  private var ground = Ground()
  /// What the host has said.
  var state = PowerState.unknown {
    didSet { if state != oldValue { isOld = true } }
  }
  private var isOld = true
  /// What was decided last.
  private(set) var current: PowerDecision
  /// When something will be otherwise by time alone.
  private(set) var nextLook: Instant?
  /// Nothing can be held back, nor has been.
  private(set) var asksAsAsked = false

  init(_ settings: PowerSettings) {
    policy = PowerPolicy(settings)
    current = PowerDecision(demand: .off, preset: settings.preset.name)
    asksAsAsked = policy.asksAsAsked(in: state)
  }

  /// The fences that rules ask for.
  var fences: [FenceID] { policy.fences }

  /// Takes note of what the host says.
  mutating func take(_ new: PowerState) {
    state = new
    asksAsAsked = policy.asksAsAsked(in: new) && current.reason == .asAsked
  }

  /// Whether it has to be judged anew; costs a few comparisons.
  ///
  /// - Parameters:
  ///   - needs: the version of what is needed.
  ///   - speed: of the last fix.
  ///   - inside: inside which of the fences that rules ask for, a bit for each.
  mutating func isDue(
    needs: Int, fences: Demand, motion: Motion, speed: Double?, inside: UInt64, at now: Instant
  ) -> Bool {
    var new = Ground(needs: needs, fences: fences, inside: inside)
    if policy.dependsOnMotion {
      new.motion = motion
      new.isFast = policy.isHighway(speed)
    }
    if isOld || new != ground { isOld = true }
    if let look = nextLook, look <= now { isOld = true }
    ground = new
    return isOld
  }

  /// Judges anew.
  ///
  /// - Returns: what was decided, where that is worth telling.
  mutating func decide(_ situation: PowerSituation, at now: Instant) -> PowerDecision? {
    isOld = false
    let new = policy.decide(situation)
    let isNews = new.isNews(after: current)
    current = new
    let isNeeded = situation.needs != LiveNeeds()
    nextLook = isNeeded ? policy.nextChange(after: situation).map { now.advanced(by: $0) } : nil
    asksAsAsked = policy.asksAsAsked(in: state) && new.reason == .asAsked
    // A highway is one no longer at another speed than it was one.
    ground.isFast = policy.isHighway(situation.speed)
    return isNews ? new : nil
  }

  /// Nothing is held back.
  mutating func pass(_ demand: Demand) { current.demand = demand }
}
