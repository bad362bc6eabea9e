import Foundation
import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

struct OdometerTests {
  @Test func settingsChangedToNegativeDurationsCountAsZero() {
    var settings = OdometerSettings()
    settings.lateness = .seconds(-1)
    settings.gap = .seconds(-1)
    #expect(Odometer(settings).settings == OdometerSettings(lateness: .zero, gap: .zero))
  }

  // MARK: Distance

  @Test(arguments: [1.0, 5.0], [1, 2, 3] as [UInt64])
  func walkDistanceMatchesTheTruth(interval: Double, seed: UInt64) {
    let track = KnownTrack.walk()
    var noise = ReceiverNoise.goodReceiver
    if interval > 1 { noise.speedDeviation = nil }
    let way = OdometerRun(track.fixes(every: .seconds(interval), noise: noise, seed: seed))
    #expect(abs(way.distance - track.length) < 0.04 * track.length)
    #expect(abs(way.distance - track.length) < 3 * way.totals.uncertainty)
    #expect(way.totals.segments == 1)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func driveDistanceMatchesTheTruth(seed: UInt64) {
    let track = KnownTrack.drive()
    let way = OdometerRun(track.fixes(every: .seconds(1), noise: .goodReceiver, seed: seed))
    #expect(abs(way.distance - track.length) < 0.015 * track.length)
    #expect(way.totals.fastest < 20)
    #expect(way.totals.moving < way.totals.elapsed - 100)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func restAddsNoDistance(seed: UInt64) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.rest(for: .seconds(3600))
    let way = OdometerRun(track.fixes(every: .seconds(1), noise: .goodReceiver, seed: seed))
    #expect(way.distance < 20)
    #expect(way.totals.elapsed == 3600)
  }

  /// Each fix is some 30 m off. A chance displacement of one step must not make a movement of those beside it: 400 fixes
  /// had up to six kilometres.
  @Test(arguments: [200.0, 600, 900]) func rareFixesAtRestAddLittleDistance(interval: Double) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.rest(for: .seconds(400 * interval))
    var noise = ReceiverNoise.cityPhone
    noise.speedDeviation = nil
    noise.deviation = 20
    noise.correlationTime = .seconds(20)
    (noise.outlierShare, noise.statedAccuracyFactor) = (0, 1)
    let distances = (1...12).map { seed in
      OdometerRun(track.fixes(every: .seconds(interval), noise: noise, seed: UInt64(seed))).distance
    }
    #expect(distances.reduce(0, +) / 12 < 1_000, "\(distances)")
  }

  /// A walk with stops between walls: velocities 0.7 m/s off on each axis, without a stated accuracy.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func noisyVelocitiesAddLittleDistance(seed: UInt64) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for leg in 0..<16 {
      track.move(azimuth: 20 + Double(leg % 4) * 90, distance: 45, speed: 0.9)
      track.rest(for: .seconds(60))
    }
    var noise = ReceiverNoise.wandering
    noise.deviation = 6
    noise.correlationTime = .seconds(60)
    var fixes = track.fixes(every: .seconds(1), noise: noise, seed: seed)
    var random = SeededGenerator(seed: seed)
    // The sum of twelve uniform numbers is nearly normal.
    func error() -> Double {
      var sum = -6.0
      for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &random) }
      return 0.7 * sum
    }
    for (index, truth) in zip(fixes.indices, track.truth(every: .seconds(1))) {
      let angle = (truth.course ?? 0) * .pi / 180
      let east = truth.speed * sin(angle) + error(), north = truth.speed * cos(angle) + error()
      fixes[index].speed = hypot(east, north)
      fixes[index].course = (atan2(east, north) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
    }
    let way = OdometerRun(fixes)
    #expect(abs(way.distance - track.length) < 0.35 * track.length, "\(way.distance) of \(track.length)")
  }

  /// Skating in circles at 5 m/s: the velocities change by more than their error, and are right.
  @Test(arguments: [(5.0, 1.0), (8, 2)])
  func velocitiesOfADeviceThatKeepsTurningAreUsed(radius: Double, interval: Double) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    // Legs of 0.04 s. The first is half as long, so that no fix is at the end of one.
    for leg in 0...7500 {
      let turned = Double(leg) * 0.2 / radius * 180 / .pi
      track.move(
        azimuth: turned.truncatingRemainder(dividingBy: 360), distance: leg == 0 ? 0.1 : 0.2, speed: 5)
    }
    var fixes = track.fixes(every: .seconds(interval), noise: .goodReceiver, seed: 1)
    for index in fixes.indices { fixes[index].speedAccuracy = nil }
    let way = OdometerRun(fixes)
    #expect(abs(way.distance - track.length) < 0.015 * track.length, "\(way.distance) of \(track.length)")
  }

  @Test func noiselessFixesAddUpExactly() {
    // Without noise there is nothing to smooth away.
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 45, distance: 6000, speed: 10)
    var noise = ReceiverNoise.goodReceiver
    noise.deviation = 0
    noise.whiteDeviation = 0
    let way = OdometerRun(track.fixes(every: .seconds(1), noise: noise, seed: 1))
    #expect(abs(way.distance - 6000) < 6)
  }

  @Test func settledDistanceNeverFalls() {
    let fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 7)
    let way = OdometerRun(fixes)
    for (before, after) in zip(way.points, way.points.dropFirst()) {
      #expect(after.distance >= before.distance)
      #expect(after.uncertainty >= before.uncertainty)
      #expect(after.time > before.time)
    }
    #expect(way.points.count == fixes.count)
    #expect(way.points.last?.distance == way.distance)
  }

  @Test func liveDistanceStaysNearTheTruth() {
    let track = KnownTrack.drive()
    let truth = track.truth(every: .seconds(1))
    let fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 3)
    var odometer = Odometer()
    var worst = 0.0
    for (fix, point) in zip(fixes, truth) {
      odometer.process(fix) { _ in }
      worst = max(worst, abs(odometer.totals.distance + odometer.provisionalDistance - point.travelled))
    }
    #expect(worst < 120, "\(worst) m of \(track.length)")
    #expect(odometer.provisionalDistance > 0)
    odometer.endSegment { _ in }
    #expect(odometer.provisionalDistance == 0)
  }

  /// A device that moves, rests without a receiver, and moves on from the same place.
  @Test(arguments: [60.0, 1200, 86_400]) func liveDistanceDoesNotExtrapolateOverAGap(gap: Double) {
    var odometer = Odometer()
    var before = 0.0, worst = 0.0
    for second in 0..<120 {
      let time = Double(second) + (second < 60 ? 0 : gap)
      odometer.process(fix(4, at: time, north: Double(second) * 5, speed: 5)) { _ in }
      let live = odometer.totals.distance + odometer.provisionalDistance
      if second > 10 { worst = max(worst, live - before) }
      before = live
    }
    // A step of 5 m, and not the speed over the whole gap.
    #expect(worst < 50, "\(worst) m")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func settledPointsAreMoreAccurateThanFixes(seed: UInt64) {
    let track = KnownTrack.walk()
    var noise = ReceiverNoise.goodReceiver
    noise.speedDeviation = nil
    noise.whiteDeviation = 4
    noise.deviation = 0.5
    let fixes = track.fixes(every: .seconds(1), noise: noise, seed: seed)
    var errors = (fixes: 0.0, points: 0.0)
    for ((truth, fix), point) in zip(zip(track.truth(every: .seconds(1)), fixes), OdometerRun(fixes).points) {
      errors.fixes += truth.coordinate.distance(to: fix.coordinate)
      errors.points += truth.coordinate.distance(to: point.coordinate)
    }
    #expect(errors.points < 0.4 * errors.fixes, "\(errors.points / errors.fixes)")
  }

  // MARK: Unusable values

  @Test func unusableFieldsDoNotChangeTheDistance() {
    let fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 2)
    let plain = OdometerRun(fixes)
    var strange = fixes
    for index in stride(from: 5, to: fixes.count, by: 50) {
      strange[index].horizontalAccuracy = [.nan, -1, .infinity, 0, 1e200][index / 50 % 5]
      strange[index].speedAccuracy = .nan
      strange[index].course = .infinity
      strange[index].heightAboveGeoid = .nan
      strange[index].speed = [.nan, -3, .infinity, 1e300][index / 50 % 4]
    }
    let way = OdometerRun(strange)
    #expect(way.distance.isFinite && way.totals.uncertainty.isFinite)
    #expect(abs(way.distance - plain.distance) < 0.03 * plain.distance)
    #expect(way.points.allSatisfy { $0.distance.isFinite && $0.speed.isFinite })
  }

  @Test func extremeTimesDoNotTrap() {
    var fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 2).prefix(40).map {
      $0
    }
    for extreme in [Int64.max, .min, 0, .max - 1, .min + 1] {
      fixes.append(fixes[0])
      fixes[fixes.count - 1].time = UTCTime(nanosecondsSince1970: extreme)
    }
    let way = OdometerRun(fixes + fixes)
    #expect(way.distance.isFinite)
  }

  @Test func fixesWithoutTimeAreIgnored() {
    var fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 2)
    for index in 0..<10 { fixes[index].time = nil }
    #expect(OdometerRun(fixes).odometer.lateFixes == 10)
  }

  @Test func fewerThanThreeFixesHaveNoDistance() {
    let fixes = KnownTrack.drive().fixes(every: .seconds(1), noise: .goodReceiver, seed: 2)
    for count in 0...2 {
      let way = OdometerRun(Array(fixes.suffix(count)))
      #expect(way.totals == TrackTotals())
      #expect(way.points.isEmpty)
    }
    #expect(OdometerRun(Array(fixes.suffix(3))).points.count == 3)
  }

  @Test func staleFirstFixAddsNoDistance() {
    let fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 2)
    var stale = fixes[0]
    stale.time = KnownTrack.noon.advanced(by: .seconds(-600))
    stale.coordinate = KnownTrack.lisbon.destination(azimuth: 80, distance: 2500)!
    stale.horizontalAccuracy = 1400
    let way = OdometerRun([stale] + fixes)
    #expect(way.distance == OdometerRun(fixes).distance)
    #expect(way.totals.gaps == 0)
  }

  @Test func outlyingFixAddsNoDistance() {
    var fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 2)
    let plain = OdometerRun(fixes).distance
    for index in [30, 300, 301, 900] {
      fixes[index].coordinate = fixes[index].coordinate.destination(azimuth: 300, distance: 400)!
    }
    #expect(abs(OdometerRun(fixes).distance - plain) < 15)
  }

  /// The filter can't judge its first fixes.
  @Test(arguments: [0, 1, 2], [50.0, 80, 150, 400])
  func outlierAmongTheFirstFixesAddsNoDistance(index: Int, metres: Double) {
    for speed in [0, 1.4, 12] {
      var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
      if speed == 0 {
        track.rest(for: .seconds(120))
      } else {
        track.move(azimuth: 60, distance: 120 * speed, speed: speed)
      }
      var noise = ReceiverNoise.goodReceiver
      noise.speedDeviation = nil
      var fixes = track.fixes(every: .seconds(1), noise: noise, seed: 2)
      fixes[index].coordinate = fixes[index].coordinate.destination(azimuth: 300, distance: metres)!
      let way = OdometerRun(fixes)
      #expect(abs(way.distance - track.length) < 25, "\(way.distance) of \(track.length)")
    }
  }

  @Test func wrongColdStartAddsNoDistance() {
    let fixes = KnownTrack.walk().fixes(every: .seconds(1), noise: .goodReceiver, seed: 2)
    var wrong = fixes
    for index in 0..<30 {
      wrong[index].coordinate = wrong[index].coordinate.destination(azimuth: 10, distance: 200_000)!
    }
    let way = OdometerRun(wrong)
    #expect(abs(way.distance - OdometerRun(fixes).distance) < 100)
    #expect(way.totals.segments == 2)
  }

  // MARK: Heights

  @Test func ascentCountsOnlyWhileMoving() throws {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.rest(for: .seconds(600))
    track.move(azimuth: 40, distance: 1200, speed: 1.5)
    track.rest(for: .seconds(600))
    var fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 5)
    for index in fixes.indices {
      let climbed = min(max(Double(index) - 600, 0), 800) / 10
      // At rest the height varies by 30 m.
      let wander = 15 * (Double(index % 200) / 100 - 1).magnitude
      fixes[index].heightAboveGeoid = 100 + climbed + (index < 600 || index > 1400 ? wander : 7)
      fixes[index].verticalAccuracy = 3
    }
    let totals = OdometerRun(fixes).totals
    let ascent = try #require(totals.ascent), descent = try #require(totals.descent)
    #expect(abs(ascent - 80) < 20)
    #expect(descent < 15)
  }
}
