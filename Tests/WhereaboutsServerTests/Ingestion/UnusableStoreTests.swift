import NIOHTTP1
import Foundation
import GRDB
import Logging
import Synchronization
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsServer

/// A store that can't be used for a device, because its lock file can't be opened.
@Suite struct UnusableStoreTests {
  final class Lines: Sendable {
    private let all = Mutex<[String]>([])
    func append(_ bytes: [UInt8]) { all.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    func count(of text: String) -> Int { all.withLock { $0.count { $0.contains(text) } } }
  }

  /// Puts a folder in the place of a lock file, which root can't open either.
  private func block(_ lock: String) throws {
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
  }

  /// A phone keeps its fixes until they are stored, and the cause is logged once.
  @Test func fixesAreAcknowledgedOnceTheyAreStored() async throws {
    let lines = Lines(), output = LogOutput(level: .debug, json: false) { lines.append($0) }
    try await TestServer.withStore { store in
      let lock = store.path + "-lock-anna"
      try block(lock)
      try await TestServer.run(store: store, logger: output.logger) { server in
        let token = try server.token("anna", [.read, .write]), batch = Batches.overland([0])
        for _ in 0..<3 {
          let refused = try await server.post("/overland", batch, token: token)
          #expect(refused.status == 503 && refused.headers.contains(name: "Retry-After"), "\(refused.body)")
        }
        while lines.count(of: "warning: fixes are not stored: could not open \(lock)") == 0 {
          try await Task.sleep(for: .milliseconds(10))
        }
        #expect(lines.count(of: "not stored") == 1)
        try FileManager.default.removeItem(atPath: lock)
        let accepted = try await server.post("/overland", batch, token: token)
        #expect(accepted.status == 200, "\(accepted.body)")
        let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
        #expect(fixes["fixes", as: [Any].self]?.count == 1, "\(fixes.body)")
        while lines.count(of: "notice: the store works again") == 0 {
          try await Task.sleep(for: .milliseconds(10))
        }
      }
    }
  }

  /// The phone keeps its fixes: they would be in no file after the end of the server.
  @Test func fixesForARemovedFileAreRefused() async throws {
    try await TestServer.withStore { store in
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.write]), away = store.path + ".away"
        let first = Batches.overland([0], end: UTCTime.now.advanced(by: .seconds(-600)))
        #expect(try await server.post("/overland", first, token: token).status == 200)
        #expect(try await server.get("/ready").status == 200)
        try FileManager.default.moveItem(atPath: store.path, toPath: away)
        let refused = try await server.post("/overland", Batches.overland([50]), token: token)
        #expect(refused.status == 503, "\(refused.body)")
        #expect(try await server.get("/ready").status == 503)
        try FileManager.default.moveItem(atPath: away, toPath: store.path)
        #expect(try await server.get("/ready").status == 200)
      }
    }
  }

  /// Otherwise fixes that are sent again would be stored twice.
  @Test func fixesAreRefusedWhileTheStoredOnesCantBeRead() async throws {
    try await TestServer.withStore { store in
      let batch = Batches.overland([0, 50])
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.write])
        #expect(try await server.post("/overland", batch, token: token).status == 200)
      }
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.write])
        let session = await server.core.devices.retain("anna")
        await session.manager.waitUntilProcessed()
        try store.write { try $0.execute(sql: "ALTER TABLE fix RENAME TO unreadable") }
        #expect(try await server.post("/overland", batch, token: token).status == 503)
        try store.write { try $0.execute(sql: "ALTER TABLE unreadable RENAME TO fix") }
        #expect(try await server.post("/overland", batch, token: token).status == 200)
        await server.core.devices.release(session)
      }
      let all = UTCTime(nanosecondsSince1970: .min)..<UTCTime(nanosecondsSince1970: .max)
      #expect(try store.fixCount(of: "anna", in: all) == 2)
    }
  }

  /// Otherwise the repetitions of one request would displace the rejected rows of others.
  @Test func unusableRowOfARefusedRequestIsKeptOnce() async throws {
    try await TestServer.withStore { store in
      let lock = store.path + "-lock-anna"
      try block(lock)
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.write])
        let batch = Batches.overland([0]).replacingOccurrences(of: "s\":[{", with: "s\":[7,{")
        for _ in 0..<3 { #expect(try await server.post("/overland", batch, token: token).status == 503) }
        #expect(try store.rejectedRows(of: nil, limit: 10).isEmpty)
        try FileManager.default.removeItem(atPath: lock)
        #expect(try await server.post("/overland", batch, token: token).status == 200)
        #expect(try store.rejectedRows(of: nil, limit: 10).count == 1)
      }
    }
  }

  /// The second device can't be stored, and a row of the first one can't be read.
  @Test(arguments: ["/overland", "/owntracks"])
  func unusableRowOfARefusedRequestOfTwoDevicesIsKeptOnce(_ path: String) async throws {
    let time = UTCTime.now
    func row(_ device: String) -> String {
      if path == "/owntracks" {
        return #"{"topic":"owntracks/\#(device)/\#(device)","#
          + Batches.ownTracks(distance: 0, at: time).dropFirst()
      }
      let properties = #"{"timestamp":"\#(time.iso8601)","device_id":"\#(device)"}"#
      return #"{"geometry":{"coordinates":[13.4,52.5]},"properties":\#(properties)}"#
    }
    let rows = "[\(row("anna")),7,\(row("bob"))]"
    let batch = path == "/owntracks" ? rows : #"{"locations":\#(rows)}"#
    try await TestServer.withStore { store in
      let lock = store.path + "-lock-bob"
      try block(lock)
      try await TestServer.run(store: store) { server in
        let token = try server.token(nil, [.write])
        for _ in 0..<3 { #expect(try await server.post(path, batch, token: token).status == 503) }
        try FileManager.default.removeItem(atPath: lock)
        #expect(try await server.post(path, batch, token: token).status == 200)
        #expect(try store.rejectedRows(of: nil, limit: 10).compactMap(\.device) == ["anna"])
      }
    }
  }

  /// The session accepts no fixes, and the next one takes its place after its last use.
  @Test func waitForAFixKeepsNoSessionWithAnUnusableStore() async throws {
    var length = try await endWaitWithUnusableStore()
    // On a busy machine the wait may begin when the store can be used again.
    for _ in 0..<3 where length >= .seconds(100) { length = try await endWaitWithUnusableStore() }
    #expect(length < .seconds(100))
  }

  /// Returns the length of a wait for a fix of at most 120 s, during which the session of the device is replaced.
  private func endWaitWithUnusableStore() async throws -> Duration {
    var length = Duration.zero
    try await TestServer.withStore { store in
      let lock = store.path + "-lock-anna"
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.write])
        let batch = Batches.overland([0], end: UTCTime.now.advanced(by: .seconds(-600)))
        #expect(try await server.post("/overland", batch, token: token).status == 200)
      }
      try? FileManager.default.removeItem(atPath: lock)
      try block(lock)
      try await TestServer.run(store: store) { server in
        let token = try server.token("anna", [.read, .write]), batch = Batches.overland([50])
        async let wait = server.get("/api/v1/devices/anna/fix?accuracy=1&timeout=120", token: token)
        let start = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await server.post("/overland", batch, token: token).status == 503)
        try FileManager.default.removeItem(atPath: lock)
        // The session ends after the answer to the wait.
        while try await server.post("/overland", batch, token: token).status == 503 {
          try await Task.sleep(for: .milliseconds(20))
        }
        let fixes = try await server.get("/api/v1/devices/anna/fixes", token: token)
        #expect(fixes["fixes", as: [Any].self]?.count == 2, "\(fixes.body)")
        let answer = try await wait
        #expect(answer.status == 504, "\(answer.status) \(answer.body)")
        length = ContinuousClock.now - start
      }
    }
    return length
  }

  /// The source of the machine may work while none of its fixes is stored.
  @Test func problemIsShownWithTheSource() async throws {
    try await TestServer.withStore { store in
      try block(store.path + "-lock")
      try await TestServer.run(store: store, source: ScriptedSource()) { server in
        var sources: [[String: Any]] = []
        // The source starts with the server's services.
        while sources.isEmpty {
          let answer = try await server.get("/api/v1/sources", token: server.admin)
          sources = try #require(answer["sources", as: [[String: Any]].self])
        }
        #expect(sources.first?["storeProblem"] as? String == "notPermitted", "\(sources)")
      }
    }
  }

  /// The device with the source of the machine stays loaded, also after a failed load.
  @Test func phoneIsStoredBesideASourceOnceTheStoreWorks() async throws {
    try await TestServer.withStore { store in
      let lock = store.path + "-lock"
      try block(lock)
      try await TestServer.run(store: store, source: ScriptedSource()) { server in
        let token = try server.token(.this, [.read, .write]), batch = Batches.overland([0])
        for _ in 0..<2 { #expect(try await server.post("/overland", batch, token: token).status == 503) }
        try FileManager.default.removeItem(atPath: lock)
        let accepted = try await server.post("/overland", batch, token: token)
        #expect(accepted.status == 200, "\(accepted.body)")
        let fixes = try await server.get("/api/v1/devices/this/fixes", token: token)
        #expect(fixes["fixes", as: [Any].self]?.count == 1, "\(fixes.body)")
      }
    }
  }

  @Test func sourceIsStoredOnceAnotherProcessEnds() async throws {
    try await TestServer.withStore { other in
      var claim: DeviceClaim? = try other.claim(.this, as: "a test"), settings = StoreSettings()
      settings.openTimeout = .milliseconds(50)
      let store = try SQLiteStore.open(at: other.path, settings: settings), source = ScriptedSource()
      let lines = Lines(), output = LogOutput(level: .debug, json: false) { lines.append($0) }
      try await TestServer.run(store: store, source: source, logger: output.logger) { server in
        await source.emit(try fix(at: .now))
        let phone = try server.token(.this, [.write])
        #expect(try await server.post("/overland", Batches.overland([0]), token: phone).status == 503)
        while lines.count(of: "warning: fixes are not stored") == 0 {
          try await Task.sleep(for: .milliseconds(10))
        }
        withExtendedLifetime(claim) {}
        claim = nil
        while lines.count(of: "notice: the store works again") == 0 {
          try await Task.sleep(for: .milliseconds(50))
        }
        await source.emit(try fix(at: .now))
        let fixes = try await server.get("/api/v1/devices/this/fixes", token: server.admin)
        #expect(fixes["fixes", as: [Any].self]?.count == 1, "\(fixes.body)")
        #expect(lines.count(of: "fixes are not stored") == 1)
      }
      store.close()
    }
  }

  /// A refused request is logged by the cause of the device, which must not stay the first one.
  @Test func anotherCauseAfterThatOfAnotherProcessIsLogged() async throws {
    try await TestServer.withStore { other in
      let claim = try other.claim(.this, as: "a test"), lock = other.path + "-lock"
      var settings = StoreSettings()
      settings.openTimeout = .milliseconds(50)
      let store = try SQLiteStore.open(at: other.path, settings: settings)
      let lines = Lines(), output = LogOutput(level: .debug, json: false) { lines.append($0) }
      try await TestServer.run(store: store, source: ScriptedSource(), logger: output.logger) { server in
        let phone = try server.token(.this, [.write]), batch = Batches.overland([0])
        #expect(try await server.post("/overland", batch, token: phone).status == 503)
        while lines.count(of: "uses it for the same device") == 0 {
          try await Task.sleep(for: .milliseconds(10))
        }
        // A lock file with a second name is refused.
        try FileManager.default.linkItem(atPath: lock, toPath: lock + "-second")
        #expect(try await server.post("/overland", batch, token: phone).status == 503)
        while lines.count(of: "warning: fixes are not stored: could not lock \(lock)") == 0 {
          try await Task.sleep(for: .milliseconds(10))
        }
      }
      withExtendedLifetime(claim) {}
      store.close()
    }
  }

  @Test func otherProcessLearnsThatAServerHasTheDevice() async throws {
    try await TestServer.withStore { store in
      try await TestServer.run(store: store, source: ScriptedSource()) { server in
        let phone = try server.token(.this, [.write]), batch = Batches.overland([0])
        #expect(try await server.post("/overland", batch, token: phone).status == 200)
        let other = try SQLiteStore.open(at: store.path)
        do throws(StoreError) {
          _ = try other.claim(.this, as: "a test")
          Issue.record("the server has not claimed the device")
        } catch {
          #expect(error.message.contains("(whereabouts serve) uses it"), "\(error)")
        }
        other.close()
      }
    }
  }

  /// The first request may come before the server has started its source.
  @Test func sourceWorksAfterAnEarlyRequest() async throws {
    let source = ScriptedSource()
    try await TestServer.run(source: source) { server in
      let phone = try server.token(.this, [.write])
      let start = UTCTime.now.advanced(by: .seconds(-60)), batch = Batches.overland([0], end: start)
      #expect(try await server.post("/overland", batch, token: phone).status == 200)
      await source.emit(try fix(at: .now))
      let answer = try await server.get("/api/v1/devices/this/fixes", token: server.admin)
      #expect(answer["fixes", as: [Any].self]?.count == 2, "\(answer.body)")
    }
  }

  private func fix(at time: UTCTime) throws -> Fix {
    let place = try #require(Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
    var fix = Fix(coordinate: place, time: time, source: .nmea)
    fix.horizontalAccuracy = 5
    return fix
  }

  /// Requests that were cut at the end of the server may still run.
  @Test func fixesAfterTheEndAreNotAcknowledged() async throws {
    try await TestServer.withStore { store in
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let server = try LocationServer(settings: .test, store: store, source: nil, logger: logger)
      let session = await server.core.devices.retain("anna")
      let start = UTCTime.now, fixes = try [-20, -10].map { try fix(at: start.advanced(by: .seconds($0))) }
      #expect(try await session.ingest([fixes[0]]).stored == 1)
      await server.core.devices.closeAll()
      await #expect(throws: IngestionError.self) { try await session.ingest([fixes[1]]) }
      let late = await server.core.devices.retain("anna")
      #expect(try await late.ingest([fixes[1]]).stored == 1)
      await server.core.devices.closeAll()
    }
  }
}
