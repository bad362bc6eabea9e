import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// Devices that have not been used for a time.
@Suite struct RestTests {
  private static let noon = UTCTime(
    nanosecondsSince1970: UTCTime.now.nanosecondsSince1970 / 86_400_000_000_000 * 86_400_000_000_000
  ).advanced(by: .seconds(-43_200))

  /// Runs a body with a server whose days are those of UTC: the local day may change at the noon of UTC.
  private static func run(_ body: (TestServer) async throws -> Void) async throws {
    var settings = ServerSettings.test
    settings.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    try await TestServer.run(settings, body)
  }

  /// Memory follows the active devices, and the day's trip goes on with the next fix.
  @Test func idleDeviceIsUnloadedAndContinuesItsTrip() async throws {
    try await Self.run { server in
      let token = try server.token("anna", [.read, .write]), devices = server.core.devices
      for part in 0..<4 {
        let distances = (part * 25..<part * 25 + 25).map { Double($0) * 20 }
        let leg = Batches.overland(distances, end: Self.noon.advanced(by: .seconds(500 * part)))
        #expect(try await server.post("/overland", leg, token: token).status == 200)
        #expect(await devices.count == 1)
        await devices.restIdleDevices(after: .seconds(3600))
        #expect(await devices.count == 1)
        await devices.restIdleDevices(after: .zero)
        #expect(await devices.count == 0)
      }
      let trips = try await server.get("/api/v1/devices/anna/trips", token: token)
      let all = try #require(trips["trips", as: [[String: Any]].self])
      #expect(all.count == 1)
      #expect(all.first?["end"] == nil && all.first?["ended"] == nil, "\(trips.body)")
      let distance = try #require(all.first?["distance"] as? Double)
      let ahead = all.first?["ahead"] as? Double ?? 0
      #expect(abs(distance + ahead - 1_980) < 80, "\(distance) \(ahead)")
    }
  }

  @Test func tripsComeInPages() async throws {
    try await Self.run { server in
      let token = try server.token("anna", [.read, .write]), path = "/api/v1/devices/anna/trips"
      for day in -4...0 {
        let end = Self.noon.advanced(by: .seconds(86_400 * day))
        let leg = Batches.overland((0..<25).map { Double($0) * 20 }, end: end)
        #expect(try await server.post("/overland", leg, token: token).status == 200)
      }
      func names(_ answer: TestServer.Answer) -> [String] {
        (answer["trips", as: [[String: Any]].self] ?? []).compactMap { $0["trip"] as? String }
      }
      let all = names(try await server.get(path, token: token))
      try #require(all.count == 5)
      var pages: [[String]] = [], cursor: String?
      repeat {
        let query = cursor.map { "&cursor=\($0)" } ?? ""
        let page = try await server.get("\(path)?limit=2\(query)", token: token)
        pages.append(names(page))
        cursor = page["next"]
      } while cursor != nil && pages.count < 9
      #expect(pages == [Array(all[0..<2]), Array(all[2..<4]), Array(all[4...])])
    }
  }

  /// A client that does not read `next` would miss the newest trips.
  @Test func tripsOfYearsAreOnePageWithoutALimit() async throws {
    try await Self.run { server in
      let token = try server.token("anna", [.read, .write])
      var commit = StoreCommit(device: "anna")
      commit.trips = (Int64(1)...1_001).map { number in
        let time = UTCTime(nanosecondsSince1970: number)
        return Trip(id: TripID("\(number)"), began: time, ended: time)
      }
      try await server.store.commit(commit)
      let answer = try await server.get("/api/v1/devices/anna/trips", token: token)
      #expect(answer["trips", as: [Any].self]?.count == 1_001)
      #expect(answer["next", as: String.self] == nil)
    }
  }

  /// Trips may begin at the same time, or have no settled point yet.
  @Test(arguments: 1...7) func pagesHaveEachTripOnce(limit: Int) throws {
    let time = UTCTime(nanosecondsSince1970: 5), ended = Trip(id: "f", ended: time)
    let all = [
      ended, Trip(id: "b", began: time), Trip(id: "c", began: time), Trip(id: "d", began: time),
      Trip(id: "a", began: time.advanced(by: .seconds(1))), Trip(id: "e"), Trip(id: "g"),
    ]
    var found: [TripID] = [], cursor: String?
    repeat {
      let page = try TripPage(of: all.reversed(), after: cursor, limit: limit)
      #expect(page.trips.count == min(limit, all.count - found.count))
      found += page.trips.map(\.id)
      cursor = page.next
    } while cursor != nil && found.count < all.count
    #expect(found == all.map(\.id) && cursor == nil)
    for text in ["", "5", "5.0", "5.+1", "x.1", "5.1.1"] {
      #expect(throws: Problem.self) { try TripPage(of: all, after: text, limit: limit) }
    }
    let last = try TripPage(of: all, after: "5.\(Int.max)", limit: limit)
    #expect(last.trips.first?.id == "a")
  }

  /// Each commit of a phone is synced. The begin of its day, and the engine's state with the fences, need none of their
  /// own.
  @Test func firstFixAndStateOfAPhoneAreOneCommit() async throws {
    try await Self.run { server in
      let token = try server.token("anna", [.read, .write]), devices = server.core.devices
      let put = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      #expect(put.status == 200)
      func post(_ part: Int) async throws -> Int {
        let before = server.store.syncCount
        let end = Self.noon.advanced(by: .seconds(500 * part))
        let batch = Batches.overland([Double(part) * 2_000], end: end)
        #expect(try await server.post("/overland", batch, token: token).status == 200)
        return server.store.syncCount - before
      }
      #expect(try await post(0) == 1)
      let record = try await server.store.load("anna")
      #expect(record.snapshot?.trips.count == 1 && record.openTrips.count == 1)
      #expect(record.fixesSinceSnapshot.isEmpty)
      #expect(try await post(1) == 1)
      await devices.restIdleDevices(after: .zero)
      #expect(await devices.count == 0)
      // The state of a device at rest is synced some seconds later, which would count below.
      try server.store.sync()
      #expect(try await post(2) == 1)
    }
  }

  /// A fence with a later expiry would otherwise keep every device in memory for months.
  @Test func fenceExpiresWhileDevicesAreAtRest() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write]), devices = server.core.devices
      func put(expiry: UTCTime) async throws {
        let body = Batches.fence()
          .replacing("\"radius\":100", with: "\"radius\":100,\"expiry\":\"\(expiry.iso8601)\"")
        #expect(try await server.send(.PUT, "/api/v1/fences", body, token: server.admin).status == 200)
      }
      func post() async throws {
        // Outside the fence.
        let body = Batches.ownTracks(distance: 2_000_000)
        #expect(try await server.post("/owntracks", body, token: token).status == 200)
      }
      try await put(expiry: UTCTime.now.advanced(by: .seconds(86_400)))
      try await post()
      await devices.restIdleDevices(after: .zero)
      #expect(await devices.count == 0)
      let expiry = UTCTime.now.advanced(by: .seconds(1))
      try await put(expiry: expiry)
      while UTCTime.now <= expiry { try await Task.sleep(for: .milliseconds(100)) }
      #expect(try await server.get("/api/v1/fences/home", token: server.admin).status == 200)
      try await post()
      while try await server.get("/api/v1/fences/home", token: server.admin).status != 404 {
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(try server.store.sharedFences().fences.isEmpty)
    }
  }

  /// Each connection to an MQTT broker asks for the states of all devices.
  @Test func deviceAtRestRestsAgainAfterALook() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write]), devices = server.core.devices
      let body = Batches.overland([0])
      #expect(try await server.post("/overland", body, token: token).status == 200)
      // A device in use stays loaded.
      await devices.withSession(of: "anna") { _ in }
      #expect(await devices.count == 1)
      await devices.restIdleDevices(after: .zero)
      #expect(await devices.count == 0)
      let count = await devices.withSession(of: "anna") { _ in await devices.count }
      #expect(count == 1)
      #expect(await devices.count == 0)
      // A device that is used meanwhile stays loaded.
      await devices.withSession(of: "anna") { _ in await devices.release(await devices.retain("anna")) }
      #expect(await devices.count == 1)
    }
  }

  /// A device that rests while requests come: each of them is answered, and none is lost.
  @Test func requestsDuringARestAreProcessed() async throws {
    try await Self.run { server in
      let token = try server.token("anna", [.read, .write]), devices = server.core.devices
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for index in 0..<40 {
            let end = Self.noon.advanced(by: .seconds(20 * index))
            let body = Batches.overland([Double(index) * 20], end: end)
            let answer = try await server.post("/overland", body, token: token)
            #expect(answer.status == 200)
          }
        }
        group.addTask {
          for _ in 0..<40 { await devices.restIdleDevices(after: .zero) }
        }
        try await group.waitForAll()
      }
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
      let all = try #require(fixes["fixes", as: [[String: Any]].self])
      #expect(all.count == 40 && all.allSatisfy { $0["use"] == nil }, "\(fixes.body)")
      let trips = try await server.get("/api/v1/devices/anna/trips", token: token)
      #expect(trips["trips", as: [Any].self]?.count == 1)
    }
  }

  /// The command with the fences would otherwise be in the response to nearly each message of a phone that reports
  /// every quarter of an hour.
  @Test func phoneHasTheFencesAfterARest() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write]), devices = server.core.devices
      func ping() async throws -> String {
        let message = #"{"t":"p","# + Batches.ownTracks(distance: 0).dropFirst()
        return try await server.post("/owntracks", message, token: token).body
      }
      let hourAgo = UTCTime.now.advanced(by: .seconds(-3600))
      let first = Batches.ownTracks(distance: 0, at: hourAgo)
      #expect(try await server.post("/owntracks", first, token: token).status == 200)
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let sent = try await ping()
      #expect(sent.contains("setWaypoints"), "\(sent)")
      await devices.restIdleDevices(after: .zero)
      #expect(await devices.count == 0)
      let repeated = try await ping()
      #expect(repeated == "[]", "\(repeated)")
      await devices.restIdleDevices(after: .zero)
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(radius: 200), token: server.admin)
      let changed = try await ping()
      #expect(changed.contains("setWaypoints"), "\(changed)")
    }
  }

  /// The next request loads the data again. Otherwise the device would be in no fence until its next fix.
  @Test func deviceThatCouldNotBeLoadedIsUnloaded() async throws {
    try await TestServer.withStore { other in
      let claim = try other.claim("anna", as: "a test")
      var settings = StoreSettings()
      settings.openTimeout = .milliseconds(50)
      let store = try SQLiteStore.open(at: other.path, settings: settings)
      try await TestServer.run(store: store) { server in
        let devices = server.core.devices, session = await devices.retain("anna")
        if case .unusable = await session.manager.save() {} else { Issue.record("the claim has no effect") }
        await devices.release(session)
        await devices.restIdleDevices(after: .zero)
        #expect(await devices.count == 0)
      }
      withExtendedLifetime(claim) {}
      store.close()
    }
  }

  /// The end of the server would otherwise wait for the rest of thousands of devices, one after the other.
  @Test func noDeviceIsPutToRestAfterACancellation() async throws {
    try await TestServer.run { server in
      let devices = server.core.devices
      await devices.release(await devices.retain("anna"))
      let rest = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await devices.restIdleDevices(after: .zero)
      }
      await rest.value
      #expect(await devices.count == 1)
      await devices.restIdleDevices(after: .zero)
      #expect(await devices.count == 0)
    }
  }
}
