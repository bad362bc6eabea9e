import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsServer

/// Explanations of crossings and of missing crossings, from the stored fixes.
@Suite struct ExplanationTests {
  @Test func crossingIsExplainedBeforeAndAfter() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let end = UTCTime.now.advanced(by: .seconds(-1_000))
      let distances = Array(repeating: 0, count: 10) + (1...20).map { Double($0) * 40 }
      let token = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland(distances, end: end), token: token)

      func why(_ seconds: Int64) async throws -> [String: Any] {
        let at = end.nanosecondsSince1970 / 1_000_000_000 + seconds
        let answer = try await server.get(
          "/api/v1/devices/anna/why?fence=home&at=\(at)", token: token)
        #expect(answer.status == 200)
        let lines = try #require(answer["lines", as: [String].self])
        #expect(lines.first?.hasPrefix("home at ") == true && lines.count > 4)
        return try #require(answer["answer", as: [String: Any].self])
      }
      let before = try await why(-500), after = try await why(1)
      let never = try await server.get(
        "/api/v1/devices/anna/why?fence=home&at=2001-02-03T04:05:06Z", token: token)
      #expect(never.status == 404 && never.body.contains("before 2001-02-03 04:05:06 UTC"), "\(never.body)")
      #expect(before["side"] as? String == "inside")
      let next = try #require(before["nextEvent"] as? [String: Any])
      let deciding = try #require(next["decidedBy"] as? [String: Any])
      #expect(deciding["source"] as? String == "phone" && deciding["simulated"] == nil)
      #expect(after["side"] as? String == "outside" && after["nextEvent"] == nil)

      let decisions = try await server.get(
        "/api/v1/devices/anna/decisions?from=\(end.nanosecondsSince1970 / 1_000_000_000 - 3_000)",
        token: token)
      let all = try #require(decisions["decisions", as: [[String: Any]].self])
      #expect(all.contains { $0["event"] as? String == "exit" })
      #expect(!decisions.body.contains("\"lat\""))
      #expect(!decisions.body.contains("simulated"))
    }
  }

  @Test func explanationKnowsThePlaceOfAPhoneWithAFixInTenHours() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let token = try server.token("anna", [.read, .write]), now = UTCTime.now
      for hours in [40.0, 30, 20] {
        _ = try await server.post(
          "/overland", Batches.overland([0], end: now.advanced(by: .seconds(-3600 * hours))), token: token)
      }
      let at = now.advanced(by: .seconds(-3600 * 11)).nanosecondsSince1970 / 1_000_000_000
      let answer = try await server.get("/api/v1/devices/anna/why?fence=home&at=\(at)", token: token)
      #expect(answer["answer", as: [String: Any].self]?["side"] as? String == "inside", "\(answer.body)")
    }
  }

  /// A phone may send the fixes of a day after newer ones. They show a crossing that was not reported.
  @Test func explanationNamesLateFixes() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let token = try server.token("anna", [.read, .write])
      let end = UTCTime.now.advanced(by: .seconds(-20_000))
      let distances = Array(repeating: 0, count: 10) + (1...20).map { Double($0) * 40 }
      func late() async throws -> (lines: [String], count: Int?) {
        let at = end.nanosecondsSince1970 / 1_000_000_000 - 500
        let answer = try await server.get("/api/v1/devices/anna/why?fence=home&at=\(at)", token: token)
        #expect(answer.status == 200)
        let lines = try #require(answer["lines", as: [String].self])
        return (lines.filter { $0.hasPrefix("  Late ") }, answer["lateFixes", as: Int.self])
      }
      _ = try await server.post(
        "/overland", Batches.overland([0, 0], end: end.advanced(by: .seconds(-600))), token: token)
      let before = try await late()
      #expect(before.lines == [] && before.count == 0)
      _ = try await server.post("/overland", Batches.overland([0]), token: token)
      _ = try await server.post("/overland", Batches.overland(distances, end: end), token: token)
      let crossings = try await server.get("/api/v1/devices/anna/crossings", token: token)
      #expect(crossings["crossings", as: [[String: Any]].self]?.isEmpty == true)
      let after = try await late()
      #expect(after.lines == ["  Late      30 fixes came late and changed no crossing"])
      #expect(after.count == 30)
      let seconds = end.nanosecondsSince1970 / 1_000_000_000
      let span = "from=\(seconds - 3_000)&to=\(seconds + 10)"
      let decisions = try await server.get(
        "/api/v1/devices/anna/decisions?text=yes&\(span)", token: token)
      let lines = try #require(decisions["lines", as: [String].self])
      #expect(lines.last == "30 fixes came late and changed no crossing", "\(decisions.body)")
    }
  }

  /// A fix that is late by a few seconds still corrects a crossing.
  @Test func explanationNamesOnlyFixesThatCameTooLate() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let token = try server.token("anna", [.read, .write])
      let end = UTCTime.now.advanced(by: .seconds(-1_000))
      let distances = Array(repeating: 0, count: 10) + (1...20).map { Double($0) * 40 }
      func late() async throws -> (lines: [String], count: Int?) {
        let at = end.nanosecondsSince1970 / 1_000_000_000
        let answer = try await server.get("/api/v1/devices/anna/why?fence=home&at=\(at)", token: token)
        let lines = try #require(answer["lines", as: [String].self])
        return (lines.filter { $0.hasPrefix("  Late ") }, answer["lateFixes", as: Int.self])
      }
      func post(_ distances: [Double], end: UTCTime) async throws {
        _ = try await server.post("/overland", Batches.overland(distances, end: end), token: token)
      }
      try await post(distances, end: end)
      try await post([680], end: end.advanced(by: .seconds(-3)))
      let few = try await late()
      #expect(few.lines == [] && few.count == 0)
      try await post([780], end: end.advanced(by: .seconds(-10)))
      let some = try await late()
      #expect(some.lines == ["  Late      1 fix came late and changed no crossing"] && some.count == 1)
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
      let all = try #require(fixes["fixes", as: [[String: Any]].self])
      #expect(all.count { $0["use"] as? String == "late" } == 2)
    }
  }

  /// The path near one fence is evidence for the others, so an explanation must watch all of them.
  @Test func explanationOfOneFenceIsThatOfTheDecisions() async throws {
    try await TestServer.run { server in
      let home = "[\(Batches.home.longitude),\(Batches.home.latitude)]"
      let point = #""geometry":{"type":"Point","coordinates":\#(home)}"#
      let fences = [("home", "\"radius\":100"), ("long", "\"radius\":100,\"exitDwell\":3600")].map {
        #"{"type":"Feature","id":"\#($0)","properties":{\#($1)},\#(point)}"#
      }
      _ = try await server.send(
        .PUT, "/api/v1/fences",
        #"{"type":"FeatureCollection","features":[\#(fences.joined(separator: ","))]}"#, token: server.admin)
      let end = UTCTime.now.advanced(by: .seconds(-1_000))
      let away = (1...10).map { Double($0) * 40 } + Array(repeating: 400, count: 10)
      let back = (1...13).map { 400 - Double($0) * 30 } + Array(repeating: 0, count: 5)
      let token = try server.token("anna", [.read, .write])
      _ = try await server.post(
        "/overland", Batches.overland(Array(repeating: 0, count: 10) + away + back, end: end), token: token)
      let seconds = end.nanosecondsSince1970 / 1_000_000_000
      let decisions = try await server.get(
        "/api/v1/devices/anna/decisions?from=\(seconds - 3_000)", token: token)
      let enter = try #require(
        decisions["decisions", as: [[String: Any]].self]?.first(where: {
          $0["fence"] as? String == "home" && $0["event"] as? String == "enter"
        }))
      // Nineteen fixes before the last one, the device is away.
      let why = try await server.get(
        "/api/v1/devices/anna/why?fence=home&at=\(seconds - 20 * 19)", token: token)
      let next = try #require(why["answer", as: [String: Any].self]?["nextEvent"] as? [String: Any])
      #expect(next["event"] as? String == "enter")
      #expect(next["time"] as? String == enter["time"] as? String)
      #expect(next["timeUncertainty"] as? Double == enter["timeUncertainty"] as? Double)
    }
  }
}
