import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct SegmenterTests {
  /// The fixes of a device on a track that begins at rest.
  func fixes(
    every interval: Double, noise: ReceiverNoise = .goodReceiver, seed: UInt64 = 1,
    _ build: (inout TrackBuilder) -> Void
  ) throws -> [Fix] {
    let home = try #require(Coordinate(latitude: 48, longitude: 11))
    var track = TrackBuilder(from: home, at: utc(0))
    build(&track)
    return track.fixes(every: .seconds(interval), noise: noise, seed: seed)
  }

  func utc(_ seconds: Double) -> UTCTime {
    UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000).advanced(by: .seconds(seconds))
  }

  func seconds(_ time: UTCTime) -> Double { time.seconds(since: utc(0)) }

  func kinds(_ segments: [Segment]) -> String { segments.map(\.id.kind.rawValue).joined() }

  func visits(_ segments: [Segment]) -> [VisitSegment] {
    segments.compactMap { if case .visit(let visit) = $0 { visit } else { nil } }
  }

  func journeys(_ segments: [Segment]) -> [JourneySegment] {
    segments.compactMap { if case .journey(let journey) = $0 { journey } else { nil } }
  }

  // MARK: Visits

  @Test(arguments: [1.0, 15, 60]) func stayBetweenTwoWalksIsAVisitWithItsTimes(interval: Double) throws {
    let fixes = try fixes(every: interval) {
      $0.move(azimuth: 90, distance: 1_400, speed: 1.4)
      $0.rest(for: .seconds(1_200))
      $0.move(azimuth: 0, distance: 1_400, speed: 1.4)
    }
    let segments = Segmenter.segments(of: fixes)
    #expect(kinds(segments) == "jvj")
    let visit = try #require(visits(segments).first), departure = try #require(visit.departure)
    #expect((seconds(visit.arrival.time) - 1_000).magnitude < max(20, interval / 2))
    #expect((seconds(departure.time) - 2_200).magnitude < max(20, interval / 2))
    #expect(visit.arrival.uncertainty > 0 && departure.uncertainty > 0)
    for journey in journeys(segments) {
      #expect((journey.distance - 1_400).magnitude < max(60, 3 * journey.uncertainty))
    }
  }

  /// The odometer may be slightly shorter than the straight line. Only missing parts may have been longer.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func straightWayBetweenStaysHasItsLength(seed: UInt64) throws
  {
    let fixes = try fixes(every: 10, seed: seed) {
      $0.rest(for: .seconds(900))
      $0.move(azimuth: 0, distance: 800, speed: 2)
      $0.rest(for: .seconds(900))
    }
    let segments = Segmenter.segments(of: fixes)
    #expect(kinds(segments) == "vjv")
    let journey = try #require(journeys(segments).first)
    #expect((journey.distance - 800).magnitude < 40, "\(journey.distance)")
    #expect(journey.uncertainty < 60, "\(journey.uncertainty)")
  }

  /// A car's receiver is silent where it is parked, so that most fixes near the place are of the way. It is heard again at
  /// the place, or only some way off.
  @Test(arguments: [8.0, 12], [0.0, 50, 80])
  func stopOfACarThatIsSilentAtRestIsAtItsPlace(speed: Double, heardAgain: Double) throws {
    let way = 1_200.0, rest = 3_600.0, arrival = way / speed
    let fixes = try fixes(every: 1) {
      $0.move(azimuth: 90, distance: way, speed: speed)
      $0.rest(for: .seconds(rest))
      $0.move(azimuth: 0, distance: way, speed: speed)
      $0.rest(for: .seconds(rest))
    }
    let heard = fixes.filter { fix in
      let time = seconds(fix.time ?? utc(0)) - arrival
      return !(5..<rest + heardAgain / speed).contains(time) && time < rest + way / speed + 5
    }
    let segments = Segmenter.segments(of: heard)
    let visit = try #require(visits(segments).first), departure = try #require(visit.departure)
    let parked = try #require(heard.last { seconds($0.time ?? utc(0)) < arrival + 5 })
    #expect(visit.coordinate.distance(to: parked.coordinate) < 25)
    #expect((seconds(visit.arrival.time) - arrival).magnitude < 6)
    #expect((seconds(departure.time) - arrival - rest).magnitude < 6 + heardAgain / speed)
    let after = try #require(journeys(segments).last)
    #expect((after.distance - way).magnitude < 25 + heardAgain, "\(after.distance)")
  }

  /// A walk with a fix a minute and without speeds: one fix shows no speed, but the way between two is beyond doubt.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func uncertaintyOfAWalkWithRareFixesIsAFewTurns(
    seed: UInt64
  ) throws {
    var fixes = try fixes(every: 60, noise: .cityPhone, seed: seed) {
      $0.rest(for: .seconds(1_800))
      $0.move(azimuth: 0, distance: 400, speed: 1.2)
      $0.move(azimuth: 90, distance: 400, speed: 1.2)
      $0.rest(for: .seconds(1_800))
    }
    for index in fixes.indices { (fixes[index].speed, fixes[index].course) = (nil, nil) }
    let journey = try #require(journeys(Segmenter.segments(of: fixes)).first)
    #expect(journey.uncertainty < 0.3 * journey.distance, "\(journey.distance) ± \(journey.uncertainty)")
    #expect((journey.distance - 800).magnitude < 2 * journey.uncertainty)
  }

  @Test(arguments: [30.0, 90, 200]) func waitAtATrafficLightIsNoVisit(wait: Double) throws {
    let fixes = try fixes(every: 1) {
      $0.move(azimuth: 90, distance: 2_000, speed: 12)
      $0.rest(for: .seconds(wait))
      $0.move(azimuth: 0, distance: 2_000, speed: 12)
    }
    #expect(kinds(Segmenter.segments(of: fixes)) == "j")
  }

  @Test(arguments: [300.0, 600, 900]) func leastStayIsASetting(least: Double) throws {
    let fixes = try fixes(every: 20) {
      $0.move(azimuth: 90, distance: 1_400, speed: 1.4)
      $0.rest(for: .seconds(700))
      $0.move(azimuth: 90, distance: 1_400, speed: 1.4)
    }
    let settings = SegmenterSettings(visits: VisitTerms(minimumStay: .seconds(least)))
    #expect(kinds(Segmenter.segments(of: fixes, settings: settings)) == (least < 700 ? "jvj" : "j"))
  }

  @Test func passingAPlaceIsNoVisit() throws {
    // A walker is within 100 m of each place on the path for two and a half minutes.
    let fixes = try fixes(every: 10) { $0.move(azimuth: 90, distance: 6_000, speed: 1.3) }
    #expect(kinds(Segmenter.segments(of: fixes)) == "j")
  }

  @Test func teleportMakesNoJourney() throws {
    var fixes = try fixes(every: 60) { $0.rest(for: .seconds(14_400)) }
    for index in [60, 120, 121, 180] {
      fixes[index].coordinate = try #require(Coordinate(latitude: 48.3, longitude: 11))
    }
    #expect(kinds(Segmenter.segments(of: fixes)) == "v")
  }

  /// A false fix adds neither its way there and back nor a point of the path.
  @Test func teleportsOnAJourneyAddNoDistance() throws {
    let clean = try fixes(every: 10) { $0.move(azimuth: 0, distance: 8_000, speed: 8_000 / 3_600) }
    var fixes = clean
    fixes[120].coordinate = try #require(Coordinate(latitude: 58, longitude: 11))
    fixes[240].coordinate = try #require(Coordinate(latitude: 40, longitude: 11))
    let expected = try #require(journeys(Segmenter.segments(of: clean)).first)
    let segments = Segmenter.segments(of: fixes)
    #expect(kinds(segments) == "j")
    let journey = try #require(journeys(segments).first)
    #expect((journey.distance - expected.distance).magnitude < 30, "\(journey.distance)")
    #expect((journey.uncertainty / expected.uncertainty - 1).magnitude < 0.2, "\(journey.uncertainty)")
    #expect(journey.path.allSatisfy { (47.9...48.2).contains($0.coordinate.latitude) })
  }

  /// The uncertainty of a journey depends on the journey alone, not on the past before it.
  @Test func equalJourneysHaveEqualUncertainties() throws {
    let fixes = try fixes(every: 60, noise: .cityPhone) { track in
      for day in 0..<20 {
        track.rest(for: .seconds(7_200))
        track.move(azimuth: day % 2 == 0 ? 0 : 180, distance: 4_870, speed: 5)
      }
      track.rest(for: .seconds(7_200))
    }
    let found = journeys(Segmenter.segments(of: fixes))
    #expect(found.count == 20)
    let early = found.prefix(5).map(\.uncertainty).sorted()[2]
    let late = found.suffix(5).map(\.uncertainty).sorted()[2]
    #expect((late / early - 1).magnitude < 0.25, "\(early), \(late)")
    #expect(found.allSatisfy { $0.uncertainty < 0.3 * $0.distance })
  }

  /// The few fixes of each way show no sure movement, and the phone is silent at rest.
  @Test func equalJourneysBetweenSilencesHaveEqualUncertainties() throws {
    var fixes: [Fix] = []
    for day in 0..<10 {
      for step in 0..<5 {
        let place = try #require(Coordinate(latitude: 48, longitude: 11 + 0.03 * Double(step)))
        let time = utc(Double(day) * 86_400 + Double(step) * 600)
        fixes.append(Fix(coordinate: place, time: time, source: .scripted))
      }
    }
    let found = journeys(Segmenter.segments(of: fixes)).map(\.uncertainty)
    #expect(found.count == 10)
    let first = try #require(found.first), last = try #require(found.last)
    #expect((last / first - 1).magnitude < 0.25, "\(first), \(last)")
  }

  @Test func journeyAloneHasTheUncertaintyOfTheOdometer() throws {
    let fixes = try fixes(every: 10) { $0.move(azimuth: 0, distance: 8_000, speed: 5) }
    var odometer = Odometer(OdometerSettings(lateness: .zero))
    for fix in fixes { odometer.process(fix) { _ in } }
    odometer.endSegment { _ in }
    let journey = try #require(journeys(Segmenter.segments(of: fixes)).first)
    let total = odometer.totals
    #expect((journey.distance / total.distance - 1).magnitude < 0.02, "\(journey.distance)")
    #expect((journey.uncertainty / total.uncertainty - 1).magnitude < 0.15, "\(journey.uncertainty)")
  }

  @Test func poorFixesAreNoEvidence() throws {
    var fixes = try fixes(every: 60) { $0.rest(for: .seconds(14_400)) }
    for index in stride(from: 30, to: 200, by: 3) {
      fixes[index].coordinate = try #require(Coordinate(latitude: 48.01, longitude: 11))
      fixes[index].horizontalAccuracy = 2_000
    }
    #expect(kinds(Segmenter.segments(of: fixes)) == "v")
  }

  @Test func shortAbsenceIsPartOfAVisit() throws {
    let fixes = try fixes(every: 20) {
      $0.rest(for: .seconds(1_800))
      $0.move(azimuth: 90, distance: 150, speed: 1.4)
      $0.move(azimuth: 270, distance: 150, speed: 1.4)
      $0.rest(for: .seconds(1_800))
    }
    #expect(kinds(Segmenter.segments(of: fixes)) == "v")
  }

  @Test func placesOfSparseFixesAreVisits() throws {
    let fixes = try fixes(every: 720, noise: .cityPhone) {
      $0.rest(for: .seconds(14_400))
      $0.move(azimuth: 90, distance: 12_000, speed: 10)
      $0.rest(for: .seconds(28_800))
      $0.move(azimuth: 270, distance: 12_000, speed: 10)
      $0.rest(for: .seconds(14_400))
    }
    let segments = Segmenter.segments(of: fixes)
    #expect(kinds(segments) == "vjvjv")
    let work = visits(segments)[1]
    #expect((seconds(work.arrival.time) - 15_600).magnitude <= 720)
    #expect((15_600 - seconds(work.arrival.time)).magnitude <= 3 * work.arrival.uncertainty)
  }

  /// Fixes without noise: seconds, metres to the east and to the north, and the accuracy.
  func fixes(_ rows: [(time: Double, east: Double, north: Double, accuracy: Double)]) throws -> [Fix] {
    let plane = LocalPlane(around: try #require(Coordinate(latitude: 48, longitude: 11)))
    return try rows.map { row in
      let point = LocalPlane.Point(east: row.east, north: row.north)
      var fix = Fix(
        coordinate: try #require(plane.coordinate(at: point)), time: utc(row.time), source: .nmea)
      fix.horizontalAccuracy = row.accuracy
      return fix
    }
  }

  /// The second fix of the place and the first one after the silence are too coarse to lie inside or outside.
  @Test func coarseFixesOfAVisitAreNoVisitOfTheirOwn() throws {
    let segments = Segmenter.segments(
      of: try fixes([
        (0, 0, 0, 483), (230, -400, 700, 427), (345, -300, 1_200, 468), (65_290, -500, 1_200, 494),
        (65_395, 0, 600, 408), (65_500, 1_000, 800, 458), (65_600, 2_000, 800, 400),
        (65_700, 3_000, 800, 400),
      ]))
    #expect(visits(segments).count == 1, "\(kinds(segments))")
    for visit in visits(segments) { #expect(visit.duration >= 300) }
    for (before, after) in zip(segments, segments.dropFirst()) { #expect(before.end <= after.start) }
  }

  /// A device in one part of a large garden, at its gate, and then in another part for half an hour. The middle of the
  /// visit moves away from the gate.
  @Test func visitOfALargePlaceLastsUntilTheDeviceLeaves() throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    for minute in 0..<50 { rows.append((60 * Double(minute), 0, 80 * Double(minute - 50), 8)) }
    for minute in 0..<60 {
      let north = minute < 22 ? 0.0 : minute < 25 ? -92 : 60
      rows.append((3_000 + 60 * Double(minute), 0, north + Double(minute % 2) * 4, 8))
    }
    for minute in 60..<110 { rows.append((3_000 + 60 * Double(minute), 0, 60 + 80 * Double(minute - 59), 8)) }
    let segments = Segmenter.segments(of: try fixes(rows))
    #expect(kinds(segments) == "jvj")
    let departure = try #require(visits(segments).first?.departure)
    #expect((seconds(departure.time) - 6_540).magnitude < 120, "\(seconds(departure.time))")
  }

  // MARK: Silence

  /// Leaves out the fixes of a span of seconds.
  private func without(_ span: Range<Double>, _ fixes: [Fix]) -> [Fix] {
    fixes.filter { fix in fix.time.map { !span.contains(seconds($0)) } ?? true }
  }

  @Test func visitContinuesThroughASilenceAtOnePlace() throws {
    let all = try fixes(every: 60) { $0.rest(for: .seconds(40_000)) }
    let segments = Segmenter.segments(of: without(5_000..<30_000, all))
    #expect(kinds(segments) == "v")
    let gap = try #require(visits(segments).first?.gaps.first)
    #expect(seconds(gap.lowerBound) < 5_000 && seconds(gap.upperBound) >= 30_000)
  }

  @Test func sleepingPhoneLeavesShortlyBeforeItsFirstFix() throws {
    let all = try fixes(every: 15) {
      $0.move(azimuth: 90, distance: 1_400, speed: 1.4)
      $0.rest(for: .seconds(20_000))
      $0.move(azimuth: 90, distance: 2_800, speed: 1.4)
    }
    let segments = Segmenter.segments(of: without(1_150..<21_110, all))
    #expect(kinds(segments) == "jvj")
    let departure = try #require(visits(segments).first?.departure)
    #expect((seconds(departure.time) - 21_000).magnitude < 60)
    #expect(visits(segments)[0].gaps.count == 1)
  }

  /// The last heartbeat of a sleeping phone lies off the middle of the place.
  @Test(arguments: [20.0, 45, 75]) func lastFixBeforeASilenceIsOneOfTheVisit(off: Double) throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    for step in 0..<40 { rows.append((15 * Double(step), 0, 75 * Double(step - 40), 8)) }
    for step in 0...12 { rows.append((600 + 15 * Double(step), 0, Double(step % 3 - 1) * 8, 20)) }
    for step in 1...5 { rows.append((600 + 5_400 * Double(step), 0, Double(step % 3 - 1) * 12, 20)) }
    rows.append((33_000, 0, off, 18))
    for step in 0..<60 { rows.append((36_600 + 15 * Double(step), 0, 230 + 75 * Double(step), 8)) }
    let segments = Segmenter.segments(of: try fixes(rows))
    #expect(kinds(segments) == "jvj")
    let departure = try #require(visits(segments).first?.departure)
    #expect((36_500.0...36_600).contains(seconds(departure.time)), "\(seconds(departure.time))")
  }

  @Test func deviceThatFallsSilentOnItsWayOutHasLeft() throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    for step in 0...80 { rows.append((15 * Double(step), 0, 0, 8)) }
    for step in 1...4 { rows.append((1_200 + 15 * Double(step), 0, 20 * Double(step), 8)) }
    for step in 0..<40 { rows.append((4_860 + 15 * Double(step), 0, 300 + 75 * Double(step), 8)) }
    let segments = Segmenter.segments(of: try fixes(rows))
    #expect(kinds(segments) == "vgj")
    let departure = try #require(visits(segments).first?.departure)
    #expect((1_200.0...1_260).contains(seconds(departure.time)), "\(seconds(departure.time))")
  }

  /// The last fix of the way is the only one at the place before the silence, as in an export of a Timeline.
  @Test func deviceThatFallsSilentAtTheEndOfAWayIsThere() throws {
    let all = try fixes(every: 180) {
      $0.move(azimuth: 90, distance: 5_400, speed: 3)
      $0.rest(for: .seconds(28_800))
      $0.move(azimuth: 180, distance: 5_400, speed: 3)
    }
    let segments = Segmenter.segments(of: without(1_801..<30_600, all))
    #expect(kinds(segments) == "jvj")
    let visit = try #require(visits(segments).first), departure = try #require(visit.departure)
    let home = try #require(Coordinate(latitude: 48, longitude: 11))
    #expect((visit.coordinate.distance(to: home) - 5_400).magnitude < 50)
    #expect((1_620.0...1_801).contains(seconds(visit.arrival.time)))
    #expect((30_599.0...30_780).contains(seconds(departure.time)))
    #expect(visit.gaps.count == 1)
  }

  /// The last fix of the way lies so near to the place that the next ones may be inside or outside. During the night,
  /// every other fix is surely outside.
  @Test(arguments: [(116.0, 112.0), (126, 107)])
  func deviceThatFallsSilentBesideTheLastFixOfItsWayIsThere(odd: Double, even: Double) throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    for step in 0...60 { rows.append((16 * Double(step), 0, 136 * Double(step - 60), 8)) }
    for step in 1...11 { rows.append((960 + 15 * Double(step), 0, 112 + Double(step % 3 - 1) * 4, 25)) }
    rows.append((960 + 5_400, 0, odd, 12))
    // The first fix of the night alone shows no place, and the way does not last until then.
    #expect(kinds(Segmenter.segments(of: try fixes(rows))) == "jg")
    for step in 2...6 { rows.append((960 + 5_400 * Double(step), 0, step % 2 == 1 ? odd : even, 12)) }
    for step in 0..<60 { rows.append((36_960 + 16 * Double(step), 0, 112 + 136 * Double(step + 1), 8)) }
    let segments = Segmenter.segments(of: try fixes(rows))
    #expect(kinds(segments) == "jvj")
    let visit = try #require(visits(segments).first), departure = try #require(visit.departure)
    #expect((940.0...990).contains(seconds(visit.arrival.time)), "\(seconds(visit.arrival.time))")
    #expect((36_800.0...37_000).contains(seconds(departure.time)), "\(seconds(departure.time))")
    let home = try #require(Coordinate(latitude: 48, longitude: 11))
    #expect((visit.coordinate.distance(to: home) - 112).magnitude < 15)
  }

  /// The first fix after the silence lies at the other side of the place.
  @Test func visitContinuesThroughASilenceBetweenTwoFixes() throws {
    let all = try fixes(every: 180) {
      $0.move(azimuth: 90, distance: 5_400, speed: 3)
      $0.move(azimuth: 0, distance: 75, speed: 75.0 / 28_800)
      $0.move(azimuth: 90, distance: 5_400, speed: 3)
    }
    let segments = Segmenter.segments(of: without(1_801..<30_600, all))
    #expect(kinds(segments) == "jvj")
    let visit = try #require(visits(segments).first), departure = try #require(visit.departure)
    #expect((1_620.0...1_801).contains(seconds(visit.arrival.time)))
    #expect((30_599.0...30_780).contains(seconds(departure.time)))
    #expect(visit.gaps.count == 1)
  }

  /// The silent way is short enough that the device may just have left a place of rest.
  @Test(arguments: [840.0, 900]) func journeyDoesNotCrossASilenceOnItsWay(drive: Double) throws {
    let all = try fixes(every: 60) {
      $0.move(azimuth: 90, distance: 10 * drive, speed: 10)
      $0.move(azimuth: 90, distance: 7_200, speed: 1)
      $0.move(azimuth: 90, distance: 9_000, speed: 10)
    }
    let segments = Segmenter.segments(of: without((drive + 1)..<(drive + 7_200), all))
    #expect(kinds(segments) == "jgj")
    let gap = try #require(
      segments.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }.first)
    #expect(seconds(gap.start) == drive && seconds(gap.end) == drive + 7_200)
  }

  @Test func journeyDoesNotCrossAGap() throws {
    let all = try fixes(every: 20) {
      $0.rest(for: .seconds(1_800))
      $0.move(azimuth: 90, distance: 100_000, speed: 20)
      $0.rest(for: .seconds(1_800))
    }
    let segments = Segmenter.segments(of: without(2_400..<6_000, all))
    #expect(kinds(segments) == "vjgjv")
    let gap = try #require(
      segments.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }.first)
    #expect((gap.distance - 72_000).magnitude < 1_000 && !gap.isAtOnePlace)
  }

  /// A device rests, and then sends two fixes, hours apart.
  @Test func journeyDoesNotBeginWithASilence() throws {
    var rows: [(time: Double, east: Double, north: Double, accuracy: Double)] = []
    for minute in 0...30 { rows.append((60 * Double(minute), 0, 0, 8)) }
    rows += [(30_000, 0, 5_000, 8), (60_000, 0, 100_000, 8)]
    #expect(kinds(Segmenter.segments(of: try fixes(rows))) == "vgg")
  }

  @Test func silenceOfMoreThanThreeDaysIsAGapAtOnePlace() throws {
    let all = try fixes(every: 60) { $0.rest(for: .seconds(7_200 + 4 * 86_400)) }
    let segments = Segmenter.segments(of: without(3_600..<(3_600 + 4 * 86_400), all))
    #expect(kinds(segments) == "vgv")
    let gap = try #require(
      segments.compactMap { if case .gap(let gap) = $0 { gap } else { nil } }.first)
    #expect(gap.isAtOnePlace, "\(gap.distance) \(gap.accuracy)")
  }

  @Test func deviceFoundFarAwayHasNoKnownDeparture() throws {
    let all = try fixes(every: 60) {
      $0.rest(for: .seconds(3_600))
      $0.move(azimuth: 90, distance: 50_000, speed: 20)
      $0.rest(for: .seconds(3_600))
    }
    let segments = Segmenter.segments(of: without(3_000..<6_200, all))
    #expect(kinds(segments) == "vgv")
    let departure = try #require(visits(segments).first?.departure)
    #expect(seconds(departure.time) < 3_000 && departure.latest.map { seconds($0) >= 6_200 } == true)
  }

  // MARK: Input

  @Test func fixWithoutATimeChangesNothing() throws {
    var segmenter = Segmenter()
    var fix = try fixes(every: 1) { $0.rest(for: .seconds(1)) }[0]
    fix.time = nil
    #expect(segmenter.handle(fix).isEmpty && segmenter.openSegments.isEmpty)
  }

  @Test func extremeNumbersAreSurvived() throws {
    var fixes = try fixes(every: 60) { $0.rest(for: .seconds(3_600)) }
    fixes[3].horizontalAccuracy = .infinity
    fixes[5].horizontalAccuracy = -1
    fixes[7].horizontalAccuracy = .nan
    fixes[9].speed = .infinity
    fixes[11].speed = .nan
    for time in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
      var fix = fixes[0]
      fix.time = UTCTime(nanosecondsSince1970: time)
      fixes.append(fix)
    }
    var segmenter = Segmenter()
    for fix in fixes { _ = segmenter.handle(fix) }
    _ = segmenter.openSegments
  }
}
