import WhereaboutsEngine
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

struct MotionClassifierTests {
  @Test(arguments: [
    (1.0, Motion.walking), (1.4, .walking), (3, .running), (5.5, .cycling), (20, .driving), (70, .fast),
  ])
  func eachSpeedHasItsMotion(speed: Double, motion: Motion) {
    for noise in [ReceiverNoise.goodReceiver, .goodReceiver.withoutSpeeds(), .none] {
      for interval in [1.0, 5] {
        let seen = MotionHarness(journey([(60, 0), (240, speed)], every: interval, noise: noise))
        #expect(seen.motion(at: 50) == .still, "\(noise), every \(interval) s: \(seen.summary)")
        #expect(seen.classifier.motion == motion, "\(noise), every \(interval) s: \(seen.summary)")
      }
    }
  }

  @Test func trafficLightStopIsStillThenDriving() throws {
    let seen = MotionHarness(journey([(120, 14), (45, 0), (120, 14)]))
    let stop = try #require(seen.changes.firstIndex { $0.to == .still }), change = seen.changes[stop]
    #expect(
      seen.motions == [.moving, .driving, .still, .driving] || seen.motions == [.driving, .still, .driving])
    #expect((129...135).contains(change.time.seconds(since: seen.start)), "\(seen.summary)")
    #expect(abs(change.since.seconds(since: seen.start) - 120) <= 2)
    #expect(seen.changes[stop + 1].time.seconds(since: seen.start) <= 170, "\(seen.summary)")
  }

  @Test func stopShorterThanTheStopTimeIsIgnored() {
    let driven = MotionHarness(journey([(120, 14), (8, 0), (120, 14)]))
    #expect(!driven.motions.contains(.still), "\(driven.summary)")
    let patient = MotionHarness(
      journey([(120, 14), (45, 0), (120, 14)]), Motion.Settings(stopTime: .seconds(60)))
    #expect(!patient.motions.contains(.still), "\(patient.summary)")
  }

  /// Some phones state a speed at rest only.
  @Test func standstillBeginsAfterAMotionWithoutSpeeds() throws {
    var fixes = journey([(120, 0), (300, 14), (120, 0)], every: 10)
    for index in fixes.indices where fixes[index].speed ?? 0 > 1 { fixes[index].speed = nil }
    let seen = MotionHarness(fixes)
    #expect(seen.motion(at: 400) == .driving, "\(seen.summary)")
    let stop = try #require(seen.changes.last)
    #expect(stop.to == .still && stop.since.seconds(since: seen.start) >= 410, "\(seen.summary)")
  }

  @Test func walkingAfterParkingIsWalking() {
    let seen = MotionHarness(journey([(300, 14), (90, 0), (180, 1.4)]))
    #expect(seen.motion(at: 380) == .still && seen.motion(at: 430) == .walking, "\(seen.summary)")
  }

  @Test func stopAndGoTrafficIsDriving() {
    var legs: [(Double, Double)] = [(180, 14)]
    for round in 0..<6 { legs += [(8, 2 + Double(round % 3)), (7, 0)] }
    let seen = MotionHarness(journey(legs + [(60, 14)]))
    #expect(seen.motions.allSatisfy { $0 == .moving || $0 == .driving }, "\(seen.summary)")
  }

  @Test func fastDownhillCyclingIsCycling() {
    let seen = MotionHarness(journey([(300, 6), (20, 14), (300, 6)]))
    #expect(!seen.motions.contains(.driving) && seen.classifier.motion == .cycling, "\(seen.summary)")
  }

  @Test func sprintIsRunningAndSlowRideIsCycling() {
    #expect(MotionHarness(journey([(300, 3.2), (15, 5), (300, 3.2)])).motions.last == .running)
    #expect(MotionHarness(journey([(300, 5.5), (20, 3.5), (300, 5.5)])).motions.last == .cycling)
  }

  // MARK: Stated activities

  @Test func walkActivityNeverYieldsDriving() {
    for speed in [0.8, 1.4, 2.2, 3.5, 5, 7.5] {
      let seen = MotionHarness(journey([(30, 0), (300, speed)]), by: .walk)
      #expect(Set(seen.motions).isSubset(of: [.still, .moving, .walking, .running]), "\(seen.summary)")
    }
  }

  @Test func impossibleSpeedOverridesTheWalkActivity() {
    let seen = MotionHarness(journey([(120, 1.4), (240, 22)]), by: .walk)
    #expect(seen.classifier.motion == .driving, "\(seen.summary)")
  }

  @Test(arguments: [
    (Activity.bike, 2.0, Motion.cycling), (.car, 1.4, .driving), (.boat, 5, .moving), (.air, 70, .fast),
  ])
  func activityDecidesAmbiguousSpeeds(activity: Activity, speed: Double, motion: Motion) {
    let seen = MotionHarness(journey([(30, 0), (200, speed)]), by: activity)
    #expect(seen.classifier.motion == motion, "\(seen.summary)")
  }

  // MARK: Sources

  @Test func constantZeroSpeedsAreIgnored() {
    let fixes = journey([(60, 0), (200, 5)]).map { fix in
      var fix = fix
      fix.speed = 0
      fix.course = nil
      return fix
    }
    let seen = MotionHarness(fixes)
    #expect(seen.motion(at: 55) == .still && seen.classifier.motion == .cycling, "\(seen.summary)")
  }

  /// Some sources state an error that is larger than the speed.
  ///
  /// The speed, its stated error, the motion, and the seconds after which the motion is known.
  @Test(
    arguments: [
      (15.0, 11.4, Motion.driving, 30.0), (15, 40, .driving, 30), (5.5, 3, .cycling, 45),
      (1.4, 0.8, .walking, 60), (1.4, 40, .walking, 60), (1, 0.6, .walking, 120),
    ])
  func placesDecideWhereTheStatedErrorExceedsTheSpeed(
    speed: Double, error: Double, motion: Motion, seconds: Double
  ) {
    let fixes = journey([(60, 0), (300, speed), (120, 0)]).map { fix in
      var fix = fix
      fix.speedAccuracy = error
      return fix
    }
    let seen = MotionHarness(fixes)
    #expect(seen.motion(at: 58) == .still, "\(seen.summary)")
    #expect(seen.motion(at: 60 + seconds) == motion && seen.motion(at: 355) == motion, "\(seen.summary)")
    #expect(seen.classifier.motion == .still, "\(seen.summary)")
  }

  /// A source that states a hundredth of the speed, with an error that admits the true one.
  @Test func placesContradictASlowSpeedWithinItsError() {
    let fixes = journey([(60, 0), (300, 5), (120, 0)]).map { fix in
      var fix = fix
      fix.speed = fix.speed.map { $0 / 100 }
      fix.speedAccuracy = 10
      return fix
    }
    let seen = MotionHarness(fixes)
    #expect(seen.motion(at: 55) == .still && seen.motion(at: 355) == .cycling, "\(seen.summary)")
    let stop = seen.changes.last
    #expect(stop?.to == .still && (stop?.since.seconds(since: seen.start) ?? 0) >= 350, "\(seen.summary)")
  }

  @Test(arguments: [0.4, 2, 11.4, 40])
  func restIsStillForAnyStatedErrorOfTheSpeed(error: Double) {
    for noise in [
      ReceiverNoise.goodReceiver, .indoors(deviation: 10, minutes: 1, speeds: true),
      .indoors(deviation: 20, minutes: 0.5, speeds: true),
    ] {
      for seed in 1...3 as ClosedRange<UInt64> {
        let fixes = journey([(1200, 0)], noise: noise, seed: seed).map { fix in
          var fix = fix
          fix.speedAccuracy = error
          return fix
        }
        let seen = MotionHarness(fixes)
        #expect(seen.motions == [.still], "\(noise), seed \(seed): \(seen.summary)")
      }
    }
  }

  @Test func jumpIsNoMotion() {
    for noise in [ReceiverNoise.goodReceiver, .goodReceiver.withoutSpeeds()] {
      var fixes = journey([(300, 0)], noise: noise)
      let away = place(47.38, 8.54)
      for index in 150..<fixes.count { fixes[index].coordinate = away }
      let seen = MotionHarness(fixes)
      #expect(seen.motions == [.still], "\(seen.summary)")
    }
  }

  @Test func motionIsUnknownAfterASilence() throws {
    var noise = ReceiverNoise.goodReceiver
    noise.gaps = [.seconds(100)..<(.seconds(200))]
    let seen = MotionHarness(journey([(300, 14)], noise: noise))
    let change = try #require(seen.changes.first { $0.to == .unknown })
    #expect(change.because == .silence(seconds: 60))
    #expect(change.time.seconds(since: change.since) == 60 && change.from == .driving)
    #expect(seen.classifier.motion == .driving, "\(seen.summary)")
  }

  @Test func motionIsUnknownAfterARestart() {
    var seen = MotionHarness(journey([(100, 14)])).classifier
    let change = seen.reset()
    #expect(change?.to == .unknown && change?.because == .begunAnew && seen.motion == .unknown)
    #expect(seen.reset() == nil && seen.processSilence() == nil)
  }

  @Test func lateAndTimelessFixesAreIgnored() {
    let fixes = journey([(60, 0), (120, 3), (60, 0)])
    let clean = MotionHarness(fixes)
    var disturbed: [Fix] = []
    for (index, fix) in fixes.enumerated() {
      disturbed.append(fix)
      var other = fixes[index / 2]
      if index % 3 == 0 { other.time = nil }
      disturbed.append(other)
    }
    #expect(MotionHarness(disturbed).changes == clean.changes)
  }
}
