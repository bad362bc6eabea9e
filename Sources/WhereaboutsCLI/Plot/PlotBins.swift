import WhereaboutsCore

/// Speed and distance over time, in bounded memory, so that the lines through them look the same.
///
/// Time is cut into bins of one width, which doubles whenever there are too many of them. A bin keeps the first, the last,
/// the slowest and the fastest of its points: a line through those covers the same pixels as one through all, and no
/// peak is lost.
///
/// - Source: Jugel, Jerzak, Hackenbroich and Markl, "M4: A Visualization-Oriented Time Series Data Aggregation",
///   *PVLDB* 7 (2014).
struct PlotBins: Sendable {
  /// Bins kept at most: four to a pixel of the picture.
  static let limit = 4096

  /// A point of the plot.
  struct Sample: Hashable, Sendable {
    /// Seconds since the way began.
    var seconds: Double
    /// In metres per second.
    var speed: Double
    /// In metres, with its standard deviation.
    var distance: Double
    var uncertainty: Double
    var motion: Motion
  }

  /// The points of a stretch of time.
  struct Bin: Hashable, Sendable {
    fileprivate var index: Int
    var first: Sample
    var last: Sample
    var slowest: Sample
    var fastest: Sample
    /// Whether the line through it does not come from the bin before it: there was a gap.
    var isDetached: Bool

    /// Its points in their order, each once.
    var samples: [Sample] {
      let inner = slowest.seconds <= fastest.seconds ? [slowest, fastest] : [fastest, slowest]
      var samples = [first]
      for sample in inner + [last] where sample.seconds > samples[samples.count - 1].seconds {
        samples.append(sample)
      }
      return samples
    }

    fileprivate mutating func absorb(_ later: Bin) {
      last = later.last
      if later.slowest.speed < slowest.speed { slowest = later.slowest }
      if later.fastest.speed > fastest.speed { fastest = later.fastest }
      isDetached = isDetached || later.isDetached
    }
  }

  private(set) var bins: [Bin] = []
  /// Seconds of a bin: a power of two.
  private(set) var width = 1.0 / 16

  /// Takes the next point in.
  ///
  /// - Parameter isDetached: whether there was a gap before it.
  mutating func add(_ sample: Sample, isDetached: Bool) {
    let bin = Bin(
      index: index(of: sample.seconds), first: sample, last: sample, slowest: sample, fastest: sample,
      isDetached: isDetached)
    append(bin)
    while bins.count > Self.limit { widen() }
  }

  private mutating func append(_ bin: Bin) {
    if let last = bins.indices.last, bins[last].index == bin.index {
      bins[last].absorb(bin)
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
