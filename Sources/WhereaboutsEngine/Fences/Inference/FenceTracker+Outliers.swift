import WhereaboutsGeodesy
import WhereaboutsModel

/// Fixes that are probably outliers: they wait for the next fixes, which confirm or dismiss them.
extension FenceTracker {
  /// Updates the device's resting place.
  mutating func updateRestingPlace(at fix: CompactFix, before: CompactFix?) {
    guard resting == nil || resting?.last != fix.time else { return }
    rebuildRestingPlace(by: before)
    let rounding = roundingVariance
    if resting == nil {
      resting = RestingPlace(fix, rounding: rounding)
    } else {
      resting?.process(fix, rounding: rounding)
    }
  }

  /// The variance that coordinate rounding adds to fixes, in m² per axis.
  private var roundingVariance: Double { habits.first?.grid?.roundingVariance ?? 0 }

  /// Rebuilds the resting place from the last few fixes, because none was kept while no fence was near.
  private mutating func rebuildRestingPlace(by last: CompactFix?) {
    guard resting == nil || resting?.last != last?.time else { return }
    let rounding = roundingVariance
    var place: RestingPlace?
    recent.forEach { fix in
      if place == nil {
        place = RestingPlace(fix, rounding: rounding)
      } else {
        place?.process(fix, rounding: rounding)
      }
    }
    resting = place
  }

  /// Returns whether to process a fix now, instead of holding it back as a probable outlier. Held fixes that the new
  /// fix confirms are processed first.
  ///
  /// - Parameter full: the same fix in full.
  mutating func accepts(
    _ fix: CompactFix, _ full: Fix, in registry: FenceRegistry, into output: inout FenceTrackerOutput
  ) -> Bool {
    guard !isTimeNew, let last else { return true }
    if !hasSuspectedOutlier {
      // An outlier does no harm where no fence is near.
      let step = min(Self.maximumDistance(last, to: fix), Self.longestStep)
      if isFarFromFences(at: fix, within: searchRadius(of: fix, step: step), in: registry) { return true }
      rebuildRestingPlace(by: last)
      let (rest, gone, outlier) = likelihoods(of: fix), here = rest + gone
      let isAtRest = isAtRest
      let needed = isAtRest ? OutlierModel.decisiveOddsAtRest : OutlierModel.decisiveOdds
      guard here < needed * outlier, !isAtRest || rest < outlier else { return true }
      let doubt = outlier / (outlier + here)
      // At rest a fix that is doubted would lead the path astray on either side.
      guard isAtRest && here < OutlierModel.decisiveOdds * outlier || wouldCross(fix, in: registry) else {
        // No decision depends on the fix. As far as known, the device still rests.
        resting?.extend(to: fix.time)
        return true
      }
      if doubted == nil { doubted = OutlierCandidates() }
      // A fix near the resting place does not say that the device has left it.
      let odds = isAtRest ? gone / (rest + outlier) : here / outlier
      doubted?.begin(with: fix, odds: odds, needed: needed)
      learnNoise(fix)
      output.decisions.append(.doubted(at: fix.time, probability: doubt))
      return false
    }
    guard let held = doubted?.fixes else { return true }
    let (rest, gone, outlier) = likelihoods(of: fix)
    let again = OutlierModel.nextOutlierDensity(
      fresh: outlier, repeated: repetitionDensity(of: fix, after: held),
      after: held.last.map { fix.time.seconds(since: $0.time) } ?? 0)
    let there = likelihood(of: fix, after: held)
    // A fix at the resting place says nothing of a device that has left.
    let hasLeft = gone > rest
    doubted?.updateOdds(
      there: there + outlier, gone: hasLeft ? gone : 0, here: rest + again + (hasLeft ? 0 : gone))
    if doubted?.isAccepted ?? false {
      acceptHeldFixes(confirmedBy: fix, full, in: registry, into: &output)
      return true
    }
    if doubted?.isDismissed(hasLeft: hasLeft) ?? false {
      doubted?.removeAll()
      return accepts(fix, full, in: registry, into: &output)
    }
    doubted?.append(fix)
    learnNoise(fix)
    return false
  }

  /// Returns whether a fix is on another side of a boundary than the known side of the device.
  private mutating func wouldCross(_ fix: CompactFix, in registry: FenceRegistry) -> Bool {
    registry.near(fix.coordinate, within: 0, into: &workspace.found)
    func isIn(_ key: UInt32) -> Bool { workspace.found.contains { $0.key == key } }
    for memory in memories where memory.evidence.side != .unknown {
      if (memory.evidence.side == .inside) != isIn(memory.key) { return true }
    }
    // A fence without state was far away.
    return workspace.found.contains { nearby in !memories.contains { $0.key == nearby.key } }
  }

  /// Updates the noise estimate: fixes that jump to and fro show the receiver's reliability, used or not.
  private mutating func learnNoise(_ fix: CompactFix) {
    if !followers.isEmpty { followers[0].learnNoise(fix.sample(.fences)) }
  }

  /// Processes the held fixes, which were no outliers.
  ///
  /// - Parameters:
  ///   - next: the fix that confirms them.
  ///   - fix: the same fix in full.
  private mutating func acceptHeldFixes(
    confirmedBy next: CompactFix, _ fix: Fix, in registry: FenceRegistry,
    into output: inout FenceTrackerOutput
  ) {
    guard let held = doubted?.fixes else { return }
    // The one fix before may have been the outlier, and the device has crossed nothing.
    var isFirstWrong = believed == 1 && doubted.map { $0.oddsAtFirst < Self.oddsOfMovement } ?? false
    doubted?.removeAll()
    let manoeuvre = departureAgility(to: held[0], confirmedBy: next)
    for (place, one) in held.enumerated() {
      if place == 0, isFirstWrong || needsNewPath(to: one) { endSegment() }
      let hasFences = processAccepted(
        one, in: registry, isLearned: true, manoeuvre: place == 0 ? manoeuvre : 0)
      // After a gap, the path begins at the next fix, so that the evidence of this one would be lost.
      let following = place + 1 < held.count ? held[place + 1] : next
      guard hasFences, following.time.since(one.time) > gap, let here = followers.first?.here else {
        continue
      }
      if isFirstWrong { markFencesBasedOnSuspectFix() }
      isFirstWrong = false
      evaluate(here, fix, decided: next.time, in: registry, into: &output)
    }
    if isFirstWrong { markFencesBasedOnSuspectFix() }
  }

  private mutating func markFencesBasedOnSuspectFix() {
    for index in memories.indices { memories[index].evidence.markBasedOnSuspectFix() }
  }

  /// Returns the agility of a device at rest that drove off before the first held fix, in m²/s³ per axis.
  ///
  /// The filter expects a device at rest to stay, so that its path follows a departing car with many seconds of delay. The
  /// result is 0 if the device moved before, if the change of velocity may be one of a walk or an error of the fixes, and
  /// if velocities are stated.
  private func departureAgility(to first: CompactFix, confirmedBy next: CompactFix) -> Double {
    guard let last, let follower = followers.first, !first.statesVelocity, !next.statesVelocity else {
      return 0
    }
    let before = follower.velocity
    guard (before * before).sum().squareRoot() < OutlierModel.walkingSpeed / 2 else { return 0 }
    let seconds = next.time.seconds(since: first.time)
    let path = EarthCentred(next.coordinate).place - EarthCentred(first.coordinate).place
    let change = path / seconds - before
    let variance = first.deviation * first.deviation + next.deviation * next.deviation
    let error = 2 * variance.squareRoot() / seconds
    guard (change * change).sum().squareRoot() > OutlierModel.fastestWalk + error else { return 0 }
    // The agility that makes such a change the average one.
    return (change * change).sum() / 2 / first.time.seconds(since: last.time)
  }

  /// Returns whether the path can't be continued to a fix, so that a new path begins.
  private mutating func needsNewPath(to fix: CompactFix) -> Bool {
    guard let last, fix.time.seconds(since: last.time) > Self.longestPrediction, !followers.isEmpty else {
      return false
    }
    return followers[0].rejects(fix.sample(.fences))
  }

  /// The odds required for a movement against an outlier as the first fix.
  private static let oddsOfMovement = OutlierModel.decisiveOddsAtRest
  /// The longest prediction in seconds; a velocity changes too much over a longer time.
  private static let longestPrediction = 11.0

  /// Returns the likelihoods of a fix in 1/m²: for a device that rests, for one that has set off or moves on as
  /// possible, and for a receiver error.
  ///
  /// The tracker does not change, but a call of a function that is not mutating would copy it and its follower.
  private mutating func likelihoods(of fix: CompactFix) -> (rest: Double, gone: Double, outlier: Double) {
    let place = EarthCentred(fix.coordinate).place
    let own = ((fix.deviation * fix.deviation + roundingVariance) * (followers.first?.varianceFactor ?? 1))
      .squareRoot()
    guard let last else { return (1, 0, 0) }
    let seconds = fix.time.seconds(since: last.time), gap = gap.inSeconds
    let from = EarthCentred(last.coordinate).place, speed = Double(max(last.speed ?? 0, fix.speed ?? 0))
    var off = place - from
    let around = (own * own + last.deviation * last.deviation).squareRoot()
    var gone = OutlierModel.departureDensity(
      square: (off * off).sum(), seconds: seconds, deviation: around, speed: speed)
    if !followers.isEmpty, seconds <= gap {
      let surprise = followers[0].innovation(of: fix.sample(.fences))
      gone = (gone + OutlierModel.normalDensity(square: surprise.square, variance: surprise.variance)) / 2
    }
    var rested = OutlierModel.assumedRest, variance = around * around
    if let resting, resting.last == last.time {
      rested = resting.restDuration
      variance = resting.variance + own * own
      off = place - resting.place
    }
    let stays = OutlierModel.restProbability(after: rested, for: seconds)
    let square = (off * off).sum()
    let right = 1 - OutlierModel.rate
    var outlier = OutlierModel.outlierDensity(square: square, deviation: own)
    if seconds > gap {
      // After a silence, the device is here only as far as it still rests. Otherwise it errs around another place.
      let elsewhere = OutlierModel.outlierDensity(
        square: square, deviation: own,
        reach: OutlierModel.departureReach(seconds: seconds, speed: speed))
      outlier = stays * outlier + (1 - stays) * min(outlier, elsewhere)
    }
    return (
      right * stays * OutlierModel.normalDensity(square: square, variance: variance),
      right * (1 - stays) * gone, outlier
    )
  }

  /// Returns the likelihood of a fix in 1/m², for a device that was at the places of the held fixes.
  private func likelihood(of fix: CompactFix, after held: [CompactFix]) -> Double {
    guard let newest = held.last, let last else { return 0 }
    let place = EarthCentred(newest.coordinate).place, way = EarthCentred(fix.coordinate).place - place
    let square = (way * way).sum(), variance = pairVariance(fix, newest)
    let seconds = fix.time.seconds(since: newest.time)
    let unseen = unseenRest(at: newest, after: held.count > 1 ? held[held.count - 2] : last)
    let stays = OutlierModel.restProbability(
      after: OutlierModel.arrivalRest + unseen + agreement(of: held), for: seconds)
    let speed = Double(max(newest.speed ?? 0, fix.speed ?? 0))
    var from = held.count > 1 ? held[held.count - 2] : last, start = EarthCentred(from.coordinate).place
    var pace = max(OutlierModel.walkingSpeed, speed)
    if held.count > 1, speed <= OutlierModel.walkingSpeed {
      let gone = place - start
      pace = max(
        pace, (gone * gone).sum().squareRoot() / max(1e-3, newest.time.seconds(since: from.time)))
    } else if let resting, resting.last == last.time {
      from = last
      start = resting.place
    }
    var gone = OutlierModel.movementDensity(
      square: square, seconds: seconds, deviation: variance.squareRoot(), speed: speed, pace: pace)
    let before = place - start, length = (before * before).sum()
    let errors = pairVariance(newest, from) / max(length, 1e-9) + variance / max(square, 1e-9)
    if errors < 1, length > 0, square > 0 {
      gone *= OutlierModel.directionFactor(
        cosine: (before * way).sum() / (length * square.squareRoot()), deviation: errors.squareRoot())
    }
    return (1 - OutlierModel.rate)
      * (stays * OutlierModel.normalDensity(square: square, variance: variance) + (1 - stays) * gone)
  }

  /// Returns the mean time in seconds that a device has rested at the place of a fix after a gap: it arrived at any moment
  /// since the earliest possible one.
  private func unseenRest(at fix: CompactFix, after before: CompactFix) -> Double {
    let interval = fix.time.seconds(since: before.time)
    guard interval > gap.inSeconds else { return 0 }
    let way = (EarthCentred(fix.coordinate).place - EarthCentred(before.coordinate).place).length
    guard way <= OutlierModel.fastestVehicle * interval else { return 0 }
    let share = OutlierModel.travelShare(speed: way / interval, stated: Double(fix.speed ?? 0))
    return interval * (1 - share) / 2
  }

  /// Returns the density of a fix in 1/m², if its error is that of one of the held fixes.
  private func repetitionDensity(of fix: CompactFix, after held: [CompactFix]) -> Double {
    let place = EarthCentred(fix.coordinate).place
    let sum = held.reduce(0.0) { sum, other in
      let off = place - EarthCentred(other.coordinate).place
      return sum
        + OutlierModel.repeatedDensity(square: (off * off).sum(), variance: pairVariance(fix, other))
    }
    return sum / Double(max(1, held.count))
  }

  /// Returns the seconds for which the last held fixes agree with the newest of them.
  private func agreement(of held: [CompactFix]) -> Double {
    guard let newest = held.last else { return 0 }
    let place = EarthCentred(newest.coordinate).place
    var since = newest.time
    for fix in held.dropLast().reversed() {
      let off = place - EarthCentred(fix.coordinate).place, most = RestingPlace.agreementDeviations
      guard (off * off).sum() <= most * most * pairVariance(fix, newest) else { break }
      since = fix.time
    }
    return newest.time.seconds(since: since)
  }

  /// Returns the variance of the difference of two fixes, in m² per axis.
  private func pairVariance(_ one: CompactFix, _ other: CompactFix) -> Double {
    (one.deviation * one.deviation + other.deviation * other.deviation + 2 * roundingVariance)
      * (followers.first?.varianceFactor ?? 1)
  }

  /// Whether the device rests, as far as known.
  private var isAtRest: Bool {
    guard let resting, let last, resting.last == last.time else { return false }
    return resting.restDuration >= OutlierModel.assumedRest
  }
}
