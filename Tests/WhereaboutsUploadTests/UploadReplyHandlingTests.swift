import Foundation
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsUpload

/// The handling of each reply to a request, with a real server.
@Suite struct UploadReplyHandlingTests {
  typealias Behaviour = TestServer.Behaviour

  /// A server that goes through a script and then takes everything.
  private func server(_ script: [Behaviour]) async throws -> TestServer {
    let rest = Locked(script)
    return try await TestServer.start { _ in
      rest.withLock { $0.isEmpty ? .answer(200, body: #"{"result":"ok"}"#) : $0.removeFirst() }
    }
  }

  private func run(
    _ script: [Behaviour], _ template: UploadTemplate = .whereabouts, fixes: Int = 6, batch: Int = 2,
    check: (UploadFixture, SQLiteStore, TestServer, (last: UploadWorker.Step, waits: [Duration])) async throws
      -> Void,
    change: (inout Endpoint) -> Void = { _ in }
  ) async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server(script)
    var endpoint = Endpoint.test(template, server)
    endpoint.batchSize = batch
    change(&endpoint)
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit((1...fixes).map { SampleHistory.fix($0) }))
    let outcome = try await rig.drive(store)
    try await check(rig, store, server, outcome)
    try await server.stop()
    #expect(await rig.clock.sleepers == 0)
  }

  @Test func itemsArriveInOrderAndOnce() async throws {
    try await run([], fixes: 7, batch: 3) { _, store, server, _ in
      #expect(
        server.accepted.map(\.ids) == [["fix/1", "fix/2", "fix/3"], ["fix/4", "fix/5", "fix/6"], ["fix/7"]])
      #expect(Set(server.accepted.map(\.key)).count == 3)
      let first = try #require(server.accepted.first)
      #expect(first.text.contains("\"batch\":\(first.key)"))
      let status = try store.onlyStatus()
      #expect(
        status.sent == 3 && status.sentItems == 7 && status.waiting.requests == 0 && status.unreadFixes == 0)
    }
  }

  /// A compressed answer would not count, and its request would be sent for ever.
  @Test func answersMayNotBeCompressed() async throws {
    try await run([], .overland) { _, _, server, _ in
      #expect(server.requests.count == 3)
      #expect(server.requests.allSatisfy { $0.fields["accept-encoding"] == "identity" })
    }
  }

  /// Lost answers, errors and garbage: the same bytes under the same name, until it is taken; then the next.
  @Test(
    arguments: [
      .answer(500), .answer(503), .answer(429), .answer(408), .answer(425), .answer(409), .answer(599),
      .disconnect,
      .acceptThenDisconnect, .acceptThenTruncateReply, .acceptThenSendGarbage,
    ] as [Behaviour])
  func failedRequestsAreRetriedWithTheSameKey(_ behaviour: Behaviour) async throws {
    try await run([behaviour, behaviour, behaviour]) { _, store, server, outcome in
      #expect(outcome.waits.count == 3)
      let first = try #require(server.requests.first)
      for request in server.requests where request.ids == ["fix/1", "fix/2"] {
        #expect(request.key == first.key && request.body == first.body)
      }
      let order = server.requests.map(\.ids)
      #expect(order.drop { $0 == ["fix/1", "fix/2"] } == [["fix/3", "fix/4"], ["fix/5", "fix/6"]])
      let status = try store.onlyStatus()
      #expect(status.dead.requests == 0)
    }
  }

  @Test func answerThatIsNotHTTPIsNamed() async throws {
    try await run([.acceptThenSendGarbage], fixes: 1) { _, store, _, _ in
      let status = try store.onlyStatus()
      #expect(status.lastReason == "the answer is not HTTP, or ends early")
    }
  }

  @Test func requestIsAbandonedAfterTimeout() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server([.acceptThenHang])
    try store.add(.test(.whereabouts, server))
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    async let driven = rig.drive(store)
    for await request in server.arrivals {
      guard case .acceptThenHang = request.behaviour else { break }
      // The current sleeper waits for the reply.
      let deadline = await rig.clock.nextDeadline()
      #expect(deadline.offset == .seconds(30))
      await rig.clock.advance(by: deadline.offset)
    }
    let outcome = try await driven
    try #require(outcome.waits.count == 1 && server.requests.count == 2)
    #expect(Set(server.requests.map(\.key)).count == 1)
    #expect(
      rig.events.current.first?.kind
        == .failed(reason: "there was no answer within 30 s", retryAfter: outcome.waits[0])
    )
    try await server.stop()
  }

  @Test func endlessReplyIsAbandoned() async throws {
    try await run([.endlessReply], .overland, fixes: 1) { _, _, server, outcome in
      #expect(outcome.waits.count == 1 && server.requests.count == 2)
    }
  }

  /// The answer is that to the state before the repair. A repair of the credentials' file leaves the settings as they
  /// are.
  @Test(arguments: [401, 422], [false, true])
  func answerThatArrivesAfterARepairNeitherStopsNorSetsAside(status: Int, isReplaced: Bool) async throws {
    let rig = try UploadFixture(), store = try rig.store(), heads = Locked(0)
    let server = try await TestServer.start { _ in
      let number = heads.withLock { (count: inout Int) -> Int in
        count += 1
        return count
      }
      guard number == 1 else { return .answer(200, body: #"{"result":"ok"}"#) }
      if isReplaced, let endpoint = try? store.endpoints().first {
        try? store.update(endpoint)
      } else {
        _ = try? store.retryUploads(to: "there")
      }
      return .answer(status)
    }
    try store.add(.test(.whereabouts, server))
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    try await rig.drive(store)
    #expect(server.requests.count == 2 && Set(server.requests.map(\.key)).count == 1)
    let after = try store.onlyStatus()
    #expect(after.stopReason == nil && after.dead.requests == 0 && after.waiting.requests == 0)
    #expect(after.sent == 1)
    try await server.stop()
  }

  // MARK: Patience

  @Test func retryAfterSecondsAreObeyed() async throws {
    try await run([.answer(503, [("Retry-After", "120")]), .answer(429, [("Retry-After", "7")])]) {
      _, _, _, outcome in
      try #require(outcome.waits.count == 2)
      #expect((Duration.seconds(120)..<Duration.seconds(121)).contains(outcome.waits[0]))
      #expect((Duration.seconds(7)..<Duration.seconds(9)).contains(outcome.waits[1]))
    }
  }

  /// By the server's own clock, which may be wrong.
  @Test func retryAfterDatesAreObeyed() async throws {
    let fields = [
      ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Retry-After", "Sun, 06 Nov 1994 08:51:37 GMT"),
    ]
    try await run([.answer(503, fields)]) { _, _, _, outcome in
      try #require(outcome.waits.count == 1)
      #expect((Duration.seconds(120)..<Duration.seconds(121)).contains(outcome.waits[0]))
    }
  }

  @Test func retryAfterIsLimitedToADay() async throws {
    try await run([.answer(503, [("Retry-After", "99999999999999999999")])]) { _, _, _, outcome in
      try #require(outcome.waits.count == 1)
      #expect((Duration.seconds(86_400)..<Duration.seconds(86_402)).contains(outcome.waits[0]))
    }
  }

  /// Seen before: 58 tries in 30 s.
  @Test func zeroRetryAfterDoesNotStopBackoff() async throws {
    let answer = Behaviour.answer(503, [("Retry-After", "0")])
    try await run(Array(repeating: answer, count: 12)) { _, _, _, outcome in
      #expect(outcome.waits.count == 12)
      #expect(outcome.waits.suffix(4).reduce(.zero, +) > .seconds(60), "\(outcome.waits)")
      #expect(outcome.waits.allSatisfy { $0 <= .seconds(301) })
    }
  }

  /// Returns the worker of the only endpoint after a failed request, and after the failed one of a requested flush.
  private func workerAfterFlush(
    _ rig: UploadFixture, _ store: SQLiteStore, _ sender: HTTPSender
  ) async throws -> UploadWorker {
    let (row, devices) = try #require(try store.uploadTargets().first)
    var worker = rig.uploader(store).worker(row, try #require(devices.first), by: sender)
    var step = UploadWorker.Step.progressed
    while step == .progressed { step = try await worker.step() }
    guard case .failed = step else { return try #require(nil, "\(step)") }
    try store.requestFlush(to: row, at: rig.uploadClock.wall)
    step = try await worker.step()
    guard case .failed = step else { return try #require(nil, "a flush does not wait: \(step)") }
    return worker
  }

  /// Seen before: a second between two tries from then on.
  @Test func flushSkipsOnlyTheCurrentWait() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let server = try await TestServer.start { _ in .answer(503, [("Retry-After", "600")]) }
    try store.add(.test(.whereabouts, server))
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    try await rig.uploader(store).withSender { sender in
      var worker = try await workerAfterFlush(rig, store, sender)
      for _ in 0..<5 {
        let step = try await worker.step()
        guard case .waiting(_?) = step else { Issue.record("waits again: \(step)"); return }
      }
    }
    #expect(server.requests.count == 2)
    try await server.stop()
  }

  /// The sending process must notice a flush also after the wall clock was set back.
  @Test func flushSkipsTheWaitAfterTheClockWasSetBack() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let server = try await TestServer.start { _ in .answer(503, [("Retry-After", "600")]) }
    try store.add(.test(.whereabouts, server))
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    let (old, _) = try #require(try store.uploadTargets().first)
    try store.requestFlush(to: old, at: rig.uploadClock.wall.advanced(by: .seconds(86_400)))
    try await rig.uploader(store).withSender { sender in
      _ = try await workerAfterFlush(rig, store, sender)
    }
    #expect(server.requests.count == 2)
    try await server.stop()
  }

  // MARK: Refused requests

  @Test(arguments: [400, 415, 422, 431])
  func permanentlyRefusedRequestIsSetAsideAndTheNextIsSent(_ status: Int) async throws {
    try await run([.answer(status)]) { rig, store, server, outcome in
      #expect(outcome.waits.isEmpty)
      #expect(server.accepted.map(\.ids) == [["fix/3", "fix/4"], ["fix/5", "fix/6"]])
      let before = try store.onlyStatus()
      #expect(before.dead.requests == 1 && before.dead.items == 2)
      #expect(before.deadLetters.first?.reason.contains("\(status)") == true)
      // Looked after, it is sent as it was.
      #expect(try store.retryUploads(to: "there") == 1)
      try await rig.drive(store)
      #expect(server.accepted.last?.ids == ["fix/1", "fix/2"])
      #expect(server.accepted.last?.key == server.requests.first?.key)
    }
  }

  @Test(arguments: [401, 403, 407]) func wrongCredentialsStopTheEndpointAndRetainTheQueue(_ status: Int)
    async throws
  {
    try await run([.answer(status)]) { rig, store, server, outcome in
      guard case .stopped(let reason) = outcome.last else { Issue.record("went on"); return }
      #expect(reason.contains("\(status)") && reason.contains("credentials"))
      let stopped = try store.onlyStatus()
      #expect(stopped.stopReason == reason && stopped.waiting.requests == 3 && stopped.dead.requests == 0)
      #expect(server.requests.count == 1)
      try store.retryUploads(to: "there")
      try await rig.drive(store)
      #expect(server.accepted.map(\.ids) == [["fix/1", "fix/2"], ["fix/3", "fix/4"], ["fix/5", "fix/6"]])
    }
  }

  /// As a captive portal does it: for the server there was no such request.
  @Test(arguments: [301, 302, 303, 307, 308]) func redirectIsNotFollowedAndRequestIsRetried(_ status: Int)
    async throws
  {
    let other = try await TestServer.start { _ in .answer(200) }
    let answer = Behaviour.answer(status, [("Location", "\(other.url)?from=secret")])
    try await run([answer, answer]) { rig, store, server, outcome in
      #expect(outcome.waits.count == 2 && outcome.last == .waiting(until: nil))
      #expect(other.requests.isEmpty && server.requests.count == 5)
      #expect(server.accepted.map(\.ids) == [["fix/1", "fix/2"], ["fix/3", "fix/4"], ["fix/5", "fix/6"]])
      let status = try store.onlyStatus()
      #expect(status.unconfirmed == 2 && status.dead.requests == 0 && status.stopReason == nil)
      let reason = try #require(status.lastReason)
      #expect(reason.contains("127.0.0.1:\(other.port)") && !reason.contains("secret"))
    }
    try await other.stop()
  }

  // MARK: Captive portals

  /// The replies of a server for each template.
  private static func confirmationBody(_ template: UploadTemplate) -> String {
    switch template {
    case .whereabouts, .overland: #"{"result":"ok"}"#
    case .owntracks: "[]"
    case .osmand, .traccar: ""
    }
  }

  @Test(arguments: UploadTemplate.allCases) func captivePortalPageIsNoConfirmation(_ template: UploadTemplate)
    async throws
  {
    let page = "<!DOCTYPE html><html><body>Welcome to our Wi-Fi</body></html>"
    let script: [Behaviour] = [
      .answer(200, [("Content-Type", "text/html")], body: page),
      .answer(302, [("Location", "http://portal/")]),
      .answer(511, body: page), .answer(200, body: page),
    ]
    let rest = Locked(script)
    let server = try await TestServer.start { _ in
      rest.withLock { $0.isEmpty ? .answer(200, body: Self.confirmationBody(template)) : $0.removeFirst() }
    }
    let rig = try UploadFixture(), store = try rig.store()
    try store.add(.test(template, server))
    try await store.commit(SampleHistory.commit((1...4).map { SampleHistory.fix($0) }))
    let outcome = try await rig.drive(store)
    #expect(outcome.waits.count == 4)
    let status = try store.onlyStatus()
    #expect(status.sentItems == 4 && status.unconfirmed == 4, "\(status)")
    #expect(status.waiting.requests == 0 && status.dead.requests == 0 && status.stopReason == nil)
    // Tried again as it was.
    #expect(Set(server.requests.prefix(5).map(\.key)).count == 1)
    try await server.stop()
  }

  // MARK: Wrong places

  @Test(arguments: [(404, UploadTemplate.whereabouts), (405, .overland), (410, .traccar), (400, .osmand)])
  func wrongURLStopsEndpointAfterFewTriesAndRetainsQueue(_ status: Int, _ template: UploadTemplate)
    async throws
  {
    let isWrong = Locked(true)
    let server = try await TestServer.start { _ in
      isWrong.current ? .answer(status) : .answer(200, body: Self.confirmationBody(template))
    }
    let rig = try UploadFixture(), store = try rig.store()
    try store.add(.test(template, server))
    try await store.commit(SampleHistory.commit((1...30).map { SampleHistory.fix($0) }))
    let outcome = try await rig.drive(store)
    guard case .stopped(let reason) = outcome.last else { Issue.record("\(outcome.last)"); return }
    #expect(reason.contains("\(status)") && reason.contains("3 times in a row"))
    #expect(server.requests.count == 3 && outcome.waits.count == 2)
    let stopped = try store.onlyStatus()
    #expect(stopped.dead.requests == 0 && stopped.waiting.items == 30)
    isWrong.withLock { $0 = false }
    try store.retryUploads(to: "there")
    try await rig.drive(store)
    let sent = try store.onlyStatus()
    #expect(sent.sentItems == 30 && sent.dead.requests == 0 && sent.waiting.requests == 0)
    try await server.stop()
  }

  @Test(arguments: [200, 503]) func transientNotFoundRepliesDoNotStopTheEndpoint(between: Int) async throws {
    try await run([.answer(404), .answer(404), .answer(between), .answer(404), .answer(404)]) {
      _, store, _, outcome in
      #expect(outcome.last == .waiting(until: nil))
      let status = try store.onlyStatus()
      #expect(status.stopReason == nil && status.sentItems == 6 && status.dead.requests == 0)
    }
  }

  /// A server that is being restarted may answer 404 to the requests of all devices at once.
  @Test func oneNotFoundReplyForEachDeviceDoesNotStopTheEndpoint() async throws {
    let isStarting = Locked(true)
    let server = try await TestServer.start { _ in isStarting.current ? .answer(404) : .answer(200) }
    let rig = try UploadFixture(), store = try rig.store()
    try store.add(.test(.whereabouts, server))
    for device in ["a", "b", "c", "d"] as [DeviceID] {
      try await store.commit(SampleHistory.commit([SampleHistory.fix(1)], device: device))
    }
    let refused = try await rig.uploader(store).flush("there")
    #expect(refused.remaining == 4 && server.requests.count == 4)
    #expect(try store.onlyStatus().stopReason == nil)
    isStarting.withLock { $0 = false }
    let flush = try await rig.uploader(store).flush("there")
    #expect(flush.sent == 4 && flush.reason == nil)
    try await server.stop()
  }

  @Test func tooLargeRequestIsSplitInPlace() async throws {
    let server = try await TestServer.start { request in
      (Int(request.fields["content-length"] ?? "") ?? 0) > 600 ? .answer(413) : .answer(200)
    }
    let rig = try UploadFixture(), store = try rig.store()
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.batchSize = 8
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit((1...16).map { SampleHistory.fix($0) }))
    try await rig.drive(store)
    #expect(server.accepted.flatMap(\.ids) == (1...16).map { "fix/\($0)" })
    #expect(Set(server.accepted.map(\.key)).count == server.accepted.count)
    #expect(
      Set(server.accepted.map(\.key)).isDisjoint(
        with: server.requests.filter { !$0.behaviour.accepts }.map(\.key))
    )
    try await server.stop()
  }

  @Test func tooLargeSingleItemIsSetAside() async throws {
    try await run(Array(repeating: .answer(413), count: 3), batch: 2) { _, store, server, _ in
      #expect(server.accepted.map(\.ids) == [["fix/3", "fix/4"], ["fix/5", "fix/6"]])
      let status = try store.onlyStatus()
      #expect(status.dead.requests == 2)
    }
  }

  @Test func requestIsSetAsideAfterMaximumAttempts() async throws {
    try await run(Array(repeating: .answer(500), count: 3)) { _, store, server, outcome in
      #expect(outcome.waits.count == 2)
      #expect(server.accepted.map(\.ids) == [["fix/3", "fix/4"], ["fix/5", "fix/6"]])
      let status = try store.onlyStatus()
      #expect(status.deadLetters.first?.reason.hasSuffix("3 times") == true)
    } change: {
      $0.maximumAttempts = 3
    }
  }

  /// Being offline is not the request's fault.
  @Test func unreachableServerCountsNoAttempt() async throws {
    let rig = try UploadFixture(), store = try rig.store(),
      server = try await server([.disconnect, .answer(500)])
    var endpoint = Endpoint.test(.whereabouts, server)
    endpoint.maximumAttempts = 2
    endpoint.url = "http://127.0.0.1:1/nobody"
    try store.add(endpoint)
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)]))
    let failures = Locked(0)
    _ = try await rig.drive(store) { step in
      guard case .failed = step else { return false }
      return failures.withLock {
        $0 += 1; return $0 == 6
      }
    }
    endpoint.url = server.url
    try store.update(endpoint)
    try await rig.drive(store)
    let status = try store.onlyStatus()
    #expect(status.sent == 1 && status.dead.requests == 0 && server.requests.count == 2)
    try await server.stop()
  }

  // MARK: Compression

  @Test func bodiesAreCompressedWithGzip() async throws {
    try await run([], fixes: 40, batch: 40) { _, _, server, _ in
      let request = try #require(server.accepted.first)
      #expect(request.fields["content-encoding"] == "gzip" && request.body.starts(with: [0x1F, 0x8B]))
      let text = try Self.gunzip(request.body)
      #expect(text.contains("\"id\":\"fix/40\"") && text.utf8.count > 2 * request.body.count)
    } change: {
      $0.compresses = true
    }
  }

  @Test(arguments: [400, 415]) func serverWithoutCompressionReceivesPlainBytes(_ status: Int)
    async throws
  {
    try await run([.answer(status)], fixes: 80, batch: 40) { _, store, server, outcome in
      #expect(outcome.waits.isEmpty && server.accepted.count == 2)
      try #require(server.requests.map { $0.fields["content-encoding"] } == ["gzip", nil, nil])
      #expect(server.requests[0].key == server.requests[1].key)
      let status = try store.onlyStatus()
      #expect(status.dead.requests == 0)
    } change: {
      $0.compresses = true
    }
  }

  private static func gunzip(_ bytes: [UInt8]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(bytes))
    try input.fileHandleForWriting.close()
    // The output ends with the process; `waitUntilExit` may spin forever on a thread of the tests' pool.
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}
