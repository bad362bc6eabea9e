import WhereaboutsGeodesy

/// A check for a constant accuracy that the scatter of neighbouring fixes contradicts.
///
/// Of three fixes in a row, the middle one is compared with the straight line between the others. Only fixes count
/// between which a walk is shorter than the stated accuracy explains, so that a movement is no scatter. A small scatter
/// contradicts nothing: the errors of neighbours are alike.
struct AccuracyCheck {
  private static let leastCount = 2_000, leastTriples = 500
  private static let constantShare = 0.99
  /// Scatter divided by stated accuracy.
  private static let leastRatio = 3.0
  private static let walkingSpeed = 1.5, greatestSpeed = 3.0
  /// Half octaves from 1/16 m on.
  private static let binCount = 48

  private struct Source {
    var accuracy: Double
    var count = 1, all = 1
    var first: Int64
    var last: Int64
    var earlier: PastFix?
    var before: PastFix
    var triples = 0
    var bins = [Int](repeating: 0, count: AccuracyCheck.binCount)

    /// The upper end of the bin with the median deviation, in metres, less half an octave: a lower bound.
    var medianDeviation: Double {
      var sum = 0
      for (bin, count) in bins.enumerated() {
        sum += count
        if sum * 2 >= triples { return AccuracyCheck.lowerEnd(of: bin) }
      }
      return 0
    }
  }

  struct Found {
    var source: Int
    var accuracy: Double
    var scatter: Double
    var count: Int
    var first: Int64
    var last: Int64
  }

  private var sources: [Int: Source] = [:]

  private static func lowerEnd(of bin: Int) -> Double {
    var end = 1.0 / 16
    for _ in 0..<bin { end *= 2.0.squareRoot() }
    return end
  }

  private static func bin(of deviation: Double) -> Int {
    var bin = 0, end = 2.0.squareRoot() / 16
    while end < deviation, bin < binCount - 1 {
      end *= 2.0.squareRoot()
      bin += 1
    }
    return bin
  }

  mutating func process(_ fix: PastFix) {
    guard var source = sources[fix.source] else {
      guard let accuracy = fix.accuracy, accuracy > 0 else { return }
      sources[fix.source] = Source(
        accuracy: accuracy, first: fix.key.time, last: fix.key.time, before: fix)
      return
    }
    source.all += 1
    if fix.accuracy == source.accuracy {
      source.count += 1
      source.last = fix.key.time
      if let earlier = source.earlier { compare(earlier, source.before, fix, &source) }
    }
    source.earlier = source.before
    source.before = fix
    sources[fix.source] = source
  }

  private func compare(_ a: PastFix, _ b: PastFix, _ c: PastFix, _ source: inout Source) {
    let time = c.seconds(after: a)
    guard time > 0, b.key.time > a.key.time, c.key.time > b.key.time,
      Self.walkingSpeed * time <= 3 * source.accuracy,
      c.coordinate.distance(to: a.coordinate) <= max(Self.greatestSpeed * time, 20 * source.accuracy),
      let deviation = ShiftCheck.distance(
        of: b.coordinate, from: a.coordinate, to: c.coordinate, at: b.seconds(after: a) / time)
    else { return }
    source.triples += 1
    source.bins[Self.bin(of: deviation)] += 1
  }

  var findings: [Found] {
    sources.compactMap { number, source -> Found? in
      // For errors that are independent of each other the median deviation is nearly the radius of 68 %.
      let scatter = source.medianDeviation
      guard source.count >= Self.leastCount, source.triples >= Self.leastTriples,
        Double(source.count) >= Self.constantShare * Double(source.all),
        scatter >= Self.leastRatio * source.accuracy
      else { return nil }
      return Found(
        source: number, accuracy: source.accuracy, scatter: scatter, count: source.count,
        first: source.first, last: source.last)
    }.sorted { $0.source < $1.source }
  }
}
