import WhereaboutsEngine
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Effects of a fence's terms on its events.
struct FenceTermsTests {
  /// Enters from the west for a number of seconds, leaves for a number of seconds, and enters again.
  private func visit(_ inside: Int, away: Int = 0) -> TrackBuilder {
    var track = FenceTestHarness.track(west: 150)
    track.move(azimuth: 90, distance: 150, speed: 1.5)
    track.rest(for: .seconds(inside))
    track.move(azimuth: 90, distance: 150, speed: 1.5)
    guard away > 0 else { return track }
    track.rest(for: .seconds(away))
    track.move(azimuth: 270, distance: 150, speed: 1.5)
    track.rest(for: .seconds(60))
    return track
  }

  private func kinds(_ terms: FenceTerms, _ track: TrackBuilder) -> [FenceEvent.Kind] {
    var walk = FenceTestHarness(terms)
    walk.process(track)
    return walk.kinds
  }

  @Test func visitShorterThanTheEnterDwellIsIgnored() throws {
    // The device is inside for 50 m, a rest and 50 m: 67 s and the rest.
    let terms = FenceTerms(enterDwell: .seconds(120))
    var short = FenceTestHarness(terms)
    short.process(visit(10))
    #expect(short.events.isEmpty)
    #expect(short.decisions.contains { if case .tooShort("home", .enter, _, _) = $0 { true } else { false } })
    var long = FenceTestHarness(terms)
    long.process(visit(90))
    try #require(long.kinds == [.enter, .exit])
    // The event has the time of the crossing, and is decided after the dwell time.
    let enter = long.events[0]
    #expect((FenceTestHarness.second(enter.time) - 66.7).magnitude < 8)
    #expect((enter.decided.seconds(since: enter.time) - 120).magnitude <= 1.5)
  }

  @Test func absenceShorterThanTheExitDwellIsIgnored() {
    // The device is outside for 100 m, a rest and 100 m: 133 s and the rest.
    let terms = FenceTerms(exitDwell: .seconds(200))
    #expect(kinds(terms, visit(30, away: 20)) == [.enter])
    #expect(kinds(terms, visit(30, away: 120)) == [.enter, .exit, .enter])
  }

  @Test func dwellIsReportedAfterItsDuration() throws {
    let terms = FenceTerms(dwell: .seconds(100))
    #expect(kinds(terms, visit(10)) == [.enter, .exit])
    var walk = FenceTestHarness(terms)
    walk.process(visit(300))
    try #require(walk.kinds == [.enter, .dwell, .exit])
    let (enter, dwell) = (walk.events[0], walk.events[1])
    #expect(dwell.time == enter.time.advanced(by: .seconds(100)) && dwell.manner == .stayed)
  }

  @Test func dwellIsReportedWithoutAFix() throws {
    var walk = FenceTestHarness(FenceTerms(dwell: .seconds(1000)))
    walk.process(
      visit(30).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1).filter {
        FenceTestHarness.second($0.time!) < 120
      })
    let due = try #require(walk.watch.nextDeadline(in: walk.registry))
    #expect(due == (try #require(walk.events.first)).time.advanced(by: .seconds(1000)))
    walk.advanceTime(to: due.advanced(by: .seconds(-1)))
    #expect(walk.kinds == [.enter])
    walk.advanceTime(to: due)
    #expect(walk.kinds == [.enter, .dwell])
    #expect(walk.watch.nextDeadline(in: walk.registry) == nil)
  }

  @Test func lateFixDoesNotRepeatADwellEvent() throws {
    var walk = FenceTestHarness(
      FenceTerms(dwell: .seconds(300)), settings: FenceSettings(lateness: .seconds(60)))
    var fixes = visit(30).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1).filter {
      FenceTestHarness.second($0.time!) < 120
    }
    let late = fixes.remove(at: fixes.count - 5)
    walk.process(fixes)
    let due = try #require(walk.watch.nextDeadline(in: walk.registry))
    walk.advanceTime(to: due)
    try #require(walk.kinds == [.enter, .dwell])
    walk.process([late])
    walk.advanceTime(to: due.advanced(by: .seconds(60)))
    #expect(walk.kinds == [.enter, .dwell])
    #expect(!walk.records.contains { if case .revised(_, nil) = $0 { true } else { false } })
  }

  /// The fixes of the way out arrive in their order, after the stay was due without them.
  @Test func dwellIsWithdrawnIfTheDeviceHadLeft() throws {
    func leave(
      after seconds: Int, _ settings: FenceSettings, _ terms: FenceTerms = FenceTerms(dwell: .seconds(300)),
      waiting: Int = 0
    ) -> FenceTestHarness {
      var walk = FenceTestHarness(terms, settings: settings)
      let fixes = visit(seconds).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
      walk.process(fixes.filter { FenceTestHarness.second($0.time!) < 120 })
      let enter = FenceTestHarness.start.advanced(by: .seconds(67))
      walk.advanceTime(to: enter.advanced(by: .seconds(320)))
      walk.advanceTime(to: enter.advanced(by: .seconds(320 + waiting)))
      walk.process(fixes.filter { FenceTestHarness.second($0.time!) >= 120 })
      walk.advanceTime(to: enter.advanced(by: .seconds(900)))
      return walk
    }
    // The device leaves at 163 s. The stay was due at 367 s.
    let revising = FenceSettings(latePolicy: .revise)
    let short = leave(after: 30, revising)
    try #require(short.kinds == [.enter, .dwell, .exit])
    let place = try #require(short.records.firstIndex(of: .revised(short.events[1].id, nil)))
    #expect(short.records[place...].contains(.event(short.events[2])))
    let long = leave(after: 400, revising)
    #expect(long.kinds == [.enter, .dwell, .exit])
    #expect(!long.records.contains { if case .revised = $0 { true } else { false } })
    // An event that waits for late fixes is dropped before it is reported.
    let waits = FenceSettings(lateness: .seconds(60), waitsForLate: true)
    #expect(leave(after: 30, waits).kinds == [.enter, .exit])
    // An event that has waited for them is final, unless late fixes revise it.
    let reported = leave(after: 30, waits, waiting: 60)
    #expect(reported.kinds == [.enter, .dwell, .exit])
    #expect(!reported.records.contains { if case .revised = $0 { true } else { false } })
    // The exit is the one event of a fence for one event whose stay was none.
    let once = FenceTerms(dwell: .seconds(300), notify: [.dwell, .exit], once: true)
    #expect(leave(after: 30, waits, once).kinds == [.exit])
  }

  @Test func dwellBeforeAnUnseenExitIsReported() throws {
    // As with a batch of fixes that arrives late: no time passes between the last fix inside and the first one outside.
    var walk = FenceTestHarness(FenceTerms(dwell: .seconds(60)))
    walk.process(
      visit(200).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1).filter {
        !(120..<390).contains(FenceTestHarness.second($0.time!))
      })
    try #require(walk.kinds == [.enter, .dwell, .exit])
    let (enter, dwell, exit) = (walk.events[0], walk.events[1], walk.events[2])
    #expect(dwell.time == enter.time.advanced(by: .seconds(60)) && dwell.time <= exit.time)
    // The device may have left before the stay was long enough.
    var other = FenceTestHarness(FenceTerms(dwell: .seconds(300)))
    other.process(
      visit(200).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1).filter {
        !(120..<390).contains(FenceTestHarness.second($0.time!))
      })
    #expect(other.kinds == [.enter, .exit])
  }

  @Test func dwellFollowsAChangeOfTheTermsDuringTheStay() throws {
    func second(_ second: Int64) -> UTCTime { FenceTestHarness.start.advanced(by: .seconds(second)) }
    /// A device that is inside for a minute, and whose fence then gets another dwell time.
    func stay(_ before: Duration?, then after: Duration?) -> FenceTestHarness {
      var walk = FenceTestHarness(FenceTerms(dwell: before))
      walk.process(FenceTestHarness.track(west: 0).addingRest(60))
      walk.registry.update(FenceTestHarness.fence(terms: FenceTerms(dwell: after)))
      return walk
    }
    var added = stay(nil, then: .seconds(600))
    let since = try #require(added.state.since)
    #expect(added.watch.nextDeadline(in: added.registry) == since.advanced(by: .seconds(600)))
    added.advanceTime(to: second(1000))
    #expect(added.kinds == [.dwell] && added.events.first?.time == since.advanced(by: .seconds(600)))
    var removed = stay(.seconds(600), then: nil)
    #expect(removed.watch.nextDeadline(in: removed.registry) == nil)
    removed.advanceTime(to: second(1000))
    #expect(removed.events.isEmpty)
    var longer = stay(.seconds(300), then: .seconds(600))
    longer.advanceTime(to: second(500))
    #expect(longer.events.isEmpty)
    longer.advanceTime(to: second(1000))
    #expect(longer.kinds == [.dwell])
    // One event a stay.
    var reported = stay(.seconds(30), then: .seconds(600))
    reported.advanceTime(to: second(1000))
    #expect(reported.kinds == [.dwell])
  }

  @Test func exitIsDueAtItsTimeAlsoWhenADwellEventWouldBeBefore() throws {
    // The device leaves at 163 s. The dwell event would have been due at 187 s.
    var walk = FenceTestHarness(FenceTerms(exitDwell: .seconds(300), dwell: .seconds(120)))
    walk.process(visit(30))
    #expect(walk.kinds == [.enter])
    let due = try #require(walk.watch.nextDeadline(in: walk.registry))
    #expect((FenceTestHarness.second(due) - 463.3).magnitude < 10)
    walk.advanceTime(to: due)
    #expect(walk.kinds == [.enter, .exit])
  }

  @Test func onlyNotifiedKindsAreReported() {
    #expect(kinds(FenceTerms(notify: [.exit]), visit(30, away: 10)) == [.exit])
    #expect(kinds(FenceTerms(dwell: .seconds(10), notify: [.dwell]), visit(30)) == [.dwell])
    #expect(kinds(FenceTerms(notify: []), visit(30)) == [])
  }

  @Test func onceFenceReportsOneEvent() {
    var walk = FenceTestHarness(FenceTerms(notify: [.exit], once: true))
    walk.process(visit(30, away: 30))
    walk.process(visit(30, away: 30))
    #expect(walk.kinds == [.exit])
    #expect(walk.records.filter { $0 == .removed("home", because: .once) }.count == 1)
  }

  @Test func expiredFenceReportsNothing() {
    let expiry = FenceTestHarness.start.advanced(by: .seconds(90))
    var walk = FenceTestHarness(FenceTerms(expiry: expiry))
    walk.process(visit(60))
    #expect(walk.kinds == [.enter])
    #expect(walk.registry.nextExpiry() == expiry)
    #expect(walk.registry.removeExpired(by: expiry.advanced(by: .seconds(-1))).isEmpty)
    #expect(walk.registry.removeExpired(by: expiry).map(\.id) == ["home"])
    #expect(walk.registry.count == 0 && walk.registry.nextExpiry() == nil)
  }

  @Test func changesOutsideActiveHoursAreReportedWhenTheyBegin() throws {
    // Monday, 08:00. The hours begin a minute after the entry, or after the exit.
    func hours(from second: Int) -> ActiveHours {
      ActiveHours([.init(start: 8 * 60 + second / 60, minutes: 600)])
    }
    var inside = FenceTestHarness(FenceTerms(activeHours: hours(from: 120)))
    inside.process(visit(200).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1))
    try #require(inside.kinds == [.enter, .exit])
    #expect((FenceTestHarness.second(inside.events[0].time) - 66.7).magnitude < 8)
    #expect(
      inside.decisions.contains { if case .outsideHours("home", .enter, _) = $0 { true } else { false } })
    var gone = FenceTestHarness(FenceTerms(activeHours: hours(from: 600)))
    gone.process(visit(10))
    gone.advanceTime(to: FenceTestHarness.start.advanced(by: .seconds(700)))
    #expect(gone.events.isEmpty)
  }

  /// Without a fix after the beginning of the hours, and with some; also if the segment ends while the event is held
  /// back.
  @Test(arguments: [119.0, 123.0], [false, true])
  func lateFixDoesNotRepeatAHeldBackEvent(end: Double, endsSegment: Bool) throws {
    // Monday, 08:00. The hours begin at 120 s, after the entry.
    let hours = ActiveHours([.init(start: 8 * 60 + 2, minutes: 600)])
    var walk = FenceTestHarness(
      FenceTerms(activeHours: hours), settings: FenceSettings(lateness: .seconds(5)))
    let fixes = visit(200).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    walk.process(fixes.filter { FenceTestHarness.second($0.time!) < 110 })
    if endsSegment { walk.watch.endSegment(in: walk.registry, into: &walk.records) }
    walk.process(fixes.filter { (110..<end).contains(FenceTestHarness.second($0.time!)) })
    walk.advanceTime(to: FenceTestHarness.start.advanced(by: .seconds(end + 1)))
    try #require(walk.kinds == [.enter])
    var late = try #require(fixes.first { FenceTestHarness.second($0.time!) == end - 1 })
    late.time = late.time?.advanced(by: .milliseconds(-500))
    walk.process([late])
    walk.process(fixes.filter { (end..<140).contains(FenceTestHarness.second($0.time!)) })
    #expect(walk.kinds == [.enter])
    #expect(!walk.records.contains { if case .revised = $0 { true } else { false } })
  }

  /// The device has been outside for less than the exit dwell.
  @Test func changeOfHoursCompletesNoExit() throws {
    var walk = FenceTestHarness(
      FenceTerms(exitDwell: .seconds(600)), settings: FenceSettings(lateness: .seconds(5)))
    let fixes = visit(30).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    for fix in fixes where walk.events.isEmpty { walk.process([fix]) }
    let event = try #require(walk.events.first)
    // Monday, 08:00. The event is outside the new hours.
    let hours = ActiveHours([.init(start: 18 * 60, minutes: 60)])
    let terms = FenceTerms(exitDwell: .seconds(600), activeHours: hours)
    walk.registry.update(FenceTestHarness.fence(terms: terms))
    walk.process(fixes.filter { $0.time! > event.decided })
    var late = try #require(fixes.last)
    late.time = late.time?.advanced(by: .milliseconds(-500))
    walk.process([late])
    #expect(walk.kinds == [.enter])
    #expect(!walk.records.contains { if case .revised = $0 { true } else { false } })
  }

  @Test func returnCancelsAHeldBackExitIfEntersAreNotReported() {
    // Monday, 08:00. The hours begin after the device is back.
    let hours = ActiveHours([.init(start: 8 * 60 + 10, minutes: 600)])
    var walk = FenceTestHarness(FenceTerms(notify: [.exit], activeHours: hours))
    walk.process(visit(30, away: 10))
    #expect(walk.decisions.contains { if case .outsideHours("home", .exit, _) = $0 { true } else { false } })
    walk.advanceTime(to: FenceTestHarness.start.advanced(by: .seconds(700)))
    #expect(walk.events.isEmpty && walk.state.side == .inside)
    // Likewise an enter, of a device that has left again.
    var gone = FenceTestHarness(FenceTerms(notify: [.enter], activeHours: hours))
    gone.process(visit(10))
    gone.advanceTime(to: FenceTestHarness.start.advanced(by: .seconds(700)))
    #expect(gone.events.isEmpty && gone.state.side == .outside)
  }

  @Test func heldBackEventOfAKindNoLongerReportedIsDropped() {
    let hours = ActiveHours([.init(start: 8 * 60 + 10, minutes: 600)])
    var walk = FenceTestHarness(FenceTerms(activeHours: hours))
    var track = FenceTestHarness.track(west: 150)
    track.move(azimuth: 90, distance: 150, speed: 1.5)
    walk.process(track.addingRest(60))
    walk.registry.update(FenceTestHarness.fence(terms: FenceTerms(notify: [.exit], activeHours: hours)))
    walk.advanceTime(to: FenceTestHarness.start.advanced(by: .seconds(700)))
    #expect(walk.events.isEmpty && walk.state.side == .inside)
    #expect(walk.decisions.contains { if case .notAskedFor("home", .enter, _) = $0 { true } else { false } })
  }

  @Test func hysteresisMarginDelaysTheExit() {
    var track = FenceTestHarness.track(west: 0)
    track.rest(for: .seconds(30))
    track.move(azimuth: 90, distance: 75, speed: 1.4)
    track.rest(for: .seconds(60))
    #expect(kinds(FenceTerms(), track) == [.exit])
    #expect(kinds(FenceTerms(hysteresisMargin: 40), track) == [])
    track.move(azimuth: 90, distance: 75, speed: 1.4)
    #expect(kinds(FenceTerms(hysteresisMargin: 40), track) == [.exit])
  }

  @Test func higherConfidenceNeverDecidesEarlier() throws {
    var before = UTCTime.init(nanosecondsSince1970: .min)
    for confidence in [0.6, 0.9, 0.99, 0.9999] {
      var walk = FenceTestHarness(FenceTerms(enterConfidence: confidence, exitConfidence: confidence))
      walk.process(visit(30))
      try #require(walk.kinds == [.enter, .exit])
      #expect(walk.events[0].decided >= before)
      before = walk.events[0].decided
    }
  }

  @Test func eventWaitsForItsResponsiveness() throws {
    var walk = FenceTestHarness(
      FenceTerms(responsiveness: .seconds(3)), settings: FenceSettings(lateness: .seconds(5)))
    let fixes = visit(30).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    var toldAt: UTCTime?
    for fix in fixes where toldAt == nil {
      walk.process([fix])
      if !walk.events.isEmpty { toldAt = fix.time }
    }
    let first = try #require(walk.events.first)
    #expect(toldAt == first.decided.advanced(by: .seconds(3)))
  }

  @Test func eventThatHasWaitedForLateFixesIsNotWithdrawn() throws {
    var walk = FenceTestHarness(
      FenceTerms(responsiveness: .seconds(60)), settings: FenceSettings(lateness: .seconds(5)))
    let fixes = visit(30).fixes(every: .seconds(1), noise: .goodReceiver, seed: 1)
    for fix in fixes where walk.events.isEmpty { walk.process([fix]) }
    let event = try #require(walk.events.first)
    // The fix that reports the event also settles the one that decided it.
    var late = try #require(fixes.first { $0.time == event.decided.advanced(by: .seconds(5)) })
    late.time = late.time?.advanced(by: .milliseconds(-500))
    walk.process([late])
    #expect(!walk.records.contains { if case .revised = $0 { true } else { false } })
  }

  @Test func invalidTermsAreClamped() {
    let terms = FenceTerms(
      enterConfidence: 7, exitConfidence: .nan, hysteresisMargin: -.infinity, enterDwell: .seconds(-4),
      exitDwell: .seconds(-1), dwell: .seconds(-9), responsiveness: .seconds(-3))
    #expect(kinds(terms, visit(30)) == [.enter, .dwell, .exit])
  }
}
