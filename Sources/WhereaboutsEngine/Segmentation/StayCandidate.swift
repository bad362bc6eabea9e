import WhereaboutsModel
import WhereaboutsGeodesy

/// Samples around one place, which may become a visit.
///
/// Before it is long enough, a candidate stores its samples and drops the earliest that lie too far from the middle of
/// all. So the candidate of a moving device moves along. A confirmed candidate stores sums, and the first and the last
/// samples, from which arrival and departure are estimated.
struct StayCandidate: Sendable {
  private(set) var early: SampleTrail
  private(set) var late: [MotionSample] = []
  private(set) var isConfirmed = false
  /// The last sample inside.
  private(set) var last: MotionSample
  private(set) var count = 0
  private(set) var gaps: [Range<UTCTime>] = []

  private let origin: SIMD3<Double>
  private var weight = 0.0
  private var sum = SIMD3<Double>(repeating: 0)
  private var squaredAccuracy = 0.0

  /// The number of first and of last samples that are kept.
  private static let kept = 48
  /// The time since the sample before, in seconds, beyond which a sample gains no more weight.
  private static let longestStep = 30.0
  /// The least time between two of the last samples, in seconds.
  private static let spacing = 5.0

  init(_ sample: MotionSample, radius: Double) {
    origin = sample.place
    last = sample
    early = SampleTrail()
    add(sample, radius: radius, gap: .infinity)
  }

  var first: MotionSample { early.first ?? last }

  /// The middle of the samples, each weighted by its accuracy and its time: where a fix a second tells of the way and
  /// silence of the rest, most fixes are not at the place.
  var center: SIMD3<Double> { weight > 0 ? origin + sum / weight : origin }

  /// The accuracy of a typical sample, in metres at 68 %.
  var accuracy: Double { weight > 0 ? (squaredAccuracy / weight).squareRoot() : last.accuracy }

  /// The time in seconds from the first sample to the last.
  var span: Double { last.time.seconds(since: first.time) }

  func distance(of sample: MotionSample) -> Double { (sample.place - center).length }

  /// Adds a sample inside.
  mutating func add(_ sample: MotionSample, radius: Double, gap: Double) {
    if sample.time.seconds(since: last.time) > gap { gaps.append(last.time..<sample.time) }
    let sample = count == 0 ? sample : dividingSilence(sample, radius)
    last = sample
    count += 1
    weigh(sample, radius, 1)
    if !isConfirmed { early.append(sample) }
    var kept = sample
    if late.count >= 2, sample.time.seconds(since: late[late.count - 2].time) < Self.spacing {
      kept.step += late.removeLast().step
    }
    late.append(kept)
    if late.count >= 2 * Self.kept { late.removeFirst(late.count - Self.kept) }
  }

  /// Gives the time of a silence to the slower one of its ends: the device has rested there, and the other fix may be one of
  /// the way. Returns the sample with the step that is left to it.
  private mutating func dividingSilence(_ sample: MotionSample, _ radius: Double) -> MotionSample {
    let excess = sample.step - min(last.step, Self.longestStep)
    guard sample.step > Self.longestStep, excess > 0, let speed = sample.speed, speed > last.speed ?? 0 else {
      return sample
    }
    weigh(last, radius, -1)
    last.step += excess
    weigh(last, radius, 1)
    if !isConfirmed { early.extendLastStep(by: excess) }
    if !late.isEmpty { late[late.count - 1].step += excess }
    var left = sample
    left.step -= excess
    return left
  }

  private mutating func weigh(_ sample: MotionSample, _ radius: Double, _ sign: Double) {
    let added =
      sign * Self.weight(of: sample) / (sample.accuracy * sample.accuracy + radius * radius / 16)
    weight += added
    sum += (sample.place - origin) * added
    squaredAccuracy += added * sample.accuracy * sample.accuracy
  }

  /// The share of a sample in the middle and the reach, at most 1.
  private static func weight(of sample: MotionSample) -> Double { min(1, sample.step / longestStep) }

  // MARK: Confirmation

  /// Drops the earliest samples that lie too far from the middle, and confirms the candidate if the rest is long
  /// enough and does not progress. The last sample before a silence is not dropped: the device was at the place
  /// meanwhile.
  ///
  /// - Parameter silence: the least duration of a silence, in seconds.
  /// - Returns: the dropped samples.
  mutating func settle(_ settings: SegmenterSettings, silence: Double) -> [MotionSample] {
    guard !isConfirmed else { return [] }
    let radius = settings.radius, minimumStay = settings.minimumStay
    var samples = early.samples[...]
    while samples.count > 1, let front = samples.first {
      let rest = samples.dropFirst()
      let middle = Self.middle(of: rest)
      guard (front.place - middle).length > max(radius / 2, 2 * front.accuracy),
        !gaps.contains(where: { $0.lowerBound == front.time }),
        rest.first.map({ $0.time.seconds(since: front.time) < silence }) ?? true
      else { break }
      samples = rest
    }
    if last.time.seconds(since: samples.first?.time ?? last.time) >= minimumStay {
      confirm(&samples, settings, silence)
    }
    let dropped = Array(early.samples.prefix(early.samples.count - samples.count))
    guard !dropped.isEmpty else { return [] }
    early = SampleTrail(samples)
    renewSums(radius)
    return dropped
  }

  /// Confirms the candidate if some suffix of its samples is a stay without progress.
  private mutating func confirm(
    _ samples: inout ArraySlice<MotionSample>, _ settings: SegmenterSettings, _ silence: Double
  ) {
    let minimumStay = settings.minimumStay
    var rest = samples
    while let first = rest.first, last.time.seconds(since: first.time) >= minimumStay {
      if Self.progress(of: rest, minimumStay, silence) <= settings.radius / 4 + accuracy {
        samples = rest
        isConfirmed = true
        return
      }
      rest = rest.dropFirst()
    }
  }

  /// Returns how far the samples progress in the minimum stay, in metres: by the middles of both halves of their time.
  private static func progress(
    of samples: ArraySlice<MotionSample>, _ minimumStay: Double, _ silence: Double
  ) -> Double {
    guard let first = samples.first, let last = samples.last, samples.count > 1 else { return 0 }
    let span = last.time.seconds(since: first.time)
    if restsHalfTheTime(samples, span, silence) { return 0 }
    var before = samples[samples.startIndex...samples.startIndex], after = samples.suffix(1)
    if let split = samples.firstIndex(where: { $0.time.seconds(since: first.time) * 2 > span }) {
      before = samples[samples.startIndex..<split]
      after = samples[split...]
    }
    let way = (middle(of: after) - middle(of: before)).length
    return way * 2 / max(span, 1) * minimumStay
  }

  /// Returns whether one silence lasts half of the samples' time: the device was at one place in both halves.
  private static func restsHalfTheTime(
    _ samples: ArraySlice<MotionSample>, _ span: Double, _ silence: Double
  ) -> Bool {
    zip(samples, samples.dropFirst()).contains { sample, next in
      let step = next.time.seconds(since: sample.time)
      return step >= silence && 2 * step >= span
    }
  }

  private static func middle(of samples: ArraySlice<MotionSample>) -> SIMD3<Double> {
    guard let origin = samples.first?.place else { return .zero }
    var sum = SIMD3<Double>(repeating: 0), weight = 0.0
    for sample in samples {
      let added = 1 / (sample.accuracy * sample.accuracy + 625)
      sum += (sample.place - origin) * added
      weight += added
    }
    return origin + sum / weight
  }

  private mutating func renewSums(_ radius: Double) {
    weight = 0
    sum = .zero
    squaredAccuracy = 0
    for sample in early.samples { weigh(sample, radius, 1) }
    let start = first.time
    late.removeAll { $0.time < start }
    gaps.removeAll { $0.lowerBound < start }
    count = min(count, early.samples.count)
  }

  // MARK: Extent

  /// Returns the distance from the middle within which the device is at the place, in metres.
  func reach(radius: Double) -> Double {
    let distances = (early.samples.prefix(Self.kept) + late)
      .map { (distance: distance(of: $0), weight: Self.weight(of: $0)) }
      .sorted { $0.distance < $1.distance }
    var left = distances.reduce(0) { $0 + $1.weight } / 2
    let median = distances.first {
      left -= $0.weight
      return left < 0
    }
    return min(max(Self.leastReach, 1.6 * (median?.distance ?? 0)), 0.6 * radius)
  }

  private static let leastReach = 15.0
}
