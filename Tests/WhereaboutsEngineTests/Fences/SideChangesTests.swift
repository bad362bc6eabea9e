import EngineTestSupport
import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsEngine

/// The time since which the device is outside of a fence that is far away.
@Suite struct SideChangesTests {
  /// A watch that processes a fix each second, at places north of the fence "home" of 100 m.
  private struct Watch {
    var registry = FenceRegistry()
    var watch = FenceWatch()
    var events: [FenceEvent] = []
    var time = 0.0

    init() throws {
      try registry.add(fence("home"))
    }

    mutating func move(through places: some Sequence<Double>) {
      var records: [FenceRecord] = []
      for north in places {
        time += 1
        watch.process(fix(4, at: time, north: north), in: registry, into: &records)
      }
      events += records.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    var state: FenceState { watch.state(of: "home", in: registry) }
  }

  @Test func timeOfTheExitIsKeptFarAway() throws {
    var device = try Watch()
    device.move(through: stride(from: 0.0, to: 5_000, by: 10))
    let exit = try #require(device.events.last)
    try #require(exit.kind == .exit)
    #expect(device.state.side == .outside && device.state.since == exit.time)
    // Another process, and a passage near the fence, change nothing.
    device.watch = try JSONDecoder().decode(FenceWatch.self, from: JSONEncoder().encode(device.watch))
    #expect(device.state.since == exit.time)
    device.move(through: stride(from: 5_000.0, to: 140, by: -10))
    #expect(device.state.probabilityInside != nil && device.state.since == exit.time)
    device.move(through: stride(from: 140.0, to: 5_000, by: 10))
    #expect(device.events.last == exit && device.state.since == exit.time)
    device.move(through: stride(from: 5_000.0, through: -5_000, by: -10))
    let last = try #require(device.events.last)
    #expect(last.kind == .exit && last.id > exit.id && device.state.since == last.time)
  }

  @Test func timeIsUnknownAfterARefusal() {
    var engine = Engine()
    _ = engine.handle(.fences(.add([fence("home")])), at: t(0))
    _ = EngineFenceTests.drive(&engine, 1...90)
    #expect(engine.fenceState(of: "home")?.since.map { abs($0.seconds(since: utc(40))) < 1 } == true)
    _ = engine.handle(.signal(.authorization(Authorization(.denied))), at: t(91))
    _ = engine.handle(.signal(.authorization(Authorization(.always))), at: t(92))
    let state = engine.fenceState(of: "home")
    #expect(state?.side == .outside && state?.since == nil)
  }

  @Test func timeIsThatOfTheFenceAtThePlace() throws {
    var device = try Watch()
    device.move(through: stride(from: 0.0, to: 2_000, by: 10))
    try #require(device.state.since != nil)
    device.registry.update(fence("home", radius: 90))
    #expect(device.state.since == nil)
  }

  @Test func latestTimesAreKept() {
    var changes = SideChanges(), reversed = SideChanges()
    let serials = Array(1...UInt64(SideChanges.capacity))
    for serial in serials { changes.insert(serial, utc(Double(serial))) }
    for serial in serials.reversed() { reversed.insert(serial, utc(Double(serial))) }
    #expect(changes == reversed && serials.allSatisfy { changes[$0] == utc(Double($0)) })
    changes.insert(1, utc(1_000))
    changes.insert(99, utc(1_001))
    #expect(changes[1] == utc(1_000) && changes[99] == utc(1_001) && changes[2] == nil && changes[3] != nil)
  }
}
