import WhereaboutsModel

/// Speed and distance over time, in bounded memory, without a visible change of the lines.
///
/// Time is divided into bins of one width, which doubles whenever there are too many bins. A bin keeps its first,
/// last, slowest and fastest point. A line through these points covers the same pixels as a line through all points,
/// and no peak is lost.
///
/// - Source: Jugel, Jerzak, Hackenbroich and Markl, "M4: A Visualization-Oriented Time Series Data Aggregation",
///   *PVLDB* 7 (2014).
struct PlotBins: Sendable {
  /// The maximum number of bins: four for each pixel of the picture.
  static let limit = 4096

  /// A point of the plot.
  struct Sample: Hashable, Sendable {
    /// The time in seconds since the start of the track.
    var seconds: Double
    /// The speed in metres per second.
    var speed: Double
    /// The distance in metres. Its standard deviation is `uncertainty`.
    var distance: Double
    var uncertainty: Double
    var motion: Motion
  }

  /// The points of a time interval.
  struct Bin: Hashable, Sendable {
    fileprivate var index: Int
    var first: Sample
    var last: Sample
    var slowest: Sample
    var fastest: Sample
    /// Whether a gap separates the bin from the previous bin.
    var isDetached: Bool

    /// The distinct points in their order.
    var samples: [Sample] {
      let inner = slowest.seconds <= fastest.seconds ? [slowest, fastest] : [fastest, slowest]
      var samples = [first]
      for sample in inner + [last] where sample.seconds > samples[samples.count - 1].seconds {
        samples.append(sample)
      }
      return samples
    }

    fileprivate mutating func merge(_ later: Bin) {
      last = later.last
      if later.slowest.speed < slowest.speed { slowest = later.slowest }
      if later.fastest.speed > fastest.speed { fastest = later.fastest }
      isDetached = isDetached || later.isDetached
    }
  }

  private(set) var bins: [Bin] = []
  /// The width of a bin in seconds: a power of two.
  private(set) var width = 1.0 / 16

  /// Adds the next point.
  ///
  /// - Parameter isDetached: whether a gap precedes the point.
  mutating func add(_ sample: Sample, isDetached: Bool) {
    let bin = Bin(
      index: index(of: sample.seconds), first: sample, last: sample, slowest: sample, fastest: sample,
      isDetached: isDetached)
    append(bin)
    while bins.count > Self.limit { widen() }
  }

  private mutating func append(_ bin: Bin) {
    if let last = bins.indices.last, bins[last].index == bin.index {
      bins[last].merge(bin)
    } else {
      bins.append(bin)
    }
  }

  private mutating func widen() {
    width *= 2
    let narrow = bins
    bins.removeAll(keepingCapacity: true)
    for var bin in narrow {
      bin.index = index(of: bin.first.seconds)
      append(bin)
    }
  }

  private func index(of seconds: Double) -> Int { Int(min(max(seconds, 0) / width, 1e15)) }
}
