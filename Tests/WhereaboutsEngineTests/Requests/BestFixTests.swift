import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct BestFixTests {
  private func timed(_ accuracy: Double?, at seconds: Double, speed: Double? = nil) -> TimedFix {
    TimedFix(fix: fix(accuracy, at: seconds, speed: speed), validAt: t(seconds).instant)
  }

  private func best(of fixes: [TimedFix], _ activity: Activity = .other) -> TimedFix? {
    var best = BestFix()
    for fix in fixes { best.consider(fix, activity: activity) }
    return best.best
  }

  // MARK: Possible distance of a device

  @Test(
    arguments: [
      // Seconds, stated speed, activity, expected metres.
      (10, nil, .car, 140), (10, 20, .car, 200), (10, 14, .car, 140), (0, 3, .walk, 0),
      (2, 0, .other, 3), (4, 6, .car, 36), (20, 0, .car, 280 - 196.0 / 3), (10, 2, .other, 47),
      (1, .nan, .walk, 1.4), (1, -1, .walk, 1.4),
    ] as [(Double, Double?, Activity, Double)])
  func reachIsLimitedByAcceleration(
    seconds: Double, speed: Double?, activity: Activity, metres: Double
  ) {
    let reach = BestFix.reach(in: seconds, speed: speed, activity: activity)
    #expect(abs(reach - metres) < 1e-9, "\(reach) m")
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func reachGrowsWithTimeAndSpeed(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let activity = Activity.allCases.randomElement(using: &random) ?? .other
    let speed = Double.random(in: 0...30, using: &random), seconds = Double.random(in: 0...60, using: &random)
    let reach = BestFix.reach(in: seconds, speed: speed, activity: activity)
    let more = Double.random(in: 0...5, using: &random)
    #expect(reach >= 0)
    #expect(BestFix.reach(in: seconds + more, speed: speed, activity: activity) >= reach)
    #expect(BestFix.reach(in: seconds, speed: speed + more, activity: activity) >= reach)
    // Limited by the top speed and by constant acceleration.
    #expect(reach <= max(speed, activity.typicalSpeed) * seconds + 1e-9)
    #expect(reach <= speed * seconds + 0.75 * seconds * seconds + 1e-9)
    #expect(reach >= min(speed, activity.typicalSpeed) * seconds - 1e-9)
  }

  // MARK: Choice of the best fix

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func oldExactFixIsReplacedOnceTheDeviceMayHaveLeft(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let activity = Activity.allCases.randomElement(using: &random) ?? .other
    let speed = Bool.random(using: &random) ? Double.random(in: 0...30, using: &random) : nil
    let exact = timed(.random(in: 1...20, using: &random), at: 0)
    let seconds = Double.random(in: 0.5...120, using: &random).rounded(.up)
    let radius =
      (exact.fix.horizontalAccuracy ?? 0) + BestFix.reach(in: seconds, speed: speed, activity: activity)
    let within = timed(radius - 0.001, at: seconds, speed: speed)
    let beyond = timed(radius + 0.001, at: seconds, speed: speed)
    #expect(best(of: [exact, within], activity) == within)
    #expect(best(of: [exact, beyond], activity) == exact)
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func mostAccurateOfSimultaneousFixesIsBest(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fixes = (0..<10).map { _ in
      timed(.random(in: 1...100, using: &random), at: 1, speed: .random(in: 0...30, using: &random))
    }
    let most = fixes.compactMap(\.fix.horizontalAccuracy).min()
    #expect(best(of: fixes)?.fix.horizontalAccuracy == most)
  }

  /// The definition as a reference: all fixes are stored, and each is widened by every later leg.
  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func bestFixHasTheSmallestWidenedRadius(seed: UInt64) {
    var random = SeededGenerator(seed: seed), best = BestFix()
    var all: [(fix: TimedFix, radius: Double)] = [], seconds = 0.0
    for step in 0..<60 {
      let pause = Double(Int.random(in: 0...4, using: &random))
      seconds += pause
      let activity = Activity.allCases.randomElement(using: &random) ?? .other
      let new = timed(
        .random(in: 1...60, using: &random), at: seconds,
        speed: Bool.random(using: &random) ? .random(in: 0...8, using: &random) : nil)
      let reach = BestFix.reach(in: pause, speed: new.fix.speed, activity: activity)
      for index in all.indices { all[index].radius += reach }
      all.append((new, new.fix.horizontalAccuracy ?? 0))
      let before = best.best
      let changed = best.consider(new, activity: activity)
      #expect(changed == (best.best != before), "step \(step)")
      let smallest = all.min { $0.radius < $1.radius }
      #expect(best.best == smallest?.fix, "step \(step)")
    }
  }

  /// Without stated speeds, a fix that was never the best has no effect.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func onlyBetterFixesChangeTheBest(seed: UInt64) {
    var random = SeededGenerator(seed: seed), best = BestFix(), seconds = 0.0, bettering: [TimedFix] = []
    let activity = Activity.allCases.randomElement(using: &random) ?? .other
    for _ in 0..<60 {
      seconds += Double(Int.random(in: 0...4, using: &random))
      let new = timed(.random(in: 1...60, using: &random), at: seconds)
      let before = best.best
      if best.consider(new, activity: activity) {
        bettering.append(new)
      } else {
        #expect(best.best == before)
      }
    }
    #expect(self.best(of: bettering, activity) == best.best)
  }

  @Test func betterFixOfAStationaryDeviceIsRetained() {
    let better = timed(5, at: 0, speed: 0), worse = timed(12, at: 2, speed: 0)
    #expect(best(of: [better, worse]) == better)
    #expect(best(of: [better, timed(12, at: 2, speed: 10)])?.validAt == worse.validAt)
    // Without a stated speed the device may have moved 10 m.
    #expect(best(of: [better, timed(12, at: 2)])?.validAt == worse.validAt)
  }

  @Test func stationaryDeviceRetainsItsExactFix() {
    let exact = timed(3, at: 0, speed: 0), fair = timed(50, at: 30, speed: 0)
    let standing = (1..<30).map { timed(200, at: Double($0), speed: 0) }
    #expect(best(of: [exact] + standing + [fair]) == exact)
    #expect(best(of: [exact, fair]) == fair)
  }

  @Test func fixWithAccuracyBeatsOneWithout() {
    let bare = timed(nil, at: 0), laterBare = timed(nil, at: 1), poor = timed(9000, at: 2)
    #expect(best(of: [bare]) == bare)
    #expect(best(of: [bare, laterBare]) == laterBare)
    #expect(best(of: [bare, poor]) == poor)
    #expect(best(of: [poor, timed(nil, at: 600)]) == poor)
  }

  @Test func lateFixIsWidenedByItsAge() {
    let now = timed(30, at: 10), late = timed(10, at: 7), tooLate = timed(10, at: 5)
    #expect(best(of: [now, late]) == late)
    #expect(best(of: [now, tooLate]) == now)
  }

  @Test func forgottenFixHasNoEffect() {
    var best = BestFix()
    best.consider(timed(5, at: 0), activity: .car)
    best.consider(timed(900, at: 60), activity: .car)
    best.reset()
    #expect(best.answer(at: t(60).instant) == nil)
    let new = timed(50, at: 61), worse = timed(80, at: 62)
    let changes = [new, worse].map { best.consider($0, activity: .car) }
    #expect(changes == [true, false])
    #expect(best.best == new)
  }
}
