import Foundation
import Logging
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsServer

/// Erasure while the server runs.
@Suite struct ErasureTests {
  private static let anna = "/api/v1/devices/anna"

  private static func erased(_ answer: TestServer.Answer) throws -> Int {
    #expect(answer.status == 200 && answer.body.contains(#""complete":true"#), "\(answer.body)")
    return try #require(answer["erased", as: Int.self])
  }

  @Test func erasedDeviceIsGoneFromMemoryAndFile() async throws {
    try await TestServer.withStore { store in
      var random = SystemRandomNumberGenerator()
      try await TestServer.run(store: store) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        let owner = try server.token("anna", [.read, .write]), ben = try server.token("ben", [.read, .write])
        let home = try #require(
          Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
        try ZoneRegistry(store).add(
          PrivacyZone(name: "h", center: home, radius: 100, policy: .hide, device: "anna", using: &random))
        let way = Batches.overland([0, 0, 0, 0] + (1...20).map { Double($0) * 40 })
        _ = try await server.post("/overland", way, token: owner)
        _ = try await server.post("/overland", Batches.overland([900, 940]), token: ben)
        _ = try await server.post("/overland", "{}", token: owner)

        #expect(try await server.send(.DELETE, Self.anna, token: owner).status == 403)
        #expect(try await server.send(.DELETE, "/api/v1/devices/none", token: server.admin).status == 404)
        #expect(FileManager.default.fileExists(atPath: store.path + "-lock-anna"))
        #expect(try await Self.erased(server.send(.DELETE, Self.anna, token: server.admin)) > 24)
        #expect(!FileManager.default.fileExists(atPath: store.path + "-lock-anna"))
        #expect(try await server.get(Self.anna + "/fix", token: server.admin).status == 404)
        #expect(try await server.get(Self.anna + "/fixes", token: owner).status == 401)
        let devices = try await server.get("/api/v1/devices", token: server.admin).body
        #expect(!devices.contains("anna") && devices.contains("ben"), "\(devices)")
        #expect(try await server.get("/api/v1/devices/ben/fix", token: ben).status == 200)
        // A device with the same name starts empty.
        let again = try server.token("anna", [.read, .write])
        _ = try await server.post("/overland", Batches.overland([5]), token: again)
        let fixes = try await server.get(Self.anna + "/fixes", token: again)["fixes", as: [Any].self]
        #expect(fixes?.count == 1)
      }
    }
  }

  @Test func erasedSpanIsGone() async throws {
    try await TestServer.run { server in
      let owner = try server.token("anna", [.read, .write]), now = UTCTime.now
      let hourAgo = now.advanced(by: .seconds(-3600))
      _ = try await server.post("/overland", Batches.overland([0, 10, 20], end: hourAgo), token: owner)
      _ = try await server.post("/overland", Batches.overland([500, 520], end: now), token: owner)
      let span = "?to=\(now.advanced(by: .seconds(-1800)).iso8601)"
      #expect(try await server.send(.DELETE, Self.anna + "/fixes", token: server.admin).status == 400)
      #expect(try await server.send(.DELETE, Self.anna + "/fixes" + span, token: owner).status == 403)
      #expect(
        try await Self.erased(server.send(.DELETE, Self.anna + "/fixes" + span, token: server.admin)) >= 3)
      let fixes = try await server.get(Self.anna + "/fixes", token: owner)["fixes", as: [Any].self]
      #expect(fixes?.count == 2)
      // The device continues.
      _ = try await server.post("/overland", Batches.overland([540], end: .now), token: owner)
      let all = try await server.get(Self.anna + "/fixes", token: owner)["fixes", as: [Any].self]
      #expect(all?.count == 3)
    }
  }

  /// The engine's state goes with the span, and the next fix would begin the trip of the day anew.
  @Test func distanceOfTheDayStaysWhenItsLastMinutesAreErased() async throws {
    var settings = ServerSettings.test
    settings.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    try await TestServer.run(settings) { server in
      let owner = try server.token("anna", [.read, .write])
      let noon = try #require(UTCTime(iso8601: "2024-05-14T12:00:00Z"))
      func distance() async throws -> Double {
        let trips = try await server.get(Self.anna + "/trips", token: owner)
        let all = try #require(trips["trips", as: [[String: Any]].self])
        #expect(all.count == 1, "\(trips.body)")
        return try #require(all.first?["distance"] as? Double)
      }
      let way = (0..<60).map { Double($0) * 100 }
      _ = try await server.post("/overland", Batches.overland(way, end: noon), token: owner)
      let before = try await distance()
      let span = "?from=\(noon.advanced(by: .seconds(-100)).iso8601)"
      #expect(
        try await Self.erased(server.send(.DELETE, Self.anna + "/fixes" + span, token: server.admin)) >= 6)
      let further = Batches.overland(way.map { 7_000 + $0 }, end: noon.advanced(by: .seconds(1_300)))
      _ = try await server.post("/overland", further, token: owner)
      let after = try await distance()
      #expect(before > 3_500 && after > before + 3_500, "\(before) \(after)")
    }
  }

  /// Erasures wait for the uses of the device, uses for the erasure, and all of them come to an end.
  @Test func erasuresAndFixesAtTheSameTimeEnd() async throws {
    try await TestServer.run { server in
      let writer = try server.tokens.create(
        TokenTerms(device: nil, scopes: [.read, .write]), at: .now
      ).secret
      let admin = server.admin
      _ = try await server.post("/overland", Batches.overland([0], device: "anna"), token: writer)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<40 {
          group.addTask {
            if index.isMultiple(of: 4) {
              return try await server.send(.DELETE, Self.anna, token: admin).status
            }
            let time = UTCTime.now.advanced(by: .seconds(-index))
            return try await server.post(
              "/overland", Batches.overland([Double(index)], end: time, device: "anna"), token: writer
            ).status
          }
        }
        for try await status in group { #expect([200, 404].contains(status), "\(status)") }
      }
      let last = try await server.send(.DELETE, Self.anna, token: admin)
      let after = try await server.get(Self.anna + "/fixes", token: admin)
      #expect(after.status == 404, "\(last.status) \(last.body) \(after.body)")
    }
  }

  /// Requests that wait for the end of an erasure have a token that is erased with the device.
  @Test func phonesThatSendMeanwhileDoNotBringTheirDeviceBack() async throws {
    try await TestServer.run { server in
      let owner = try server.token("anna", [.write]), admin = server.admin
      try await withThrowingTaskGroup(of: Void.self) { group in
        for phone in 0..<8 {
          group.addTask {
            for index in 0... {
              let time = UTCTime.now.advanced(by: .seconds(-10 * index - phone))
              let batch = Batches.overland([Double(index)], end: time)
              let status = try await server.post("/overland", batch, token: owner).status
              if phone == 0, index == 2 {
                _ = try Self.erased(try await server.send(.DELETE, Self.anna, token: admin))
              }
              guard status == 200 else {
                #expect(status == 401)
                return
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await server.get(Self.anna + "/fixes", token: admin).status == 404)
    }
  }

  /// A wait for a fix would hold up the erasure, and the phone's fixes behind it.
  @Test func waitForAFixEndsWithTheErasure() async throws {
    try await TestServer.run { server in
      let writer = try server.tokens.create(TokenTerms(device: nil, scopes: [.write]), at: .now).secret
      _ = try await server.post("/overland", Batches.overland([0], device: "anna"), token: writer)
      let start = ContinuousClock.now
      async let wait = server.get(Self.anna + "/fix?accuracy=1&timeout=300", token: server.admin)
      // An erasure before the wait itself has the same answers.
      while server.core.waits.count == 0 { try await Task.sleep(for: .milliseconds(10)) }
      _ = try Self.erased(try await server.send(.DELETE, Self.anna, token: server.admin))
      let answer = try await wait
      let again = try await server.post("/overland", Batches.overland([0], device: "anna"), token: writer)
      #expect(again.status == 200 && answer.status == 404, "\(answer.status) \(answer.body)")
      #expect(ContinuousClock.now - start < .seconds(250))
    }
  }

  /// A fix that is published after its request could follow the erasure of its device, or a newer fix.
  @Test func fixIsPublishedWhileItsRequestUsesTheDevice() async throws {
    try await TestServer.withStore { store in
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let core = try LocationServer(settings: .test, store: store, source: nil, logger: logger).core
      let subscription = try #require(core.hub.follow())
      let place = try #require(
        Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
      let time = UTCTime.now.advanced(by: .seconds(-10))
      var fix = Fix(coordinate: place, time: time, source: .nmea)
      fix.horizontalAccuracy = 5
      let session = await core.devices.retain("anna")
      let result = try await session.ingest([fix])
      #expect(result.stored == 1 && subscription.drain().fixes["anna"]?.time == time)
      await core.devices.release(session)
      await core.devices.closeAll()
    }
  }

  /// The source of this machine never ends its use.
  @Test func deviceWithASourceIsRefused() async throws {
    try await TestServer.run(source: ScriptedSource()) { server in
      while try await server.get("/api/v1/devices/this/fixes", token: server.admin).status == 404 {
        await Task.yield()
      }
      let answer = try await server.send(.DELETE, "/api/v1/devices/this", token: server.admin)
      #expect(answer.status == 409 && answer.body.contains("whereabouts forget"), "\(answer.body)")
    }
  }
}
