import Testing
import Whereabouts
import WhereaboutsTesting

/// Areas of fences, and many fences, as "Geofences" documents them.
@Suite struct DocumentedFenceAreaTests {
  private let clock = StepClock(wall: startOfTest)
  private let source = ScriptedSource()

  private func makeManager() -> LocationManager { LocationManager(source: source, clock: clock.managerClock) }

  private func events(of manager: LocationManager) async -> [FenceEvent] {
    source.end()
    return await allElements(of: manager.fences.updates()).compactMap(\.event)
  }

  /// Returns a square ring around the middle.
  private func square(_ half: Double) throws -> [Coordinate] {
    [
      try placeNear(north: -half, east: -half), try placeNear(north: -half, east: half),
      try placeNear(north: half, east: half), try placeNear(north: half, east: -half),
    ]
  }

  /// The seconds of events after the start of a test, rounded.
  private func seconds(_ events: [FenceEvent]) -> [Double] {
    events.map { $0.time.seconds(since: startOfTest).rounded() }
  }

  @Test func overlappingFencesReportEachCrossing() async throws {
    let manager = makeManager()
    for radius in [50.0, 100, 150] {
      try await manager.fences.add(try circle(FenceID("\(Int(radius))"), radius: radius))
    }
    await source.travel(1...60, clock: clock) { -300 + $0 * 10 }
    let found = await events(of: manager)
    #expect(found.map(\.fence) == ["150", "100", "50", "50", "100", "150"])
    #expect(found.map(\.kind) == [.enter, .enter, .enter, .exit, .exit, .exit])
    #expect(found.map(\.id.number) == [1, 2, 3, 4, 5, 6])
    for (event, expected) in zip(found, [15.0, 20, 25, 35, 40, 45]) {
      #expect(abs(event.time.seconds(since: startOfTest) - expected) < 2, "\(event.kind) of \(event.fence)")
      #expect(event.manner == .crossed && event.confidence >= 0.95 && event.timeUncertainty >= 0)
      #expect(event.decided >= event.firstAfter)
    }
  }

  @Test func holeOfAPolygonIsOutside() async throws {
    let manager = makeManager()
    let ring = try Area.Polygon(exterior: try square(300), holes: [try square(100)])
    try await manager.fences.add(Fence(id: "ring", area: .polygon(ring)))
    await source.travel(1...100, clock: clock) { -500 + $0 * 10 }
    let found = await events(of: manager)
    #expect(found.map(\.kind) == [.enter, .exit, .enter, .exit], "at \(seconds(found)) s")
    for (event, expected) in zip(found, [20.0, 40, 60, 80]) {
      #expect(abs(event.time.seconds(since: startOfTest) - expected) < 2)
    }
  }

  @Test func corridorIsCrossedAtHalfItsWidth() async throws {
    let manager = makeManager()
    let line = [try placeNear(north: 0, east: -800), try placeNear(north: 0, east: 800)]
    let road = try Area.Corridor(line: line, width: 200)
    try await manager.fences.add(Fence(id: "road", area: .corridor(road)))
    await source.travel(1...60, clock: clock) { -300 + $0 * 10 }
    let found = await events(of: manager)
    #expect(found.map(\.kind) == [.enter, .exit], "at \(seconds(found)) s")
    for (event, expected) in zip(found, [20.0, 40]) {
      #expect(abs(event.time.seconds(since: startOfTest) - expected) < 2)
    }
  }

  @Test func fenceIsCrossedBetweenTwoFixes() async throws {
    let manager = makeManager()
    try await manager.fences.add(try circle("gate", radius: 30))
    await source.travel(1...48, clock: clock) { -1000 + $0 * 20 }
    // 4 s without a fix, in which the device passes the gate.
    await clock.advance(by: .seconds(3))
    await source.travel(52...100, clock: clock) { -1000 + $0 * 20 }
    let found = await events(of: manager)
    #expect(found.map(\.kind) == [.enter, .exit], "at \(seconds(found)) s")
    #expect(found.allSatisfy { $0.manner == .passedThrough })
  }

  @Test func noiseAtTheBoundaryCausesNoCrossing() async throws {
    let manager = makeManager()
    try await manager.fences.add(try circle("home"))
    var rest = TrackBuilder(from: try placeNear(north: 100), at: startOfTest)
    rest.rest(for: .seconds(900))
    for fix in rest.fixes(every: .seconds(1), noise: .wandering, seed: 7) {
      await clock.advance(by: .seconds(1))
      await source.emit(fix)
    }
    #expect(await events(of: manager) == [])
  }

  @Test func onlyNearFencesOfManyReport() async throws {
    let manager = makeManager()
    let fences = try (0..<3000).map { try circle(FenceID("\($0)"), north: Double($0) * 1000) }
    #expect(try await manager.fences.add(contentsOf: fences) == [:])
    #expect(await manager.fences.count == 3000)
    await source.travel(1...160, clock: clock) { -300 + $0 * 10 }
    let found = await events(of: manager)
    #expect(found.map(\.fence) == ["0", "0", "1", "1"])
    #expect(found.map(\.kind) == [.enter, .exit, .enter, .exit])
    try await manager.fences.removeAll()
    #expect(await manager.fences.all == [])
  }
}
