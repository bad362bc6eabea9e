import Testing
import Whereabouts
import WhereaboutsTesting

/// Fences, as "Geofences" documents them.
@Suite struct DocumentedFenceTests {
  private let clock = StepClock(wall: startOfTest)
  private let source = ScriptedSource()

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  /// Drives northward at 10 m/s. A circle of 100 m is entered at 20 s and left at 40 s.
  private func drive(_ seconds: ClosedRange<Int>) async {
    await source.travel(seconds, clock: clock) { -300 + $0 * 10 }
  }

  /// Stays at the middle of the fences.
  private func rest(_ seconds: ClosedRange<Int>) async {
    await source.travel(seconds, clock: clock) { _ in 0 }
  }

  /// Returns every remembered event. Ends the source.
  private func events(of manager: LocationManager) async -> [FenceEvent] {
    source.end()
    return await allElements(of: manager.fences.updates()).compactMap(\.event)
  }

  // MARK: Adding and removing

  @Test func sideAtTheTimeOfAddingIsNoEvent() async throws {
    let manager = makeManager()
    await rest(1...5)
    try await manager.fences.add(try circle("home"))
    #expect(await manager.fences.state(of: "home")?.side == .inside)
    await source.travel(6...40, clock: clock) { ($0 - 5) * 10 }
    #expect(await events(of: manager).map(\.kind) == [.exit])
  }

  @Test func sideAtTheTimeOfAddingIsReportedOnRequest() async throws {
    let manager = makeManager()
    let terms = FenceTerms(reportsInitialSide: true)
    await rest(1...5)
    try await manager.fences.add(try circle("home", terms))
    try await manager.fences.add(try circle("work", north: 110, radius: 50, terms))
    let entriesOnly = FenceTerms(notify: [.enter, .dwell], reportsInitialSide: true)
    try await manager.fences.add(try circle("club", north: -110, radius: 50, entriesOnly))
    // Far from the device, the side is outside without a determination.
    try await manager.fences.add(try circle("far", north: 5_000, radius: 50, terms))
    await rest(6...10)
    let found = await events(of: manager)
    #expect(found.map(\.fence) == ["home", "work"])
    #expect(found.map(\.kind) == [.enter, .exit])
    #expect(found.allSatisfy { $0.manner == .initial })
    #expect(await manager.fences.state(of: "far")?.side == .outside)
  }

  @Test func fenceRemovedInsideReportsNothingMore() async throws {
    let manager = makeManager()
    try await manager.fences.add(try circle("home"))
    await drive(1...30)
    try await manager.fences.remove("home")
    try await manager.fences.add(try circle("home"))
    try await manager.fences.remove("home")
    await drive(31...60)
    #expect(await manager.fences.state(of: "home") == nil)
    #expect(await source.demands.last == .off)
    #expect(await events(of: manager).map(\.kind) == [.enter], "reported events stay remembered")
  }

  @Test func fenceAddedAgainUnderItsIDBeginsAnew() async throws {
    let manager = makeManager()
    try await manager.fences.add(try circle("home"))
    await drive(1...30)
    try await manager.fences.remove("home")
    try await manager.fences.add(try circle("home"))
    await drive(31...60)
    let found = await events(of: manager)
    #expect(found.map(\.kind) == [.enter, .exit], "\(found)")
  }

  @Test func fenceWithAnotherRadiusBeginsAnew() async throws {
    let manager = makeManager()
    try await manager.fences.add(try circle("home"))
    await drive(1...30)
    try await manager.fences.update(try circle("home", radius: 150))
    await drive(31...60)
    let found = await events(of: manager)
    #expect(found.map(\.kind) == [.enter, .exit], "\(found)")
  }

  @Test func anyTextIsAnID() async throws {
    let manager = makeManager()
    let ids: [FenceID] = ["", " ", "a\nb", "ü", "u\u{308}x", "a/b", "\0"]
    for id in ids { try await manager.fences.add(try circle(id)) }
    #expect(await manager.fences.count == ids.count)
    await #expect(throws: FenceError.refused(.duplicate(""))) {
      try await manager.fences.add(try circle(""))
    }
    await drive(1...60)
    let found = await events(of: manager)
    #expect(Set(found.map(\.fence)) == Set(ids) && found.count == 2 * ids.count)
  }

  @Test func idInUseIsRefusedForAFenceHereToo() async throws {
    let manager = makeManager()
    await rest(1...5)
    let first = try await manager.fences.addHere("parking")
    await #expect(throws: Fences.HereError.failed(.refused(.duplicate("parking")))) {
      try await manager.fences.addHere("parking", radius: 80)
    }
    #expect(await manager.fences.all == [first])
  }

  // MARK: Terms

  @Test func fenceForOneEventIsRemovedWithIt() async throws {
    let manager = makeManager()
    try await manager.fences.add(try circle("home", FenceTerms(notify: [.exit], once: true)))
    await drive(1...60)
    #expect(await manager.fences.count == 0)
    source.end()
    let updates = await allElements(of: manager.fences.updates())
    #expect(updates.compactMap(\.event).map(\.kind) == [.exit])
    guard case .record(let last)? = updates.last else {
      Issue.record("the removal was not reported: \(updates)")
      return
    }
    #expect(last.record == .removed("home", because: .once))
    #expect(updates.compactMap(\.number) == [1, 2])
  }

  @Test func dwellIsReportedWithoutAnotherFix() async throws {
    let manager = makeManager()
    try await manager.fences.add(try circle("home", FenceTerms(dwell: .seconds(30))))
    await drive(1...30)
    await clock.advance(by: .seconds(60))
    await manager.waitUntilProcessed()
    let found = await events(of: manager)
    try #require(found.map(\.kind) == [.enter, .dwell])
    #expect(found[1].time == found[0].time.advanced(by: .seconds(30)))
    #expect(found[1].manner == .stayed)
  }

  @Test func eventOutsideTheHoursIsReportedAtTheirStart() async throws {
    let manager = makeManager()
    // Saturday from 12:10 to 13:00; a test begins at 12:00.
    let hours = ActiveHours([ActiveHours.Window(start: 5 * 1440 + 730, minutes: 50)])
    try await manager.fences.add(try circle("home", FenceTerms(activeHours: hours)))
    try await manager.fences.add(
      try circle("street", north: -150, radius: 50, FenceTerms(activeHours: hours)))
    await drive(1...30)
    var updates = manager.fences.updates().compactMap(\.event).makeAsyncIterator()
    await clock.advance(by: .seconds(569))
    await manager.waitUntilProcessed()
    let early = await allUpdatesNow(of: manager)
    #expect(early == [], "an event was reported before the hours")
    await clock.advance(by: .seconds(1))
    await manager.waitUntilProcessed()
    let event = try #require(await updates.next())
    // The street was entered and left, so that there is no change.
    #expect(event.fence == "home" && event.kind == .enter)
    #expect(abs(event.time.seconds(since: startOfTest) - 20) < 3, "an event keeps its time")
    #expect(await events(of: manager).count == 1)
  }

  /// Returns the remembered events without ending the source.
  private func allUpdatesNow(of manager: LocationManager) async -> [FenceEvent] {
    let stream = manager.fences.updates()
    await manager.waitUntilProcessed()
    stream.end()
    return await allElements(of: stream).compactMap(\.event)
  }

  @Test(arguments: [30.0, 0, -1000]) func expiredFenceIsRemoved(seconds: Double) async throws {
    let manager = makeManager()
    let expiry = startOfTest.advanced(by: .seconds(seconds))
    try await manager.fences.add(try circle("home", FenceTerms(expiry: expiry)))
    #expect(await manager.fences.count == (seconds > 0 ? 1 : 0))
    await clock.advance(by: .seconds(30))
    await manager.waitUntilProcessed()
    #expect(await manager.fences.count == 0)
    #expect(await (source.demands.last ?? .off) == .off)
    source.end()
    let records = await allElements(of: manager.fences.updates())
    #expect(records == [.record(NumberedFenceRecord(number: 1, record: .removed("home", because: .expired)))])
  }

  @Test func termsOutOfRangeCountAsTheNearest() async throws {
    let manager = makeManager()
    let terms = FenceTerms(
      enterConfidence: .nan, exitConfidence: -5, hysteresisMargin: .nan, enterDwell: .seconds(-5),
      exitDwell: .seconds(Int64.min), responsiveness: .seconds(-5))
    try await manager.fences.add(try circle("odd", terms))
    let never = FenceTerms(enterDwell: .seconds(Int64.max), expiry: UTCTime(nanosecondsSince1970: .max))
    try await manager.fences.add(try circle("never", never))
    await drive(1...60)
    let found = await events(of: manager)
    #expect(found.map(\.fence) == ["odd", "odd"] && found.map(\.kind) == [.enter, .exit])
  }
}
