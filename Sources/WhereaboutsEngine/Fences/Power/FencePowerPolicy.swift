public import WhereaboutsModel

/// The policy that decides how often and how accurately fences need a fix, if at all.
///
/// A device at distance *d* from the nearest boundary at a fix can't reach a boundary before *d / v* later. *v* is
/// its highest possible speed. Fixes are in time if each arrives before half of the remaining time has passed. A
/// source that is off must be asked early enough for its warm-up.
///
/// The policy uses no distance filter: behind one, a missing fix can mean a device that stays or a source that
/// failed.
///
/// The policy depends on the last fix and the previous demand only. A demand rises at once, and falls only if the
/// lower demand clearly lasts.
struct FencePowerPolicy: Sendable {
  /// The shortest rest of a receiver beyond its warm-up, in seconds; a shorter one would cost more than it saves.
  static let shortestRest = 10.0
  /// The factor by which the remaining time must exceed the need before the demand falls.
  static let slack = 1.25
  /// The accuracy requested far from every boundary, in metres: a street block, which network positioning provides
  /// too.
  static let coarseAccuracy = AccuracyLevel.block.worstAccuracy
  /// The accuracy requested near a boundary.
  static let fineAccuracy = AccuracyLevel.room.worstAccuracy
  /// The longest requested interval while the source is on; for longer intervals the source is turned off.
  static let longestInterval = 16.0
  /// The speed in m/s at which a resting device is expected to set off inside a fence: walking pace.
  static let walkingPace = 1.5
  /// The speed in m/s expected outside a fence: that of cars in towns, so that no device passes through unseen.
  static let townPace = 14.0
  /// The share of the past rest between two fixes of a device at rest. With half, five in six fixes find the device
  /// still at rest if nothing else is known.
  static let shareOfRest = 0.5
  /// The seconds of fixes needed to confirm a crossing.
  static let timeToDecide = 5.0
  /// The longest scheduled rest: thirty years, in seconds.
  static let longestRest = 1e9

  let settings: FenceSettings
  /// The longest time that any event may wait, in seconds: the minimum over all fences.
  var responsiveness = 0.0
  private(set) var current = FencePower(
    reason: .unneeded, need: .off, clearance: nil, fence: nil, topSpeed: 0, rest: nil)
  /// The latest instant of the next evaluation: the end of a rest, or the time at which a fix is overdue.
  private(set) var nextCheck: Instant?
  /// The recent time from a request to the first fix, in seconds; `nil` if not measured.
  private var measuredWarmUp: Double?
  /// The instant at which the platform woke the program, until a fix of then or later.
  private var wokeAt: Instant?
  /// The instant of a request after a rest, until the first fix arrives.
  private var requestedAt: Instant?

  init(_ settings: FenceSettings) {
    self.settings = settings
  }

  /// Makes the next decisions ask for a fix of this instant or later.
  mutating func wake(at now: Instant) { wokeAt = now }

  /// The facts that a decision is based on.
  struct Situation: Sendable {
    /// Whether fences exist, and fixes are permitted and available.
    var isNeeded: Bool
    /// The distance to the nearest boundary at the last fix; `nil` if unknown.
    var clearance: FenceClearance?
    /// The instant of the last fix.
    var lastFixAt: Instant?
    /// The activity that other consumers request.
    var activity: Activity
    /// The speed stated by the last fix.
    var speed: Double?
  }

  /// Decides on the demand from now on.
  ///
  /// - Returns: whether the demand or its reason changed.
  mutating func decide(_ situation: Situation, at now: Instant) -> Bool {
    let old = current
    var new = FencePower(
      reason: .unneeded, need: .off, clearance: situation.clearance?.metres,
      fence: situation.clearance?.fence,
      topSpeed: topSpeed(situation), rest: nil)
    var check: Instant?
    recordWarmUp(situation.lastFixAt)
    if let woke = wokeAt, !situation.isNeeded || situation.lastFixAt.map({ $0 >= woke }) ?? false {
      wokeAt = nil
    }
    evaluate(situation, at: now, &new, &check)
    if old.need == .off, new.need != .off, old.reason == .atRest { requestedAt = now }
    if new.need == .off { requestedAt = nil }
    let isNew = new.need != old.need || new.reason != old.reason
    // An early evaluation is harmless, so fixes requested by others do not move it each time.
    if isNew || check == nil || nextCheck.map({ $0 <= now || $0 > check ?? $0 }) ?? true { nextCheck = check }
    current = new
    return isNew
  }

  private func evaluate(
    _ situation: Situation, at now: Instant, _ power: inout FencePower, _ check: inout Instant?
  ) {
    guard situation.isNeeded else { return }
    func requestFixes(_ reason: FencePower.Reason, _ accuracy: Double, every interval: Double = 0) {
      power.reason = reason
      power.need = .continuous(
        Demand.Continuous(
          accuracy: accuracy, interval: .seconds(interval), activity: situation.activity))
    }
    guard settings.savesPower else { return requestFixes(.unsparing, Self.fineAccuracy) }
    guard let clearance = situation.clearance, let seen = situation.lastFixAt else {
      return requestFixes(.placeUnknown, Self.fineAccuracy)
    }
    guard wokeAt == nil else { return requestFixes(.lookAgain, Self.fineAccuracy) }
    // Half of the longest delay of an event is for the next check, half for the fixes that confirm.
    let patience = max(0, responsiveness) / 2
    guard !clearance.isDoubtful else { return requestFixes(.pending, Self.fineAccuracy) }
    guard !clearance.isPending else {
      return requestFixes(.pending, Self.fineAccuracy, every: Self.intervalStep(patience / 2))
    }
    let whole = clearance.metres / power.topSpeed + patience
    if let spacing = fixSpacing(clearance, patience), spacing > whole {
      return evaluateAtRest(spacing, seen: seen, at: now, situation.activity, &power, &check)
    }
    let left = whole - now.since(seen).inSeconds
    let wasResting = current.reason == .far || current.reason == .atRest
    if let rest = allowedRest(left: left, wasResting: wasResting) {
      power.reason = .far
      // Only a new fence could make an earlier check necessary.
      guard rest < Self.longestRest else { return }
      power.rest = .seconds(rest)
      check = now.advanced(by: .seconds(rest))
    } else if wasResting || current.reason == .lookAgain && left < whole / 2 {
      let isFar = clearance.metres > 10 * Self.coarseAccuracy
      requestFixes(.lookAgain, isFar ? Self.coarseAccuracy : Self.fineAccuracy)
    } else if case let interval = interval(left / 2), interval > 0 {
      requestFixes(
        .approaching,
        clearance.metres > 20 * Self.coarseAccuracy ? Self.coarseAccuracy : 3 * Self.fineAccuracy,
        every: interval)
      check = now.advanced(by: .seconds(left * 0.75))
    } else {
      requestFixes(.near, Self.fineAccuracy, every: Self.intervalStep(patience / 2))
    }
  }

  /// The expected time from a request to the first fix, in seconds.
  private var warmUp: Double { max(0, settings.warmUp.inSeconds) }

  // MARK: At rest

  /// Returns the allowed seconds between fixes of a device at rest; `nil` if the device does not rest.
  private func fixSpacing(_ clearance: FenceClearance, _ patience: Double) -> Double? {
    let delay = settings.delayAfterRest.inSeconds
    // Every fix counts if a boundary is within the range of errors.
    guard delay > 0, clearance.metres > 0, let rested = clearance.rested else { return nil }
    let allowed =
      clearance.isInside ? clearance.metres / Self.walkingPace + delay : clearance.metres / Self.townPace
    return min(rested * Self.shareOfRest, allowed + patience - Self.timeToDecide)
  }

  /// Schedules periodic checks of a device at rest, with the source off in between if worthwhile.
  private func evaluateAtRest(
    _ spacing: Double, seen: Instant, at now: Instant, _ activity: Activity, _ power: inout FencePower,
    _ check: inout Instant?
  ) {
    func requestFixes(_ reason: FencePower.Reason, every interval: Double = 0) {
      power.reason = reason
      power.need = .continuous(
        Demand.Continuous(accuracy: Self.fineAccuracy, interval: .seconds(interval), activity: activity))
    }
    let left = spacing - now.since(seen).inSeconds, wasOff = current.reason == .atRest
    let rest = left - (measuredWarmUp ?? warmUp)
    if rest > (wasOff ? 0.001 : Self.shortestRest * Self.slack) {
      power.reason = .atRest
      power.rest = .seconds(rest)
      check = now.advanced(by: .seconds(rest))
    } else if wasOff || current.reason == .lookAgain && left < spacing / 2 {
      requestFixes(.lookAgain)
    } else if case let interval = interval(left / 2), interval > 0 {
      requestFixes(.approaching, every: interval)
      check = now.advanced(by: .seconds(left * 0.75))
    } else {
      requestFixes(.near)
    }
  }

  /// Records the time from the end of a rest to the first fix: longer at once, shorter gradually.
  private mutating func recordWarmUp(_ seen: Instant?) {
    guard let requestedAt, let seen, seen >= requestedAt else { return }
    self.requestedAt = nil
    let taken = seen.since(requestedAt).inSeconds, before = measuredWarmUp ?? warmUp
    measuredWarmUp = taken > before ? taken : before + (taken - before) / 4
  }

  /// Returns how long the source may rest, in seconds; `nil` if the source may not rest.
  ///
  /// - Parameter left: the seconds in which the device can't reach a boundary.
  private func allowedRest(left: Double, wasResting: Bool) -> Double? {
    // The first fix may be coarse, so a better one needs time to arrive.
    let lead = 2 * min(warmUp, 3600)
    let rest = left - lead
    // A shorter rest is the rounding of seconds, and would repeat forever.
    return rest > (wasResting ? 0.001 : Self.shortestRest * Self.slack) ? rest : nil
  }

  /// Returns the interval to request for fixes that may be some seconds apart; 0 for all fixes.
  private func interval(_ seconds: Double) -> Double {
    var before = 0.0
    if current.reason == .approaching, case .continuous(let fixes) = current.need.fixes {
      before = fixes.interval.inSeconds
    }
    let now = Self.intervalStep(seconds)
    return now > before ? max(before, Self.intervalStep(seconds / Self.slack)) : now
  }

  /// Returns the power of two at or below, for rare changes; 0 below 2, at most ``longestInterval``.
  private static func intervalStep(_ seconds: Double) -> Double {
    seconds >= 2 ? min(seconds, longestInterval).binade : 0
  }

  /// Returns the highest possible speed of the device.
  private func topSpeed(_ situation: Situation) -> Double {
    if let speed = settings.topSpeed, speed > 0 { return speed }
    // A device faster than expected stays fast for a while.
    return max(situation.activity.topSpeed, (situation.speed ?? 0) * 1.5)
  }
}

extension Activity {
  /// The speed that limits how soon a device can reach a distant place, in metres per second.
  ///
  /// ``greatestSpeed`` limits any real device at any moment. This speed only needs to hold over a straight line to a
  /// fence. Examples are a runner (walkers may run), a bicycle, a car, ship or airliner in a hurry. An unknown
  /// activity has 180 km/h, more than any car, ship or ordinary train sustains. `FenceSettings/topSpeed` overrides
  /// the value, and a higher speed stated by fixes raises it.
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
