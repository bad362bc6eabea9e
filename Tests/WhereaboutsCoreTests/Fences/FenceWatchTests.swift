import Testing
import WhereaboutsCore
import WhereaboutsGeodesy
import WhereaboutsTesting

/// What a watch over a fence of 50 m says of one device.
struct FenceWatchTests {
  /// Eastward through the middle, from 200 m before it to 200 m beyond, at 1.4 m/s: in at 107.1 s, out at 178.6 s.
  private func through(speed: Double = 1.4, from metres: Double = 200) -> TrackBuilder {
    var track = FenceWalk.track(west: metres)
    track.move(azimuth: 90, distance: 2 * metres, speed: speed)
    return track
  }

  @Test func aWalkThroughEntersAndLeavesWhenItDid() throws {
    var walk = FenceWalk()
    walk.take(through())
    #expect(walk.kinds == [.enter, .exit])
    let enter = try #require(walk.events.first), exit = try #require(walk.events.last)
    #expect((FenceWalk.second(enter.time) - 107.1).magnitude < 3 * max(1, enter.timeUncertainty))
    #expect((FenceWalk.second(exit.time) - 178.6).magnitude < 3 * max(1, exit.timeUncertainty))
    #expect(enter.manner == .crossed && enter.decided >= enter.time && enter.confidence >= 0.95)
    #expect(enter.decidedBy.time == enter.decided && enter.id < exit.id)
    #expect((FenceWalk.home.distance(to: enter.place) - 50).magnitude < 8)
    #expect(enter.lastBefore.map { $0 < enter.firstAfter } ?? false)
    #expect(walk.state.side == .outside)
  }

  @Test func theFirstSideIsNoCrossing() {
    var inside = FenceWalk()
    inside.take(FenceWalk.track(west: 0).resting(60))
    #expect(inside.events.isEmpty && inside.state.side == .inside)
    var outside = FenceWalk()
    outside.take(FenceWalk.track(west: 90).resting(60))
    #expect(outside.events.isEmpty && outside.state.side == .outside)
    let sides = inside.decisions.compactMap { if case .determined(_, let side, _) = $0 { side } else { nil } }
    #expect(sides == [.inside])
  }

  @Test func theFirstSideIsToldWhereThatIsAsked() {
    var walk = FenceWalk(FenceTerms(tellsInitialSide: true))
    walk.take(FenceWalk.track(west: 0).resting(60))
    #expect(walk.kinds == [.enter] && walk.events.first?.manner == .initial)
  }

  @Test func nothingIsKnownBeforeTheFirstFix() {
    let walk = FenceWalk()
    #expect(walk.state == FenceState(side: .unknown))
    #expect(walk.watch.clearance(in: walk.book) == nil)
    #expect(walk.watch.state(of: "nowhere", in: walk.book).side == .unknown)
  }

  @Test func oneGoodFixDeepInsideDecides() {
    var walk = FenceWalk()
    // Through in 3.3 s, so that at most four fixes are inside.
    walk.take(through(speed: 30, from: 600))
    #expect(walk.kinds == [.enter, .exit])
    let latency = walk.events.map { $0.decided.seconds(since: $0.time) }
    #expect(latency.allSatisfy { $0 < 2 })
  }

  @Test func aCoarseFixMakesNoEvent() {
    var walk = FenceWalk()
    walk.take(FenceWalk.track(west: 300).resting(20))
    let time = FenceWalk.beginning.advanced(by: .seconds(30))
    var coarse = Fix(coordinate: FenceWalk.home, time: time, source: .nmea)
    coarse.horizontalAccuracy = 400
    walk.take([coarse])
    #expect(walk.events.isEmpty && walk.state.side == .outside)
    coarse.horizontalAccuracy = 40_000
    coarse.time = time.advanced(by: .seconds(1))
    walk.take([coarse])
    #expect(walk.decisions.last == .tooCoarse(at: coarse.time!, accuracy: 40_000))
  }

  @Test(arguments: PropertyCases.seeds(5, of: 1...20 as ClosedRange<UInt64>))
  func standingAtTheEdgeCrossesNothing(seed: UInt64) {
    var noise = ReceiverNoise.cityPhone
    noise.statedAccuracyFactor = 1
    for metres in [44.0, 50, 56] {
      var walk = FenceWalk()
      walk.take(FenceWalk.track(west: metres).resting(1800), noise: noise, seed: seed)
      #expect(walk.events.isEmpty, "seed \(seed), \(metres) m")
    }
  }

  /// Where the plain test flaps hundreds of times, evidence of 95 % errs once in a while.
  @Test func walkingAlongTheEdgeHardlyFlaps() throws {
    // The straight edge of a field of 400 m, 3 m inside of it and back.
    let corner = FenceWalk.home
    let ring = [0.0, 90, 180, 270].reduce(into: [corner]) { ring, azimuth in
      ring.append(ring[ring.count - 1].destination(azimuth: azimuth, distance: 400)!)
    }
    let area = Area.polygon(try Area.Polygon(exterior: ring))
    var events = 0, flaps = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      var walk = FenceWalk([Fence(id: "home", area: area)])
      var track = TrackBuilder(from: corner.destination(azimuth: 90, distance: 3)!, at: FenceWalk.beginning)
      for _ in 0..<3 {
        track.move(azimuth: 0, distance: 390, speed: 1.4)
        track.move(azimuth: 180, distance: 390, speed: 1.4)
      }
      let fixes = track.fixes(every: .seconds(1), noise: .cityPhone, seed: seed)
      walk.take(fixes)
      events += walk.events.count
      let sides = fixes.map { area.signedDistance(to: $0.coordinate).isInside }
      flaps += zip(sides, sides.dropFirst()).filter { $0 != $1 }.count
    }
    #expect(events * 20 < flaps, "\(events) events, the plain test \(flaps)")
  }

  @Test func goingThroughBetweenTwoFixesIsTwoEvents() throws {
    var walk = FenceWalk([FenceWalk.fence(radius: 60)])
    walk.take(through(speed: 33, from: 990), every: 5)
    try #require(walk.kinds == [.enter, .exit])
    let times = walk.events.map { FenceWalk.second($0.time) }
    #expect((times[0] - 930 / 33).magnitude < 1 && (times[1] - 1050 / 33).magnitude < 1)
    var seldom = FenceWalk([FenceWalk.fence(radius: 60)])
    // At 28 and 38 s there are fixes, both outside.
    seldom.take(
      through(speed: 33, from: 924).fixes(every: .seconds(1), noise: .goodReceiver, seed: 2)
        .filter { Int(FenceWalk.second($0.time!)) % 8 == 0 })
    #expect(seldom.kinds == [.enter, .exit])
    #expect(seldom.events.allSatisfy { $0.manner == .passedThrough })
  }

  @Test func whatHappenedUnseenIsToldWithBothTimes() throws {
    var walk = FenceWalk()
    walk.take(FenceWalk.track(west: 0).resting(60))
    var later = TrackBuilder(
      from: FenceWalk.home.destination(azimuth: 90, distance: 500)!,
      at: FenceWalk.beginning.advanced(by: .seconds(4000)))
    later.rest(for: .seconds(20))
    walk.take(later)
    let exit = try #require(walk.events.first)
    #expect(walk.events.count == 1 && exit.kind == .exit && exit.manner == .unseen)
    #expect(exit.lastBefore.map(FenceWalk.second) == 60 && FenceWalk.second(exit.firstAfter) == 4000)
    #expect(exit.time > exit.lastBefore! && exit.time < exit.firstAfter)
    #expect(exit.timeUncertainty > 1000)
  }

  @Test func aFenceThatWasFarBeforeAGapIsEnteredUnseen() {
    var walk = FenceWalk()
    walk.take(FenceWalk.track(west: 5000).resting(20))
    var later = TrackBuilder(
      from: FenceWalk.home, at: FenceWalk.beginning.advanced(by: .seconds(600)))
    later.rest(for: .seconds(20))
    walk.take(later)
    #expect(walk.kinds == [.enter] && walk.events.first?.manner == .unseen)
  }

  @Test func aFenceThatIsAddedAroundTheDeviceIsNotEntered() throws {
    var walk = FenceWalk([])
    walk.take(FenceWalk.track(west: 0).resting(20))
    try walk.book.add(FenceWalk.fence())
    var on = FenceWalk.track(west: 0)
    on.rest(for: .seconds(60))
    walk.take(
      on.fixes(every: .seconds(1), noise: .goodReceiver, seed: 3).filter { FenceWalk.second($0.time!) > 20 })
    #expect(walk.events.isEmpty && walk.state.side == .inside)
  }

  @Test func aFenceThatIsTakenAwayIsForgotten() throws {
    var walk = FenceWalk()
    let fixes = through().fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    walk.take(Array(fixes.prefix(140)))
    #expect(walk.kinds == [.enter])
    let removed = walk.book.remove("home")
    let fence = try #require(removed)
    walk.take(Array(fixes[140..<150]))
    try walk.book.add(fence)
    walk.take(Array(fixes[150...]))
    // Added anew while the device is inside: no entry, and it leaves.
    #expect(walk.kinds == [.enter, .exit])
  }

  @Test func anotherAreaUnderTheSameIDIsANewFence() {
    var walk = FenceWalk()
    let fixes = through().fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    walk.take(Array(fixes.prefix(140)))
    walk.book.update(FenceWalk.fence(radius: 20))
    walk.take(Array(fixes[140..<170]))
    #expect(walk.kinds == [.enter] || walk.kinds == [.enter, .exit])
    walk.book.update(FenceWalk.fence(radius: 1000))
    walk.take(Array(fixes[170...]))
    #expect(walk.state.side == .inside)
  }

  @Test func whatComesAfterABreakDoesNotPassThrough() {
    var walk = FenceWalk()
    walk.take(FenceWalk.track(west: 300).resting(20))
    var notes: [FenceNote] = []
    walk.watch.breakOff(in: walk.book, into: &notes)
    var other = TrackBuilder(
      from: FenceWalk.home.destination(azimuth: 90, distance: 300)!,
      at: FenceWalk.beginning.advanced(by: .seconds(21)))
    other.rest(for: .seconds(20))
    walk.take(other)
    #expect(walk.events.isEmpty && notes.isEmpty)
  }

  @Test func aFixWithoutATimeIsLeftOut() {
    var walk = FenceWalk()
    walk.take([Fix(coordinate: FenceWalk.home, time: nil, source: .nmea)])
    #expect(walk.decisions == [.timeless])
  }

  @Test func itIsSaidWhatLooksLikeACrossing() {
    var walk = FenceWalk()
    var track = FenceWalk.track(west: 100)
    track.move(azimuth: 90, distance: 52, speed: 1.4)
    track.rest(for: .seconds(20))
    track.move(azimuth: 270, distance: 60, speed: 1.4)
    walk.take(track, noise: .cityPhone)
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
  func resting(_ seconds: Int) -> TrackBuilder {
    var track = self
    track.rest(for: .seconds(seconds))
    return track
  }
}
