import Foundation
import NIOCore
import NIOPosix
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsUpload

/// The uploader as a program runs it.
@Suite struct UploaderTests {
  private func server() async throws -> TestServer {
    try await TestServer.start { _ in .answer(200, body: #"{"result":"ok"}"#) }
  }

  @Test func itemsCommittedWhileRunningAreSentUntilCancelled() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.interval = .seconds(1_000_000)
    endpoint.timeout = .longerThanAnyTest
    try store.add(endpoint)
    let uploader = rig.uploader(store)
    let running = Task { await uploader.run() }
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    // The device is new, so it is found with the next look.
    await rig.pass { !server.requests.isEmpty }
    #expect(server.requests.first?.ids == ["fix/1"])
    await rig.pass { rig.events.current.contains { if case .sent = $0.kind { true } else { false } } }
    // A fix waits for the interval, a crossing does not.
    try await store.commit(
      SampleHistory.commit(
        [SampleHistory.fix(2)],
        records: [NumberedFenceRecord(number: 1, record: .event(SampleHistory.event(1, at: 2)))]))
    let before = rig.clock.now.offset
    await rig.pass { server.requests.count > 1 }
    #expect(server.requests.map(\.ids) == [["fix/1"], ["fix/2", "note/1"]])
    #expect(rig.clock.now.offset - before < endpoint.interval)
    running.cancel()
    await running.value
    try await server.stop()
    #expect(await rig.clock.sleepers == 0)
  }

  @Test func onlyOneUploaderPerStoreSends() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    try store.add(.test(.whereabouts, server))
    let lock = try #require(SendingLock(store: store.path))
    let events = Locked<[UploadEvent]>([])
    let reports = AsyncStream<Void>.makeStream()
    let second = Uploader(store: store, clock: rig.uploadClock) { event in
      events.withLock { $0.append(event) }
      reports.continuation.yield()
    }
    let running = Task { await second.run() }
    var iterator = reports.stream.makeAsyncIterator()
    _ = await iterator.next()
    #expect(events.current == [UploadEvent(endpoint: "", kind: .anotherProcessSends)])
    running.cancel()
    await running.value
    withExtendedLifetime(lock) {}
    try await server.stop()
  }

  @Test func flushSendsEverythingAndReportsProgress() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    var endpoint = Endpoint.test(.osmand, server)
    endpoint.interval = .seconds(3600)
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit((1...25).map { SampleHistory.fix($0) }))
    let reported = Locked<[Uploader.Flush]>([])
    let flush = try await rig.uploader(store).flush("there") { progress in
      reported.withLock { $0.append(progress) }
    }
    #expect(flush == Uploader.Flush(sent: 25, sentItems: 25))
    #expect(
      reported.current.map(\.sent) == reported.current.map(\.sent).sorted() && reported.current.count > 20)
    #expect(server.requests.allSatisfy { $0.line.hasPrefix("GET /pub?id=this&lat=48&lon=11.") })
    try await server.stop()
  }

  /// A server that does not answer delays only its own requests, and a device only its own.
  @Test func flushSendsForAllEndpointsAndDevicesAtTheSameTime() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let server = try await TestServer.start { _ in .acceptThenHang }
    let names = ["here", "there"]
    for name in names { try store.add(.test(.whereabouts, server, name: name)) }
    for device in ["anna", "bob"] {
      try await store.commit(
        SampleHistory.commit([SampleHistory.fix(1)], device: DeviceID(rawValue: device)))
    }
    let uploader = rig.uploader(store), isOver = Locked(false)
    let flushing = Task {
      defer { isOver.withLock { $0 = true } }
      return try await uploader.flush(names)
    }
    // Time stands still, so that no request ends before the others arrive.
    var arrivals = server.arrivals.makeAsyncIterator()
    for _ in 0..<4 { _ = await arrivals.next() }
    while !isOver.current {
      await rig.clock.advance(by: Uploader.checkInterval)
      try? await Task.sleep(for: .milliseconds(1))
    }
    let flushes = try await flushing.value
    #expect(flushes.map(\.remaining) == [2, 2] && flushes.map(\.sent) == [0, 0])
    #expect(flushes.allSatisfy { $0.reason == "there was no answer within 30 s" }, "\(flushes)")
    try await server.stop()
  }

  @Test func flushSendsTheRestIfTheSendingProcessEnds() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.timeout = .longerThanAnyTest
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit((1...3).map { SampleHistory.fix($0) }))
    var lock = SendingLock(store: store.path)
    #expect(lock != nil)
    let uploader = rig.uploader(store), isOver = Locked(false)
    let flushing = Task {
      defer { isOver.withLock { $0 = true } }
      return try await uploader.flush("there", timeout: .longerThanAnyTest)
    }
    // It waits for the other process.
    _ = await rig.clock.nextDeadline()
    withExtendedLifetime(lock) {}
    lock = nil
    while !isOver.current {
      await rig.clock.advance(by: Uploader.checkInterval)
      try? await Task.sleep(for: .milliseconds(1))
    }
    #expect(try await flushing.value == Uploader.Flush(sent: 1, sentItems: 3))
    try await server.stop()
  }

  /// No waiting request is no end: the sending process may not have built any yet.
  @Test func flushWaitsUntilTheSendingProcessHasBuiltItsRequests() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.timeout = .longerThanAnyTest
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit((1...3).map { SampleHistory.fix($0) }))
    let lock = try #require(SendingLock(store: store.path))
    let uploader = rig.uploader(store)
    for isSent in [false, true] {
      let isOver = Locked(false)
      let flushing = Task {
        defer { isOver.withLock { $0 = true } }
        return try await uploader.flush("there", timeout: isSent ? .longerThanAnyTest : .seconds(10))
      }
      // It waits for the other process.
      _ = await rig.clock.nextDeadline()
      if isSent { try await rig.drive(store) }
      while !isOver.current {
        await rig.clock.advance(by: Uploader.checkInterval)
        try? await Task.sleep(for: .milliseconds(1))
      }
      let expected =
        isSent
        ? Uploader.Flush(sent: 1, sentItems: 3)
        : Uploader.Flush(reason: "the process that sends has not come to an end in time")
      #expect(try await flushing.value == expected)
    }
    withExtendedLifetime(lock) {}
    try await server.stop()
  }

  /// Both endpoints send under one lock, so that a server that does not answer keeps no other endpoint waiting.
  @Test func flushSendsToAllEndpointsIfTheSendingProcessEnds() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let server = try await TestServer.start { _ in .acceptThenHang }
    let names = ["here", "there"]
    for name in names {
      var endpoint = Endpoint.test(.whereabouts, server, name: name)
      endpoint.timeout = .longerThanAnyTest
      try store.add(endpoint)
    }
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    var lock = SendingLock(store: store.path)
    #expect(lock != nil)
    let uploader = rig.uploader(store)
    let flushing = Task { try await uploader.flush(names, timeout: .longerThanAnyTest) }
    // They wait for the other process.
    while await rig.clock.sleepers < names.count { try? await Task.sleep(for: .milliseconds(1)) }
    withExtendedLifetime(lock) {}
    lock = nil
    while server.requests.count < names.count {
      await rig.clock.advance(by: Uploader.checkInterval)
      try? await Task.sleep(for: .milliseconds(1))
    }
    flushing.cancel()
    let flushes = try await flushing.value
    #expect(flushes.map(\.remaining) == [1, 1], "\(flushes)")
    #expect(flushes.allSatisfy { $0.reason == "it was interrupted" }, "\(flushes)")
    try await server.stop()
  }

  @Test func flushEndsAtTheFirstFailure() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let server = try await TestServer.start { _ in .answer(503, [("Retry-After", "3600")]) }
    try store.add(.test(.whereabouts, server))
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    for _ in 0..<2 {
      let flush = try await rig.uploader(store).flush("there")
      #expect(flush.remaining == 1 && flush.reason == "the server answered 503 (service unavailable)")
    }
    #expect(server.requests.count == 2)
    await #expect(throws: StoreError.self) { try await rig.uploader(store).flush("elsewhere") }
    try await server.stop()
  }

  @Test func cancelledFlushReportsTheRequestsSentBefore() async throws {
    let rig = try UploadFixture(), store = try rig.store(), heads = Locked(0)
    let server = try await TestServer.start { _ in
      let number = heads.withLock { (count: inout Int) -> Int in
        count += 1
        return count
      }
      return number < 3 ? .answer(200) : .acceptThenHang
    }
    var endpoint = Endpoint.test(.osmand, server)
    endpoint.timeout = .longerThanAnyTest
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit((1...5).map { SampleHistory.fix($0) }))
    let uploader = rig.uploader(store)
    let flushing = Task { try await uploader.flush("there") }
    var arrivals = server.arrivals.makeAsyncIterator()
    for _ in 0..<3 { _ = await arrivals.next() }
    flushing.cancel()
    let flush = try await flushing.value
    #expect(flush.sent == 2 && flush.sentItems == 2 && flush.remaining > 0)
    #expect(flush.reason == "it was interrupted")
    try await server.stop()
  }

  /// A server that accepts connections and never answers to TLS, as a firewall does with packets.
  @Test func flushEndsWithItsTimeoutWhileAConnectionIsBeingMade() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
    let url = "https://127.0.0.1:\(silent.localAddress?.port ?? 0)/pub"
    var endpoint = Endpoint(name: "there", url: url, template: .whereabouts)
    endpoint.terms = nil
    endpoint.timeout = .seconds(1)
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    var length = Duration.seconds(3600)
    // The connection itself would end after 30 s; on a busy machine a flush may take as long.
    for _ in 0..<5 where length >= .seconds(29) {
      let start = ContinuousClock.now
      let flush = try await Uploader(store: store).flush("there")
      #expect(flush.remaining == 1 && flush.reason == "there was no answer within 1 s")
      length = ContinuousClock.now - start
    }
    #expect(length < .seconds(29))
    try await silent.close()
  }

  /// The delay after a failure continues in the next process, by the wall clock.
  @Test func retryTimeSurvivesARestart() async throws {
    let rig = try UploadFixture()
    let server = try await TestServer.start { _ in .answer(503, [("Retry-After", "100")]) }
    do {
      let store = try rig.store()
      try store.add(.test(.whereabouts, server))
      try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
      _ = try await rig.drive(store) { if case .failed = $0 { true } else { false } }
      store.close()
    }
    await rig.clock.advance(by: .seconds(40))
    let outcome = try await rig.drive(try rig.store(), steps: 1)
    guard case .waiting(let until?) = outcome.last else { Issue.record("\(outcome.last)"); return }
    #expect(server.requests.count == 1)
    #expect(until.nanoseconds <= 62_000_000_000)
    try await server.stop()
  }

  @Test func endpointReceivesOnlyLaterItemsByDefault() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    try await store.commit(
      SampleHistory.commit(
        [SampleHistory.fix(1)],
        records: [NumberedFenceRecord(number: 1, record: .event(SampleHistory.event(1, at: 1)))]))
    try store.add(.test(.whereabouts, server, name: "later"))
    try await store.commit(SampleHistory.commit([SampleHistory.fix(2)]))
    try await rig.drive(store)
    #expect(server.requests.flatMap(\.ids) == ["fix/2"])
    try store.removeEndpoint("later")
    try store.add(.test(.whereabouts, server, name: "all"), from: .beginning)
    try await rig.drive(store)
    #expect(server.requests.flatMap(\.ids) == ["fix/2", "fix/1", "note/1", "fix/2"])
    try await server.stop()
  }

  @Test func unsupportedItemsAreCounted() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let server = try await TestServer.start { _ in .answer(200, body: "[]") }
    try store.add(.test(.owntracks, server))
    let events = [
      FenceRecord.event(SampleHistory.event(1, at: 1)), .event(SampleHistory.event(2, at: 2, .dwell)),
      .revised(.init(1), nil),
    ]
    let records = events.enumerated().map { NumberedFenceRecord(number: UInt64($0 + 1), record: $1) }
    try await store.commit(SampleHistory.commit([], records: records))
    try await rig.drive(store)
    #expect(server.requests.count == 1)
    #expect(try store.onlyStatus().unsupported == [.dwell: 1, .revision: 1])
    try await server.stop()
  }

  @Test func settingsMayChangeButNotQueuedRequests() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.url = "http://127.0.0.1:1/nobody"
    try store.add(endpoint)
    #expect(throws: StoreError.self) { try store.add(endpoint) }
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    _ = try await rig.drive(store) { if case .failed = $0 { true } else { false } }
    #expect(try store.onlyStatus().lastReason?.hasPrefix("no connection: connection refused") == true)
    var other = endpoint
    other.template = .overland
    #expect(throws: StoreError.self) { try store.update(other) }
    endpoint.url = server.url
    try store.update(endpoint)
    try await rig.drive(store)
    #expect(server.requests.map(\.ids) == [["fix/1"]])
    try store.update(other)
    try await server.stop()
  }

  // MARK: Sending lock

  @Test func credentialsAreReadFromAPrivateFile() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.authorizationFile = try rig.file("# mine\n\nBasic ann:secret\nX-Token:  abc \n")
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    try await rig.drive(store)
    #expect(server.requests.first?.fields["authorization"] == "Basic YW5uOnNlY3JldA==")
    #expect(server.requests.first?.fields["x-token"] == "abc")
    try await server.stop()
  }

  @Test func readableCredentialsFileIsRefusedWithoutLoss() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    let path = try rig.file("Bearer abc", mode: 0o640)
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.authorizationFile = path
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    let outcome = try await rig.drive(store) { if case .failed = $0 { true } else { false } }
    guard case .failed(let reason, _) = outcome.last else { Issue.record("\(outcome.last)"); return }
    #expect(reason.contains("chmod 600") && !reason.contains("abc"))
    #expect(server.requests.isEmpty)
    try UploadFixture.makePrivate(path)
    try await rig.drive(store)
    #expect(server.requests.first?.fields["authorization"] == "Bearer abc")
    try await server.stop()
  }

  @Test(arguments: [
    "", "# nothing\n", "Bearer a\u{7F}b", "no: \u{E9}", "?", "?a=b c", "?a=\u{E9}", "/a?b", "?a#b",
  ])
  func invalidHeaderFieldIsRefused(_ text: String) throws {
    #expect(throws: AuthorizationFile.ReadError.self) { try AuthorizationFile.contents(of: text, at: "file") }
  }

  @Test(arguments: [
    "http://ann:secret@example.org/", "ftp://example.org", "https://", "http://a b/", "https://a/#b",
    "https://example.org/?token=secret", "https://example.org/log?u=ann&api_key=secret",
    "http://a b?key=secret",
    "https://example.org?secret",
    "https://example.org:99999/x", "https://example.org:0/", "https://example.org:/", "https://ann:secret/",
    "http://::1/x", "http://[::1/x", "http://[::1]8080/", "http://[example.org]/", "http://a]b/",
    "http://:80/",
  ])
  func invalidURLIsRefused(_ url: String) {
    let problem = Endpoint(name: "a", url: url, template: .whereabouts).problem
    #expect(problem != nil && problem?.contains("=secret") != true && problem?.contains("secret/") != true)
  }

  @Test(arguments: [
    "https://example.org", "https://example.org:8443/x", "http://127.0.0.1:65535", "http://[::1]/x",
    "http://[fe80::1%25eth0]:8080/x", "http://[::ffff:192.0.2.1]?u=ann",
  ])
  func validURLIsAccepted(_ url: String) {
    let problem = Endpoint(name: "a", url: url, template: .whereabouts).problem
    #expect(problem == nil, "\(problem ?? "")")
  }

  @Test(arguments: [
    ("https://example.org/pub?u=ann&d=phone", "https://example.org/pub?u=ann&d=phone"),
    ("https://example.org/pub?token=secret&d=phone", "https://example.org/pub?token=…&d=phone"),
    ("https://ann:secret@example.org/pub", "https://example.org/pub"),
  ])
  func urlIsShownWithoutSecrets(_ url: String, _ shown: String) {
    #expect(Endpoint(name: "a", url: url, template: .whereabouts).redactedURL == shown)
  }

  /// The secret part of a URL is read from the file, and is in no file of the store.
  @Test func secretURLPartsAreReadFromTheFile() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let server = try await TestServer.start { _ in .answer(200) }
    var endpoint = Endpoint.test(.osmand, server)
    endpoint.url += "?user=ann"
    endpoint.authorizationFile = try rig.file("/s3cret-hook\n?token=s3cret-token\n")
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    try await rig.drive(store)
    let target = try #require(server.requests.first?.target)
    #expect(target.hasPrefix("/pub/s3cret-hook?user=ann&token=s3cret-token&id=this&lat=48"))
    #expect(server.requests.first?.fields["authorization"] == nil)
    store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: rig.folder) where name.contains("sqlite")
    {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(rig.folder)/\(name)"))
      #expect(bytes.range(of: Data("s3cret".utf8)) == nil, "\(name)")
    }
    try await server.stop()
  }

  @Test func namedPipeIsNoAuthorizationFile() throws {
    let rig = try UploadFixture(), path = "\(rig.folder)/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    do {
      _ = try AuthorizationFile.contents(at: path)
      Issue.record("read")
    } catch {
      #expect(error.description.contains("not a regular file"))
    }
  }

  // MARK: Simulated fixes

  @Test(arguments: [UploadTemplate.owntracks, .overland, .osmand])
  func simulatedFixesAreOmittedAndCountedByDefault(_ template: UploadTemplate) async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let server = try await TestServer.start { _ in
      .answer(200, body: template == .owntracks ? "[]" : template == .overland ? #"{"result":"ok"}"# : "")
    }
    var endpoint = Endpoint.test(template, server)
    try store.add(endpoint)
    try await store.commit(
      SampleHistory.commit([SampleHistory.fix(1, simulated: true), SampleHistory.fix(2)]))
    try await rig.drive(store)
    let status = try store.onlyStatus()
    #expect(status.sentItems == 1 && status.unsupported == [.simulated: 1])
    endpoint.sendsSimulated = true
    try store.update(endpoint)
    try await store.commit(SampleHistory.commit([SampleHistory.fix(3, simulated: true)]))
    await rig.clock.advance(by: .seconds(100))
    try await rig.drive(store)
    #expect(try store.onlyStatus().sentItems == 2)
    try await server.stop()
  }

  // MARK: Idle workers

  /// Seen before: each of 300 idle workers read the store once a second.
  @Test func idleWorkersShareOneTimer() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    for number in 1...300 { try store.add(.test(.whereabouts, server, name: "e\(number)")) }
    try await store.commit(SampleHistory.commit([]))
    let uploader = rig.uploader(store)
    let running = Task { await uploader.run() }
    for _ in 0..<30 {
      await rig.clock.advance(by: max(.zero, await rig.clock.nextDeadline().offset - rig.clock.now.offset))
      await Task.yield()
    }
    _ = await rig.clock.nextDeadline()
    #expect(await rig.clock.sleepers == 1)
    running.cancel()
    await running.value
    #expect(server.requests.isEmpty)
    try await server.stop()
  }

  @Test func retryResumesAStoppedEndpoint() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let isOpen = Locked(false)
    let server = try await TestServer.start { _ in isOpen.current ? .answer(200) : .answer(401) }
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.timeout = .longerThanAnyTest
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    let uploader = rig.uploader(store)
    let running = Task { await uploader.run() }
    try await rig.pass { try store.onlyStatus().stopReason != nil }
    isOpen.withLock { $0 = true }
    try store.retryUploads(to: "there")
    try await rig.pass { try store.onlyStatus().sent == 1 }
    running.cancel()
    await running.value
    #expect(Set(server.requests.map(\.key)).count == 1)
    try await server.stop()
  }
}
