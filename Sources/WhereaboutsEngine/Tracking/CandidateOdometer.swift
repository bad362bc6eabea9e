import WhereaboutsModel
import WhereaboutsGeodesy

/// An odometer that measures distance as CYLocationManager does: from the best of a few fixes at intervals.
///
/// Unlike CYLocationManager, the odometer counts nothing from before its beginning, reports bridged gaps, adds no
/// distance at rest, and uses the fixes' times alone. Like CYLocationManager, the odometer ignores speeds and cuts
/// corners.
struct CandidateOdometer: Sendable, Hashable, Codable {
  /// The radius that holds 68 % of a circular normal distribution, in standard deviations of either coordinate: the
  /// root of -2 ln 0.32.
  private static let radiusOfOneSigma = 1.51

  private struct Candidate: Sendable, Hashable, Codable {
    var time: UTCTime
    var coordinate: Coordinate
    /// The accuracy in metres at 68 %.
    var accuracy: Double
    var height: Double?
  }

  private let settings: CandidateSettings
  private let calculationInterval: Duration
  /// The oldest first.
  private var kept: [Candidate] = []
  /// Good fixes since the beginning of the segment.
  private var good = 0
  /// The end of the last step.
  private var base: Candidate?
  /// Whether the segment's first point has been reported.
  private var hasBegun = false
  /// The time of the last calculation.
  private var calculated: UTCTime?
  /// The time up to which the totals include time.
  private var elapsedTo: UTCTime?
  /// The counted time since the last step in which the device was not known to stand, in seconds; `nil` also in a state
  /// that an earlier version wrote.
  private var movingSinceStep: Double?
  /// The time without a good fix since the last step, where there is a gap, in seconds.
  private var pause: Double?
  private var turns: TurnDetector
  private var variance = 0.0

  private(set) var totals = TrackTotals()
  /// The time up to which the track is settled.
  private(set) var settledTo: UTCTime?
  /// The number of fixes that were older than the last one.
  private(set) var lateFixes = 0
  /// The number of fixes with the time of the last one.
  private(set) var duplicates = 0

  init(_ settings: CandidateSettings, calculationInterval: Duration, turn: Double) {
    self.settings = settings.validated
    self.calculationInterval = calculationInterval
    turns = TurnDetector(turn: turn)
    kept.reserveCapacity(maximumCandidates + 1)
  }

  /// Continues the settled totals of a trip. Nothing counts up to the next fix.
  mutating func resume(_ trip: Trip) {
    totals = trip.totals
    settledTo = trip.settledTo
    lateFixes = trip.lateFixes
    duplicates = trip.duplicates
    variance = trip.totals.uncertainty * trip.totals.uncertainty
  }

  private var maximumCandidates: Int { min(max(1, settings.kept), 100) }

  /// Processes a fix, unless it is poorer than allowed or not newer than those before.
  mutating func process(_ fix: Fix, upTo limit: Double, isStill: Bool, settled: (TrackPoint) -> Void) {
    guard let time = fix.time, isNewer(time) else { return }
    let accuracy = fix.horizontalAccuracy ?? MotionModel().unstatedAccuracy
    guard accuracy <= limit else { return }
    if let last = kept.last, time.since(last.time) > max(.zero, settings.gap) {
      pause = max(pause ?? 0, time.seconds(since: last.time))
    }
    if kept.count == maximumCandidates { kept.removeFirst() }
    kept.append(
      Candidate(time: time, coordinate: fix.coordinate, accuracy: accuracy, height: fix.heightAboveGeoid))
    good += 1
    let isDue = calculated.map { time.since($0) >= calculationInterval } ?? true
    guard isDue || turns.hasTurned(fix, isStill: isStill) else { return }
    calculated = time
    turns.record(fix, isStill: isStill)
    if let best = best(at: time) { calculate(to: best, isStill: isStill, settled: settled) }
  }

  private mutating func isNewer(_ time: UTCTime) -> Bool {
    // A segment may begin on an earlier timeline.
    if let last = kept.last?.time, time <= last {
      if time == last { duplicates += 1 } else { lateFixes += 1 }
      return false
    }
    return true
  }

  /// Ends the segment: later fixes do not continue the earlier ones.
  mutating func endSegment() {
    kept.removeAll(keepingCapacity: true)
    good = 0
    base = nil
    calculated = nil
    hasBegun = false
    elapsedTo = nil
    movingSinceStep = nil
    pause = nil
    turns.reset()
  }

  /// Returns the most accurate valid fix that is newer than the last step's end; of equal ones, the newest.
  private func best(at now: UTCTime) -> Candidate? {
    var best: Candidate?
    for candidate in kept where now.since(candidate.time) <= settings.validity {
      if let base, candidate.time <= base.time { continue }
      if let best, candidate.accuracy > best.accuracy { continue }
      best = candidate
    }
    return best
  }

  private mutating func calculate(to next: Candidate, isStill: Bool, settled: (TrackPoint) -> Void) {
    guard let base, good >= settings.minimum else {
      base = next
      elapsedTo = next.time
      return
    }
    if !hasBegun { beginSegment(at: base, settled: settled) }
    let sinceLast = next.time.seconds(since: elapsedTo ?? base.time)
    totals.elapsed += sinceLast
    elapsedTo = next.time
    if !isStill { movingSinceStep = (movingSinceStep ?? 0) + sinceLast }
    let length = base.coordinate.distance(to: next.coordinate)
    let reach = (base.accuracy * base.accuracy + next.accuracy * next.accuracy).squareRoot()
    let isLong = length >= settings.leastStep * reach
    guard isLong || pause != nil else { return }
    let error = reach / Self.radiusOfOneSigma
    var step = Step(
      length: isLong ? length : 0, duration: next.time.seconds(since: base.time), link: .follows)
    if let pause {
      step.link = .bridges(
        TrackPoint.Gap(duration: pause, geodesic: length, counted: step.length, uncertainty: error))
      totals.gaps += 1
      totals.bridged += step.length
    } else {
      // A slow step takes several calculations; the last of them is no rest, whatever the motion.
      totals.moving += max(movingSinceStep ?? 0, sinceLast)
      totals.fastest = max(totals.fastest, step.speed)
    }
    totals.distance += step.length
    variance += error * error
    totals.uncertainty = variance.squareRoot()
    movingSinceStep = nil
    pause = nil
    self.base = next
    settledTo = next.time
    settled(point(at: next, step))
  }

  private mutating func beginSegment(at first: Candidate, settled: (TrackPoint) -> Void) {
    hasBegun = true
    totals.segments += 1
    settledTo = first.time
    settled(point(at: first, Step(length: 0, duration: 0, link: .begins)))
  }

  private struct Step {
    var length: Double
    var duration: Double
    var link: TrackPoint.Link

    var speed: Double { duration > 0 ? length / duration : 0 }
  }

  private func point(at candidate: Candidate, _ step: Step) -> TrackPoint {
    TrackPoint(
      time: candidate.time, coordinate: candidate.coordinate, distance: totals.distance,
      uncertainty: totals.uncertainty, speed: step.speed, height: candidate.height, motion: .unknown,
      link: step.link)
  }
}
