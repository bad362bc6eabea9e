import Testing
import Whereabouts
import WhereaboutsTesting

/// Headings, and the rules of all streams, as "Subscriptions" documents them.
@Suite struct DocumentedStreamTests {
  private let clock = StepClock()
  private let source = ScriptedSource()
  private let problem = SourceProblem(.noPosition, message: "see the sky")

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  // MARK: Headings

  @Test(arguments: [(Double.nan, 0.0), (-5.0, 0.0), (500.0, 180.0), (Double.infinity, 180.0)])
  func headingFilterOutOfRangeIsClamped(filter: Double, expected: Double) async {
    let manager = makeManager()
    let stream = manager.headings(filter: filter)
    let demand = await source.demand { $0 != .off }
    #expect(demand == Demand(headings: Demand.Headings(filter: expected)))
    stream.end()
    await manager.waitUntilProcessed()
    #expect(await source.demands.last == .off)
  }

  @Test func unusableHeadingIsReportedOnceUntilOneIsUsable() async throws {
    let manager = makeManager()
    let stream = manager.headings(filter: 5, keeping: .all(upTo: 10))
    let bad = try #require(Heading(degrees: 90, reference: .trueNorth, accuracy: -1))
    let good = try #require(Heading(degrees: 91, reference: .trueNorth, accuracy: 10))
    for heading in [bad, bad, good, bad] { await source.emit(.heading(heading)) }
    #expect(await manager.status.headings == .available)
    stream.end()
    #expect(await allElements(of: stream) == [.unusable, .heading(good, droppedBefore: 0), .unusable])
  }

  @Test func missingCompassIsKnownToTheStatusAndEndsOnlyHeadings() async {
    let manager = makeManager()
    #expect(await manager.status.headings == .unknown)
    let headings = manager.headings(), fixes = manager.fixes(.house)
    let compass = SourceProblem(.noCompass, message: "find a compass")
    await source.emit(.headingsUnavailable(compass))
    #expect(await allElements(of: headings) == [.unavailable(compass)])
    #expect(await manager.status.headings == .unavailable(compass))
    await source.emit(fix(5, at: 1))
    fixes.end()
    #expect(await allElements(of: fixes) == [fix(5, at: 1)])
  }

  // MARK: Buffers

  @Test func streamThatNobodyReadsKeepsOneFix() async {
    let manager = makeManager()
    let stream = manager.fixes(.house)
    for second in 1...2000 { await source.emit(fix(5, at: Double(second))) }
    #expect(await stream.dropped == 1999)
    stream.end()
    #expect(await allElements(of: stream) == [fix(5, at: 2000)])
  }

  @Test func lateSubscriberReceivesTheProblemFirst() async {
    let manager = makeManager()
    await source.emit(.unavailable(problem))
    var updates = manager.updates(.house).makeAsyncIterator()
    #expect(await updates.next() == .problem(problem))
    await source.emit(fix(5, at: 1))
    #expect(await updates.next() == .fix(fix(5, at: 1), droppedBefore: 0))
  }

  @Test func endingOneStreamDoesNotAffectAnother() async {
    let manager = makeManager()
    let one = manager.fixes(.house, keeping: .all(upTo: 10))
    let other = manager.fixes(.house, keeping: .all(upTo: 10))
    await source.emit(fix(5, at: 1))
    one.end()
    one.end()
    await manager.waitUntilProcessed()
    await source.emit(fix(5, at: 2))
    other.end()
    #expect(await allElements(of: one) == [fix(5, at: 1)])
    #expect(await allElements(of: other) == [fix(5, at: 1), fix(5, at: 2)])
  }

  // MARK: Lifetime

  @Test func streamKeepsAReleasedManagerAlive() async {
    let stream: EventStream<Fix>
    do {
      let manager = makeManager()
      stream = manager.fixes(.house)
    }
    await source.emit(fix(5, at: 1))
    var fixes = stream.makeAsyncIterator()
    #expect(await fixes.next() == fix(5, at: 1))
  }

  @Test func stateStreamsEndWithTheManager() async {
    var statuses: StateStream<ServiceStatus>.Iterator
    let authorizations: StateStream<Authorization>
    do {
      let manager = makeManager()
      statuses = manager.statuses.makeAsyncIterator()
      authorizations = manager.authorizations
      #expect(await statuses.next() == ServiceStatus(authorization: Authorization(.always)))
    }
    #expect(await statuses.next() == nil)
    for await _ in authorizations { Issue.record("a manager that has ended reported a state") }
  }

  @Test func stateStreamCanBeIteratedTwice() async {
    let manager = makeManager()
    let stream = manager.statuses
    var first = stream.makeAsyncIterator()
    #expect(await first.next()?.source == .working)
    await source.emit(.unavailable(problem))
    var second = stream.makeAsyncIterator()
    #expect(await second.next()?.source == .unavailable(problem))
    #expect(await first.next()?.source == .unavailable(problem))
    await source.emit(fix(5, at: 1))
    #expect(await second.next()?.source == .working)
    #expect(await first.next()?.source == .working)
  }
}
