import WhereaboutsEngine
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Events of a fence of 50 m for one device.
struct FenceWatchTests {
  /// Eastward through the centre at 1.4 m/s, from 200 m before to 200 m beyond: enters at 107.1 s, exits at 178.6 s.
  private func trackThroughFence(speed: Double = 1.4, from metres: Double = 200) -> TrackBuilder {
    var track = FenceTestHarness.track(west: metres)
    track.move(azimuth: 90, distance: 2 * metres, speed: speed)
    return track
  }

  @Test func walkingThroughEmitsEnterAndExitAtTheTrueTimes() throws {
    var walk = FenceTestHarness()
    walk.process(trackThroughFence())
    #expect(walk.kinds == [.enter, .exit])
    let enter = try #require(walk.events.first), exit = try #require(walk.events.last)
    #expect((FenceTestHarness.second(enter.time) - 107.1).magnitude < 3 * max(1, enter.timeUncertainty))
    #expect((FenceTestHarness.second(exit.time) - 178.6).magnitude < 3 * max(1, exit.timeUncertainty))
    #expect(enter.manner == .crossed && enter.decided >= enter.time && enter.confidence >= 0.95)
    #expect(enter.decidedBy.time == enter.decided && enter.id < exit.id)
    #expect((FenceTestHarness.home.distance(to: enter.place) - 50).magnitude < 8)
    #expect(enter.lastBefore.map { $0 < enter.firstAfter } ?? false)
    #expect(walk.state.side == .outside)
  }

  @Test func initialSideIsNoCrossing() {
    var inside = FenceTestHarness()
    inside.process(FenceTestHarness.track(west: 0).addingRest(60))
    #expect(inside.events.isEmpty && inside.state.side == .inside)
    var outside = FenceTestHarness()
    outside.process(FenceTestHarness.track(west: 90).addingRest(60))
    #expect(outside.events.isEmpty && outside.state.side == .outside)
    let sides = inside.decisions.compactMap { if case .determined(_, let side, _) = $0 { side } else { nil } }
    #expect(sides == [.inside])
  }

  @Test func stateIncludesTheDeviationOfThePlace() throws {
    var walk = FenceTestHarness()
    #expect(walk.state.deviation == nil)
    walk.process(FenceTestHarness.track(west: 0).addingRest(60))
    let deviation = try #require(walk.state.deviation)
    #expect(deviation > 0 && deviation < 20, "\(deviation)")
  }

  @Test func initialSideIsReportedOnRequest() {
    var walk = FenceTestHarness(FenceTerms(reportsInitialSide: true))
    walk.process(FenceTestHarness.track(west: 0).addingRest(60))
    #expect(walk.kinds == [.enter] && walk.events.first?.manner == .initial)
  }

  @Test func sideIsUnknownBeforeTheFirstFix() {
    let walk = FenceTestHarness()
    #expect(walk.state == FenceState(side: .unknown))
    #expect(walk.watch.clearance(in: walk.registry) == nil)
    #expect(walk.watch.state(of: "nowhere", in: walk.registry).side == .unknown)
  }

  @Test func oneGoodFixDeepInsideDecides() {
    var walk = FenceTestHarness()
    // The crossing takes 3.3 s, so that at most four fixes are inside.
    walk.process(trackThroughFence(speed: 30, from: 600))
    #expect(walk.kinds == [.enter, .exit])
    let latency = walk.events.map { $0.decided.seconds(since: $0.time) }
    #expect(latency.allSatisfy { $0 < 2 })
  }

  @Test func coarseFixCausesNoEvent() {
    var walk = FenceTestHarness()
    walk.process(FenceTestHarness.track(west: 300).addingRest(20))
    let time = FenceTestHarness.start.advanced(by: .seconds(30))
    var coarse = Fix(coordinate: FenceTestHarness.home, time: time, source: .nmea)
    coarse.horizontalAccuracy = 400
    walk.process([coarse])
    #expect(walk.events.isEmpty && walk.state.side == .outside)
    coarse.horizontalAccuracy = 40_000
    coarse.time = time.advanced(by: .seconds(1))
    walk.process([coarse])
    #expect(walk.decisions.last == .tooCoarse(at: coarse.time!, accuracy: 40_000))
  }

  @Test(arguments: PropertyCases.seeds(5, of: 1...20 as ClosedRange<UInt64>))
  func standingAtTheBoundaryCausesNoEvent(seed: UInt64) {
    var noise = ReceiverNoise.cityPhone
    noise.statedAccuracyFactor = 1
    for metres in [44.0, 50, 56] {
      var walk = FenceTestHarness()
      walk.process(FenceTestHarness.track(west: metres).addingRest(1800), noise: noise, seed: seed)
      #expect(walk.events.isEmpty, "seed \(seed), \(metres) m")
    }
  }

  /// With hundreds of flaps of the plain test, a confidence of 95 % causes rare errors.
  @Test func walkingAlongTheBoundaryHardlyFlaps() throws {
    // Along the straight edge of a field of 400 m, 3 m inside, and back.
    let corner = FenceTestHarness.home
    let ring = [0.0, 90, 180, 270].reduce(into: [corner]) { ring, azimuth in
      ring.append(ring[ring.count - 1].destination(azimuth: azimuth, distance: 400)!)
    }
    let area = Area.polygon(try Area.Polygon(exterior: ring))
    var events = 0, flaps = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      var walk = FenceTestHarness([Fence(id: "home", area: area)])
      var track = TrackBuilder(
        from: corner.destination(azimuth: 90, distance: 3)!, at: FenceTestHarness.start)
      for _ in 0..<3 {
        track.move(azimuth: 0, distance: 390, speed: 1.4)
        track.move(azimuth: 180, distance: 390, speed: 1.4)
      }
      let fixes = track.fixes(every: .seconds(1), noise: .cityPhone, seed: seed)
      walk.process(fixes)
      events += walk.events.count
      let sides = fixes.map { area.signedDistance(to: $0.coordinate).isInside }
      flaps += zip(sides, sides.dropFirst()).filter { $0 != $1 }.count
    }
    #expect(events * 20 < flaps, "\(events) events, the plain test \(flaps)")
  }

  @Test func crossingBetweenTwoFixesEmitsEnterAndExit() throws {
    var walk = FenceTestHarness([FenceTestHarness.fence(radius: 60)])
    walk.process(trackThroughFence(speed: 33, from: 990), every: 5)
    try #require(walk.kinds == [.enter, .exit])
    let times = walk.events.map { FenceTestHarness.second($0.time) }
    #expect((times[0] - 930 / 33).magnitude < 1 && (times[1] - 1050 / 33).magnitude < 1)
    var seldom = FenceTestHarness([FenceTestHarness.fence(radius: 60)])
    // At 28 and 38 s there are fixes, both outside.
    seldom.process(
      trackThroughFence(speed: 33, from: 924).fixes(every: .seconds(1), noise: .goodReceiver, seed: 2)
        .filter { Int(FenceTestHarness.second($0.time!)) % 8 == 0 })
    #expect(seldom.kinds == [.enter, .exit])
    #expect(seldom.events.allSatisfy { $0.manner == .passedThrough })
  }

  @Test func unseenExitReportsBothTimes() throws {
    var walk = FenceTestHarness()
    walk.process(FenceTestHarness.track(west: 0).addingRest(60))
    var later = TrackBuilder(
      from: FenceTestHarness.home.destination(azimuth: 90, distance: 500)!,
      at: FenceTestHarness.start.advanced(by: .seconds(4000)))
    later.rest(for: .seconds(20))
    walk.process(later)
    let exit = try #require(walk.events.first)
    #expect(walk.events.count == 1 && exit.kind == .exit && exit.manner == .unseen)
    #expect(
      exit.lastBefore.map(FenceTestHarness.second) == 60 && FenceTestHarness.second(exit.firstAfter) == 4000)
    #expect(exit.time > exit.lastBefore! && exit.time < exit.firstAfter)
    #expect(exit.timeUncertainty > 1000)
  }

  /// The device rests at home, is silent for a number of seconds, and is some metres away then: it set off at any moment
  /// that leaves enough time.
  @Test(arguments: [
    (90.0, 500.0, 5...15), (300, 500, 105...115), (36_000, 1000, 17_800...18_000),
  ])
  func timeOfAnUnseenExitIsTheMeanOverDepartures(gap: Double, way: Double, seconds: ClosedRange<Int>) throws {
    var walk = FenceTestHarness()
    walk.process(FenceTestHarness.track(west: 0).addingRest(60))
    var later = TrackBuilder(
      from: try #require(FenceTestHarness.home.destination(azimuth: 90, distance: way)),
      at: FenceTestHarness.start.advanced(by: .seconds(60 + gap)))
    later.rest(for: .seconds(20))
    walk.process(later)
    let exit = try #require(walk.events.first)
    #expect(exit.manner == .unseen && seconds.contains(Int(FenceTestHarness.second(exit.time) - 60)))
  }

  @Test func fenceReachedDuringAGapIsEnteredUnseen() {
    var walk = FenceTestHarness()
    walk.process(FenceTestHarness.track(west: 5000).addingRest(20))
    var later = TrackBuilder(
      from: FenceTestHarness.home, at: FenceTestHarness.start.advanced(by: .seconds(600)))
    later.rest(for: .seconds(20))
    walk.process(later)
    #expect(walk.kinds == [.enter] && walk.events.first?.manner == .unseen)
  }

  @Test func crossingsOfOneGapAreReportedInTheOrderOfTheirTimes() throws {
    // The fence that the device enters was added first.
    let work = try #require(FenceTestHarness.home.destination(azimuth: 90, distance: 5000))
    var walk = FenceTestHarness([FenceTestHarness.fence("work", at: work), FenceTestHarness.fence()])
    walk.process(FenceTestHarness.track(west: 0).addingRest(60))
    var later = TrackBuilder(from: work, at: FenceTestHarness.start.advanced(by: .seconds(4000)))
    later.rest(for: .seconds(20))
    walk.process(later)
    #expect(walk.kinds == [.exit, .enter] && walk.events.map(\.fence) == ["home", "work"])
    #expect(walk.events.map(\.id.number) == [1, 2] && Set(walk.events.map(\.decided)).count == 1)
  }

  @Test func fenceAddedAroundTheDeviceEmitsNoEnter() throws {
    var walk = FenceTestHarness([])
    walk.process(FenceTestHarness.track(west: 0).addingRest(20))
    try walk.registry.add(FenceTestHarness.fence())
    var on = FenceTestHarness.track(west: 0)
    on.rest(for: .seconds(60))
    walk.process(
      on.fixes(every: .seconds(1), noise: .goodReceiver, seed: 3).filter {
        FenceTestHarness.second($0.time!) > 20
      })
    #expect(walk.events.isEmpty && walk.state.side == .inside)
  }

  @Test func removedFenceIsForgotten() throws {
    var walk = FenceTestHarness()
    let fixes = trackThroughFence().fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    walk.process(Array(fixes.prefix(140)))
    #expect(walk.kinds == [.enter])
    let removed = walk.registry.remove("home")
    let fence = try #require(removed)
    walk.process(Array(fixes[140..<150]))
    try walk.registry.add(fence)
    walk.process(Array(fixes[150...]))
    // The fence is added again with the device inside: no enter event, then an exit.
    #expect(walk.kinds == [.enter, .exit])
  }

  @Test func updatedAreaMakesANewFence() {
    var walk = FenceTestHarness()
    let fixes = trackThroughFence().fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    walk.process(Array(fixes.prefix(140)))
    walk.registry.update(FenceTestHarness.fence(radius: 20))
    walk.process(Array(fixes[140..<170]))
    #expect(walk.kinds == [.enter] || walk.kinds == [.enter, .exit])
    walk.registry.update(FenceTestHarness.fence(radius: 1000))
    walk.process(Array(fixes[170...]))
    #expect(walk.state.side == .inside)
  }

  @Test func trackAfterABreakDoesNotCross() {
    var walk = FenceTestHarness()
    walk.process(FenceTestHarness.track(west: 300).addingRest(20))
    var records: [FenceRecord] = []
    walk.watch.endSegment(in: walk.registry, into: &records)
    var other = TrackBuilder(
      from: FenceTestHarness.home.destination(azimuth: 90, distance: 300)!,
      at: FenceTestHarness.start.advanced(by: .seconds(21)))
    other.rest(for: .seconds(20))
    walk.process(other)
    #expect(walk.events.isEmpty && records.isEmpty)
  }

  @Test func fixWithoutTimeIsIgnored() {
    var walk = FenceTestHarness()
    walk.process([Fix(coordinate: FenceTestHarness.home, time: nil, source: .nmea)])
    #expect(walk.decisions == [.timeless])
  }

  @Test func suspectedCrossingIsReported() {
    var walk = FenceTestHarness()
    var track = FenceTestHarness.track(west: 100)
    track.move(azimuth: 90, distance: 52, speed: 1.4)
    track.rest(for: .seconds(20))
    track.move(azimuth: 270, distance: 60, speed: 1.4)
    walk.process(track, noise: .cityPhone)
    #expect(walk.events.isEmpty)
    let suspected = walk.decisions.contains {
      if case .suspected("home", .enter, _) = $0 { true } else { false }
    }
    let dismissed = walk.decisions.contains {
      if case .dismissed("home", .enter, _, _) = $0 { true } else { false }
    }
    #expect(suspected && dismissed)
  }
}

extension TrackBuilder {
  /// This track with a rest at its end.
  func addingRest(_ seconds: Int) -> TrackBuilder {
    var track = self
    track.rest(for: .seconds(seconds))
    return track
  }
}
