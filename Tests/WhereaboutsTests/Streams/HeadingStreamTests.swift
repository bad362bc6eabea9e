import Testing
import Whereabouts
import WhereaboutsTesting

@Suite struct HeadingStreamTests {
  let clock = StepClock()
  let source = ScriptedSource()

  private func heading(_ degrees: Double) throws -> Heading {
    try #require(Heading(degrees: degrees, reference: .magneticNorth))
  }

  private func collect(_ stream: EventStream<HeadingUpdate>) async -> [HeadingUpdate] {
    var updates: [HeadingUpdate] = []
    for await update in stream { updates.append(update) }
    return updates
  }

  @Test func headingsArriveInOrderIncludingZero() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.headings(filter: 5, keeping: .all(upTo: 10))
    for degrees in [0.0, 2, 10] { await source.emit(.heading(try heading(degrees))) }
    source.end()
    let expected = try [0.0, 10].map { HeadingUpdate.heading(try heading($0), droppedBefore: 0) }
    #expect(await collect(stream) == expected)
  }

  @Test func onlyHeadingsAreDropped() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.headings(filter: 0)
    let problem = SourceProblem(.noPosition, message: "see the sky")
    await source.emit(.heading(try heading(10)))
    await source.emit(.unavailable(problem))
    await source.emit(.authorization(Authorization(.whenInUse)))
    await source.emit(.heading(try heading(20)))
    source.end()
    let last = HeadingUpdate.heading(try heading(20), droppedBefore: 1)
    #expect(
      await collect(stream) == [.problem(problem), .authorization(Authorization(.whenInUse)), last])
    #expect(await stream.dropped == 1)
  }

  @Test func missingCompassIsReportedOnceAndEndsTheStream() async throws {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let problem = SourceProblem(.unreachable, message: "find a compass")
    let early = manager.headings()
    #expect(await source.demand { $0.headings != nil }.headings == Demand.Headings(filter: 1))
    await source.emit(.headingsUnavailable(problem))
    #expect(await source.demand { $0 == .off } == .off)
    await source.emit(.headingsUnavailable(problem))
    #expect(await collect(early) == [.unavailable(problem)])
    #expect(await collect(manager.headings()) == [.unavailable(problem)])
  }
}
