import AsyncHTTPClient
import Foundation
import GRDB
import NIOCore
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

@Suite struct StreamTests {
  private static let leaving = Batches.overlandLeavingHome()

  @Test func streamDeliversFixesAndCrossings() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let token = try server.token("anna", [.read, .write])
      var events = try await server.stream(token: token)
      _ = try await server.post("/overland", Self.leaving, token: token)
      let first = try await events.next(), second = try await events.next()
      #expect(Set([first?.name, second?.name]) == ["crossing", "fix"])
    }
  }

  @Test func reconnectedStreamDeliversMissedCrossings() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let token = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Self.leaving, token: token)
      var events = try await server.stream(token: token, lastID: "0")
      let event = try await events.next()
      #expect(event?.name == "crossing" && event?.id == "1")
      #expect(event?.data.contains("\"event\":\"exit\"") == true)
    }
  }

  /// A client that knows a position from another store, such as one before a restored backup, gets new crossings.
  @Test func unknownPositionHoldsUpNoCrossing() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let token = try server.token("anna", [.read, .write])
      var events = try await server.stream(token: token, lastID: "1000")
      _ = try await server.post("/overland", Self.leaving, token: token)
      let found = [try await events.next(), try await events.next()].compactMap { $0 }
      #expect(found.first { $0.name == "crossing" }?.id == "1", "\(found)")
    }
  }

  /// A stream begins without a search through the whole store for the last crossing that the reader may see.
  @Test func idBehindManyOtherCrossingsIsARoundPosition() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let token = try server.token("anna", [.read, .write]), now = UTCTime.now
      let away: [Double] = Array(repeating: 0, count: 10) + (1...30).map { Double(min($0, 20)) * 40 }
      let past = Batches.overland(away, end: now.advanced(by: .seconds(-60)))
      _ = try await server.post("/overland", past, token: token)
      // Positions of another device, up to 2,500.
      try server.store.write {
        try $0.execute(
          sql: """
            WITH RECURSIVE other (number) AS (
              VALUES (1) UNION ALL SELECT number + 1 FROM other WHERE number < 2499)
            INSERT INTO fence_record_order (device, number) SELECT 0, number FROM other
            """)
      }
      var events = try await server.stream(token: token)
      _ = try await server.post("/overland", Batches.overland([800], end: now), token: token)
      let fix = try await events.next()
      #expect(fix?.name == "fix" && fix?.id == "1000")
      // A client that returns an older id misses nothing.
      var again = try await server.stream(token: token, lastID: "0")
      let crossing = try await again.next()
      #expect(crossing?.name == "crossing" && crossing?.id == "1")
    }
  }

  /// The id of a fix counts neither the crossings of other devices nor those that the reader may not see.
  @Test func idOfAFixHidesTheCrossingsOfOthers() async throws {
    let home = DisclosureFixture.place(Batches.home.latitude, Batches.home.longitude)
    let now = UTCTime.now
    func batch(_ distances: [Double], endingBefore seconds: Int) -> String {
      Batches.overland(distances, end: now.advanced(by: .seconds(-seconds)))
    }
    let away: [Double] = Array(repeating: 0, count: 10) + (1...30).map { Double(min($0, 20)) * 40 }
    try await TestServer.run { store in
      try ZoneRegistry(store).add(try DisclosureFixture.zone(.hide, at: home, radius: 200, device: "anna"))
    } _: { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let anna = try server.token("anna", [.read, .write]), bob = try server.token("bob", [.read, .write])
      let reader = try server.token("anna", [.read]), everybody = try server.token(nil, [.read])
      _ = try await server.post("/overland", batch(away, endingBefore: 1_800), token: anna)
      for (index, row) in [(bob, bob, "0"), (reader, anna, "0"), (anna, anna, "1")].enumerated() {
        var events = try await server.stream(token: row.0)
        let body = batch([800], endingBefore: 1_700 - index)
        _ = try await server.post("/overland", body, token: row.1)
        let fix = try await events.next()
        #expect(fix?.name == "fix" && fix?.id == row.2)
      }
      // Also a crossing while the streams are open.
      var ofBob = try await server.stream(token: bob), ofAll = try await server.stream(token: everybody)
      _ = try await server.post("/overland", batch(away.reversed(), endingBefore: 600), token: anna)
      let crossings = try await server.get("/api/v1/devices/anna/crossings", token: anna)
      #expect(crossings["last", as: Int.self] == 2)
      _ = try await server.post("/overland", batch([800], endingBefore: 0), token: bob)
      for event in [try await ofBob.next(), try await ofAll.next()] {
        #expect(event?.data.contains(#""device":"bob""#) == true && event?.id == "0")
      }
    }
  }

  @Test func streamOfAnotherDeviceIsRefused() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read])
      #expect(try await server.get("/api/v1/stream?device=bob", token: token).status == 404)
      #expect(
        try await server.get("/api/v1/stream", token: token, headers: [("Last-Event-ID", "x")]).status == 400)
    }
  }

  /// Fixes that come late leave the current fix as it is.
  @Test func lateFixesSendNoEvent() async throws {
    try await TestServer.run { server in
      let token = try server.token(nil, [.write]), now = UTCTime.now
      _ = try await server.post("/overland", Batches.overland([0], end: now, device: "anna"), token: token)
      var events = try await server.stream(token: server.admin)
      let late = Batches.overland([900, 900], end: now.advanced(by: .seconds(-3600)), device: "anna")
      let answer = try await server.post("/overland", late, token: token)
      #expect(answer.status == 200)
      _ = try await server.post("/overland", Batches.overland([0], device: "bob"), token: token)
      let event = try await events.next()
      #expect(event?.name == "fix" && event?.data.contains(#""device":"bob""#) == true)
    }
  }

  /// A page that follows an erased device learns so at once.
  @Test func erasureOfADeviceEndsItsStreams() async throws {
    try await TestServer.run { server in
      let token = try server.token(nil, [.write])
      for device in ["anna", "bob"] {
        _ = try await server.post("/overland", Batches.overland([0], device: device), token: token)
      }
      var erased = try await server.stream(token: server.admin, query: "?device=anna")
      var other = try await server.stream(token: server.admin, query: "?device=bob")
      var all = try await server.stream(token: server.admin)
      let span = "/api/v1/devices/anna/fixes?to=2020-01-01"
      #expect(try await server.send(.DELETE, span, token: server.admin).status == 200)
      // An erased span ends no stream.
      _ = try await server.post("/overland", Batches.overland([10], device: "anna"), token: token)
      #expect(try await erased.next()?.name == "fix")
      #expect(try await all.next()?.name == "fix")
      #expect(try await server.send(.DELETE, "/api/v1/devices/anna", token: server.admin).status == 200)
      #expect(try await erased.next() == nil)
      _ = try await server.post("/overland", Batches.overland([20], device: "bob"), token: token)
      #expect(try await other.next()?.name == "fix")
      #expect(try await all.next()?.name == "fix")
    }
  }

  @Test func streamsAreLimited() async throws {
    var settings = ServerSettings.test
    settings.limits.streams = 1
    try await TestServer.run(settings) { server in
      let events = try await server.stream(token: server.admin)
      let second = try await server.get("/api/v1/stream", token: server.admin)
      #expect(second.status == 429 && second.headers.contains(name: "Retry-After"))
      withExtendedLifetime(events) {}
    }
  }

  /// The holder of one link must not keep out all others.
  @Test func tokenLeavesHalfOfTheStreamsToOthers() async throws {
    var settings = ServerSettings.test
    settings.limits.streams = 2
    try await TestServer.run(settings) { server in
      let first = try await server.stream(token: server.admin)
      #expect(try await server.get("/api/v1/stream", token: server.admin).status == 429)
      let second = try await server.stream(token: server.token(nil, [.read]))
      withExtendedLifetime((first, second)) {}
    }
  }

  /// The response states that no other follows.
  @Test(arguments: ["GET", "HEAD"]) func connectionEndsWithItsStream(_ method: String) async throws {
    try await TestServer.run { server in
      let end = "HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin\r\n\r\n"
      let received = try await server.exchange("\(method) /api/v1/stream?for=0 \(end)GET /health \(end)")
      #expect(received.statuses == [200])
    }
  }

  /// Otherwise the end of the stream would show when the next fix arrives.
  @Test func streamEndsWithItsToken() async throws {
    var settings = ServerSettings.test
    // No comment wakes the stream.
    settings.limits.keepAlive = .seconds(3600)
    try await TestServer.run(settings) { server in
      let reader = try server.token(nil, [.read])
      let id = try #require(server.tokens.verify(reader, at: .now)).id
      var events = try await server.stream(token: reader)
      try server.tokens.revoke(id)
      #expect(try await events.next() == nil)
    }
  }

  /// The crossings that wait are read in pages, and the token is revoked between two of them.
  @Test func revokedTokenGetsNoFurtherCrossings() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let secret = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Self.leaving, token: secret)
      let token = try #require(server.tokens.verify(secret, at: .now))
      let events = EventWriter(
        device: nil, token: token, authenticator: server.core.authenticator, fences: server.core.fences,
        store: server.store)
      func readCount() async throws -> Int {
        try await events.crossings(after: 0, shown: 0, limit: 100).count
      }
      #expect(try await readCount() == 1)
      try server.tokens.revoke(token.id)
      #expect(try await readCount() == 0)
    }
  }

  /// A client that is gone before its response begins leaves no stream open.
  @Test func resetConnectionLeavesNoStream() async throws {
    var settings = ServerSettings.test
    settings.limits.streams = 1
    try await TestServer.run(settings) { server in
      for _ in 0..<5 {
        let connection = try RawConnection(port: server.port)
        connection.resetAtEnd()
        try connection.request("GET", "/api/v1/stream", token: server.admin)
      }
      try await Task.sleep(for: .milliseconds(300))
      var status = 429
      while status == 429 {
        status = try await server.get("/api/v1/stream?for=0", token: server.admin).status
        if status == 429 { try await Task.sleep(for: .milliseconds(100)) }
      }
      #expect(status == 200)
    }
  }
}

/// One server-sent event.
struct StreamEvent: Equatable {
  var id: String?
  var name: String?
  var data = ""
}

/// The events of an open stream. Comments are left out.
struct StreamEvents {
  private var parts: HTTPClientResponse.Body.AsyncIterator
  private var text = ""

  init(_ body: HTTPClientResponse.Body) { parts = body.makeAsyncIterator() }

  /// Waits for the next event; `nil` at the end.
  mutating func next() async throws -> StreamEvent? {
    while true {
      while let end = text.range(of: "\n\n") {
        let lines = text[..<end.lowerBound].split(separator: "\n")
        text.removeSubrange(..<end.upperBound)
        var event = StreamEvent()
        for line in lines {
          if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
          if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
          if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
        }
        if event.name != nil { return event }
      }
      guard let part = try await parts.next() else { return nil }
      text += String(buffer: part)
    }
  }
}

extension TestServer {
  /// Opens the stream of events, and returns once it is open.
  func stream(token: String, lastID: String? = nil, query: String = "") async throws -> StreamEvents {
    var request = HTTPClientRequest(url: url + "/api/v1/stream" + query)
    request.headers.add(name: "Authorization", value: "Bearer \(token)")
    if let lastID { request.headers.add(name: "Last-Event-ID", value: lastID) }
    let response = try await HTTPClient.shared.execute(request, timeout: .minutes(10))
    #expect(response.status == .ok)
    return StreamEvents(response.body)
  }
}
