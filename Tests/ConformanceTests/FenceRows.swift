import WhereaboutsEngine
import EngineTestSupport
import Testing
import Whereabouts
import WhereaboutsTesting

extension EngineConformanceCase {
  /// Fences that outlive the app, without the faults of the model.
  static let fences: [EngineConformanceCase] = [
    EngineConformanceCase("enter and exit events carry type, fence and time") {
      $0.handle(at: 0, .fences(.add([fence("home")])))
      $0.driveThroughFence()
      #expect($0.events.map(\.kind) == [.enter, .exit] && $0.events.allSatisfy { $0.fence == "home" })
      #expect($0.events.map { $0.time.seconds(since: utc(0)).rounded() } == [20, 40])
    },
    EngineConformanceCase("a one-shot fence is reported once and then removed") {
      $0.handle(at: 0, .fences(.add([fence("parking", FenceTerms(notify: [.exit], once: true))])))
      $0.driveThroughFence()
      #expect($0.events.map(\.kind) == [.exit])
      #expect($0.fenceRecords.last == .removed("parking", because: .once) && $0.demand == .off)
    },
    EngineConformanceCase("several crossings are all stored: a second does not overwrite the first") {
      $0.handle(
        at: 0, .fences(.add([fence("a"), fence("b", north: 100), fence("c", north: 250, radius: 20)])))
      $0.driveThroughFence()
      #expect($0.events.count == 6 && Set($0.events.map(\.id)).count == 6)
    },
    EngineConformanceCase("a dwell event is reported") {
      $0.handle(at: 0, .fences(.add([fence("home", FenceTerms(dwell: .seconds(10)))])))
      $0.driveThroughFence()
      #expect($0.events.map(\.kind) == [.enter, .dwell, .exit])
    },
    EngineConformanceCase("a device at the edge causes no events") {
      $0.handle(at: 0, .fences(.add([fence("home")])))
      var random = SeededGenerator(seed: 5)
      for second in 1...600 {
        let north = 100 + Double.random(in: -15...15, using: &random)
        $0.handle(at: Double(second), live(fix(12, at: Double(second), north: north)))
      }
      #expect($0.events.isEmpty)
    },
    EngineConformanceCase("adding a fence around the device reports no crossing") {
      $0.handle(at: 0, .fences(.add([fence("home")])))
      for second in 1...30 { $0.handle(at: Double(second), live(fix(4, at: Double(second)))) }
      #expect($0.events.isEmpty && $0.state("home")?.side == .inside)
    },
    EngineConformanceCase("two hundred fences are watched at once without a missed crossing") {
      $0.handle(
        at: 0,
        .fences(.add((0..<200).map { fence("far \($0)", north: 5000 + Double($0) * 300) } + [fence("home")])))
      $0.driveThroughFence()
      #expect($0.events.map(\.fence) == ["home", "home"])
    },
    EngineConformanceCase(
      "a fence requests the always permission if the settings ask for it",
      settings: .needingAuthorization(for: .always)
    ) {
      $0.handle(at: 0, .fences(.add([fence("home")])))
      #expect($0.authorizationRequests == [.always])
    },
    EngineConformanceCase(
      "without permission the receiver is off, the status carries a remedy, and fence sides are withheld"
    ) {
      $0.handle(at: 0, .fences(.add([fence("home")])))
      $0.driveThroughFence(through: 30)
      $0.handle(at: 31, authorizationSignal(.denied, remedy: "allow it in the settings"))
      #expect($0.demand == .off && $0.status.authorization.remedy == "allow it in the settings")
      #expect($0.state("home")?.side == .unknown)
      $0.handle(at: 32, authorizationSignal(.always))
      #expect($0.state("home")?.side == .inside)
    },
    EngineConformanceCase(
      "a failed source is reported in the status, and crossings during the outage are reported afterwards"
    ) {
      $0.handle(at: 0, .fences(.add([fence("home")])))
      $0.driveThroughFence(through: 30)
      $0.handle(at: 31, .signal(.failed(unreachable)))
      #expect($0.status.source == .failed(unreachable))
      for second in 500...510 { $0.handle(at: Double(second), live(fix(4, at: Double(second), north: 3000))) }
      #expect($0.events.map(\.kind) == [.enter, .exit] && $0.events.last?.manner == .unseen)
    },
    EngineConformanceCase("the receiver is off while no fence can be reached") {
      $0.handle(at: 0, .fences(.add([fence("far", north: 10_000)])))
      $0.handle(at: 1, live(fix(4, at: 1)))
      #expect($0.demand == .off && $0.wake != nil)
    },
  ]
}

extension ManagerConformanceCase {
  /// Fences of a manager.
  static let fences: [ManagerConformanceCase] = [
    ManagerConformanceCase(
      "addHere creates a circle of 50 m around the best current location, with the given id"
    ) {
      stage in
      await stage.source.emit(fix(4, at: 0, north: 300))
      let made = try await stage.manager.fences.addHere("parking")
      #expect(made == fence("parking", north: 300, radius: 50))
    },
    ManagerConformanceCase("addHere throws and adds no fence if there is no location") { stage in
      await #expect(throws: Fences.HereError.self) { try await stage.manager.fences.addHere("parking") }
      #expect(await stage.manager.fences.count == 0)
    },
    ManagerConformanceCase("a crossing is delivered to new listeners after a kill") { stage in
      let store = MemoryStore(), first = ScriptedSource()
      let manager = LocationManager(source: first, clock: stage.clock.managerClock, store: store)
      try await manager.fences.add(fence("parking"))
      for second in 1...30 {
        await first.emit(fix(4, at: Double(second), north: -300 + Double(second) * 10))
      }
      let source = ScriptedSource(), left = await store.copy()
      let next = LocationManager(source: source, clock: stage.clock.managerClock, store: left)
      withExtendedLifetime(manager) {}
      await source.emit(fix(4, at: 4000, north: 9000))
      await source.emit(fix(4, at: 4001, north: 9010))
      source.end()
      var kinds: [FenceEvent.Kind] = []
      for await event in next.fences.updates().compactMap(\.event) { kinds.append(event.kind) }
      #expect(kinds == [.enter, .exit])
    },
    ManagerConformanceCase("delivering an event does not delete it: later listeners receive it too") {
      stage in
      try await stage.manager.fences.add(fence("home"))
      for second in 1...60 {
        await stage.source.emit(fix(4, at: Double(second), north: -300 + Double(second) * 10))
      }
      stage.source.end()
      for _ in 0..<3 {
        var count = 0
        for await _ in stage.manager.fences.updates().compactMap(\.event) { count += 1 }
        #expect(count == 2)
      }
    },
  ]
}

extension EngineScenario {
  /// The reported fence events.
  var events: [FenceEvent] {
    fenceRecords.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  /// A fix each second, 10 m farther north each time: a place is entered at 20 s and left at 40 s.
  mutating func driveThroughFence(through last: Int = 60) {
    for second in 1...last {
      handle(at: Double(second), live(fix(4, at: Double(second), north: -300 + Double(second) * 10)))
    }
  }
}
