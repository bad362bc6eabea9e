import Testing
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
  func wrongVelocityCostsNoCrossing(_ velocity: Velocity, interval: Int) {
    for seed in 1...10 as ClosedRange<UInt64> {
      var track = FenceTestHarness.track(west: 2000)
      track.move(azimuth: 90, distance: 4000, speed: 20)
      var drive = FenceTestHarness([FenceTestHarness.fence(radius: 300)])
      let fixes = track.fixes(every: .seconds(interval), noise: .goodReceiver, seed: seed)
      drive.process(fixes.map(velocity.replaced))
      #expect(drive.kinds == [.enter, .exit], "seed \(seed)")
    }
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
