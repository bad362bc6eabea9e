import WhereaboutsModel
import WhereaboutsGeodesy

/// One pass over samples in the order of time: divides them into visits, journeys and gaps.
///
/// The pass follows one candidate for a stay. Samples that are surely outside of it wait as the excursion, until
/// the device returns, or until its absence is certain. Then the candidate becomes a visit, or a part of the journey
/// if it was too short.
struct SegmentationPass: Sendable {
  let settings: SegmenterSettings
  private var candidate: StayCandidate?
  /// Samples since the last one inside.
  private var excursion = Excursion()
  private var builder: SegmentBuilder
  /// The last sample, inside or not.
  private var last: MotionSample?
  /// The usual time between two fixes of a moving device, in seconds.
  private var usualStep = 0.0
  private var queue: [MotionSample] = []

  /// The greatest speed of a device that leaves a place, in m/s, without a fix on its way.
  private static let greatestExitSpeed = 70.0
  /// The duration in seconds for which a device must be at an unreachable place before the place is trusted.
  private static let teleportPatience = 1800.0
  /// The distance in metres from which a departure is certain, with enough samples.
  private static let certainDistance = 1000.0
  /// The speed in m/s below which a device rests.
  private static let restingSpeed = 0.5
  /// The longest travel, in seconds, from a place where the device was silent to the first fix elsewhere.
  private static let longestSilentTravel = 600.0

  init(_ settings: SegmenterSettings) {
    self.settings = settings
    builder = SegmentBuilder(settings)
  }

  /// Processes a sample that is later than those before.
  mutating func process(_ sample: MotionSample) {
    queue.append(sample)
    drain()
  }

  private mutating func drain() {
    while let next = queue.popLast() { step(next) }
  }

  /// Returns the segments that no later sample changes, and removes them.
  mutating func drainSegments() -> [Segment] { builder.drain() }

  /// Ends the pass: the last segment stays open.
  mutating func finish() -> [Segment] {
    guard var stay = candidate else { return builder.finish() }
    if excursion.certain.count >= 2, let end = end(of: stay) {
      closeVisit(end.stay, end.boundary)
      addExcursion()
    } else if excursion.certain.count >= 2 {
      addPassage(of: stay)
      addExcursion()
    } else {
      let dropped = stay.settle(settings, silence: restingSilence)
      addToJourney(dropped)
      if stay.isConfirmed { return builder.finish(in: stay) }
      addPassage(of: stay)
      addExcursion()
    }
    return builder.finish()
  }

  private mutating func step(_ sample: MotionSample) {
    defer { last = sample }
    guard var stay = candidate else {
      candidate = StayCandidate(sample, radius: settings.radius)
      return
    }
    if let last, sample.time.seconds(since: last.time) > settings.gapSeconds,
      resumeAfterSilence(sample, after: last, stay)
    {
      return
    }
    let side = StaySide(
      distance: stay.distance(of: sample), accuracy: sample.accuracy, radius: settings.radius)
    switch side {
    case .inside:
      if isReturn(to: stay, at: sample), let end = end(of: stay) { return closeStay(end, before: sample) }
      excursion.removeAll()
      stay.add(sample, radius: settings.radius, gap: settings.gapSeconds)
      addToJourney(stay.settle(settings, silence: restingSilence))
      candidate = stay
    case .unclear:
      excursion.append(sample, isCertain: false)
    case .outside:
      recordStep(to: sample)
      excursion.append(sample, isCertain: true, from: stay.center)
      considerDeparture(from: stay)
    }
  }

  private mutating func recordStep(to sample: MotionSample) {
    guard let last else { return }
    let step = sample.time.seconds(since: last.time)
    guard step <= settings.gapSeconds else { return }
    usualStep = usualStep == 0 ? step : usualStep * (step > usualStep ? 1.1 : 1 / 1.1)
  }

  /// The silence, in seconds, that is too long for the usual time between two fixes on the way.
  private var leastSilence: Double { max(settings.minimumStay, 4 * usualStep) }

  /// The silence, in seconds, in which the device rested if it is found at the same place: phones with a distance
  /// filter send nothing at rest. As long as the usual time between two fixes is unknown, it is a gap.
  private var restingSilence: Double {
    usualStep > 0 ? min(leastSilence, settings.gapSeconds) : settings.gapSeconds
  }

  private mutating func addToJourney(_ samples: [MotionSample]) {
    for sample in samples { builder.addToJourney(sample) }
  }

  /// Adds the samples of a stay that was no visit to the journey, which a silence before the excursion ends.
  ///
  /// Samples that would have been errors for a stay are a part of the way: between rare fixes a device can be anywhere.
  private mutating func addPassage(of stay: StayCandidate) {
    addToJourney(stay.early.samples)
    var before = stay.last
    for sample in excursion.removed {
      addGap(from: before, to: sample)
      builder.addToJourney(sample)
      before = sample
    }
    if let next = excursion.samples.first { addGap(from: before, to: next) }
  }

  /// Ends the journey with a gap if there is a silence between two samples.
  private mutating func addGap(from last: MotionSample, to next: MotionSample) {
    guard next.time.seconds(since: last.time) > settings.gapSeconds else { return }
    builder.addGap(from: last, to: next)
  }

  /// Adds the excursion to the journey, which each silence ends.
  ///
  /// - Parameter last: the sample before the excursion, if a silence between both ends the journey, too.
  private mutating func addExcursion(after last: MotionSample? = nil) {
    var before = last
    for sample in excursion.samples {
      if let before { addGap(from: before, to: sample) }
      builder.addToJourney(sample)
      before = sample
    }
  }

  // MARK: Departures

  private mutating func considerDeparture(from stay: StayCandidate) {
    guard let first = excursion.certain.first, let newest = excursion.certain.last,
      excursion.certain.count >= 2
    else { return }
    guard let end = end(of: stay) else {
      addPassage(of: stay)
      return restart(after: excursion.samples)
    }
    let away = newest.time.seconds(since: first.time)
    let distance = stay.distance(of: newest)
    let isCertain =
      away >= settings.minimumStay
      || (distance > Self.certainDistance && excursion.certain.count >= 3 && away >= 30)
    guard isCertain else { return }
    let exit = first.time.seconds(since: stay.last.time)
    let exitSpeed = (stay.distance(of: first) - settings.radius) / max(exit, 1)
    guard exitSpeed <= Self.greatestExitSpeed || away >= Self.teleportPatience else { return }
    closeStay(end)
  }

  private mutating func restart(after samples: [MotionSample]) {
    candidate = nil
    excursion.removeAll()
    last = nil
    queue += samples.reversed()
  }

  /// Closes a visit, and processes the excursion, and the sample after it, anew.
  private mutating func closeStay(_ end: StayEnd, before sample: MotionSample? = nil) {
    closeVisit(end.stay, end.boundary)
    if let sample { queue.append(sample) }
    restart(after: excursion.samples)
  }

  /// Adds a visit. Unclear samples before the departure leave the excursion: the device was at the place until then.
  private mutating func closeVisit(_ stay: StayCandidate, _ boundary: StayBoundary) {
    builder.addVisit(stay, departure: boundary, leaving: excursion.samples)
    let departure = boundary.estimate
    excursion.removeSamples(before: boundary.isOpen ? departure.latest ?? departure.time : departure.time)
  }

  private struct StayEnd {
    var stay: StayCandidate
    var boundary: StayBoundary
  }

  /// Returns the end of a stay that is followed by the excursion; `nil` if it was no visit.
  ///
  /// A device that falls silent at rest has been at the place until it was heard of nearby, minus the time of the way.
  private func end(of stay: StayCandidate) -> StayEnd? {
    guard let next = excursion.certain.first else { return nil }
    let silence = next.time.seconds(since: stay.last.time)
    let away = excursion.certain.prefix(8)
    var reach = stay.reach(radius: settings.radius)
    // The last fix before a long silence is one at the place, also where it lies at the edge, unless the device moved.
    if silence > settings.gapSeconds, (stay.last.speed ?? 0) < Self.restingSpeed {
      reach = max(reach, stay.distance(of: stay.last))
    }
    guard
      var boundary = StayBoundary.departure(
        stay.late + away, after: away.count, center: stay.center, reach: reach, radius: settings.radius)
    else { return nil }
    if silence > settings.gapSeconds {
      let travel = next.time.seconds(since: boundary.estimate.time)
      if travel > Self.longestSilentTravel || silence > settings.longestSilence.inSeconds
        || !hasRested(stay, before: next)
      {
        boundary.estimate = EstimatedTime(
          time: stay.last.time, uncertainty: 0, earliest: stay.last.time, latest: next.time)
        boundary.isOpen = true
      }
    }
    guard isVisit(stay, until: boundary.estimate.time, before: next) else { return nil }
    return StayEnd(stay: stay, boundary: boundary)
  }

  private func isVisit(_ stay: StayCandidate, until end: UTCTime, before next: MotionSample) -> Bool {
    let arrival = builder.arrival(of: stay)
    guard end.seconds(since: arrival.estimate.time) >= settings.minimumStay else { return false }
    if stay.isConfirmed { return true }
    let silence = silenceEnd(of: stay, before: next).seconds(since: stay.last.time)
    return silence >= leastSilence && hasRested(stay, before: next)
  }

  /// Returns the end of the silence after a candidate: the next sample outside, or the first accurate one beside the
  /// place where these outnumber the samples of the candidate. The device was silent there, rather than at the
  /// candidate on its way.
  private func silenceEnd(of stay: StayCandidate, before next: MotionSample) -> UTCTime {
    let beside = excursion.samples.filter { $0.time < next.time && $0.accuracy <= settings.radius }
    guard let first = beside.first, beside.count > stay.count else { return next.time }
    return first.time
  }

  /// Returns whether a candidate ended at rest, by its last samples or by the nearness of the next.
  private func hasRested(_ stay: StayCandidate, before next: MotionSample) -> Bool {
    stay.isConfirmed || stay.last.length(to: next) <= 3 * settings.radius
      || stay.last.speed.map { $0 < Self.restingSpeed } ?? false
      || (stay.count >= 2 && stay.span >= 60 && stay.last.fastest < 2.5)
  }

  /// Returns whether the excursion was a real one, although it has few samples.
  private func isReturn(to stay: StayCandidate, at sample: MotionSample) -> Bool {
    guard let first = excursion.certain.first, let farthest = excursion.certain.last else { return false }
    let away = sample.time.seconds(since: first.time)
    let exit = first.time.seconds(since: stay.last.time)
    if excursion.certain.count >= 2 {
      return farthest.time.seconds(since: first.time) >= settings.minimumStay
        && !isTeleport(stay, back: sample)
    }
    guard usualStep >= Excursion.rareStep, away + exit >= 2 * settings.minimumStay,
      first.accuracy <= settings.radius
    else { return false }
    let distance = stay.distance(of: first)
    return distance > 3 * settings.radius && distance <= 30 * min(away, exit)
  }

  /// Returns whether the device left and returned faster than is possible, without a fix on its way.
  private func isTeleport(_ stay: StayCandidate, back sample: MotionSample) -> Bool {
    guard let first = excursion.certain.first, let newest = excursion.certain.last else { return false }
    let out = stay.distance(of: first) / max(1, first.time.seconds(since: stay.last.time))
    let back = stay.distance(of: newest) / max(1, sample.time.seconds(since: newest.time))
    return out > 20 && back > 20
  }

  // MARK: Silences

  /// Processes the first sample after a long silence.
  ///
  /// - Returns: whether the sample was processed: the segments before end with the silence.
  private mutating func resumeAfterSilence(
    _ sample: MotionSample, after last: MotionSample, _ stay: StayCandidate
  ) -> Bool {
    let silence = sample.time.seconds(since: last.time)
    let distance = stay.distance(of: sample)
    let isNear = distance - sample.accuracy <= settings.radius
    if isNear, excursion.certain.count <= 1, silence <= settings.longestSilence.inSeconds { return false }
    if isSilentElsewhere(sample, after: last, stay), silence <= settings.longestSilence.inSeconds {
      leave(stay, before: sample)
      return true
    }
    // The next samples show whether the device has just left.
    if excursion.certain.count <= 1, !isPassing(stay), !isAway(from: stay, at: sample, after: last),
      silence <= settings.longestSilence.inSeconds, distance <= Self.longestSilentTravel * 40
    {
      // A single fix elsewhere between two silences is an error. Unclear ones may be of the next place.
      excursion.removeCertain()
      return false
    }
    endBeforeSilence(stay, next: sample)
    builder.addGap(from: last, to: sample)
    candidate = StayCandidate(sample, radius: settings.radius)
    excursion.removeAll()
    return true
  }

  /// Returns whether the device fell silent at another place than that of the stay, and was there afterwards.
  private func isSilentElsewhere(
    _ sample: MotionSample, after last: MotionSample, _ stay: StayCandidate
  ) -> Bool {
    guard let newest = excursion.certain.last, newest.time == last.time else { return false }
    // A fix next to a stay may be an error. Two that agree are none, unless the device is found at the stay again.
    let isElsewhere =
      stay.count < 2 || stay.last.length(to: newest) > 3 * settings.radius
      || (excursion.certain.count >= 2 && newest.length(to: sample) < stay.distance(of: sample))
    return isElsewhere && newest.length(to: sample) - sample.accuracy <= settings.radius
  }

  /// Returns whether two fixes in a row, with a silence between them, lie far from the place of the stay. A device that
  /// sends a fix in an hour is there at neither time.
  private func isAway(from stay: StayCandidate, at sample: MotionSample, after last: MotionSample) -> Bool {
    guard let before = excursion.certain.last, before.time == last.time else { return false }
    return [before, sample].allSatisfy {
      $0.accuracy <= settings.radius && stay.distance(of: $0) > 3 * settings.radius
    }
  }

  /// Returns whether the device was on its way from the place of the stay.
  private func isPassing(_ stay: StayCandidate) -> Bool {
    guard let next = excursion.certain.first else { return false }
    return next.time.seconds(since: stay.last.time) <= settings.gapSeconds && !hasRested(stay, before: next)
  }

  /// Ends a stay, or the way past it, and processes the excursion and the sample after it anew.
  private mutating func leave(_ stay: StayCandidate, before sample: MotionSample) {
    if let end = end(of: stay) { return closeStay(end, before: sample) }
    addPassage(of: stay)
    queue.append(sample)
    restart(after: excursion.samples)
  }

  private mutating func endBeforeSilence(_ stay: StayCandidate, next: MotionSample) {
    if excursion.certain.count >= 2, let end = end(of: stay) {
      closeVisit(end.stay, end.boundary)
      return addExcursion()
    }
    var stay = stay
    addToJourney(stay.settle(settings, silence: restingSilence))
    let arrival = builder.arrival(of: stay).estimate.time
    guard stay.isConfirmed, stay.last.time.seconds(since: arrival) >= settings.minimumStay else {
      addPassage(of: stay)
      return addExcursion()
    }
    let end = EstimatedTime(
      time: stay.last.time, uncertainty: 0, earliest: stay.last.time,
      latest: excursion.certain.first?.time ?? next.time)
    builder.addVisit(
      stay, departure: StayBoundary(estimate: end, inside: stay.late.count - 1, isOpen: true), leaving: [])
    if excursion.certain.count >= 1 { addExcursion(after: stay.last) }
  }
}

/// Samples since the last one at a place.
struct Excursion: Sendable {
  /// All of them.
  private(set) var samples: [MotionSample] = []
  /// The samples that are surely outside, and agree with each other.
  private(set) var certain: [MotionSample] = []
  /// The samples before them that contradict them, among rare fixes, in the order of time.
  private(set) var removed: [MotionSample] = []

  /// The number of samples beyond which the list is thinned.
  private static let capacity = 4096
  /// The time between two fixes, in seconds, from which fixes are rare.
  fileprivate static let rareStep = 240.0

  mutating func append(_ sample: MotionSample, isCertain: Bool, from center: SIMD3<Double> = .zero) {
    if isCertain {
      // A sample that lies nearer to the place than to the one before: one of the two is an error.
      if certain.count == 1, let last = certain.last,
        last.length(to: sample) > (sample.place - center).length
      {
        // Between frequent fixes it is an error for a journey, too.
        if sample.step >= Self.rareStep { removed += samples.filter { $0.step >= Self.rareStep } }
        if removed.count > Self.capacity {
          removed = stride(from: 0, to: removed.count, by: 2).map { removed[$0] }
        }
        samples.removeAll(keepingCapacity: true)
        certain.removeAll(keepingCapacity: true)
      }
      certain.append(sample)
    }
    samples.append(sample)
    if samples.count > Self.capacity { samples = SampleTrail(samples).samples }
    if certain.count > Self.capacity { certain = SampleTrail(certain).samples }
  }

  /// Removes the samples before a time, which are unclear.
  mutating func removeSamples(before time: UTCTime) { samples.removeAll { $0.time < time } }

  /// Removes the samples that are surely outside.
  mutating func removeCertain() {
    let times = Set(certain.map(\.time))
    samples.removeAll { times.contains($0.time) }
    certain.removeAll(keepingCapacity: true)
  }

  mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    certain.removeAll(keepingCapacity: true)
    removed.removeAll(keepingCapacity: true)
  }
}
