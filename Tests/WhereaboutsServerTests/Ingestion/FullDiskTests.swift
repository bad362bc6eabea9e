import Foundation
import GRDB
import Logging
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// A store that has no room, as on a full disk.
@Suite struct FullDiskTests {
  @Test func fullDiskAnswers507AndTheServerContinues() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland([0]), token: token)
      try server.store.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
      // Enough for several pages.
      let batch = Batches.overland((0..<2_000).map { Double($0) })
      let full = try await server.post("/overland", batch, token: token)
      #expect(full.status == 507 && full.body.contains("Send the request again"), "\(full.body)")
      #expect(full.headers.contains(name: "Retry-After"))
      #expect(try await server.get("/health").status == 200)
      try server.store.write { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
      // The store is tried again after a second at the earliest.
      var status = 507
      while status == 507 { status = try await server.post("/overland", batch, token: token).status }
      #expect(status == 200)
      var places: Set<Double> = [], count = 0
      try server.store.history(of: "anna", uses: Set(LoggedFix.Use.allCases)) {
        places.insert($0.fix.fix.coordinate.latitude)
        count += 1
      }
      #expect(count == 2_001 - 1 || count == 2_001, "each fix is stored once")
      #expect(count - places.count <= 1)
    }
  }

  /// A phone repeats a refused request until there is room. The log must not take the room meanwhile.
  @Test func fullDiskIsLoggedOnce() async throws {
    let lines = UnusableStoreTests.Lines()
    let output = LogOutput(level: .debug, json: false) { lines.append($0) }
    try await TestServer.withStore { store in
      try await TestServer.run(store: store, logger: output.logger) { server in
        let token = try server.token("anna", [.write])
        _ = try await server.post("/overland", Batches.overland([0]), token: token)
        try server.store.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        // Enough for several pages.
        let batch = Batches.overland((0..<2_000).map { Double($0) })
        for _ in 0..<3 {
          #expect(try await server.post("/overland", batch, token: token).status == 507)
        }
        while lines.count(of: "warning: fixes are not stored") == 0 {
          try await Task.sleep(for: .milliseconds(10))
        }
        #expect(lines.count(of: "not stored") == 1)
        try server.store.write { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
      }
    }
  }

  /// A stream gets no fix whose commit fails, and gets the fix once the phone's repetition finds the fix stored.
  @Test func fixOfAFailedCommitReachesTheStreamOnceItIsStored() async throws {
    // Noon in the server's zone: the fixes are those of one day, which one commit stores.
    let now = UTCTime.now, second = Int(now.nanosecondsSince1970 / 1_000_000_000 % 86_400)
    var settings = ServerSettings.test
    settings.timeZone = try #require(TimeZone(secondsFromGMT: 43_200 - second))
    try await TestServer.run(settings) { server in
      let token = try server.token("anna", [.read, .write])
      let reader = try #require(server.tokens.verify(token, at: .now))
      let early = Batches.overland([0], end: now.advanced(by: .seconds(-30_000)))
      #expect(try await server.post("/overland", early, token: token).status == 200)
      let subscription = try #require(server.core.hub.subscribe(device: "anna", token: reader, limit: 2))
      defer { server.core.hub.unsubscribe(subscription) }
      try server.store.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
      // Enough for several pages.
      let batch = Batches.overland((0..<1_000).map { Double($0) }, end: now)
      var status = try await server.post("/overland", batch, token: token).status
      #expect(status == 507)
      #expect(subscription.drain().fixes.isEmpty)
      try server.store.write { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
      while status == 507 { status = try await server.post("/overland", batch, token: token).status }
      #expect(status == 200)
      let latitude = try #require(subscription.drain().fixes["anna"]).coordinate.latitude
      #expect(abs(latitude - Batches.home.latitude - 999 / 111_300) < 1e-6)
    }
  }

  /// A phone whose positions could not be stored gets changed fences with the next answer.
  @Test func refusedPhoneStillGetsTheFences() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write]), now = UTCTime.now
      func location(_ seconds: Int) -> String {
        Batches.ownTracks(distance: 0, at: now.advanced(by: .seconds(-seconds)))
      }
      let first = try await server.post("/owntracks", location(5_000), token: token)
      #expect(first.status == 200 && first.body == "[]", "\(first.body)")
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      try server.store.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
      // Enough for several pages.
      let batch = "[\((1_000..<3_000).reversed().map(location).joined(separator: ","))]"
      var answer = try await server.post("/owntracks", batch, token: token)
      #expect(answer.status == 507, "\(answer.body)")
      try server.store.write { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
      while answer.status == 507 {
        answer = try await server.post("/owntracks", location(1), token: token)
      }
      #expect(answer.status == 200 && answer.body.contains("setWaypoints"), "\(answer.body)")
    }
  }
}
