import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsClient
import WhereaboutsModel

@testable import WhereaboutsServer

/// Access rights: every path with every kind of token.
@Suite struct AccessTests {
  private struct Row {
    var method: HTTPMethod
    var path: String
    var body: String?
    /// The statuses without a token, with a wrong one, an expired one, another device's, one that only reads, one
    /// that only writes, and an administrator's.
    var statuses: [Int]
    /// The status with a link to a journey; `nil` for that of a token that only reads.
    var link: Int?
  }

  private static let rows = [
    Row(method: .GET, path: "/health", statuses: [200, 200, 200, 200, 200, 200, 200]),
    Row(method: .GET, path: "/ready", statuses: [200, 200, 200, 200, 200, 200, 200]),
    Row(method: .GET, path: "/metrics", statuses: [200, 200, 200, 200, 200, 200, 200]),
    Row(method: .GET, path: "/", statuses: [200, 200, 200, 200, 200, 200, 200]),
    Row(method: .GET, path: "/page/app.js", statuses: [200, 200, 200, 200, 200, 200, 200]),
    Row(method: .GET, path: "/api/v1/token", statuses: [401, 401, 401, 200, 200, 200, 200]),
    Row(method: .GET, path: "/api/v1/devices", statuses: [401, 401, 401, 200, 200, 403, 200]),
    Row(
      method: .GET, path: "/api/v1/devices/anna/fix", statuses: [401, 401, 401, 404, 200, 403, 200],
      link: 404),
    Row(
      method: .GET, path: "/api/v1/devices/anna/journey", statuses: [401, 401, 401, 404, 404, 403, 404],
      link: 200),
    Row(method: .GET, path: "/api/v1/devices/anna/receiver", statuses: [401, 401, 401, 404, 200, 403, 200]),
    Row(method: .GET, path: "/api/v1/sources", statuses: [401, 401, 401, 200, 200, 403, 200]),
    Row(method: .GET, path: "/api/v1/map", statuses: [401, 401, 401, 200, 200, 200, 200]),
    Row(method: .GET, path: "/api/v1/devices/anna/fixes", statuses: [401, 401, 401, 404, 200, 403, 200]),
    Row(method: .GET, path: "/api/v1/devices/anna/crossings", statuses: [401, 401, 401, 404, 200, 403, 200]),
    Row(method: .GET, path: "/api/v1/devices/anna/trips", statuses: [401, 401, 401, 404, 200, 403, 200]),
    Row(
      method: .GET, path: "/api/v1/devices/anna/trips/none", statuses: [401, 401, 401, 404, 404, 403, 404]),
    Row(method: .GET, path: "/api/v1/devices/anna/fences", statuses: [401, 401, 401, 404, 403, 403, 200]),
    Row(method: .GET, path: "/api/v1/devices/anna/rejected", statuses: [401, 401, 401, 404, 403, 403, 200]),
    Row(
      method: .GET, path: "/api/v1/devices/anna/why?fence=none",
      statuses: [401, 401, 401, 404, 403, 403, 404]),
    Row(
      method: .GET, path: "/api/v1/devices/anna/decisions", statuses: [401, 401, 401, 404, 403, 403, 200]),
    Row(
      method: .POST, path: "/api/v1/devices/anna/trial", body: Batches.fence(),
      statuses: [401, 401, 401, 404, 403, 403, 200]),
    Row(method: .GET, path: "/api/v1/devices/anna/days", statuses: [401, 401, 401, 404, 403, 403, 200]),
    Row(method: .GET, path: "/api/v1/devices/anna/places", statuses: [401, 401, 401, 404, 403, 403, 200]),
    Row(
      method: .GET, path: "/api/v1/devices/anna/visits/none/place",
      statuses: [401, 401, 401, 404, 403, 403, 404]),
    Row(
      method: .PUT, path: "/api/v1/devices/anna/visits/none/place", body: "{\"name\":\"Home\"}",
      statuses: [401, 401, 401, 404, 403, 403, 404]),
    Row(method: .GET, path: "/api/v1/devices/anna/links", statuses: [401, 401, 401, 404, 403, 403, 200]),
    Row(
      method: .POST, path: "/api/v1/devices/anna/links", body: "{\"seconds\":60}",
      statuses: [401, 401, 401, 404, 403, 403, 201]),
    Row(
      method: .DELETE, path: "/api/v1/devices/anna/links/1", statuses: [401, 401, 401, 404, 403, 403, 404]),
    Row(method: .GET, path: "/api/v1/devices/anna/looks", statuses: [401, 401, 401, 404, 403, 403, 200]),
    Row(
      method: .DELETE, path: "/api/v1/devices/nobody", statuses: [401, 401, 401, 403, 403, 403, 404]),
    Row(
      method: .DELETE, path: "/api/v1/devices/nobody/fixes?to=2020-01-01",
      statuses: [401, 401, 401, 403, 403, 403, 404]),
    Row(method: .GET, path: "/api/v1/alerts", statuses: [401, 401, 401, 403, 403, 403, 200]),
    Row(method: .GET, path: "/api/v1/devices/anna/readers", statuses: [401, 401, 401, 404, 403, 403, 200]),
    Row(
      method: .GET, path: "/api/v1/devices/anna/readers/999/fixes",
      statuses: [401, 401, 401, 404, 403, 403, 404]),
    Row(method: .GET, path: "/api/v1/devices/nobody/fix", statuses: [401, 401, 401, 404, 404, 403, 404]),
    Row(method: .GET, path: "/api/v1/fences", statuses: [401, 401, 401, 200, 200, 403, 200]),
    Row(
      method: .PUT, path: "/api/v1/fences", body: Batches.fence(),
      statuses: [401, 401, 401, 403, 403, 403, 200]),
    Row(method: .DELETE, path: "/api/v1/fences/none", statuses: [401, 401, 401, 403, 403, 403, 404]),
    Row(
      method: .POST, path: "/owntracks", body: Batches.ownTracks(distance: 0),
      statuses: [401, 401, 401, 403, 403, 200, 400]),
    Row(
      method: .POST, path: "/overland", body: Batches.overland([0]),
      statuses: [401, 401, 401, 403, 403, 200, 400]),
    Row(method: .GET, path: "/osmand?lat=1&lon=2", statuses: [401, 401, 401, 403, 403, 200, 400]),
    Row(method: .GET, path: "/gpslogger?lat=1&lon=2", statuses: [401, 401, 401, 403, 403, 200, 400]),
    Row(
      method: .POST, path: "/api/webhook/wrong", body: "{}", statuses: [401, 401, 401, 401, 401, 401, 401]),
    Row(method: .POST, path: "/ingest", body: "\n", statuses: [401, 401, 401, 403, 403, 200, 400]),
  ]

  /// A proxy at the socket would lend the owner's rights to everybody.
  @Test func socketGivesNoRightsToAForwardedRequest() async throws {
    let folder = try TemporaryPlace(), socket = folder.path("socket")
    var settings = ServerSettings.test
    settings.socket = socket
    try await TestServer.run(settings) { server in
      let local = TestServer(
        url: ServerAddress(socket: socket).url, store: server.store, core: server.core, admin: server.admin)
      let path = "/api/v1/devices", forwarded = [("X-Forwarded-For", "192.0.2.1")]
      let own = try await local.get(path)
      let others = try await local.get(path, headers: forwarded)
      let withToken = try await local.get(path, token: server.admin, headers: forwarded)
      #expect(own.status == 200)
      #expect(others.status == 401)
      #expect(withToken.status == 200)
    }
  }

  @Test func eachPathChecksItsToken() async throws {
    try await TestServer.run { server in
      let writer = try server.token("anna", [.write])
      _ = try await server.post("/overland", Batches.overland(JourneyLink.distances), token: writer)
      let tokens: [String?] = [
        nil, "wht_" + String(repeating: "a", count: 40),
        try server.token("anna", [.read, .write], expires: UTCTime.now.advanced(by: .seconds(-1))),
        try server.token("bob", [.read]), try server.token("anna", [.read]), writer, server.admin,
        try await server.journeyLink(server.admin).secret,
      ]
      for row in Self.rows {
        for (token, status) in zip(tokens, row.statuses + [row.link ?? row.statuses[4]]) {
          let answer = try await server.send(row.method, row.path, row.body, token: token)
          #expect(answer.status == status, "\(row.method) \(row.path) \(token ?? "no token"): \(answer.body)")
          if answer.status >= 400 {
            #expect(answer.headers.first(name: "Content-Type") == "application/problem+json")
          }
        }
      }
    }
  }

  /// The same letter with an accent is one character in the first name and two in the second. To the store, these are two
  /// devices.
  @Test func devicesWithNamesThatLookAlikeAreApart() async throws {
    try await TestServer.run { server in
      let devices: [(id: DeviceID, path: String, distance: Double)] = [
        ("jos\u{E9}", "jos%C3%A9", 0), ("jose\u{301}", "jose%CC%81", 500),
      ]
      for device in devices {
        let token = try server.token(device.id, [.write])
        _ = try await server.post("/overland", Batches.overland([device.distance]), token: token)
      }
      for device in devices {
        let reader = try server.token(device.id, [.read])
        for other in devices {
          let answer = try await server.get("/api/v1/devices/\(other.path)/fix", token: reader)
          #expect(answer.status == (other.path == device.path ? 200 : 404), "\(answer.body)")
          guard answer.status == 200 else { continue }
          let latitude = try #require(answer["lat", as: Double.self])
          let distance = (latitude - Batches.home.latitude) * 111_300
          #expect(abs(distance - device.distance) < 1, "\(answer.body)")
        }
      }
    }
  }

  /// A reader with a cap, and a reader in a zone that hides, in every answer that holds a place.
  @Test func placesAreWithheldInEveryAnswer() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let writer = try server.token("anna", [.write])
      let batch = Batches.overland(
        Array(repeating: 0, count: 10) + (1...20).map { Double($0) * 40 } + Array(repeating: 800, count: 5))
      _ = try await server.post("/overland", batch, token: writer)
      let capped = try server.token("anna", [.read], cap: 5_000)
      for path in ["fix", "fixes", "crossings"] {
        let answer = try await server.get("/api/v1/devices/anna/\(path)", token: capped)
        #expect(answer.status == 200)
        #expect(!answer.body.contains("52.52") && !answer.body.contains("13.405,"), "\(path): \(answer.body)")
      }
      let fences = try await server.get("/api/v1/fences", token: capped)
      #expect(!fences.body.contains("52.52"))
    }
  }

  /// Returns the result of a body that sends a fix and asks for it. A fix that is older than a minute meets no accuracy: on
  /// a machine that stood still for so long, the body runs again.
  private static func withFreshFix<Value>(_ body: () async throws -> Value) async throws -> Value {
    for _ in 0..<4 {
      let start = ContinuousClock.now
      let value = try await body()
      if ContinuousClock.now - start < .seconds(50) { return value }
    }
    return try await body()
  }

  /// A wait for a fix shows neither an accuracy below the cap nor the moment of a withheld fix.
  @Test func waitForAFixShowsNothingMore() async throws {
    let home = DisclosureFixture.place(Batches.home.latitude, Batches.home.longitude)
    try await TestServer.run { store in
      try ZoneRegistry(store).add(try DisclosureFixture.zone(.hide, at: home, radius: 200, device: "anna"))
    } _: { server in
      let ofAnna = try server.token("anna", [.write]), ofBen = try server.token("ben", [.write])
      #expect(try await server.post("/overland", Batches.overland([0]), token: ofAnna).status == 200)
      let capped = try server.token("ben", [.read], cap: 500), reader = try server.token("anna", [.read])
      for (accuracy, status) in [("4", 504), ("6", 200)] {
        let path = "/api/v1/devices/ben/fix?timeout=0&accuracy=\(accuracy)"
        let statuses = try await Self.withFreshFix {
          [
            try await server.post("/overland", Batches.overland([0]), token: ofBen).status,
            try await server.get(path, token: server.admin).status,
            try await server.get(path, token: capped).status,
          ]
        }
        #expect(statuses == [200, status, 200], "\(accuracy) m")
      }
      let start = ContinuousClock.now
      let hidden = try await server.get("/api/v1/devices/anna/fix?timeout=1", token: reader)
      #expect(hidden.status == 504 && ContinuousClock.now - start >= .seconds(1), "\(hidden.body)")
      #expect(try await server.get("/api/v1/devices/anna/fix?timeout=1", token: server.admin).status == 200)
    }
  }

  /// A fix of 700 m is stated as one of 1 km under a cap of 500 m. No wait finds out more.
  @Test(arguments: [("room", 504), ("699", 504), ("701", 504), ("999", 504), ("1000", 200), ("city", 200)])
  func waitUnderACapShowsNoExactAccuracy(_ accuracy: String, _ status: Int) async throws {
    try await TestServer.run { server in
      let writer = try server.token("ben", [.write]), capped = try server.token("ben", [.read], cap: 500)
      let path = "/api/v1/devices/ben/fix?timeout=0&accuracy=\(accuracy)"
      let statuses = try await Self.withFreshFix {
        let time = Int(Date().timeIntervalSince1970)
        let position = "/osmand?lat=52.5&lon=13.4&accuracy=700&timestamp=\(time)"
        return [
          try await server.get(position, token: writer).status,
          try await server.get(path, token: capped).status,
        ]
      }
      #expect(statuses == [200, status])
      #expect(try await server.get("/api/v1/devices/ben/fix", token: capped)["hacc", as: Double.self] == 1000)
    }
  }

  /// A fix of 17 m is stated as one of 2 km in a zone. A wait ends with the coarse place, and finds out no more.
  @Test(arguments: [("1", 200, 504), ("16", 200, 504), ("18", 200, 200), ("1999", 200, 200)])
  func waitInAZoneShowsNoExactAccuracy(_ accuracy: String, _ inside: Int, _ outside: Int) async throws {
    let home = DisclosureFixture.place(Batches.home.latitude, Batches.home.longitude)
    try await TestServer.run { store in
      try ZoneRegistry(store).add(try DisclosureFixture.zone(.coarsen(2_000), at: home, radius: 200))
    } _: { server in
      let writers = [
        (try server.token("anna", [.write]), Batches.home.latitude),
        (try server.token("ben", [.write]), Batches.home.latitude + 0.1),
      ]
      let reader = try server.token(nil, [.read])
      let path = "fix?timeout=0&accuracy=\(accuracy)"
      let (coarse, exact) = try await Self.withFreshFix {
        let time = Int(Date().timeIntervalSince1970)
        for (writer, latitude) in writers {
          let place = "lat=\(latitude)&lon=\(Batches.home.longitude)&accuracy=17"
          let sent = try await server.get("/osmand?\(place)&timestamp=\(time)", token: writer)
          #expect(sent.status == 200, "\(sent.body)")
        }
        return (
          try await server.get("/api/v1/devices/anna/\(path)", token: reader),
          try await server.get("/api/v1/devices/ben/\(path)", token: reader)
        )
      }
      #expect(coarse.status == inside && coarse["hacc", as: Double.self] == 2_000, "\(coarse.body)")
      #expect(exact.status == outside, "\(exact.body)")
    }
  }

  /// Otherwise the end of the wait would show when the next fix arrives.
  @Test func waitEndsWithItsToken() async throws {
    try await TestServer.run { server in
      let writer = try server.token("anna", [.write])
      let old = Batches.overland([0], end: UTCTime.now.advanced(by: .seconds(-3600)))
      #expect(try await server.post("/overland", old, token: writer).status == 200)
      let reader = try server.token("anna", [.read])
      let id = try #require(server.tokens.verify(reader, at: .now)).id
      let start = ContinuousClock.now
      async let wait = server.get("/api/v1/devices/anna/fix?timeout=300", token: reader)
      try await Task.sleep(for: .milliseconds(300))
      try server.tokens.revoke(id)
      let answer = try await wait
      #expect(answer.status == 401, "\(answer.body)")
      #expect(ContinuousClock.now - start < .seconds(250))
    }
  }

  /// The holder of one link must not keep out all others.
  @Test func tokenLeavesHalfOfTheWaitsToOthers() async throws {
    var settings = ServerSettings.test
    settings.limits.connections = 4
    try await TestServer.run(settings) { server in
      let writer = try server.token("anna", [.write])
      #expect(try await server.post("/overland", Batches.overland([0]), token: writer).status == 200)
      let reader = try server.token("anna", [.read])
      let id = try #require(server.tokens.verify(reader, at: .now)).id
      let path = "/api/v1/devices/anna/fix?timeout=1"
      try await server.core.waits.run(for: id) { () async throws -> Void in
        #expect(try await server.get(path, token: reader).status == 200)
        try await server.core.waits.run(for: id) { () async throws -> Void in
          #expect(try await server.get(path, token: reader).status == 429)
          #expect(try await server.get(path, token: server.admin).status == 200)
        }
      }
      #expect(try await server.get(path, token: reader).status == 200)
    }
  }

  /// The waits of clients that are gone must not keep out others until their timeouts.
  @Test func waitEndsWithItsClient() async throws {
    var settings = ServerSettings.test
    settings.limits.connections = 4
    try await TestServer.run(settings) { server in
      let writer = try server.token("anna", [.write])
      #expect(try await server.post("/overland", Batches.overland([0]), token: writer).status == 200)
      let path = "/api/v1/devices/anna/fix?accuracy=1&timeout="
      var clients: [RawConnection] = []
      for _ in 0..<2 { clients.append(try RawConnection(port: server.port)) }
      for client in clients { try client.request("GET", path + "300", token: server.admin) }
      while server.core.waits.count < 2 { try await Task.sleep(for: .milliseconds(20)) }
      #expect(try await server.get(path + "0", token: server.admin).status == 429)
      let end = ContinuousClock.now
      clients.removeAll()
      while server.core.waits.count > 0 { try await Task.sleep(for: .milliseconds(20)) }
      #expect(ContinuousClock.now - end < .seconds(200))
    }
  }

  /// The first request for a device loads it. A client that is gone before the answer, or before the load, leaves the
  /// device as if there had been no request.
  @Test(arguments: [false, true])
  func firstWaitForADeviceEndsWithItsClient(_ isGoneAtOnce: Bool) async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write]), devices = server.core.devices
      var client: RawConnection? = try RawConnection(port: server.port)
      try client?.request("GET", "/api/v1/devices/anna/fix?accuracy=1&timeout=300", token: token)
      if isGoneAtOnce {
        client?.resetAtEnd()
      } else {
        while await devices.count == 0 { try await Task.sleep(for: .milliseconds(20)) }
      }
      client = nil
      #expect(try await server.post("/overland", Batches.overland([0]), token: token).status == 200)
      #expect(try await server.get("/api/v1/devices/anna/fix", token: token).status == 200)
      // Only a device that nobody uses rests.
      repeat {
        try await Task.sleep(for: .milliseconds(20))
        await devices.restIdleDevices(after: .zero)
      } while await devices.count > 0
      // The wait ends some time after its use of the device.
      while server.core.waits.count > 0 { try await Task.sleep(for: .milliseconds(20)) }
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
      #expect(fixes["fixes", as: [Any].self]?.count == 1, "\(fixes.body)")
    }
  }

  /// A client may still read after the end of its side.
  @Test func clientThatEndsItsSideLearnsWhyItsWaitEnds() async throws {
    try await TestServer.run { server in
      let writer = try server.token("anna", [.write])
      #expect(try await server.post("/overland", Batches.overland([0]), token: writer).status == 200)
      let path = "/api/v1/devices/anna/fix?accuracy=1&timeout=300"
      let received = try await server.exchange(
        "GET \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n\r\n", ends: true)
      #expect(received.statuses == [400] && received.contains("Keep it open"), "\(received)")
    }
  }

  /// Some programs end their side with their request.
  @Test func clientThatEndsItsSideGetsAnAnswerThatNeedsNoWait() async throws {
    try await TestServer.run { server in
      let writer = try server.token("anna", [.write])
      #expect(try await server.post("/overland", Batches.overland([0]), token: writer).status == 200)
      let path = "/api/v1/devices/anna/fix?timeout=300"
      var received = ""
      // The server has some seconds for the answer, and a busy machine may need longer.
      for _ in 0..<5 where received.statuses != [200] {
        received = try await server.exchange(
          "GET \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n\r\n", ends: true)
      }
      #expect(received.statuses == [200], "\(received)")
    }
  }

  /// HTTP allows several blanks after a scheme, and the scheme in any case.
  @Test(arguments: ["Bearer ", "Bearer  ", "bearer ", "BEARER \t", "Bearer\t"])
  func blanksAndCaseOfASchemeDoNotMatter(_ scheme: String) async throws {
    try await TestServer.run { server in
      let answer = try await server.get("/api/v1/token", headers: [("Authorization", scheme + server.admin)])
      #expect(answer.status == 200, "\(answer.body)")
    }
  }

  /// An app may send the name of its user with an empty password, although its URL has the token.
  @Test func tokenOfTheURLCountsBesideAnEmptyPassword() async throws {
    try await TestServer.run { server in
      func status(_ credentials: String, _ token: String) async throws -> Int {
        let basic = "Basic " + Data(credentials.utf8).base64EncodedString()
        return try await server.post(
          "/owntracks?token=\(token)", Batches.ownTracks(distance: 0), headers: [("Authorization", basic)]
        ).status
      }
      let token = try server.token(nil, [.write])
      #expect(try await status("ann:", token) == 200)
      #expect(try await status("ann:wrong", token) == 401)
      #expect(try await status("ann:", "wrong") == 401)
      // The name is that of the phone.
      let fixes = try await server.get("/api/v1/devices/ann/fixes", token: server.admin)
      #expect(fixes["fixes", as: [Any].self]?.count == 1)
    }
  }

  /// A phone that goes on with a revoked token does not lock out the passwords of its network.
  @Test func wrongSecretDelaysNoPassword() async throws {
    try await TestServer.run { server in
      let terms = TokenTerms(label: "ann", device: "anna", scopes: [.write])
      _ = try await server.tokens.create(terms, password: "correct horse", at: .now)
      func basic(_ password: String) -> [(String, String)] {
        [("Authorization", "Basic " + Data("ann:\(password)".utf8).base64EncodedString())]
      }
      let revoked = "wht_" + String(repeating: "a", count: 40)
      for _ in 0..<8 {
        #expect(try await server.get("/api/v1/token", token: revoked).status == 401)
        #expect(try await server.get("/api/v1/token", headers: basic(revoked)).status == 401)
      }
      #expect(try await server.get("/api/v1/token", headers: basic("correct horse")).status == 200)
    }
  }

  /// The keyboard of a phone adds a space to a token that a person enters.
  @Test func spaceAfterATokenIsIgnored() async throws {
    try await TestServer.run { server in
      func basic(_ password: String) -> [(String, String)] {
        [("Authorization", "Basic " + Data("ann:\(password)".utf8).base64EncodedString())]
      }
      let token = try server.token("anna", [.write])
      for text in ["\(token) ", " \(token)", "\(token)\n"] {
        #expect(try await server.get("/api/v1/token", headers: basic(text)).status == 200)
      }
      #expect(try await server.get("/api/v1/token?token=\(token)%20").status == 200)
      // A space of a person's password counts.
      let terms = TokenTerms(label: "ann", device: "anna", scopes: [.write])
      _ = try await server.tokens.create(terms, password: "correct horse", at: .now)
      #expect(try await server.get("/api/v1/token", headers: basic("correct horse ")).status == 401)
    }
  }

  /// Traccar Client makes `http://HOST:5055?token=TOKEN/` of a URL without a path.
  @Test func slashAfterATokenOfTheURLIsIgnored() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      let body = """
        {"location":{"timestamp":"2023-11-14T22:13:20.000Z","coords":{"latitude":52.5,"longitude":13.4,"accuracy":8}},
        "device_id":"12345678"}
        """
      #expect(try await server.post("/?token=\(token)/", body).status == 200)
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: server.admin)
      #expect(fixes["fixes", as: [Any].self]?.count == 1)
      #expect(try await server.post("/?token=\(token)//", body).status == 401)
    }
  }

  /// Android apps write HTTP Basic in Latin-1, and others in UTF-8.
  @Test(arguments: [String.Encoding.utf8, .isoLatin1])
  func umlautsOfBasicAreRead(_ encoding: String.Encoding) async throws {
    try await TestServer.run { server in
      func basic(_ user: String, _ password: String) throws -> [(String, String)] {
        let credentials = try #require("\(user):\(password)".data(using: encoding))
        return [("Authorization", "Basic " + credentials.base64EncodedString())]
      }
      let terms = TokenTerms(label: "jörg", device: "joerg", scopes: [.write])
      _ = try await server.tokens.create(terms, password: "schöne:grüße", at: .now)
      let headers = try basic("jörg", "schöne:grüße")
      #expect(try await server.get("/api/v1/token", headers: headers).status == 200)

      let token = try server.token(nil, [.write])
      for user in ["bär", "bör"] {
        let answer = try await server.post(
          "/owntracks", Batches.ownTracks(distance: 0), headers: try basic(user, token))
        #expect(answer.status == 200, "\(answer.body)")
      }
      let devices = try await server.get("/api/v1/devices", token: server.admin)
      let names = devices["devices", as: [[String: Any]].self]?.compactMap { $0["id"] as? String }
      #expect(names?.sorted() == ["bär", "bör", "joerg"])
    }
  }

  @Test func plainHTTPBeyondThisMachineIsRefused() throws {
    var settings = ServerSettings()
    settings.host = "0.0.0.0"
    #expect(throws: ServerError.self) { try settings.check() }
    settings.allowsPlainHTTP = true
    #expect(throws: Never.self) { try settings.check() }
  }
}
