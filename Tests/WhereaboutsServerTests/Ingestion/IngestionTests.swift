import Foundation
import Logging
import NIOHTTP1
import Synchronization
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

@Suite struct IngestionTests {
  /// Every app's URL and answer for "delivered".
  @Test func eachAppGetsItsOwnAnswer() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      let seconds = UTCTime.now.nanosecondsSince1970 / 1_000_000_000
      let ownTracks = try await server.post("/owntracks", Batches.ownTracks(distance: 0), token: token)
      #expect(ownTracks.status == 200 && ownTracks.body.hasPrefix("["))
      let pub = try await server.post("/pub?u=a&d=b", Batches.ownTracks(distance: 1), token: token)
      #expect(pub.status == 200 && pub.body == "[]")
      let overland = try await server.post("/overland", Batches.overland([2]), token: token)
      #expect(overland.body == "{\"result\":\"ok\"}")
      let query = "lat=52.5&lon=13.4&timestamp=\(seconds)&accuracy=5"
      for answer in [
        try await server.get("/osmand?\(query)&token=\(token)"),
        try await server.post("/osmand?token=\(token)", query),
        try await server.post("/?token=\(token)", query),
        try await server.get("/?\(query)&token=\(token)"),
        try await server.get("/?location=52.5,13.4&timestamp=\(seconds)&token=\(token)"),
        try await server.get("/gpslogger?lat=52.5&lon=13.4&timestamp=\(seconds)&acc=5&token=\(token)"),
      ] {
        #expect(answer.status == 200 && answer.body.isEmpty)
      }
      let lines = try await server.post(
        "/ingest", "{\"time\":\"\(UTCTime.now.iso8601)\",\"lat\":52.5,\"lon\":13.4}\n", token: token)
      #expect(lines.body == "{\"result\":\"ok\",\"fixes\":1,\"rejected\":0}")
      let basic = [("Authorization", "Basic \(server.basic("any", token))")]
      #expect(
        try await server.post("/owntracks", Batches.ownTracks(distance: 3), headers: basic).status == 200)
      #expect(try await server.get("/api/v1/devices/anna/fix", token: server.admin).status == 200)
    }
  }

  /// A phone at rest sends its battery for hours, and no position.
  @Test func batteryWithoutPositionReachesThePartsOfTheServer() async throws {
    try await TestServer.run { server in
      let subscription = try #require(server.core.hub.follow())
      let own = try server.token("anna", [.write]), shared = try server.token(nil, [.write])
      func changed(by query: String, _ token: String) async throws -> Set<DeviceID> {
        let answer = try await server.get("/osmand?\(query)", token: token)
        #expect(answer.status == 200, "\(answer.body)")
        return subscription.drain().batteries
      }
      #expect(try await changed(by: "batt=80", own) == ["anna"])
      #expect(try await changed(by: "batt=80", own).isEmpty)
      #expect(try await changed(by: "id=anna&batt=79", shared) == ["anna"])
      server.core.hub.unsubscribe(subscription)
    }
  }

  /// The base URL that a person enters may end with a slash. Each path checks its token as with one slash.
  @Test func severalSlashesBeforeAPathAreOne() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      let query = "lat=52.5&lon=13.4&timestamp=1700000000"
      #expect(try await server.get("//osmand?\(query)&token=\(token)").status == 200)
      let message = Batches.ownTracks(distance: 0)
      #expect(try await server.post("///owntracks", message, token: token).status == 200)
      #expect(try await server.post("//owntracks", message).status == 401)
      let location = #"{"type":"update_location","data":{"gps":[52.5,13.4]}}"#
      #expect(try await server.post("//api/webhook/\(token)", location).status == 200)
      // Another token must not count where the path has a wrong one.
      for slashes in ["/", "//"] {
        #expect(
          try await server.post("\(slashes)api/webhook/wrong", location, token: server.admin).status == 401)
      }
      #expect(try await server.get("//api/v1/devices").status == 401)
    }
  }

  @Test func appOfHomeAssistantGetsTheTimeZoneOfTheServer() async throws {
    var settings = ServerSettings.test
    settings.timeZone = try #require(TimeZone(identifier: "Asia/Kolkata"))
    try await TestServer.run(settings) { server in
      let token = try server.token("anna", [.write])
      let answer = try await server.post("/api/webhook/\(token)", #"{"type":"get_config"}"#)
      #expect(answer["time_zone", as: String.self] == "Asia/Kolkata", "\(answer.body)")
    }
  }

  @Test func positionToThePageNeedsAToken() async throws {
    try await TestServer.run { server in
      let position = try await server.get("/?lat=52.5&lon=13.4&id=anna")
      let page = try await server.get("/?from=home-screen")
      #expect(position.status == 401 && page.status == 200 && page.body.contains("<html"))
    }
  }

  /// A message of OwnTracks at the wrong URL would get the time of its arrival.
  @Test func messageOfOwnTracksIsSetAside() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let answer = try await server.post("/ingest", Batches.ownTracks(distance: 0), token: token)
      #expect(answer.status == 200 && answer.body.contains("\"fixes\":0,\"rejected\":1"), "\(answer.body)")
    }
  }

  /// One bad row is set aside with its bytes, and the others are stored.
  @Test func badRowIsSetAside() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let good = "{\"time\":\"\(UTCTime.now.iso8601)\",\"lat\":52.5,\"lon\":13.4}"
      let future = "{\"time\":\"2096-01-01T00:00:00Z\",\"lat\":52.5,\"lon\":13.4}"
      let answer = try await server.post("/ingest", "\(good)\ngarbage\n\(future)\n", token: token)
      #expect(answer.status == 200 && answer.body == "{\"result\":\"ok\",\"fixes\":1,\"rejected\":2}")
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
      #expect(fixes["fixes", as: [[String: Any]].self]?.count == 1)
      let rejected = try await server.get("/api/v1/devices/anna/rejected", token: token)
      let rows = try #require(rejected["rejected", as: [[String: Any]].self])
      try #require(rows.count == 2)
      let garbage = try #require(rows.first { $0["bytes"] as? String == "garbage" })
      #expect(garbage["place"] as? String == "row 2, byte \(good.utf8.count + 1)")
      let ahead = try #require(
        rows.first { ($0["reason"] as? String)?.contains("ahead of the server's clock") == true })
      #expect(ahead["place"] as? String == "row 3")
      #expect((ahead["reason"] as? String)?.contains(" d ") == true, "\(ahead)")
    }
  }

  /// A fix that is ahead of the server's clock is stored or set aside, and never lost. The clock runs on until the fix
  /// arrives, so only those far from the bound have a certain outcome.
  @Test(arguments: [(5, true), (15, nil), (59, nil), (3600, false)] as [(Int, Bool?)])
  func fixFromTheFutureIsNeverLost(_ seconds: Int, _ isStored: Bool?) async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let time = UTCTime.now.advanced(by: .seconds(seconds)).iso8601
      let fix = "{\"time\":\"\(time)\",\"lat\":52.5,\"lon\":13.4}"
      let answer = try await server.post("/ingest", fix, token: token)
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
      let rows = try await server.get("/api/v1/devices/anna/rejected", token: token)
      let stored = try #require(fixes["fixes", as: [[String: Any]].self]).count
      let rejected = try #require(rows["rejected", as: [[String: Any]].self]).count
      #expect(answer.body == "{\"result\":\"ok\",\"fixes\":\(stored),\"rejected\":\(rejected)}")
      #expect(stored + rejected == 1)
      if let isStored { #expect(stored == (isStored ? 1 : 0)) }
    }
  }

  @Test func repeatedBatchIsStoredOnce() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let batch = Batches.overland(Array(stride(from: 0, to: 1_000, by: 50)))
      for _ in 0..<3 { #expect(try await server.post("/overland", batch, token: token).status == 200) }
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
      #expect(fixes["fixes", as: [[String: Any]].self]?.count == 20)
    }
  }

  /// A server was killed before its answer to a batch whose last fix is out of reach.
  @Test func unusedFixIsStoredOnceAfterARestart() async throws {
    let batch = Batches.overland(Array(repeating: 0, count: 20) + [50_000])
    try await TestServer.withStore { store in
      for _ in 0..<2 {
        try await TestServer.run(store: store) { server in
          let token = try server.token("anna", [.read, .write])
          #expect(try await server.post("/overland", batch, token: token).status == 200)
          let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
          let all = try #require(fixes["fixes", as: [[String: Any]].self])
          #expect(all.count == 21 && all.last?["use"] as? String == "implausible", "\(fixes.body)")
        }
      }
    }
  }

  /// A phone was away for some days, and another server's export with its positions was imported before it came back.
  @Test func fixesOfAnImportAreProcessedWhenThePhoneSendsThem() async throws {
    try await TestServer.run { server in
      let fences = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      #expect(fences.status == 200)
      let batch = Batches.overlandLeavingHome()
      for device in ["ben", "anna"] as [DeviceID] {
        let token = try server.token(device, [.read, .write])
        #expect(try await server.post("/overland", batch, token: token).status == 200)
        let crossings = try await server.get(
          "/api/v1/devices/\(device.rawValue)/crossings", token: token)
        #expect(
          crossings["crossings", as: [[String: Any]].self]?.count == 1, "\(device): \(crossings.body)")
        var fixes: [Fix] = []
        try server.store.history(of: device, in: nil, uses: [.used], limit: nil, newestFirst: false) {
          fixes.append($0.fix.fix)
        }
        if device == "ben" { _ = try server.store.addPast(fixes, to: "anna") }
      }
    }
  }

  /// No engine processes an imported fix. A device that is loaded has the same newest fix as one at rest.
  @Test func newestFixMayBeOfAnImport() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write]), now = UTCTime.now
      func newest() async throws -> [String?] {
        let fix = try await server.get("/api/v1/devices/anna/fix", token: token)
        let devices = try await server.get("/api/v1/devices", token: token)
        let first = devices["devices", as: [[String: Any]].self]?.first
        return [fix["time", as: String.self], first?["lastFix"] as? String]
      }
      let live = now.advanced(by: .seconds(-600)), imported = now.advanced(by: .seconds(-300))
      _ = try await server.post("/overland", Batches.overland([0, 10], end: live), token: token)
      let before = try await newest()
      let place = try #require(Coordinate(latitude: 52, longitude: 13))
      _ = try server.store.addPast([Fix(coordinate: place, time: imported, source: .gpx)], to: "anna")
      let after = try await newest()
      #expect(before[0] == before[1] && after[0] == after[1] && before != after, "\(before) \(after)")
      _ = try await server.post("/overland", Batches.overland([20, 30], end: now), token: token)
      let later = try await newest()
      #expect(later[0] == later[1] && later != after, "\(later)")
    }
  }

  /// Requests of one device that come at the same time are stored together. Each has its own answer, and a fix that two of
  /// them hold is stored once.
  @Test func requestsAtTheSameTimeAreStoredOnceEach() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let now = UTCTime.now
      func lines(_ seconds: Range<Int>) -> String {
        seconds.map { second in
          let time = now.advanced(by: .seconds(second - 100)).iso8601
          return "{\"time\":\"\(time)\",\"lat\":52.5,\"lon\":13.4}\n"
        }.joined()
      }
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for request in 0..<30 {
          let batch = lines(request..<request + 2)
          group.addTask { try await server.post("/ingest", batch, token: token).body }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0 == "{\"result\":\"ok\",\"fixes\":2,\"rejected\":0}" })
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
      #expect(fixes["fixes", as: [[String: Any]].self]?.count == 31)
    }
  }

  /// A phone that asks for few fences is not sent many.
  @Test(arguments: [(100, true), (101, false)])
  func onlySomeFencesAreSentToAPhone(_ count: Int, _ areSent: Bool) async throws {
    try await TestServer.run { server in
      let features = (0..<count).map { number in
        """
        {"type":"Feature","id":"f\(number)","properties":{"radius":100},\
        "geometry":{"type":"Point","coordinates":[13.4,\(Double(number) / 10)]}}
        """
      }
      let collection = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
      #expect(try await server.send(.PUT, "/api/v1/fences", collection, token: server.admin).status == 200)
      let token = try server.token("anna", [.write])
      let answer = try await server.post("/owntracks", Batches.ownTracks(distance: 0), token: token)
      #expect(answer.status == 200 && (answer.body != "[]") == areSent)
    }
  }

  /// A day that arrives after newer fixes is kept, and the newest fix stays the current one.
  @Test func lateDayIsStoredAndTheCurrentFixIsUnchanged() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let now = UTCTime.now, yesterday = now.advanced(by: .seconds(-86_400))
      _ = try await server.post("/overland", Batches.overland([0, 0, 0], end: now), token: token)
      try await Self.expectLateDay(at: yesterday, server, token)
    }
  }

  /// Sends a hundred fixes of a day before the device's three fixes at home, and checks that all of them are late.
  private static func expectLateDay(at end: UTCTime, _ server: TestServer, _ token: String) async throws {
    let day = Batches.overland(Array(repeating: 9_000, count: 100), end: end)
    #expect(try await server.post("/overland", day, token: token).status == 200)
    let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
    let all = try #require(fixes["fixes", as: [[String: Any]].self])
    #expect(all.count == 103)
    #expect(all.count { $0["use"] as? String == "late" } == 100)
    let current = try await server.get("/api/v1/devices/anna/fix", token: token)
    #expect(current["lat", as: Double.self] == Batches.home.latitude)
  }

  /// The engine that receives a late day has been loaded since the newer fixes, as after a rest.
  @Test func lateDayIsLateAfterARestartToo() async throws {
    let now = UTCTime.now, earlier = now.advanced(by: .seconds(-3 * 86_400))
    try await TestServer.withStore { store in
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.write])
        _ = try await server.post("/overland", Batches.overland([0, 0, 0], end: now), token: token)
      }
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.read, .write])
        try await Self.expectLateDay(at: earlier, server, token)
        let trips = try await server.get("/api/v1/devices/anna/trips", token: token)
        let names = (trips["trips", as: [[String: Any]].self] ?? []).compactMap { $0["trip"] as? String }
        #expect(!names.isEmpty && !names.contains(CalendarDay(of: earlier, in: .current).name), "\(names)")
      }
    }
  }

  /// Without an open trip of its last day, too.
  @Test func lateDayBeginsNoTripAfterARestart() async throws {
    let now = UTCTime.now, earlier = now.advanced(by: .seconds(-3 * 86_400))
    try await TestServer.withStore { store in
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.write])
        _ = try await server.post("/overland", Batches.overland([0, 0, 0], end: now), token: token)
        let session = try #require(await server.core.devices.loadedSession(of: "anna"))
        for trip in await session.manager.trips { session.manager.endTrip(trip.id) }
      }
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.read, .write])
        let day = Batches.overland(Array(repeating: 9_000, count: 10), end: earlier)
        #expect(try await server.post("/overland", day, token: token).status == 200)
        let trips = try await server.get("/api/v1/devices/anna/trips", token: token)
        let names = (trips["trips", as: [[String: Any]].self] ?? []).compactMap { $0["trip"] as? String }
        #expect(!names.contains(CalendarDay(of: earlier, in: .current).name), "\(names)")
      }
    }
  }

  /// A fence that was added after the newest fix has processed none.
  @Test func lateFixesCrossNoFenceThatWasAddedLater() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write]), now = UTCTime.now
      let rest = Batches.overland([0, 0, 0], end: now.advanced(by: .seconds(-3600)))
      #expect(try await server.post("/overland", rest, token: token).status == 200)
      let fence = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      #expect(fence.status == 200)
      let way =
        Array(repeating: 0, count: 10) + (1...20).map { Double($0) * 40 } + Array(repeating: 800, count: 10)
      let late = Batches.overland(way, end: now.advanced(by: .seconds(-86_400)))
      #expect(try await server.post("/overland", late, token: token).status == 200)
      let crossings = try await server.get("/api/v1/devices/anna/crossings", token: token)
      #expect(crossings["crossings", as: [Any].self]?.isEmpty == true, "\(crossings.body)")
    }
  }

  /// A phone's first batch may be of the days before the end of an imported recording.
  @Test func fixesBeforeAnImportedOneAreNotLate() async throws {
    try await TestServer.run { server in
      let now = UTCTime.now
      let place = try #require(
        Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
      _ = try server.store.addPast([Fix(coordinate: place, time: now, source: .csv)], to: "anna")
      let token = try server.token("anna", [.read, .write])
      let before = Batches.overland([0, 0, 0], end: now.advanced(by: .seconds(-3600)))
      #expect(try await server.post("/overland", before, token: token).status == 200)
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
      let all = try #require(fixes["fixes", as: [[String: Any]].self])
      #expect(all.count == 4 && !all.contains { $0["use"] as? String == "late" }, "\(fixes.body)")
    }
  }

  @Test func historyIsReadPageByPage() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      _ = try await server.post(
        "/overland", Batches.overland(Array(0..<25).map { Double($0) * 10 }), token: token)
      var cursor = "", places: [Double] = [], pages = 0
      repeat {
        let page = try await server.get("/api/v1/devices/anna/fixes?limit=10\(cursor)", token: token)
        places += (page["fixes", as: [[String: Any]].self] ?? []).compactMap { $0["lat"] as? Double }
        cursor = page["next", as: String.self].map { "&cursor=\($0)" } ?? ""
        pages += 1
      } while !cursor.isEmpty && pages < 10
      #expect(pages == 3)
      #expect(places.count == 25 && places == places.sorted())
    }
  }

  /// A phone sends a body that is too large again and again, and shows the answer to nobody.
  @Test func logNamesAPhoneWhoseBodiesAreTooLarge() async throws {
    var settings = ServerSettings.test
    settings.limits.bodySize = 500
    let lines = Mutex<[String]>([])
    let log = LogOutput(level: .notice, json: false) { line in
      lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
    try await TestServer.withStore { store in
      try await TestServer.run(settings, store: store, logger: log.logger) { server in
        let large = Batches.overland((0..<10).map { Double($0) })
        let tokens = [try server.token("anna", [.write]), try server.token("ben", [.write])]
        for token in tokens + tokens {
          #expect(try await server.post("/overland", large, token: token).status == 413)
        }
      }
    }
    let refusals = lines.withLock { $0 }.filter { $0.contains("larger than 500 bytes") }
    #expect(refusals.count == 2, "\(refusals)")
    #expect(refusals.first?.contains("device=anna") == true && refusals.last?.contains("device=ben") == true)
  }

  /// The distance of a day, counted from the fixes of a batch.
  @Test func dayIsATrip() async throws {
    // The local day may change at the noon of UTC.
    var settings = ServerSettings.test
    settings.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    try await TestServer.run(settings) { server in
      let token = try server.token("anna", [.read, .write])
      let noon = UTCTime(
        nanosecondsSince1970: UTCTime.now.nanosecondsSince1970 / 86_400_000_000_000 * 86_400_000_000_000
      )
      .advanced(by: .seconds(-43_200))
      _ = try await server.post(
        "/overland", Batches.overland((0..<100).map { Double($0) * 20 }, end: noon), token: token)
      let trips = try await server.get("/api/v1/devices/anna/trips", token: token)
      let all = try #require(trips["trips", as: [[String: Any]].self])
      #expect(all.count == 1)
      #expect(all.first?["trip"] as? String == CalendarDay(of: noon, in: settings.timeZone).name)
      // 1,980 m, of which the last fixes are not settled yet.
      let distance = try #require(all.first?["distance"] as? Double)
      #expect(distance > 1_500 && distance < 2_000, "\(distance)")
      // They are in a report of the day all the same, from the engine and from the store, and end in its distance.
      let ahead = try #require(all.first?["ahead"] as? Double)
      #expect(abs(distance + ahead - 1_980) < 80, "\(distance) \(ahead)")
      let session = try #require(await server.core.devices.loadedSession(of: "anna"))
      _ = await session.manager.save()
      let stored = try #require(try server.store.tripsWithAhead(of: "anna").first)
      #expect(abs(stored.totals.distance + (stored.ahead ?? 0) - distance - ahead) < 0.01)
      session.manager.endTrip(stored.id)
      _ = await session.manager.save()
      let ended = try #require(try server.store.tripsWithAhead(of: "anna").first)
      #expect(ended.ended != nil && ended.ahead == nil)
      #expect(abs(ended.totals.distance - distance - ahead) < 0.01, "\(ended.totals.distance)")
    }
  }
}

extension TestServer {
  /// Credentials as HTTP Basic sends them.
  func basic(_ user: String, _ password: String) -> String {
    Data("\(user):\(password)".utf8).base64EncodedString()
  }
}
