import WhereaboutsModel

/// Samples of one span of time, thinned so that a trail does not grow without bound.
struct SampleTrail: Sendable {
  private(set) var samples: [MotionSample] = []
  /// The least time between two kept samples, in seconds; it doubles when there are too many.
  private var spacing = 5.0

  private static let capacity = 16_384

  var first: MotionSample? { samples.first }
  var last: MotionSample? { samples.last }

  init() {}

  init(_ samples: some Sequence<MotionSample>) { for sample in samples { append(sample) } }

  mutating func append(_ sample: MotionSample) {
    if samples.count >= 2, let last = samples.last,
      sample.time.seconds(since: samples[samples.count - 2].time) < spacing
    {
      samples[samples.count - 1] = sample.merging(last)
      return
    }
    samples.append(sample)
    if samples.count >= Self.capacity { halve() }
  }

  /// Adds a time to the step of the last sample, in seconds.
  mutating func extendLastStep(by seconds: Double) {
    guard !samples.isEmpty else { return }
    samples[samples.count - 1].step += seconds
  }

  mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    spacing = 5
  }

  private mutating func halve() {
    spacing *= 2
    let all = samples
    samples.removeAll(keepingCapacity: true)
    for sample in all { append(sample) }
  }
}

extension MotionSample {
  /// Returns the sample with the step and the extremes of the one before, which it replaces, and with its activity if
  /// this sample states none.
  fileprivate func merging(_ before: MotionSample) -> MotionSample {
    var merged = self
    merged.step += before.step
    merged.fastest = max(fastest, before.fastest)
    merged.activity = activity ?? before.activity
    if let earlier = before.acceleration { merged.acceleration = max(acceleration ?? 0, earlier) }
    return merged
  }
}
