import WhereaboutsModel

/// The persistence of direction between fixes over the last two minutes: the mean cosine of the turns from step to step,
/// weighted by the lengths of both.
///
/// The steps of a device that walks to and fro go on in one direction for a while. The steps between wandering fixes turn
/// back: the mean of first-order autoregressive errors is negative, -(1 - a) / 2 for errors with the autocorrelation a
/// between two fixes.
struct StepPersistence: Hashable, Sendable, Codable {
  private var time: UTCTime
  private var place: SIMD3<Double>
  private var step = SIMD3<Double>.zero
  /// The sums of the products of successive steps, and of their lengths, in m².
  private var products = 0.0
  private var lengths = 0.0

  init(_ node: TrackNode) {
    time = node.sample.time
    place = node.sample.place
  }

  /// Whether the steps show a movement. The mean cosine of wandering fixes is seldom as great.
  var showsMovement: Bool { products > Self.leastMeanCosine * lengths }

  /// Processes a fix. An outlier changes nothing, and neither does a fix that is not later than all before it, as where
  /// fixes are processed again.
  mutating func process(_ node: TrackNode) {
    let sample = node.sample
    guard sample.time > time, node.surprisesInARow == 0 else { return }
    let kept = 1 - sample.time.seconds(since: time) / Self.memory
    guard kept > 0 else { return self = StepPersistence(node) }
    let next = sample.place - place
    products = kept * products + (next * step).sum()
    lengths = kept * lengths + next.length * step.length
    step = next
    place = sample.place
    time = sample.time
  }

  private static let leastMeanCosine = 0.15
  /// The time constant of forgetting, in seconds.
  private static let memory = 120.0
}
