import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

@Suite struct ServeStopTests {
  /// A fix of GPSLogger and OsmAnd's kind.
  private static func fix(_ index: Int) -> String {
    "/osmand?id=anna&lat=47.\(3000 + index)&lon=8.5&timestamp=\(1_700_000_000 + index)&accuracy=5"
  }

  /// A second server on a store ends at once, and the first one goes on.
  @Test func secondServerOnAStoreDoesNotStart() async throws {
    let folder = try TemporaryPlace(), store = folder.path("store.sqlite")
    let server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
    _ = try await server.ready()
    let second = try await ServerProcess.run(["--listen", "127.0.0.1:0", "--store", store])
    #expect(second.code == 7 && second.errors.contains("another server uses this store"), "\(second)")
    server.send(SIGKILL)
    _ = await server.end()
    let next = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
    _ = try await next.ready()
  }

  /// The token is printed before the server listens.
  @Test(arguments: [SIGTERM, SIGINT])
  func signalBeforeTheServerIsReadyEndsItInOrder(_ signal: Int32) async throws {
    let folder = try TemporaryPlace(), store = folder.path("store.sqlite")
    let server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
    _ = try server.token()
    server.send(signal)
    #expect(await server.end() == 0)
  }

  @Test func endpointsThatGetNothingAreReported() async throws {
    let folder = try TemporaryPlace(), store = folder.path("store.sqlite")
    let added = try await ServerProcess.run(
      ["add", "home", "https://example.org/log", "--store", store], command: "queue")
    #expect(added.code == 0, "\(added)")
    let server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
    let line = try await server.line(with: "serve does not upload")
    #expect(line.contains("home") && line.contains("queue flush"), "\(line)")
    // The server may not be ready yet.
    server.send(SIGTERM)
    #expect(await server.end() == 0)
  }

  /// A job that flushes the queue regularly must notice that a server accepts nothing.
  @Test func flushWithRejectedRequestsFails() async throws {
    let folder = try TemporaryPlace(), store = folder.path("store.sqlite")
    let receiver = try await WebhookReceiver { _ in .unprocessableEntity }
    let way = try folder.write("time,lat,lon,hacc\n2026-11-19T00:00:00Z,48,11,5\n", to: "way.csv")
    let imported = try await ServerProcess.run(["--store", store, way], command: "import")
    #expect(imported.code == 0, "\(imported)")
    let added = try await ServerProcess.run(
      ["add", "home", receiver.url, "--every-fix", "--all-history", "--store", store], command: "queue")
    #expect(added.code == 0, "\(added)")
    let flushed = try await ServerProcess.run(["flush", "home", "--store", store], command: "queue")
    #expect(flushed.code == 1 && flushed.output == "home: 0 requests sent, 1 set aside\n", "\(flushed)")
    #expect(flushed.errors.contains("whereabouts queue status"), "\(flushed)")
    let status = try await ServerProcess.run(["status", "--store", store], command: "queue")
    #expect(status.output.contains("whereabouts queue retry home"), "\(status)")
    await receiver.stop()
  }

  @Test func fenceThatAnAlertNamesAndNobodyAddedIsReported() async throws {
    let folder = try TemporaryPlace(), alerts = folder.path("alerts.json")
    try Data(
      """
      {"channels": {"c": {"command": ["/bin/true"]}},
        "alerts": [{"name": "a", "fences": ["hme"], "events": ["exit"], "channels": ["c"]}]}
      """.utf8
    ).write(to: URL(fileURLWithPath: alerts))
    let server = try ServerProcess([
      "--listen", "127.0.0.1:0", "--store", folder.path("store.sqlite"), "--alerts", alerts,
    ])
    let line = try await server.line(with: "alerts name fences that do not exist")
    #expect(line.contains("hme"), "\(line)")
    // The server may not be ready yet.
    server.send(SIGTERM)
    #expect(await server.end() == 0)
  }

  @Test(arguments: [SIGTERM, SIGINT]) func serverStopsInTimeWithAnyClients(signal: Int32) async throws {
    let folder = try TemporaryPlace(), store = folder.path("store.sqlite")
    let server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
    let port = try await server.ready(), token = try server.token()
    // An open stream, a stream whose client reads nothing, a half-sent body, a half-sent head and an idle connection.
    let stream = try RawConnection(port: port), deaf = try RawConnection(port: port, receiveBuffer: 1)
    for connection in [stream, deaf] { try connection.request("GET", "/api/v1/stream", token: token) }
    #expect(await stream.read(until: ": whereabouts").contains("200 OK"))
    let half = try RawConnection(port: port), head = try RawConnection(port: port)
    try half.request("POST", "/ingest", token: token, body: "{\"coords\":", length: 1000)
    try head.send("POST /ingest HTT")
    let idle = try RawConnection(port: port)
    // A client that asks for much more than fits into the buffers of the system, and reads none of it.
    let full = try RawConnection(port: port, receiveBuffer: 1)
    for _ in 0..<3_000 { try full.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n") }
    // Acknowledged fixes, and one more without waiting for its response.
    let sender = try RawConnection(port: port)
    for index in 0..<5 {
      try sender.request("GET", Self.fix(index), token: token)
      #expect(await sender.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
    }
    try sender.request("GET", Self.fix(5), token: token)
    server.send(signal)
    let code = await server.end()
    #expect(code == 0)
    // The server's own limit leaves a second for the store. On a busy machine the process takes longer to end; without
    // the limit it would never end.
    #expect(StopDeadline.limit <= .seconds(4))
    withExtendedLifetime([stream, deaf, half, head, idle, full, sender]) {}
    let reader = try SQLiteStore.open(at: store, access: .readOnly)
    let count = try reader.summary(of: "anna").fixes.values.reduce(0, +)
    #expect((5...6).contains(count))
  }

  /// A wait for a fix would hold up the end for seconds, and get no answer.
  @Test func waitForAFixEndsWithTheServer() async throws {
    var wait: Task<TestServer.Answer, any Error>?
    try await TestServer.run { server in
      let writer = try server.token("anna", [.write])
      #expect(try await server.post("/overland", Batches.overland([0]), token: writer).status == 200)
      wait = Task {
        try await server.get("/api/v1/devices/anna/fix?accuracy=1&timeout=300", token: server.admin)
      }
      while server.core.waits.count == 0 { await Task.yield() }
    }
    let answer = try #require(try await wait?.value)
    #expect(answer.status == 503 && answer.headers.contains(name: "Retry-After"), "\(answer)")
  }

  @Test(arguments: [false, true]) func takenPortEndsTheServer(
    isOsmAnd: Bool
  ) async throws {
    let folder = try TemporaryPlace()
    try await TestServer.run { taken in
      try await TestServer.withStore { store in
        var settings = ServerSettings.test
        settings.socket = folder.path("socket")
        if isOsmAnd { settings.osmAndPort = taken.port } else { settings.port = taken.port }
        let server = try LocationServer(
          settings: settings, store: store, source: nil,
          logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let error = await #expect(throws: ServerError.self) {
          try await server.run(endsOnSignals: false) { _ in }
        }
        #expect(error?.isInUse == true)
        let text = error?.description ?? ""
        #expect(text.contains("127.0.0.1:\(taken.port)"), "\(text)")
        #expect(text.contains(isOsmAnd ? "--osmand-port" : "--listen"), "\(text)")
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path("socket")))
      let store = folder.path("store.sqlite")
      let arguments =
        isOsmAnd
        ? ["--listen", "127.0.0.1:0", "--osmand-port", "\(taken.port)"]
        : ["--listen", "127.0.0.1:\(taken.port)"]
      let run = try await ServerProcess.run(arguments + ["--store", store])
      #expect(run.code == 7 && run.output.isEmpty, "no token of a server that did not start: \(run)")
      #expect(run.errors.hasPrefix("whereabouts: could not listen at 127.0.0.1:\(taken.port): "), "\(run)")
      #expect(!run.errors.contains("\n"), "\(run)")
      #expect(!FileManager.default.fileExists(atPath: store))
      // The first server that starts prints the token.
      let next = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store])
      _ = try await next.ready()
      #expect(try next.token().hasPrefix("wht_"))
    }
  }

  /// As of a port below 1024. A service manager does not start the server again.
  @Test func refusedPortIsAMistakeInTheConfiguration() throws {
    let refusal = IOError(errnoCode: EACCES, reason: "bind")
    let error = try #require(
      PortListener.described(refusal, "127.0.0.1:80", "--listen (LISTEN)") as? ServerError)
    #expect(!error.isInUse && !error.isTemporary)
    #expect(
      error.description.contains("permission denied. Choose a port from 1024 with --listen (LISTEN)"),
      "\(error)")
  }

  /// An address that the machine does not have yet is no mistake in the configuration, after which a service manager
  /// would not start the server again.
  @Test(arguments: [
    ("nowhere.invalid", "no such address."),
    ("198.51.100.7", "cannot assign requested address. Check the network"),
  ])
  func missingAddressIsAFailure(_ host: String, _ reason: String) async throws {
    let folder = try TemporaryPlace()
    let run = try await ServerProcess.run([
      "--listen", "\(host):18999", "--plain-http", "--socket", "no", "--store", folder.path("store.sqlite"),
    ])
    #expect(run.code == 1, "\(run)")
    #expect(run.errors.contains("could not listen at \(host):18999: \(reason)"), "\(run)")
  }

  @Test func listenersShareTheStore() async throws {
    let folder = try TemporaryPlace(), store = folder.path("store.sqlite")
    let server = try ServerProcess(["--listen", "127.0.0.1:0", "--store", store, "--osmand-port", "0"])
    let line = try await server.line(with: "listening for OsmAnd")
    let port = try #require(line.split(separator: ":").last.flatMap { Int($0) }, "\(line)")
    _ = try await server.ready()
    let token = try server.token()
    let path = Self.fix(1).replacing("/osmand?", with: "/?")
    for (method, target, status) in [
      ("GET", path, 200), ("POST", path, 200), ("GET", Self.fix(2), 200), ("POST", Self.fix(3), 200),
      ("GET", "/api/v1/devices", 404), ("POST", "/owntracks", 404),
    ] {
      let connection = try RawConnection(port: port)
      try connection.request(method, target, token: token)
      let answer = await connection.read(until: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(method) \(target.prefix(12)): \(answer.prefix(40))")
    }
    server.send(SIGTERM)
    #expect(await server.end() == 0)
    // No place and no token is in the log.
    await server.readRest()
    #expect(!server.seenTexts.contains { $0.contains("47.") || $0.contains(token) }, "\(server.seenErrors)")
  }

  @Test func tripsStayAsTheyAreSaved() async throws {
    try await TestServer.withStore { store in
      let devices = try LocationServer(
        settings: .test, store: store, source: nil,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      ).core.devices
      let engine = try await Self.process(Self.drive(), of: "anna", devices)
      await devices.closeAll()
      let atEnd = try store.trips(of: "anna")
      // The trip is released with the device, which is no reason to settle it.
      await engine.value
      #expect(try store.trips(of: "anna") == atEnd)
      let settledTo = try #require(atEnd.first?.settledTo)
      #expect(settledTo < Self.start.advanced(by: .seconds(299)))
    }
  }

  /// A sync for each device would take minutes for many devices on a slow disk.
  @Test func statesOfManyDevicesAreStoredWithFewSyncs() async throws {
    try await TestServer.withStore { store in
      let devices = try LocationServer(
        settings: .test, store: store, source: nil,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      ).core.devices
      let fixes = Array(try Self.drive().prefix(20))
      let names = (0..<100).map { DeviceID("phone \($0)") }
      for name in names {
        // The first fixes of a day are stored with the state.
        _ = try await Self.process(Array(fixes.prefix(10)), of: name, devices)
        _ = try await Self.process(Array(fixes.dropFirst(10)), of: name, devices)
        try #require(try await !store.load(name).fixesSinceSnapshot.isEmpty)
      }
      let before = store.syncCount
      await devices.closeAll()
      let count = await devices.count
      #expect(count == 0 && store.syncCount - before < names.count / 2)
      for name in names { #expect(try await store.load(name).fixesSinceSnapshot.isEmpty) }
    }
  }

  /// A phone may begin a day at the same time as a source of this machine.
  @Test func dayThatBeginsTwiceIsOneTrip() async throws {
    try await TestServer.withStore { store in
      let devices = try LocationServer(
        settings: .test, store: store, source: nil,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      ).core.devices
      let session = await devices.retain("anna")
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 { group.addTask { await session.begin(Self.start) } }
      }
      _ = try await session.ingest(Self.drive())
      await devices.release(session)
      await devices.closeAll()
      let trips = try store.trips(of: "anna")
      #expect(trips.count == 1 && trips.allSatisfy { $0.totals.distance > 1_000 }, "\(trips)")
    }
  }

  private static let start = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000)

  /// Returns a drive of five minutes, a fix each second.
  private static func drive() throws -> [Fix] {
    try (0..<300).map { index in
      var fix = Fix(
        coordinate: try #require(Coordinate(latitude: 47.3 + Double(index) * 1e-4, longitude: 8.5)),
        time: start.advanced(by: .seconds(index)), source: .gpx)
      fix.horizontalAccuracy = 5
      return fix
    }
  }

  /// - Returns: the device's engine, if only the registry holds the device.
  private static func process(
    _ fixes: [Fix], of device: DeviceID, _ devices: DeviceRegistry
  ) async throws -> Task<Void, Never> {
    let session = await devices.retain(device)
    _ = try await session.ingest(fixes)
    await devices.release(session)
    return session.manager.loop
  }
}
