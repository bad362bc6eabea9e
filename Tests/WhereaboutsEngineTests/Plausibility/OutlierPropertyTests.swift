import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

/// Properties of the outlier test on every track. Failures state their seed.
@Suite struct OutlierPropertyTests {
  /// Tracks with stops, anywhere on Earth, with a receiver's errors.
  private static func track(
    _ random: inout SeededGenerator, every seconds: Double = 1, nearPoles: Bool = true
  ) -> [Fix] {
    // Not near a pole, where a receiver's error makes any course possible.
    let places: [(Double, Double)] = [(47, 8), (0, 180), (-33, 151), (64, -22), (89.9, 20), (-89.9, -100)]
    let (latitude, longitude) = places[Int.random(in: 0..<(nearPoles ? 6 : 4), using: &random)]
    guard let home = Coordinate(latitude: latitude, longitude: longitude) else { return [] }
    var track = TrackBuilder(from: home, at: utc(0))
    for _ in 0..<8 {
      let speed = [1.4, 3, 8, 14, 30][Int.random(in: 0..<5, using: &random)]
      let azimuth = Double.random(in: 0..<360, using: &random)
      // Legs have a constant speed: acceleration and braking are many short legs.
      let steps = Array(stride(from: 1.0, to: speed, by: 2))
      for step in steps { track.move(azimuth: azimuth, distance: step, speed: step) }
      track.move(azimuth: azimuth, distance: 40 * speed, speed: speed)
      for step in steps.reversed() { track.move(azimuth: azimuth, distance: step, speed: step) }
      track.rest(for: .seconds(.random(in: 5...20, using: &random)))
    }
    var noise = ReceiverNoise(
      deviation: .random(in: 1...12, using: &random), correlationTime: .seconds(30), whiteDeviation: 0.5,
      speedDeviation: Bool.random(using: &random) ? 0.3 : nil, outlierShare: 0, outlierDistance: 0,
      statedAccuracyFactor: 1,
      gaps: [])
    if Bool.random(using: &random) { noise.gaps = [.seconds(60)..<(.seconds(150))] }
    return track.fixes(every: .seconds(seconds), noise: noise, seed: random.next())
  }

  private static func verdicts(_ fixes: [Fix], _ test: inout OutlierTest) -> [OutlierTest.Verdict] {
    fixes.map { test.judge(TimedFix(fix: $0, validAt: .start), activity: .other) }
  }

  private static func moved(_ fix: Fix, _ metres: Double, azimuth: Double) -> Fix {
    var fix = fix
    if let there = fix.coordinate.destination(azimuth: azimuth, distance: metres) { fix.coordinate = there }
    return fix
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>) func noGenuineFixIsRefused(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var test = OutlierTest(Outlier.Settings())
    let fixes = Self.track(&random, every: [1, 5][Int.random(in: 0..<2, using: &random)])
    for (index, verdict) in Self.verdicts(fixes, &test).enumerated() {
      #expect(verdict == .accepted, "seed \(seed), fix \(index) of \(fixes.count)")
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>) func subsetOfATrackHasNoOutliers(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Late and repeated fixes of the shuffled track are dropped by their times before the test.
    var newest: UTCTime?
    let fixes = Self.track(&random).shuffled(using: &random).filter { fix in
      guard let time = fix.time, newest.map({ time > $0 }) ?? true else { return false }
      newest = time
      return true
    }
    var test = OutlierTest(Outlier.Settings())
    for (index, verdict) in Self.verdicts(fixes, &test).enumerated() {
      #expect(verdict == .accepted, "seed \(seed), fix \(index) of \(fixes.count)")
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>) func loneOutlierIsAlwaysRefused(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var fixes = Self.track(&random)
    var wrong: Set<Int> = []
    var index = 5
    while index < fixes.count - 5 {
      // Not directly after a gap, where an outlier can't be detected.
      if let time = fixes[index].time, let before = fixes[index - 1].time, time.seconds(since: before) < 2 {
        fixes[index] = Self.moved(
          fixes[index], .random(in: 400...100_000, using: &random),
          azimuth: .random(in: 0..<360, using: &random))
        wrong.insert(index)
      }
      index += Int.random(in: 3...20, using: &random)
    }
    var test = OutlierTest(Outlier.Settings())
    for (index, verdict) in Self.verdicts(fixes, &test).enumerated() {
      let isRefused = if case .refused = verdict { true } else { false }
      #expect(isRefused == wrong.contains(index), "seed \(seed), fix \(index): \(verdict)")
    }
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>) func jumpIsAcceptedAfterTheRequiredNumberOfAgreeingFixes(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let agreeing = Int.random(in: 1...6, using: &random)
    let fixes = Self.track(&random, nearPoles: false)
    let from = Int.random(in: 10..<fixes.count - 10, using: &random)
    let metres = Double.random(in: 1000...1_000_000, using: &random)
    let jumped = fixes.enumerated().map { index, fix in
      index < from ? fix : Self.moved(fix, metres, azimuth: 45)
    }
    var test = OutlierTest(Outlier.Settings(agreeing: agreeing))
    let verdicts = Self.verdicts(jumped, &test)
    let used = verdicts.map { if case .refused = $0 { false } else { true } }
    #expect(used[(from + agreeing - 1)...].allSatisfy { $0 }, "seed \(seed), jump at \(from)")
    for case .believed(let jump) in verdicts { #expect(jump.agreeing == agreeing, "seed \(seed)") }
  }
}
