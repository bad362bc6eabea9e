import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsServer

/// The presence of devices in places, by which alerts decide.
extension AlertDeliveryTests {
  /// A device that was in a place before its first crossing occupies the place.
  @Test func presenceFromBeforeTheFirstCrossingCounts() async throws {
    let text = """
      {"groups": {"home": ["house", "yard"]}, "channels": {"c": {"command": ["/bin/true"]}},
        "alerts": [
          {"name": "group", "fences": ["home"], "events": ["exit"], "channels": ["c"]},
          {"name": "all", "together": true, "fences": ["yard"], "events": ["exit"], "channels": ["c"]}]}
      """
    var chosen = ServerSettings.test
    chosen.alerts = try Self.alerts(atPath: try folder.write(text, to: "alerts.json"))
    try await TestServer.run(chosen) { server in
      for (id, radius) in [("house", 100), ("yard", 400)] {
        _ = try await server.send(
          .POST, "/api/v1/fences", Batches.fence(id, radius: radius), token: server.admin)
      }
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      // Ben stays at home.
      let stay = Batches.overland(Array(repeating: 0.0, count: 10), end: start)
      let ben = try server.token("ben", [.read, .write]), anna = try server.token("anna", [.read, .write])
      #expect(try await server.post("/overland", stay, token: ben).status == 200)
      // Anna leaves the house, then the yard.
      #expect(try await server.post("/overland", Self.leg(0, since: start), token: anna).status == 200)
      let overview = try await Self.wait(server) { $0.decisions.count == 3 }
      #expect(
        overview.decisions.map(\.text) == [
          "yard was and is occupied", "notified", "home was and is occupied",
        ])
    }
  }

  /// A device that was in a fence before the fence was moved is not in the moved one.
  @Test func movedFenceIsNotOccupiedByThoseInItsFormerArea() async throws {
    let text = """
      {"channels": {"c": {"command": ["/bin/true"]}},
        "alerts": [
          {"name": "in", "fences": ["house"], "events": ["enter"], "channels": ["c"]},
          {"name": "all", "together": true, "fences": ["house"], "events": ["exit"], "channels": ["c"]}]}
      """
    var chosen = ServerSettings.test
    chosen.alerts = try Self.alerts(atPath: try folder.write(text, to: "alerts.json"))
    try await TestServer.run(chosen) { server in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      let ben = try server.token("ben", [.read, .write]), anna = try server.token("anna", [.read, .write])
      _ = try await server.send(.POST, "/api/v1/fences", Batches.fence("house"), token: server.admin)
      // Ben enters the house.
      #expect(try await server.post("/overland", Self.leg(1, since: start), token: ben).status == 200)
      _ = try await Self.wait(server) { $0.decisions.count == 1 }
      let moved = """
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"house","properties":{"radius":100},\
        "geometry":{"type":"Point","coordinates":[\(Batches.home.longitude),\(Batches.home.latitude + 800 / 111_300)]}}]}
        """
      _ = try await server.send(.POST, "/api/v1/fences", moved, token: server.admin)
      // Anna leaves the moved house.
      let later = start.advanced(by: .seconds(600))
      #expect(try await server.post("/overland", Self.leg(1, since: later), token: anna).status == 200)
      let overview = try await Self.wait(server) { $0.decisions.count == 2 }
      #expect(overview.decisions.map(\.event) == ["exit", "enter"])
      #expect(overview.decisions.map(\.text) == ["notified", "notified"])
    }
  }
}
