import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Distance where fixes are missing or rare.
struct OdometerGapTests {
  // MARK: Gaps

  /// A drive along a straight road whose fixes are missing for two minutes.
  private func tunnelRun(_ bridging: OdometerSettings.Bridging) -> (way: OdometerRun, length: Double) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 60, distance: 9000, speed: 15)
    var noise = ReceiverNoise.goodReceiver
    noise.gaps = [.seconds(200)..<Duration.seconds(320)]
    let fixes = track.fixes(every: .seconds(1), noise: noise, seed: 4)
    return (OdometerRun(fixes, settings: OdometerSettings(bridging: bridging)), track.length)
  }

  @Test func gapIsReportedWithItsBridge() throws {
    let (way, _) = tunnelRun(.geodesic)
    let gaps = way.points.compactMap { point in
      if case .bridges(let gap) = point.link { gap } else { nil }
    }
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1 && way.totals.gaps == 1)
    #expect(abs(gap.duration - 121) < 1.5)
    #expect(abs(gap.geodesic - 121 * 15) < 20)
    #expect(gap.counted == gap.geodesic)
    #expect(way.totals.bridged == gap.counted)
  }

  @Test func gapCountsAccordingToTheBridgingSetting() {
    let (bridged, length) = tunnelRun(.geodesic)
    #expect(abs(bridged.distance - length) < 0.01 * length)
    let (estimated, _) = tunnelRun(.estimated)
    #expect(abs(estimated.distance - length) < 0.01 * length)
    #expect(abs(estimated.distance - length) < 2 * estimated.totals.uncertainty)
    let (without, _) = tunnelRun(.none)
    #expect(abs(without.distance - (length - 121 * 15)) < 0.01 * length)
    #expect(without.totals.gaps == 1 && without.totals.bridged == 0)
  }

  /// A gap in a drive of two straight legs, from a number of seconds on, with its bridge.
  private func bridgedGap(turning degrees: Double, from start: Int, for seconds: Int) throws -> TrackPoint.Gap
  {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 60, distance: 4500, speed: 15)
    track.move(azimuth: 60 + degrees, distance: 4500, speed: 15)
    var noise = ReceiverNoise.goodReceiver
    noise.gaps = [.seconds(start)..<Duration.seconds(start + seconds)]
    let way = OdometerRun(track.fixes(every: .seconds(1), noise: noise, seed: 4))
    let gaps = way.points.compactMap { if case .bridges(let gap) = $0.link { gap } else { nil } }
    #expect(gaps.count == 1)
    return try #require(gaps.first)
  }

  @Test(arguments: [30, 60, 120, 240])
  func straightGapAtConstantSpeedIsAsLongAsTheGeodesic(seconds: Int) throws {
    let gap = try bridgedGap(turning: 0, from: 150 - seconds / 2, for: seconds)
    #expect(abs(gap.counted - gap.geodesic) < 0.005 * gap.geodesic)
    #expect(gap.uncertainty < 0.02 * gap.geodesic + 10)
  }

  @Test(arguments: [45.0, 90, 135]) func gapThatHidesATurnIsLongerThanTheGeodesic(degrees: Double) throws {
    let gap = try bridgedGap(turning: degrees, from: 240, for: 120)
    #expect(gap.counted > 1.02 * gap.geodesic)
    #expect(abs(gap.counted - 121 * 15) < 2.5 * gap.uncertainty)
  }

  @Test func standingDuringAGapAddsNoDistance() {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 60, distance: 900, speed: 5)
    track.rest(for: .seconds(400))
    track.move(azimuth: 60, distance: 900, speed: 5)
    var noise = ReceiverNoise.goodReceiver
    noise.gaps = [.seconds(181)..<Duration.seconds(579)]
    let way = OdometerRun(track.fixes(every: .seconds(1), noise: noise, seed: 4))
    #expect(way.totals.gaps == 1)
    #expect(abs(way.distance - 1800) < 40, "\(way.distance)")
  }

  /// A car whose source reports a fix each 50 m, and that stands for a while.
  @Test(arguments: [360.0, 1500, 7200], [true, false])
  func standingWithADistanceFilterAddsNoDistance(seconds: Double, statesSpeeds: Bool) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 60, distance: 2000, speed: 12)
    track.rest(for: .seconds(seconds))
    track.move(azimuth: 60, distance: 2000, speed: 12)
    var noise = ReceiverNoise.goodReceiver
    noise.deviation = 0.5
    if !statesSpeeds { noise.speedDeviation = nil }
    var reported: [Fix] = []
    for fix in track.fixes(every: .seconds(1), noise: noise, seed: 1) {
      if let last = reported.last, last.coordinate.distance(to: fix.coordinate) < 50 { continue }
      reported.append(fix)
    }
    let way = OdometerRun(reported)
    #expect(way.totals.gaps == 1)
    // The last fix may come 50 m before the end.
    #expect(abs(way.distance - 3970) < 60, "\(way.distance)")
    #expect(way.totals.uncertainty < 300)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func pausedRecordingAddsNoDistance(seed: UInt64) {
    // As in bicycle computers: nothing is recorded at a stop, and the device moves before and after.
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 60, distance: 1800, speed: 5)
    var fixes = track.fixes(every: .seconds(1), noise: .goodReceiver, seed: seed)
    for index in 180..<fixes.count { fixes[index].time = fixes[index].time!.advanced(by: .seconds(240)) }
    let way = OdometerRun(fixes)
    #expect(way.totals.gaps == 1)
    #expect(abs(way.distance - 1800) < 30, "\(way.distance)")
  }

  /// A walk whose program was killed on the way, and started again days later at another place.
  @Test(arguments: [1, 7, 30]) func speedDoesNotContinueForDays(days: Int) throws {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 60, distance: 4500, speed: 1.5)
    var noise = ReceiverNoise.goodReceiver
    noise.gaps = [.seconds(1000)..<Duration.seconds(2000)]
    var fixes = track.fixes(every: .seconds(1), noise: noise, seed: 4)
    for index in 1000..<fixes.count {
      fixes[index].time = fixes[index].time!.advanced(by: .seconds(86_400 * days))
    }
    let gaps = OdometerRun(fixes).points.compactMap { point in
      if case .bridges(let gap) = point.link { gap } else { nil }
    }
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1)
    #expect(gap.counted > 1400 && gap.counted < 1.5 * 16_200, "\(gap.counted) m")
  }

  @Test func breakOffIsNotBridged() {
    let fixes = KnownTrack.drive().fixes(every: .seconds(1), noise: .goodReceiver, seed: 5)
    var way = OdometerRun(Array(fixes[..<200]))
    for fix in fixes[400...] { way.process(fix) }
    way.breakOff()
    #expect(way.totals.segments == 2 && way.totals.gaps == 0)
    let whole = OdometerRun(fixes).distance
    #expect(way.distance < whole - 1000)
    #expect(way.points.filter { $0.link == .begins }.count == 2)
  }

  // MARK: Rare fixes

  @Test(arguments: [30.0, 60, 300])
  func rareFixesAreNoGaps(interval: Double) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for leg in 0..<8 { track.move(azimuth: Double(leg) * 15, distance: 3000, speed: 8) }
    var noise = ReceiverNoise.goodReceiver
    noise.speedDeviation = nil
    let way = OdometerRun(track.fixes(every: .seconds(interval), noise: noise, seed: 3))
    #expect(way.totals.gaps == 0 && way.totals.segments == 1)
    #expect(abs(way.distance - track.length) < 0.06 * track.length)
    #expect(way.totals.uncertainty > 0.03 * way.distance, "turns may have gone unseen")
  }

  @Test(arguments: [600.0, 86_400, 31_557_600])
  func speedIsNotExtrapolatedOverLongGaps(interval: Double) {
    var fixes: [Fix] = []
    for index in 0..<12 {
      let place = KnownTrack.lisbon.destination(azimuth: 70, distance: Double(index) * 3000)!
      var fix = Fix(
        coordinate: place, time: KnownTrack.noon.advanced(by: .seconds(Double(index) * interval)),
        source: .scripted)
      fix.horizontalAccuracy = 5
      fixes.append(fix)
    }
    let way = OdometerRun(fixes)
    #expect(way.distance > 32_000 && way.distance < 50_000, "\(way.distance)")
  }

  @Test func restWithRareFixesAddsNoDistance() {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.rest(for: .seconds(8 * 3600))
    var noise = ReceiverNoise.goodReceiver
    noise.speedDeviation = nil
    #expect(OdometerRun(track.fixes(every: .seconds(60), noise: noise, seed: 3)).distance < 50)
  }

  /// A fix on a straight road that states its speed.
  private func fix(at seconds: Double, metres: Double, speed: Double) -> Fix {
    let place = KnownTrack.lisbon.destination(azimuth: 0, distance: metres)!
    var fix = Fix(
      coordinate: place, time: KnownTrack.noon.advanced(by: .seconds(seconds)), source: .scripted)
    fix.horizontalAccuracy = 4
    fix.speed = speed
    fix.course = speed > 0 ? 0 : nil
    return fix
  }

  /// A tracker that sends seldom at rest, and each 15 s on the way. Half of the first speed of the way counted for the
  /// whole rest since the fix before.
  @Test(arguments: [120.0, 300, 540])
  func drivingOffAfterRareFixesAddsNoDistance(interval: Double) {
    let rest = (1...20).reversed().map { fix(at: -interval * Double($0), metres: 0, speed: 0) }
    let drive = (1...33).map { fix(at: 15 * Double($0), metres: 180 * Double($0), speed: 12) }
    let way = OdometerRun(rest + drive)
    #expect(abs(way.distance - 5940) < 300, "\(way.distance)")
  }

  /// Returns the greatest error of the live distance on the straight road, in metres.
  private func greatestLiveError(_ fixes: [Fix]) -> Double {
    var odometer = Odometer(), greatest = 0.0
    for fix in fixes {
      odometer.process(fix) { _ in }
      let live = odometer.totals.distance + odometer.provisionalDistance
      greatest = max(greatest, abs(live - KnownTrack.lisbon.distance(to: fix.coordinate)))
    }
    return greatest
  }

  /// The live distance had half of the first speed for the whole rest before, until the track was settled.
  @Test(arguments: [120.0, 300, 540])
  func drivingOffAfterRareFixesAddsNoLiveDistance(interval: Double) {
    let rest = (1...20).reversed().map { fix(at: -interval * Double($0), metres: 0, speed: 0) }
    let drive = (1...33).map { fix(at: 15 * Double($0), metres: 180 * Double($0), speed: 12) }
    let error = greatestLiveError(rest + drive)
    #expect(error < 300, "\(error) m")
  }

  /// The live distance had the last speed up to the first fix at rest, until the next one.
  @Test(arguments: [120.0, 300, 540])
  func stoppingAfterAShortDriveAddsNoLiveDistance(interval: Double) {
    let rest = (1...20).reversed().map { fix(at: -interval * Double($0), metres: 0, speed: 0) }
    let drive = (1...10).map { fix(at: 15 * Double($0), metres: 180 * Double($0), speed: 12) }
    let stop = (1...20).map { fix(at: 150 + interval * Double($0), metres: 1900, speed: 0) }
    let error = greatestLiveError(rest + drive + stop)
    #expect(error < 300, "\(error) m")
  }

  /// Each second fix is at a stop.
  @Test(arguments: [300.0, 540])
  func rareFixesAtStopsCountTheWayBetween(interval: Double) {
    let fixes = (0...20).map { index in
      fix(
        at: interval * Double(index), metres: 15 * interval * Double(index),
        speed: index.isMultiple(of: 2) ? 0 : 15)
    }
    let way = OdometerRun(fixes), length = 15 * interval * 20
    #expect(abs(way.distance - length) < 0.03 * length, "\(way.distance) of \(length)")
  }

  /// A tracker that sends each 15 s on the way, and seldom at rest from the last place of the way on.
  @Test(arguments: [120.0, 300, 540])
  func stoppingBeforeRareFixesAddsNoDistance(interval: Double) {
    let drive = (0...33).map { fix(at: 15 * Double($0), metres: 180 * Double($0), speed: 12) }
    let rest = (1...19).map { fix(at: 495 + interval * Double($0), metres: 5940, speed: 0) }
    let way = OdometerRun(drive + rest)
    #expect(way.totals.gaps == 1)
    #expect(abs(way.distance - 5940) < 180, "\(way.distance)")
  }

  /// A phone that sends each second on the way, and seldom at rest. Its fixes end 100 m before the way does.
  @Test(arguments: [120.0, 300, 540])
  func fixesThatEndBeforeTheStopAddNoDistance(interval: Double) {
    let drive = (0...495).map { fix(at: Double($0), metres: 12 * Double($0), speed: 12) }
    let rest = (1...19).map { fix(at: 495 + interval * Double($0), metres: 6040, speed: 0) }
    let way = OdometerRun(drive + rest)
    #expect(way.totals.gaps == 1)
    #expect(abs(way.distance - 6040) < 180, "\(way.distance)")
  }

  @Test func trackContinuesWhenFixesBecomeRare() {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.move(azimuth: 70, distance: 24_000, speed: 8)
    var noise = ReceiverNoise.goodReceiver
    noise.speedDeviation = nil
    let all = track.fixes(every: .seconds(1), noise: noise, seed: 3)
    let rare = all.enumerated().filter { $0.offset < 1000 || $0.offset > 2000 || $0.offset % 60 == 0 }.map(
      \.element)
    let way = OdometerRun(rare)
    #expect(abs(way.distance - track.length) < 0.02 * track.length)
    #expect(way.totals.gaps == 1 && way.totals.segments == 1)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func pausesBetweenFixesAddNoDistance(seed: UInt64) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for leg in 0..<30 {
      track.move(azimuth: leg < 15 ? 40 : 130, distance: 45, speed: 1.2)
      track.rest(for: .seconds(14))
    }
    var noise = ReceiverNoise.goodReceiver
    noise.speedDeviation = nil
    noise.deviation = 0.5
    // A source that reports a fix each 10 m, as many do.
    var reported: [Fix] = []
    for fix in track.fixes(every: .seconds(1), noise: noise, seed: seed) {
      if let last = reported.last, last.coordinate.distance(to: fix.coordinate) < 10 { continue }
      reported.append(fix)
    }
    let way = OdometerRun(reported)
    #expect(abs(way.distance - track.length) < 0.06 * track.length, "\(way.distance) of \(track.length)")
  }

  /// A phone that reports a fix each 50 m is silent at a red light, between two fixes that state the speed of a drive.
  @Test(arguments: [24.0, 60], [false, true])
  func redLightsBetweenFixesWithSpeedsAddLittle(rest: Double, isLive: Bool) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for leg in 0..<40 {
      track.move(azimuth: leg < 20 ? 40 : 130, distance: 430, speed: 12)
      track.rest(for: .seconds(rest))
    }
    var reported: [Fix] = []
    for fix in track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1) {
      if let last = reported.last, last.coordinate.distance(to: fix.coordinate) < 50 { continue }
      reported.append(fix)
    }
    guard isLive else {
      let way = OdometerRun(reported)
      return #expect(abs(way.distance - track.length) < 0.04 * track.length, "\(way.distance)")
    }
    let truth = Dictionary(
      uniqueKeysWithValues: track.truth(every: .seconds(1)).map { ($0.time, $0.travelled) })
    var way = OdometerRun([]), greatestExcess = 0.0
    for fix in reported {
      way.process(fix)
      guard let settled = way.odometer.settledTo, let before = truth[settled],
        let now = fix.time.flatMap({ truth[$0] })
      else { continue }
      greatestExcess = max(greatestExcess, way.odometer.provisionalDistance - (now - before))
    }
    // Not the hundreds of metres of a drive that went on.
    #expect(greatestExcess < 150, "\(greatestExcess)")
  }

  /// Many apps leave out a speed of zero: a phone at rest states none, and a speed once it moves.
  @Test(arguments: [60.0, 120, 300, 600], [4.0, 7, 14])
  func journeyAfterARestWithoutSpeedsIsNotLonger(interval: Double, speed: Double) {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.rest(for: .seconds(3600))
    track.move(azimuth: 80, distance: 900, speed: speed)
    track.rest(for: .seconds(3600))
    let seldom = Int(interval)
    var reported: [Fix] = []
    for (second, var fix) in track.fixes(every: .seconds(1), noise: .goodReceiver, seed: 1).enumerated() {
      let isMoving = (3601..<3600 + Int(900 / speed)).contains(second)
      guard isMoving ? second % 15 == 0 : second % seldom == 0 else { continue }
      if !isMoving {
        fix.speed = nil
        fix.course = nil
      }
      reported.append(fix)
    }
    let way = OdometerRun(reported)
    #expect(abs(way.distance - 900) < 0.25 * 900, "\(way.distance)")
  }

  /// With a fix in hours, speeds say nothing: no error is longer than the way that the places allow, and the time in
  /// motion is that of the way.
  @Test func fixesHoursApartStateAPossibleErrorAndTime() throws {
    let far = try #require(KnownTrack.lisbon.destination(azimuth: 90, distance: 1800))
    let way = OdometerRun(
      "AAABBAAA".enumerated().map { index, place in
        var fix = Fix(
          coordinate: place == "A" ? KnownTrack.lisbon : far,
          time: KnownTrack.noon.advanced(by: .seconds(10_800 * index)),
          source: .scripted)
        fix.horizontalAccuracy = 12
        return fix
      })
    #expect((3600...5500).contains(way.distance), "\(way.distance)")
    #expect(way.totals.uncertainty < 6000, "\(way.totals.uncertainty)")
    #expect(way.totals.moving < 3600, "\(way.totals.moving)")
  }
}
