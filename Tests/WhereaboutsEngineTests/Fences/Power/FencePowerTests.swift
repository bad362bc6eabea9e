import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct FencePowerPolicyTests {
  /// Decides with a fence at a distance in metres from the last fix, which is a number of seconds old.
  static func decide(
    _ metres: Double, after seconds: Double = 0, _ policy: inout FencePowerPolicy, pending: Bool = false,
    activity: Activity = .other, speed: Double? = nil
  ) -> FencePower {
    _ = policy.decide(
      FencePowerPolicy.Situation(
        isNeeded: true,
        clearance: FenceClearance(metres: metres, fence: "home", time: utc(0), isPending: pending),
        lastFixAt: t(0).instant, activity: activity, speed: speed), at: t(seconds).instant)
    return policy.current
  }

  /// At 50 m/s; a rest must be 12.5 s beyond two warm-ups of 10 s.
  static let table: [(metres: Double, reason: FencePower.Reason, need: Demand, rest: Double?)] = [
    (0, .near, .continuous(Demand.Continuous(accuracy: 5)), nil),
    (199, .near, .continuous(Demand.Continuous(accuracy: 5)), nil),
    (250, .approaching, .continuous(Demand.Continuous(accuracy: 15, interval: .seconds(2))), nil),
    (1000, .approaching, .continuous(Demand.Continuous(accuracy: 15, interval: .seconds(8))), nil),
    (1500, .approaching, .continuous(Demand.Continuous(accuracy: 15, interval: .seconds(8))), nil),
    (1700, .far, .off, 14),
    (5000, .far, .off, 80),
    (50_000, .far, .off, 980),
  ]

  @Test(arguments: table) func demandFollowsTheEarliestPossibleArrival(
    metres: Double, reason: FencePower.Reason, need: Demand, rest: Double?
  ) {
    var policy = FencePowerPolicy(FenceSettings())
    let power = Self.decide(metres, &policy)
    #expect(power.reason == reason && power.need == need && power.rest == rest.map { .seconds($0) })
    #expect(power.clearance == metres && power.fence == "home" && power.topSpeed == 50)
    if let rest { #expect(policy.nextCheck == t(rest).instant) }
  }

  @Test(arguments: [
    (Activity.walk, nil, 10.0), (.run, nil, 10), (.bike, nil, 20), (.car, nil, 50), (.other, nil, 50),
    (.boat, nil, 25), (.air, nil, 300), (.walk, 1.0, 10), (.walk, 30.0, 45), (.other, 83.0, 124.5),
  ]) func topSpeedFollowsActivityAndStatedSpeed(
    activity: Activity, stated: Double?, expected: Double
  ) {
    var policy = FencePowerPolicy(FenceSettings())
    #expect(Self.decide(5000, &policy, activity: activity, speed: stated).topSpeed == expected)
    var limited = FencePowerPolicy(FenceSettings(topSpeed: 3))
    #expect(Self.decide(5000, &limited, activity: activity, speed: stated).topSpeed == 3)
  }

  @Test func coarseCheckAfterARestDecidesAboutMoreRest() {
    var policy = FencePowerPolicy(FenceSettings())
    #expect(Self.decide(5000, &policy).reason == .far)
    let look = Self.decide(5000, after: 80, &policy)
    #expect(look.reason == .lookAgain && look.need == .continuous(Demand.Continuous(accuracy: 100)))
    // No fix has arrived yet.
    #expect(Self.decide(5000, after: 85, &policy).reason == .lookAgain)
    var came = policy
    #expect(Self.decide(4000, &policy).reason == .far)
    #expect(Self.decide(120, &came).reason == .near)
  }

  @Test func inputsDuringARestDoNotEndIt() {
    var policy = FencePowerPolicy(FenceSettings())
    _ = Self.decide(5000, &policy)
    #expect(Self.decide(5000, after: 40, &policy).reason == .far)
    #expect(policy.nextCheck == t(80).instant)
    // Fixes for other consumers postpone the check, without a new wake each time.
    _ = Self.decide(6000, &policy)
    #expect(policy.current.reason == .far && policy.nextCheck == t(80).instant)
  }

  @Test func missingFixesShortenTheInterval() {
    var policy = FencePowerPolicy(FenceSettings())
    #expect(Self.decide(1000, &policy).reason == .approaching)
    #expect(policy.nextCheck == t(15).instant)
    #expect(
      Self.decide(1000, after: 15, &policy).need
        == .continuous(Demand.Continuous(accuracy: 15, interval: .seconds(2))))
    #expect(Self.decide(1000, after: 19, &policy).reason == .near)
  }

  @Test func demandIsLoweredOnlyWithHysteresis() {
    var policy = FencePowerPolicy(FenceSettings())
    _ = Self.decide(700, &policy)
    var changes = 0
    var need = policy.current.need
    // Back and forth around the distance at which the interval changes.
    for metres in [800.0, 790, 810, 795, 805, 799, 801, 780, 820] {
      let new = Self.decide(metres, &policy).need
      if new != need { changes += 1 }
      need = new
    }
    #expect(changes == 0)
    #expect(
      Self.decide(1001, &policy).need
        == .continuous(Demand.Continuous(accuracy: 15, interval: .seconds(8))))
  }

  @Test func longerResponsivenessLengthensTheInterval() {
    var policy = FencePowerPolicy(FenceSettings())
    policy.responsiveness = 60
    #expect(Self.decide(0, &policy).reason == .approaching)
    #expect(
      Self.decide(0, &policy, pending: true).need
        == .continuous(Demand.Continuous(accuracy: 5, interval: .seconds(8))))
  }

  @Test func pendingOrUnknownSideNeedsAccurateFixes() {
    var policy = FencePowerPolicy(FenceSettings())
    #expect(Self.decide(9000, &policy, pending: true).reason == .pending)
    _ = policy.decide(
      FencePowerPolicy.Situation(isNeeded: true, activity: .walk), at: t(0).instant)
    #expect(policy.current.reason == .placeUnknown)
    #expect(policy.current.need == .continuous(Demand.Continuous(accuracy: 5, activity: .walk)))
    var spendthrift = FencePowerPolicy(FenceSettings(savesPower: false))
    #expect(Self.decide(90_000, &spendthrift).reason == .unsparing && spendthrift.nextCheck == nil)
  }
}

/// The source is on whenever a device on any path, within its top speed, reaches a boundary.
@Suite struct FencePowerDriveTests {
  @Test(arguments: PropertyCases.seeds(10, of: 1...60 as ClosedRange<UInt64>))
  func fenceArrivalIsNeverMissed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let top: Double = [4, 14, 50].randomElement(using: &random) ?? 50
    let start = try #require(Coordinate(latitude: .random(in: -60...60, using: &random), longitude: 8))
    var way = TrackBuilder(from: start, at: utc(0))
    way.rest(for: .seconds(30))
    for _ in 0..<12 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        way.rest(for: .seconds(Int.random(in: 10...400, using: &random)))
      }
      let speed = Double.random(in: 0.3...0.98, using: &random) * top
      way.move(
        azimuth: .random(in: 0..<360, using: &random),
        distance: speed * .random(in: 20...600, using: &random),
        speed: speed)
    }
    var settings = EngineSettings()
    settings.fences.topSpeed = top
    // A device at rest is checked from time to time.
    settings.fences.delayAfterRest = .zero
    var receiver = SimulatedReceiver(settings)
    let truth = way.truth(every: .seconds(1))
    let fences = (0..<6).compactMap { number -> Fence? in
      guard let near = truth.randomElement(using: &random)?.coordinate,
        let center = near.destination(
          azimuth: .random(in: 0..<360, using: &random), distance: .random(in: 0...3000, using: &random)),
        let circle = try? Area.Circle(center: center, radius: .random(in: 60...900, using: &random))
      else { return nil }
      return Fence(id: FenceID("\(number)"), area: .circle(circle))
    }
    receiver.advance(to: utc(0))
    receiver.sendInput(.fences(.add(fences)))
    var sides: [Bool] = [], crossings = 0
    for (point, fix) in zip(truth, way.fixes(every: .seconds(1), noise: .goodReceiver, seed: seed)) {
      receiver.step(to: fix)
      let now = fences.map { $0.area.signedDistance(to: point.coordinate).metres <= 0 }
      if !sides.isEmpty, now != sides {
        crossings += 1
        #expect(
          receiver.isContinuouslyOn, "seed \(seed): not at \(point.time), \(receiver.powers.last as Any)")
      }
      sides = now
    }
    if top == 50 { #expect(receiver.deliveredCount < truth.count, "seed \(seed): it never rested") }
  }
}
