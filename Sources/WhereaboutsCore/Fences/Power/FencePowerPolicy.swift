/// How often, how exactly and whether at all fences need a fix.
///
/// A device whose distance to the nearest boundary was *d* at a fix can't have come to one before *d / v* later, with *v*
/// the speed that it can't exceed. Fixes come in time as long as each comes before half of what is left of that has
/// passed; a source that is off must be asked so early that its warm-up is over by then.
///
/// There is no distance filter in it: where nothing comes through one, nobody can tell whether the device has stayed or
/// the source has failed.
///
/// Everything here depends on the last fix alone, and on what was needed before: to ask for more is done at once, to ask
/// for less only where it is clear that it lasts.
struct FencePowerPolicy: Sendable {
  /// A receiver is not turned off for less, beyond its warm-up: it would cost more than it saves.
  static let shortestRest = 10.0
  /// How much more time there must be before less is asked for than was.
  static let slack = 1.25
  /// What is asked for far from every boundary, in metres: a street corner, which network positioning gives too.
  static let coarse = AccuracyLevel.block.worstAccuracy
  /// What is asked for near a boundary.
  static let fine = AccuracyLevel.room.worstAccuracy
  /// Fixes are not asked for more seldom than this while the source is on; for longer it is better off.
  static let longestInterval = 16.0
  /// At walking pace, in m/s, a device that rests is foreseen to set off inside a fence,
  static let walkingPace = 1.5
  /// and as fast as cars are in towns outside of one, lest it be through before anybody looks.
  static let townPace = 14.0
  /// Fixes of a device at rest lie apart by half of the time that it has rested, so that five in six are of one that
  /// still rests where nothing else is known.
  static let shareOfRest = 0.5
  /// Seconds that fixes take to make sure that a device is across.
  static let timeToDecide = 5.0
  /// Thirty years: for longer nothing is awaited.
  static let longestRest = 1e9

  let settings: FenceSettings
  /// How long any event may wait, in seconds: the least of all fences.
  var responsiveness = 0.0
  private(set) var current = FencePower(
    reason: .unneeded, need: .off, clearance: nil, fence: nil, topSpeed: 0, rest: nil)
  /// When it wants to be asked again, at the latest: where the source rests, and where a fix should have come by then.
  private(set) var nextLook: Instant?
  /// Seconds that the source has needed lately from being asked to its first fix; `nil` where that was not seen.
  private var warmUpSeen: Double?
  /// When it was asked after a rest, and has given none yet.
  private var askedAt: Instant?

  init(_ settings: FenceSettings) {
    self.settings = settings
  }

  /// What is known when it is asked what is needed.
  struct Situation: Sendable {
    /// Whether anything can be needed: there are fences, and fixes may be had and may come.
    var isNeeded: Bool
    /// How far it was to the nearest boundary at the last fix; `nil` where that is not known.
    var clearance: FenceClearance?
    /// The instant of that fix.
    var seen: Instant?
    /// What others ask for.
    var activity: Activity
    /// The speed that the last fix states.
    var speed: Double?
  }

  /// What is needed from now on.
  ///
  /// - Returns: true where that is something else than before, or for another reason.
  mutating func decide(_ situation: Situation, at now: Instant) -> Bool {
    let old = current
    var new = FencePower(
      reason: .unneeded, need: .off, clearance: situation.clearance?.metres,
      fence: situation.clearance?.fence,
      topSpeed: topSpeed(situation), rest: nil)
    var look: Instant?
    noteWarmUp(situation.seen)
    judge(situation, at: now, &new, &look)
    if old.need == .off, new.need != .off, old.reason == .atRest { askedAt = now }
    if new.need == .off { askedAt = nil }
    let isNew = new.need != old.need || new.reason != old.reason
    // One that comes too early does no harm: so that fixes which others ask for don't move it each time.
    if isNew || look == nil || nextLook.map({ $0 <= now || $0 > look ?? $0 }) ?? true { nextLook = look }
    current = new
    return isNew
  }

  private func judge(
    _ situation: Situation, at now: Instant, _ power: inout FencePower, _ look: inout Instant?
  ) {
    guard situation.isNeeded else { return }
    func ask(_ reason: FencePower.Reason, _ accuracy: Double, every interval: Double = 0) {
      power.reason = reason
      power.need = .continuous(
        ContinuousDemand(
          accuracy: accuracy, interval: .seconds(interval), activity: situation.activity))
    }
    guard settings.savesPower else { return ask(.unsparing, Self.fine) }
    guard let clearance = situation.clearance, let seen = situation.seen else {
      return ask(.placeUnknown, Self.fine)
    }
    // An event may wait for so long: half of it for the next look, half for those that make sure.
    let patience = max(0, responsiveness) / 2
    guard !clearance.isDoubtful else { return ask(.pending, Self.fine) }
    guard !clearance.isPending else { return ask(.pending, Self.fine, every: Self.step(patience / 2)) }
    let whole = clearance.metres / power.topSpeed + patience
    if let spacing = spacing(clearance, patience), spacing > whole {
      return watchRest(spacing, seen: seen, at: now, situation.activity, &power, &look)
    }
    let left = whole - now.since(seen).inSeconds
    let wasResting = current.reason == .far || current.reason == .atRest
    if let rest = rest(left: left, wasResting: wasResting) {
      power.reason = .far
      // Nothing but a new fence could make it necessary before.
      guard rest < Self.longestRest else { return }
      power.rest = .seconds(rest)
      look = now.advanced(by: .seconds(rest))
    } else if wasResting || current.reason == .lookAgain && left < whole / 2 {
      ask(.lookAgain, clearance.metres > 10 * Self.coarse ? Self.coarse : Self.fine)
    } else if case let interval = interval(left / 2), interval > 0 {
      ask(.approaching, clearance.metres > 20 * Self.coarse ? Self.coarse : 3 * Self.fine, every: interval)
      look = now.advanced(by: .seconds(left * 0.75))
    } else {
      ask(.near, Self.fine, every: Self.step(patience / 2))
    }
  }

  // MARK: At rest

  /// How many seconds may lie between the fixes of a device at rest; `nil` where it does not rest.
  private func spacing(_ clearance: FenceClearance, _ patience: Double) -> Double? {
    let delay = settings.delayAfterRest.inSeconds
    // So near to a boundary that errors reach it, every fix counts.
    guard delay > 0, clearance.metres > 0, let rested = clearance.rested else { return nil }
    let allowed =
      clearance.isInside ? clearance.metres / Self.walkingPace + delay : clearance.metres / Self.townPace
    return min(rested * Self.shareOfRest, allowed + patience - Self.timeToDecide)
  }

  /// Looks at a device that rests from time to time, with the source off in between where that is worth it.
  private func watchRest(
    _ spacing: Double, seen: Instant, at now: Instant, _ activity: Activity, _ power: inout FencePower,
    _ look: inout Instant?
  ) {
    func ask(_ reason: FencePower.Reason, every interval: Double = 0) {
      power.reason = reason
      power.need = .continuous(
        ContinuousDemand(accuracy: Self.fine, interval: .seconds(interval), activity: activity))
    }
    let left = spacing - now.since(seen).inSeconds, wasOff = current.reason == .atRest
    let rest = left - (warmUpSeen ?? settings.warmUp.inSeconds)
    if rest > (wasOff ? 0.001 : Self.shortestRest * Self.slack) {
      power.reason = .atRest
      power.rest = .seconds(rest)
      look = now.advanced(by: .seconds(rest))
    } else if wasOff || current.reason == .lookAgain && left < spacing / 2 {
      ask(.lookAgain)
    } else if case let interval = interval(left / 2), interval > 0 {
      ask(.approaching, every: interval)
      look = now.advanced(by: .seconds(left * 0.75))
    } else {
      ask(.near)
    }
  }

  /// Notes how long the source has taken to its first fix after a rest: longer counts at once, shorter by and by.
  private mutating func noteWarmUp(_ seen: Instant?) {
    guard let askedAt, let seen, seen >= askedAt else { return }
    self.askedAt = nil
    let taken = seen.since(askedAt).inSeconds, before = warmUpSeen ?? settings.warmUp.inSeconds
    warmUpSeen = taken > before ? taken : before + (taken - before) / 4
  }

  /// How long the source may rest, in seconds; `nil` where it may not.
  ///
  /// - Parameter left: for how long the device can't be at a boundary.
  private func rest(left: Double, wasResting: Bool) -> Double? {
    // What comes first may be coarse, and then there must be time for something better.
    let lead = 2 * min(max(0, settings.warmUp.inSeconds), 3600)
    let rest = left - lead
    // Less than that is the rounding of seconds, and would be rested again and again.
    return rest > (wasResting ? 0.001 : Self.shortestRest * Self.slack) ? rest : nil
  }

  /// The interval to ask for where fixes may be so many seconds apart; 0 for all of them.
  private func interval(_ seconds: Double) -> Double {
    var before = 0.0
    if current.reason == .approaching, case .continuous(let fixes) = current.need.fixes {
      before = fixes.interval.inSeconds
    }
    let now = Self.step(seconds)
    return now > before ? max(before, Self.step(seconds / Self.slack)) : now
  }

  /// The power of two at or below, so that it seldom changes; 0 below 2, at most ``longestInterval``.
  private static func step(_ seconds: Double) -> Double {
    seconds >= 2 ? min(seconds, longestInterval).binade : 0
  }

  /// The speed that the device can't exceed.
  private func topSpeed(_ situation: Situation) -> Double {
    if let speed = settings.topSpeed, speed > 0 { return speed }
    // Who goes faster than was thought possible does so for longer.
    return max(situation.activity.topSpeed, (situation.speed ?? 0) * 1.5)
  }
}

extension Activity {
  /// The speed for how soon a device could be somewhere that is far away, in metres per second.
  ///
  /// Unlike ``greatestSpeed``, which nothing real may exceed for a moment, it has to hold on the way to a fence only, in a
  /// straight line: a runner (who walks may run), a bicycle, a car, ship or airliner in a hurry. Where nothing is known it is 180 km/h, more
  /// than any car, ship or ordinary train goes for long; for whom that is too little ``FenceSettings/topSpeed`` is there,
  /// and a device whose fixes state more is believed.
  public var topSpeed: Double {
    switch self {
    case .walk, .run: 10
    case .bike: 20
    case .car, .other: 50
    case .boat: 25
    case .air: 300
    }
  }
}
