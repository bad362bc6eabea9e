import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine

/// The odometer with implausible fixes.
struct OdometerImplausibleInputTests {
  // MARK: Stated speeds

  private func walk(_ seed: UInt64, _ change: (inout Fix) -> Void) -> OdometerRun {
    var fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: seed)
    for index in fixes.indices { change(&fixes[index]) }
    return OdometerRun(fixes)
  }

  private func expectWalkLength(_ way: OdometerRun, within share: Double) {
    let length = KnownTrack.walk().length
    #expect(abs(way.distance - length) < share * length, "\(way.distance) of \(length)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func constantZeroSpeedIsIgnored(seed: UInt64) {
    // The distance before the detection is lost.
    expectWalkLength(
      walk(seed) {
        $0.speed = 0
        $0.course = nil
      }, within: 0.06)
  }

  /// A network's place comes before the first fix of many receivers.
  @Test(arguments: [500, 1500, 3000] as [Double])
  func constantZeroSpeedIsIgnoredAfterACoarseFix(accuracy: Double) {
    var fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    fixes[0].horizontalAccuracy = accuracy
    for index in fixes.indices {
      fixes[index].speed = 0
      fixes[index].course = nil
    }
    expectWalkLength(OdometerRun(fixes), within: 0.06)
  }

  /// Some programs write 0 for an unknown course, or the direction in which the phone points.
  @Test(
    arguments: [{ _ in 0 }, { ($0 + 180).truncatingRemainder(dividingBy: 360) }]
      as [@Sendable (Double) -> Double])
  func coursesInAnotherDirectionAreIgnored(course: @Sendable (Double) -> Double) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for azimuth in [35.0, 100, 60, 300] { track.move(azimuth: azimuth, distance: 8000, speed: 30) }
    var fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    for index in fixes.indices { fixes[index].course = fixes[index].course.map(course) }
    let way = OdometerRun(fixes)
    #expect(abs(way.distance - track.length) < 0.02 * track.length, "\(way.distance) of \(track.length)")
    #expect(way.totals.uncertainty < 0.15 * track.length)
  }

  @Test func zeroSpeedIsUsedAfterANonzeroSpeed() {
    var fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    for index in fixes.indices.dropFirst() { fixes[index].speed = 0 }
    fixes[0].speed = 0.5
    #expect(OdometerRun(fixes).distance < 100)
  }

  @Test func zeroSpeedIsUsedForFixesJumpingBetweenTwoPlaces() {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.rest(for: .seconds(7200))
    var fixes = track.fixes(every: .seconds(20), noise: .goodReceiver, seed: 1)
    for index in fixes.indices {
      fixes[index].speed = 0
      fixes[index].course = nil
      fixes[index].horizontalAccuracy = 20
      if index / 7 % 2 == 1 {
        fixes[index].coordinate = fixes[index].coordinate.destination(azimuth: 40, distance: 90)!
      }
    }
    #expect(OdometerRun(fixes).distance == 0)
  }

  /// Knots, miles per hour and kilometres per hour in place of metres per second, and the reverse. The detection takes
  /// half a minute.
  @Test(arguments: [1.9438, 2.2369, 3.6, 0.5144], [true, false])
  func speedsInAWrongUnitAreIgnored(factor: Double, hasCourse: Bool) {
    expectWalkLength(
      walk(1) {
        $0.speed = $0.speed.map { $0 * factor }
        if !hasCourse { $0.course = nil }
      }, within: 0.08)
  }

  /// Where fixes come every few seconds, the detection takes thirty steps of a device that goes straight on.
  @Test(arguments: [1.9438, 2.2369, 3.6], [3.0, 5, 10])
  func speedsInAWrongUnitAreIgnoredWithRareFixes(factor: Double, interval: Double) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for leg in 0..<12 { track.move(azimuth: leg.isMultiple(of: 2) ? 20 : 110, distance: 5000, speed: 15) }
    var fixes = track.fixes(every: .seconds(interval), noise: .goodReceiver, seed: 1)
    for index in fixes.indices { fixes[index].speed = fixes[index].speed.map { $0 * factor } }
    let way = OdometerRun(fixes)
    // Until then the wrong speeds count: with a fix every 10 s in km/h, for a seventh of this way.
    #expect(abs(way.distance - track.length) < 0.4 * track.length, "\(way.distance) of \(track.length)")
  }

  /// A leg is never longer than the way, so that too low speeds are found at any interval, also without courses.
  @Test(arguments: [0.5144, 0.2778], [1.0, 5.0, 15.0, 30.0, 60.0])
  func tooLowSpeedsAreIgnored(factor: Double, interval: Double) { expectLegsFind(factor, interval) }

  /// Too great speeds are found without courses, too; where the device may stop between two fixes, in km/h alone.
  @Test(arguments: [1.9438, 3.6], [5.0, 10.0, 15.0, 30.0])
  func tooGreatSpeedsAreIgnored(factor: Double, interval: Double) {
    guard factor > 3 || interval < 11 else { return }
    expectLegsFind(factor, interval)
  }

  private func expectLegsFind(_ factor: Double, _ interval: Double) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for leg in 0..<12 { track.move(azimuth: leg.isMultiple(of: 2) ? 20 : 110, distance: 10_000, speed: 15) }
    for hasCourse in [false, true] {
      var fixes = track.fixes(every: .seconds(interval), noise: .goodReceiver, seed: 1)
      for index in fixes.indices {
        fixes[index].speed = fixes[index].speed.map { $0 * factor }
        if !hasCourse { fixes[index].course = nil }
      }
      let way = OdometerRun(fixes)
      // Until then the wrong speeds count: for twenty legs.
      #expect(abs(way.distance - track.length) < 0.4 * track.length, "\(way.distance) of \(track.length)")
    }
  }

  /// Stops between two fixes, turns, and a path with hairpins contradict no speed.
  @Test(arguments: [1.0, 2, 5, 10, 15, 30, 60], [false, true])
  func rightSpeedsAreUsed(interval: Double, hasCourse: Bool) throws {
    var random = SeededGenerator(seed: 1)
    var town = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon), path = town
    var azimuth = 0.0
    for leg in 0..<200 {
      town.move(
        azimuth: azimuth, distance: .random(in: 60...600, using: &random),
        speed: .random(in: 6...14, using: &random))
      town.rest(for: .seconds(Double.random(in: 0...60, using: &random)))
      azimuth += [-90, 0, 0, 90].randomElement(using: &random) ?? 0
      path.move(azimuth: leg.isMultiple(of: 2) ? 60 : 300, distance: 40, speed: 0.9)
    }
    var phone = ReceiverNoise.cityPhone
    phone.statedAccuracyFactor = 1
    for (track, noise) in [(town, phone), (path, .goodReceiver)] {
      var filter = StatedSpeedFilter(model: MotionModel()), refused = 0
      for var fix in track.fixes(every: .seconds(interval), noise: noise, seed: 1) {
        if !hasCourse { fix.course = nil }
        let sample = try #require(TrackSample(fix, model: MotionModel()))
        let plausible = filter.withoutImplausibleMotion(sample)
        if plausible.speed != sample.speed || plausible.velocity != sample.velocity { refused += 1 }
      }
      #expect(refused == 0)
    }
  }

  @Test func contradictedSpeedsWidenTheUncertainty() {
    // A drifting boat, too slow to distinguish from rest.
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 80, distance: 1080, speed: 0.3)
    let way = OdometerRun(track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1))
    #expect(abs(way.distance - 1080) < 2 * way.totals.uncertainty)
  }

  // MARK: Places

  @Test(arguments: [1e4, 1e3])
  func roundedCoordinatesAddNoDistance(steps: Double) {
    expectWalkLength(
      walk(1) {
        let place = $0.coordinate
        $0.coordinate = Coordinate(
          latitude: (place.latitude * steps).rounded() / steps,
          longitude: (place.longitude * steps).rounded() / steps)!
      }, within: 0.15)
  }

  @Test func zigzagWithRareFixesIsNotRest() {
    // Seventeen seconds a leg: no velocity lasts.
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for leg in 0..<120 { track.move(azimuth: leg.isMultiple(of: 2) ? 80 : 280, distance: 15, speed: 0.9) }
    var noise = ReceiverNoise.goodReceiver
    noise.speedDeviation = nil
    let way = OdometerRun(track.fixes(every: .seconds(10), noise: noise, seed: 2))
    #expect(way.distance > 0.6 * track.length, "\(way.distance) of \(track.length)")
    #expect(abs(way.distance - track.length) < 3 * way.totals.uncertainty)
  }

  // MARK: Rare fixes

  @Test(arguments: [(70.0, 1.0, 45.0), (70, 1, 55), (100, 1.4, 45), (300, 8, 22)])
  func zigzagWithAFixEachLegIsNotRest(leg: Double, speed: Double, interval: Double) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for index in 0..<40 {
      track.move(azimuth: index.isMultiple(of: 2) ? 80 : 280, distance: leg, speed: speed)
    }
    var noise = ReceiverNoise.goodReceiver
    noise.speedDeviation = nil
    let way = OdometerRun(track.fixes(every: .seconds(interval), noise: noise, seed: 1))
    #expect(way.distance > 0.6 * track.length, "\(way.distance) of \(track.length)")
  }

  /// Fixes that state half of their error.
  @Test(arguments: [20.0, 30, 45], [1, 2, 3] as [UInt64])
  func restWithUnderstatedErrorsAddsLittle(interval: Double, seed: UInt64) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.rest(for: .seconds(7200))
    var noise = ReceiverNoise.goodReceiver
    noise.speedDeviation = nil
    noise.statedAccuracyFactor = 0.5
    let way = OdometerRun(track.fixes(every: .seconds(interval), noise: noise, seed: seed))
    #expect(way.distance < 200, "\(way.distance)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func stopAndGoBetweenFixesAddsNoDistance(seed: UInt64) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for leg in 0..<120 {
      track.move(azimuth: Double(leg % 3) * 30, distance: 250, speed: 12)
      if leg % 2 == 1 { track.rest(for: .seconds(17)) }
    }
    let way = OdometerRun(track.fixes(every: .seconds(30), noise: .goodReceiver, seed: seed))
    #expect(abs(way.distance - track.length) < 0.06 * track.length, "\(way.distance) of \(track.length)")
  }
}
