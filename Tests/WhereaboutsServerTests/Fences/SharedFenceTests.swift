import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsServer

@Suite struct SharedFenceTests {
  private static let leaving = Batches.overlandLeavingHome()

  @Test func everyDeviceWatchesTheFences() async throws {
    try await TestServer.run { server in
      let put = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      #expect(put.body == "{\"added\":1,\"replaced\":0,\"removed\":0,\"unchanged\":0}")
      for device in ["anna", "bob"] {
        let token = try server.token(DeviceID(device), [.read, .write])
        _ = try await server.post("/overland", Self.leaving, token: token)
        let answer = try await server.get("/api/v1/devices/\(device)/crossings", token: token)
        let crossings = try #require(answer["crossings", as: [[String: Any]].self])
        #expect(crossings.map { $0["event"] as? String } == ["exit"])
        let number = try #require(answer["last", as: Int.self])
        let later = try await server.get("/api/v1/devices/\(device)/crossings?after=\(number)", token: token)
        #expect(later["crossings", as: [Any].self]?.isEmpty == true)
      }
    }
  }

  /// A device that is inside when its server ends, and leaves while another server runs.
  @Test func exitIsDetectedAfterRestart() async throws {
    try await TestServer.withStore { store in
      try await TestServer.run(store: store) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        let start = UTCTime.now.advanced(by: .seconds(-1_000))
        _ = try await server.post(
          "/overland", Batches.overland(Array(repeating: 0, count: 10), end: start),
          token: try server.token("anna", [.write]))
      }
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.read, .write])
        _ = try await server.post(
          "/overland", Batches.overland((1...30).map { Double($0) * 40 }), token: token)
        let answer = try await server.get("/api/v1/devices/anna/crossings", token: token)
        let crossings = try #require(answer["crossings", as: [[String: Any]].self])
        #expect(crossings.map { $0["event"] as? String } == ["exit"])
      }
    }
  }

  /// A phone may send nothing until it leaves the fence that was added around it, and its last fix is too old for the side
  /// of the fence when a killed server runs again.
  @Test func stateOfAPhoneTowardsANewFenceIsStoredWithoutAFix() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write]), devices = server.core.devices
      #expect(try await server.post("/overland", Batches.overland([0, 0]), token: token).status == 200)
      let put = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      #expect(put.status == 200)
      let session = await devices.retain("anna")
      await session.applyFences()
      await devices.release(session)
      let record = try await server.store.load("anna")
      #expect(record.snapshot?.fenceSerial == server.core.fences.snapshot.registry.newestSerial)
    }
  }

  /// A killed server leaves fixes that no snapshot covers, and a fence is added before the device is loaded again.
  @Test func storedFixesCrossNoFenceThatWasAddedAfterThem() async throws {
    try await TestServer.withStore { store in
      var commit = StoreCommit(device: "anna")
      commit.snapshot = EngineSnapshot()
      try await store.commit(commit)
      commit = StoreCommit(device: "anna")
      let home = Batches.home, start = UTCTime.now.advanced(by: .seconds(-1_000))
      commit.fixes = (0..<40).map { step in
        let north = max(0, Double(step - 10) * 40) / 111_300
        return LoggedFix(
          Fix.test(
            latitude: home.latitude + north, longitude: home.longitude, accuracy: 5,
            time: start.advanced(by: .seconds(20 * step))))
      }
      try await store.commit(commit)
      let center = try #require(Coordinate(latitude: home.latitude, longitude: home.longitude))
      let circle = Area.circle(try Area.Circle(center: center, radius: 100))
      _ = try await SharedFences(store: store).set([Fence(id: "home", area: circle)])
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.read, .write])
        _ = try await server.post("/overland", Batches.overland([1_200, 1_200, 1_200]), token: token)
        let answer = try await server.get("/api/v1/devices/anna/crossings", token: token)
        let crossings = try #require(answer["crossings", as: [[String: Any]].self])
        #expect(crossings.isEmpty, "\(answer.body)")
      }
    }
  }

  /// A killed server leaves a crossing that waits, and its fence is moved before the device is loaded again.
  @Test func crossingThatWaitsOutlivesTheMoveOfItsFence() async throws {
    try await TestServer.withStore { store in
      let home = Batches.home, start = UTCTime.now.advanced(by: .seconds(-1_000))
      func fence(degreesNorth: Double) throws -> Fence {
        let center = try #require(
          Coordinate(latitude: home.latitude + degreesNorth, longitude: home.longitude))
        return Fence(
          id: "home", area: .circle(try Area.Circle(center: center, radius: 100)),
          terms: FenceTerms(responsiveness: .seconds(5)))
      }
      let shared = try SharedFences(store: store)
      _ = try await shared.set([try fence(degreesNorth: 0)])
      let registry = shared.snapshot.registry
      var watch = FenceWatch(), records: [FenceRecord] = [], step = 0
      while step < 60, watch.nextDeadline(in: registry) == nil {
        let fix = Fix.test(
          latitude: home.latitude + Double(max(0, step - 10) * 10) / 111_300, longitude: home.longitude,
          accuracy: 5, time: start.advanced(by: .seconds(step)))
        watch.process(fix, in: registry, into: &records)
        step += 1
      }
      try #require(watch.nextDeadline(in: registry) != nil)
      var commit = StoreCommit(device: "anna")
      commit.snapshot = EngineSnapshot(
        watch: watch, fenceSerial: registry.newestSerial, waitingFences: registry, wakePlanner: nil,
        trips: [])
      try await store.commit(commit)
      _ = try await shared.set([try fence(degreesNorth: 1)])
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.read, .write])
        _ = try await server.post("/overland", Batches.overland([1_200, 1_200, 1_200]), token: token)
        let answer = try await server.get("/api/v1/devices/anna/crossings", token: token)
        let crossings = try #require(answer["crossings", as: [[String: Any]].self])
        #expect(crossings.map { $0["event"] as? String } == ["exit"], "\(answer.body)")
      }
    }
  }

  @Test(arguments: [HTTPMethod.PUT, .POST])
  func pointsWithoutARadiusGetTheStatedOne(_ method: HTTPMethod) async throws {
    let point =
      #"<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="52.5" lon="13.4"><name>a</name></wpt></gpx>"#
    try await TestServer.run { server in
      func status(_ query: String) async throws -> Int {
        try await server.send(method, "/api/v1/fences\(query)", point, token: server.admin).status
      }
      #expect(try await status("") == 422)
      for radius in ["0", "-1", "x", "10000001", ""] { #expect(try await status("?radius=\(radius)") == 400) }
      #expect(try await status("?radius=80") == 200)
      let list = try await server.get("/api/v1/fences", token: server.admin)
      #expect(list.body.contains(#""radius":80"#), "\(list.body)")
    }
  }

  @Test func fencesOfACommandBecomeShared() async throws {
    let circle = try Area.Circle(
      center: try #require(Coordinate(latitude: 52.52, longitude: 13.405)), radius: 100)
    try await TestServer.run { store in
      try store.edit([.set(Fence(id: "office", area: .circle(circle)))], of: .this)
    } _: { server in
      let list = try await server.get("/api/v1/fences", token: server.admin)
      #expect(list.body.contains("\"id\":\"office\""))
      #expect(try server.store.fences(of: .this).map(\.id) == ["office"])
      #expect(try server.store.ownFences().isEmpty)
    }
  }

  /// A client without a device's name reads the only device.
  @Test func deviceOfTheCommandWithFencesOnlyIsNotListed() async throws {
    let circle = try Area.Circle(
      center: try #require(Coordinate(latitude: 52.52, longitude: 13.405)), radius: 100)
    try await TestServer.run { store in
      try store.edit([.set(Fence(id: "office", area: .circle(circle)))], of: .this)
    } _: { server in
      func devices() async throws -> [String?] {
        let list = try await server.get("/api/v1/devices", token: server.admin)
        return (list["devices", as: [[String: Any]].self] ?? []).map { $0["id"] as? String }
      }
      let anna = try server.token("anna", [.write])
      _ = try await server.post("/overland", Batches.overland([0]), token: anna)
      #expect(try await devices() == ["anna"])
      // A device that an import adds is listed at once.
      let fix = Fix(coordinate: circle.center, time: .now, source: .gpx)
      for device in [DeviceID("ben"), .this] { _ = try server.store.addPast([fix], to: device) }
      #expect(try await devices() == ["anna", "ben", "this"])
    }
  }

  @Test func editsOfACommandAreOneChange() async throws {
    try await TestServer.withStore { store in
      func fence(_ id: Int, radius: Double = 50) throws -> Fence {
        let center = try #require(Coordinate(latitude: 47, longitude: 8 + Double(id) * 0.001))
        return Fence(
          id: FenceID("f\(id)"), area: .circle(try Area.Circle(center: center, radius: radius)))
      }
      let shared = try SharedFences(store: store)
      _ = try await shared.set([try fence(1), try fence(2)])
      let before = shared.revision
      try store.edit(
        [
          .set(try fence(3)), .removed("f1"), .set(try fence(4)), .set(try fence(2, radius: 80)),
          .removed("f4"),
          .removed("f3"), .set(try fence(3, radius: 70)), .removed("none"),
        ], of: .this)
      #expect(try await shared.adoptOwnFences() == 3)
      #expect(shared.revision == before + 1)
      let expected = [try fence(2, radius: 80), try fence(3, radius: 70)]
      #expect(await shared.fences == expected)
      let reopened = try SharedFences(store: store)
      #expect(await reopened.fences == expected)
      #expect(try await shared.adoptOwnFences() == 0)
    }
  }

  /// Fixes that are sent right after the answer to a change of the fences meet the changed fences.
  @Test func changedFencesHoldForTheNextFixes() async throws {
    try await TestServer.run { server in
      let start = UTCTime.now.advanced(by: .seconds(-2_000))
      let tokens = try (0..<20).map { try server.token(DeviceID("d\($0)"), [.read, .write]) }
      for token in tokens {
        _ = try await server.post("/overland", Batches.overland([0, 0, 0], end: start), token: token)
      }
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      for (number, token) in tokens.enumerated() {
        _ = try await server.post("/overland", Self.leaving, token: token)
        let answer = try await server.get("/api/v1/devices/d\(number)/crossings", token: token)
        let crossings = try #require(answer["crossings", as: [[String: Any]].self])
        #expect(crossings.map { $0["event"] as? String } == ["exit"])
      }
    }
  }

  /// The same letter with an accent is one character in the first id and two in the second. To the store, these are two
  /// fences, of which a removed one would come back with the next start.
  @Test func fencesWithIdsThatLookAlikeAreApart() async throws {
    try await TestServer.withStore { store in
      try await TestServer.run(store: store) { server in
        for id in ["caf\u{E9}", "cafe\u{301}"] {
          let answer = try await server.post("/api/v1/fences", Batches.fence(id), token: server.admin)
          #expect(answer["added", as: Int.self] == 1, "\(answer.body)")
        }
        let removal = try await server.send(.DELETE, "/api/v1/fences/cafe%CC%81", token: server.admin)
        #expect(removal.status == 204)
      }
      try await TestServer.run(store: store) { server in
        let first = try await server.get("/api/v1/fences/caf%C3%A9", token: server.admin)
        #expect(first.status == 200)
        #expect(try await server.get("/api/v1/fences/cafe%CC%81", token: server.admin).status == 404)
      }
    }
  }

  @Test func oneBadFenceChangesNothing() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let bad = Batches.fence("work").replacing("\"radius\":100", with: "\"radius\":-1")
      let answer = try await server.send(.PUT, "/api/v1/fences", bad, token: server.admin)
      #expect(answer.status == 422)
      #expect(answer["problems", as: [String].self]?.count == 1)
      #expect(try await server.get("/api/v1/fences/home", token: server.admin).status == 200)
      #expect(try await server.get("/api/v1/fences/work", token: server.admin).status == 404)
      #expect(try await server.send(.DELETE, "/api/v1/fences/home", token: server.admin).status == 204)
      #expect(try await server.send(.DELETE, "/api/v1/fences/home", token: server.admin).status == 404)
    }
  }

  /// The message names the fence and its zone.
  @Test func unknownTimeZoneOfHoursIsRefused() async throws {
    try await TestServer.run { server in
      let hours = ",\"activeHours\":\"Mo-Fr 09:00-17:00\""
      func fence(_ zone: String) -> String {
        Batches.fence().replacing("\"radius\":100", with: "\"radius\":100,\"timeZone\":\"\(zone)\"\(hours)")
      }
      let answer = try await server.send(.POST, "/api/v1/fences", fence("Mars/X"), token: server.admin)
      #expect(answer.status == 422)
      let problems = try #require(answer["problems", as: [String].self])
      #expect(problems.count == 1 && problems.allSatisfy { $0.contains("home") && $0.contains("Mars/X") })
      let known = try await server.send(.POST, "/api/v1/fences", fence("Europe/Berlin"), token: server.admin)
      #expect(known.status == 200, "\(known.body)")
      let shown = try await server.get("/api/v1/fences/home", token: server.admin)
      #expect(shown.body.contains("\"timeZone\":\"Europe/Berlin\""), "\(shown.body)")
    }
  }

  private static func entries(_ store: SQLiteStore) throws -> [StoreCommit.FenceChange.Entry] {
    let (fences, serials, _) = try store.sharedFences()
    return zip(fences, serials).map { StoreCommit.FenceChange.Entry($0, serial: $1) }
  }

  /// A client that learns of the event may add the fence again at once.
  @Test func fenceForOneEventHasEndedWhenItsEventIsReported() async throws {
    try await TestServer.withStore { store in
      let center = try #require(Coordinate(latitude: 47, longitude: 8))
      let fence = Fence(id: "home", area: .circle(try Area.Circle(center: center, radius: 50)))
      let shared = try SharedFences(store: store)
      _ = try await shared.set([fence])
      let (counts, seen) = AsyncStream.makeStream(of: Int.self)
      let ofDevice = SharedFenceStore(store, fences: shared, isOfPhone: false) {
        Task { _ = seen.yield(await shared.fences.count) }
      }
      var commit = StoreCommit(device: "anna")
      commit.fenceRecords = [NumberedFenceRecord(number: 1, record: .removed("home", because: .once))]
      commit.fences.removed = ["home"]
      commit.fences.ended = try Self.entries(store)
      try await ofDevice.commit(commit)
      for await count in counts {
        #expect(count == 0)
        break
      }
    }
  }

  /// Somebody may replace a fence between its last event and the commit of the event, or remove it and add it again.
  @Test(arguments: [false, true]) func fenceThatWasReplacedSinceItsEndStays(isAddedAgain: Bool) async throws {
    try await TestServer.withStore { store in
      let center = try #require(Coordinate(latitude: 47, longitude: 8))
      let area = Area.circle(try Area.Circle(center: center, radius: 50))
      let once = Fence(id: "home", area: area, terms: FenceTerms(once: true))
      let replacement = isAddedAgain ? once : Fence(id: "home", area: area)
      let shared = try SharedFences(store: store)
      let ofDevice = SharedFenceStore(store, fences: shared, isOfPhone: false) {}
      _ = try await shared.set([once])
      var commit = StoreCommit(device: "anna")
      commit.fenceRecords = [NumberedFenceRecord(number: 1, record: .removed("home", because: .once))]
      commit.fences.removed = ["home"]
      commit.fences.ended = try Self.entries(store)
      if isAddedAgain { _ = try await shared.remove("home") }
      _ = try await shared.set([replacement])
      try await ofDevice.commit(commit)
      #expect(await shared.fences == [replacement])
      let left = try store.sharedFences()
      #expect(left.fences == [replacement])
      // The engine where the old fence ended watches the new one.
      let serial = try #require(left.serials.first)
      #expect(commit.fences.ended.map(\.serial) != [serial] && serial <= left.lastSerial)
      let known = shared.snapshot.registry.fenceWithSerial("home")?.serial
      #expect(known == serial)
    }
  }

  /// A fence for one event ends with the first device that crosses it, together with the event.
  @Test func fenceForOneEventEnds() async throws {
    try await TestServer.run { server in
      let once = Batches.fence().replacing("\"radius\":100", with: "\"radius\":100,\"once\":true")
      #expect(try await server.send(.PUT, "/api/v1/fences", once, token: server.admin).status == 200)
      let token = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Self.leaving, token: token)
      let crossings = try await server.get("/api/v1/devices/anna/crossings", token: token)
      let all = try #require(crossings["crossings", as: [[String: Any]].self])
      #expect(all.contains { $0["event"] as? String == "exit" })
      #expect(try await server.get("/api/v1/fences/home", token: server.admin).status == 404)
      #expect(try server.store.sharedFences().fences.isEmpty)
    }
  }
}
