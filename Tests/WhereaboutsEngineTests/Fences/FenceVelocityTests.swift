import Testing
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsEngine

/// Crossings of a device whose stated velocities are wrong all the time.
@Suite struct FenceVelocityTests {
  /// What a program writes for the velocity.
  enum Velocity: CaseIterable {
    case right, metresPerSecondAsKnots, kilometresPerHour, alwaysNorth, alwaysFast

    func replaced(in fix: Fix) -> Fix {
      var fix = fix
      switch self {
      case .right: break
      case .metresPerSecondAsKnots: fix.speed = fix.speed.map { $0 * 0.514 }
      case .kilometresPerHour: fix.speed = fix.speed.map { $0 * 3.6 }
      case .alwaysNorth: fix.course = 0
      case .alwaysFast: fix.speed = 70
      }
      return fix
    }
  }

  @Test(arguments: Velocity.allCases, [2, 5, 10])
  func wrongVelocityCostsNoCrossing(_ velocity: Velocity, interval: Int) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      // East, and south: the opposite of a course that is always north.
      let azimuth = seed < 6 ? 90.0 : 180
      let start = try #require(FenceTestHarness.home.destination(azimuth: azimuth + 180, distance: 2000))
      var track = TrackBuilder(from: start, at: FenceTestHarness.start)
      track.move(azimuth: azimuth, distance: 4000, speed: 20)
      var drive = FenceTestHarness([FenceTestHarness.fence(radius: 300)])
      let fixes = track.fixes(every: .seconds(interval), noise: .goodReceiver, seed: seed)
      drive.process(fixes.map(velocity.replaced))
      #expect(drive.kinds == [.enter, .exit], "seed \(seed)")
    }
  }

  /// A step of a walker is shorter than the error of its fixes. By a speed of less than 0.6 m/s the walker rests.
  @Test(arguments: [1 / 3.6, 0.5144, 0.447, 1.9438, 3.6], [false, true])
  func wrongSpeedOfWalkerCostsNoCrossing(factor: Double, hasCourses: Bool) {
    var missed = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      var track = FenceTestHarness.track(west: 400)
      track.move(azimuth: 90, distance: 800, speed: 1.4)
      for interval in [1, 2, 5] {
        var walk = FenceTestHarness([FenceTestHarness.fence(radius: 60)])
        walk.process(
          track.fixes(every: .seconds(interval), noise: Self.phone, seed: seed).map {
            var fix = $0
            fix.speed = fix.speed.map { $0 * factor }
            if !hasCourses { fix.course = nil }
            return fix
          })
        if walk.kinds != [.enter, .exit] { missed += 1 }
      }
    }
    #expect(missed <= 6, "\(missed) of 60 walks")
  }

  /// A phone between houses: some metres that wander.
  private static let phone = ReceiverNoise(
    deviation: 4, correlationTime: .seconds(60), whiteDeviation: 1, speedDeviation: 0.2, outlierShare: 0,
    outlierDistance: 0, statedAccuracyFactor: 1, gaps: [])

  /// A speed alone in a wrong unit costs no crossing of a drive: the path uses no velocity, and no step looks too long.
  @Test(arguments: [1 / 3.6, 0.5144, 1.9438, 3.6], [1, 2, 5, 10])
  func wrongSpeedAloneCostsNoCrossing(factor: Double, interval: Int) {
    for seed in 1...10 as ClosedRange<UInt64> {
      var track = FenceTestHarness.track(west: 2000)
      track.move(azimuth: 90, distance: 4000, speed: 20)
      var drive = FenceTestHarness([FenceTestHarness.fence(radius: 300)])
      drive.process(
        track.fixes(every: .seconds(interval), noise: .goodReceiver, seed: seed).map {
          var fix = $0
          fix.speed = fix.speed.map { $0 * factor }
          fix.course = nil
          return fix
        })
      #expect(drive.kinds == [.enter, .exit], "seed \(seed)")
    }
  }

  /// Right speeds are believed: of a walk with turns, of stops between two fixes, and of a phone at rest that wanders.
  @Test(arguments: [false, true], [1, 5, 10, 15, 30])
  func rightSpeedIsNotContradicted(hasCourses: Bool, interval: Int) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      var track = FenceTestHarness.track(west: 2000)
      for block in 0..<20 {
        track.move(azimuth: block.isMultiple(of: 3) ? 0 : 90, distance: 100, speed: 1.4)
        track.rest(for: .seconds(20))
      }
      track.rest(for: .seconds(3600))
      var test = StatedSpeedTest()
      var contradicted = 0
      for var fix in track.fixes(every: .seconds(interval), noise: Self.phone, seed: seed) {
        if !hasCourses { fix.course = nil }
        test.process(CompactFix(fix, at: try #require(fix.time)))
        if test.isContradicted { contradicted += 1 }
      }
      #expect(contradicted == 0, "seed \(seed)")
    }
  }

  /// The fixes of a phone at rest may wander by several times their stated accuracy. The low speeds are right.
  @Test(arguments: [1, 2, 5])
  func speedAtRestIsNotContradictedByTooSmallAccuracy(interval: Int) throws {
    let noise = ReceiverNoise(
      deviation: 10, correlationTime: .seconds(20), whiteDeviation: 1, speedDeviation: 0.1, outlierShare: 0,
      outlierDistance: 0, statedAccuracyFactor: 0.3, gaps: [])
    for seed in 1...10 as ClosedRange<UInt64> {
      var track = FenceTestHarness.track(west: 0)
      track.rest(for: .seconds(1800))
      var test = StatedSpeedTest()
      var contradicted = 0
      for fix in track.fixes(every: .seconds(interval), noise: noise, seed: seed) {
        test.process(CompactFix(fix, at: try #require(fix.time)))
        if test.isContradicted { contradicted += 1 }
      }
      #expect(contradicted == 0, "seed \(seed)")
    }
  }

  /// The way between two segments is no leg of the device.
  @Test func segmentsAreNotComparedWithStatedSpeeds() throws {
    var registry = FenceRegistry()
    let center = try #require(FenceTestHarness.home.destination(azimuth: 0, distance: 20_000))
    registry.add(contentsOf: [FenceTestHarness.fence(at: center, radius: 20_000)])
    var tracker = FenceTracker(gap: .seconds(60)), output = FenceTrackerOutput()
    var seconds = 0.0, metres = 0.0
    for _ in 0..<8 {
      for _ in 0..<5 {
        let place = try #require(FenceTestHarness.home.destination(azimuth: 90, distance: metres))
        let time = FenceTestHarness.start.advanced(by: .seconds(seconds))
        var fix = Fix(coordinate: place, time: time, source: .scripted)
        (fix.horizontalAccuracy, fix.speed, fix.course) = (5, 1.4, 90)
        tracker.process(fix, at: time, in: registry, into: &output)
        seconds += 1
        metres += 1.4
      }
      tracker.endSegment(restartsTimeline: false)
      seconds += 7
      metres += 100
    }
    #expect(tracker.habits.first?.speeds?.isContradicted == false)
  }

  /// Steps too short for their error neither confirm a wrong unit, nor add up to a contradiction with others between them.
  @Test func unclearStepsChangeNothing() throws {
    var track = FenceTestHarness.track(west: 2000)
    track.move(azimuth: 90, distance: 1000, speed: 20)
    track.move(azimuth: 90, distance: 200, speed: 4)
    var test = StatedVelocityTest()
    for fix in track.fixes(every: .seconds(5), noise: .goodReceiver, seed: 1) {
      var fix = Velocity.metresPerSecondAsKnots.replaced(in: fix)
      fix.horizontalAccuracy = 5
      test.process(CompactFix(fix, at: try #require(fix.time)))
    }
    #expect(test.isContradicted)
    // Single jumps of a device at rest that states a speed of 0 and a course.
    var rest = StatedVelocityTest()
    for index in 0..<200 {
      let off = index % 20 == 0 ? 200.0 : 0
      let place = try #require(FenceTestHarness.home.destination(azimuth: 90, distance: off))
      var fix = Fix(
        coordinate: place, time: FenceTestHarness.start.advanced(by: .seconds(5 * index)), source: .scripted)
      fix.horizontalAccuracy = 5
      fix.speed = 0
      fix.course = 0
      rest.process(CompactFix(fix, at: try #require(fix.time)))
    }
    #expect(!rest.isContradicted)
  }

  /// A source that states right velocities again is believed again.
  @Test func rightVelocityCountsAgain() throws {
    var track = FenceTestHarness.track(west: 2000)
    track.move(azimuth: 90, distance: 2000, speed: 20)
    let fixes = track.fixes(every: .seconds(5), noise: .none, seed: 1)
    var test = StatedVelocityTest()
    var contradicted: [Bool] = []
    for (index, fix) in fixes.enumerated() {
      let velocity = index < 10 ? Velocity.kilometresPerHour : .right
      test.process(CompactFix(velocity.replaced(in: fix), at: try #require(fix.time)))
      contradicted.append(test.isContradicted)
    }
    #expect(contradicted.prefix(6) == [false, false, false, false, false, false])
    #expect(contradicted[6] && contradicted[15] && !contradicted[16] && contradicted.last == false)
  }
}
