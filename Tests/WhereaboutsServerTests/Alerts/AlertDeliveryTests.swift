import Crypto
import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// A server that notifies real receivers.
@Suite struct AlertDeliveryTests {
  let folder: TemporaryPlace

  init() throws { folder = try TemporaryPlace() }

  func settings(_ channel: String, _ alert: String = "") throws -> ServerSettings {
    let text = """
      {"channels": {"c": \(channel)}, "alerts": [{"name": "way", "fences": ["home"], "events": ["enter", "exit"],
        "channels": ["c"]\(alert)}]}
      """
    var settings = ServerSettings.test
    settings.timeZone = try #require(TimeZone(identifier: "UTC"))
    settings.alerts = try Self.alerts(atPath: try folder.write(text, to: "alerts.json"))
    return settings
  }

  /// Returns the alerts of a file. An answer that a busy machine delays is no failed attempt, unless a channel states its
  /// time.
  static func alerts(atPath path: String) throws -> AlertSettings {
    var alerts = try AlertFile.settings(atPath: path)
    for index in alerts.channels.indices where alerts.channels[index].timeout == .seconds(20) {
      alerts.channels[index].timeout = .seconds(1800)
    }
    return alerts
  }

  /// The way out of the fence around home, and the way back, in turns of ten minutes. Each is one crossing.
  static func leg(_ number: Int, since start: UTCTime) -> String {
    let out =
      Array(repeating: 0.0, count: 5) + (1...20).map { Double($0) * 40 } + Array(repeating: 800, count: 5)
    return Batches.overland(
      number.isMultiple(of: 2) ? out : out.reversed(), end: start.advanced(by: .seconds(600 * (number + 1))))
  }

  /// Adds the fence, and sends some legs of anna's.
  func send(legs: Range<Int>, _ server: TestServer, since start: UTCTime) async throws {
    if legs.lowerBound == 0 {
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
    }
    let token = try server.token("anna", [.read, .write])
    for leg in legs {
      #expect(try await server.post("/overland", Self.leg(leg, since: start), token: token).status == 200)
    }
  }

  struct Overview: Decodable {
    struct Channel: Decodable {
      var name: String, waiting: Int, delivered: Int, refused: Int, withdrawn: Int, stopped: String?
      var failure: String?
    }
    struct Notification: Decodable {
      var id: String, status: String, attempts: Int, reason: String?, type: String
    }
    struct Decision: Decodable { var event: String, notified: Bool, text: String }
    var channels: [Channel], notifications: [Notification], decisions: [Decision]
  }

  private static func overview(_ server: TestServer) async throws -> Overview {
    let answer = try await server.get("/api/v1/alerts", token: server.admin)
    return try JSONDecoder().decode(Overview.self, from: Data(answer.body.utf8))
  }

  /// Waits until the server's view of the alerts is as it should be.
  static func wait(
    _ server: TestServer, until isDone: (Overview) -> Bool
  ) async throws -> Overview {
    while true {
      let overview = try await Self.overview(server)
      if isDone(overview) { return overview }
      await Task.yield()
    }
  }

  private struct Content: Decodable {
    struct Crossing: Decodable {
      var device: String, fence: String, event: String, id: Int, lat: Double?, name: String?
    }
    var type: String, id: String, alert: String, text: String, crossing: Crossing
  }

  // MARK: Webhooks

  @Test func crossingArrivesSigned() async throws {
    let receiver = try await WebhookReceiver()
    _ = try folder.write("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", to: "secret")
    try await TestServer.run(settings(#"{"webhook": "\#(receiver.url)", "secretFile": "secret"}"#)) {
      server in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      try await send(legs: 0..<2, server, since: start)
      var requests = receiver.requests.makeAsyncIterator()
      for event in ["exit", "enter"] {
        let request = try #require(await requests.next())
        let content = try JSONDecoder().decode(Content.self, from: Data(request.body))
        #expect(content.type == "crossing" && content.id == request.id && content.alert == "way")
        #expect(content.crossing.device == "anna" && content.crossing.event == event)
        // Places are shared only if the channel allows it.
        #expect(content.crossing.fence == "home" && content.crossing.lat == nil)
        #expect(content.text.hasPrefix("anna \(event == "exit" ? "left" : "entered") home at "))
        let seconds = try #require(request.headers.first(name: "webhook-timestamp").flatMap { Int64($0) })
        let key = SymmetricKey(data: try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
        let code = HMAC<SHA256>.authenticationCode(
          for: Array("\(request.id).\(seconds).".utf8) + request.body, using: key)
        #expect(request.headers.first(name: "webhook-signature") == "v1,\(Data(code).base64EncodedString())")
      }
      let overview = try await Self.wait(server) {
        $0.channels[0].delivered == 2 && $0.decisions.count == 2
      }
      #expect(overview.channels[0].waiting == 0 && overview.decisions.map(\.event) == ["enter", "exit"])
      let metrics = try await server.get("/metrics").body
      #expect(metrics.contains(#"whereabouts_notifications{channel="c",status="delivered"} 2"#), "\(metrics)")
    }
    await receiver.stop()
  }

  /// `/metrics` needs no token, and the crossing of a withdrawn notification may be in a privacy zone.
  @Test func metricsLeaveOutWithdrawnNotifications() {
    let text = ServerMetrics().text(
      devices: 0, syncs: 0, notifications: ["c": [.delivered: 2, .withdrawn: 1]])
    #expect(text.contains(#"status="delivered"} 2"#) && !text.contains("withdrawn"), "\(text)")
  }

  @Test(arguments: [
    ("a\"b\\c", #"a\"b\\c"#), ("a\nb", #"a\nb"#), ("a\r\nb", "a\r" + #"\nb"#),
    ("a\"\u{301}", #"a\""# + "\u{301}"),
    ("é {x}", "é {x}"),
  ])
  func metricsEscapeTheNameOfAChannel(name: String, label: String) {
    let text = ServerMetrics().text(devices: 0, syncs: 0, notifications: [name: [.delivered: 2]])
    let line = "whereabouts_notifications{channel=\"\(label)\",status=\"delivered\"} 2"
    #expect(
      text.utf8.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(line.utf8) }, "\(text)")
  }

  @Test func failedDeliveryIsMadeAgainUnderItsID() async throws {
    let receiver = try await WebhookReceiver { $0 <= 2 ? .serviceUnavailable : .noContent }
    try await TestServer.run(settings(#"{"webhook": "\#(receiver.url)", "format": "text"}"#)) { server in
      try await send(legs: 0..<2, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
      var requests = receiver.requests.makeAsyncIterator(), seen: [WebhookReceiver.Request] = []
      while seen.count < 4, let request = await requests.next() { seen.append(request) }
      // The second crossing waits for the first.
      #expect(Set(seen.prefix(3).map(\.id)).count == 1 && seen[3].id != seen[0].id)
      #expect(seen[0].text.hasPrefix("anna left home at ") && seen[3].text.hasPrefix("anna entered home at "))
      let overview = try await Self.wait(server) { $0.channels[0].delivered == 2 }
      #expect(overview.notifications.map(\.attempts) == [0, 2])
    }
    await receiver.stop()
  }

  /// Every attempt fails until a person changes the URL.
  @Test func redirectIsNamedWithItsRemedy() async throws {
    let receiver = try await WebhookReceiver(fields: ["Location": "http://127.0.0.1/new"]) { _ in .found }
    try await TestServer.run(settings(#"{"webhook": "\#(receiver.url)"}"#)) { server in
      try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
      let overview = try await Self.wait(server) { $0.channels.first?.failure != nil }
      let failure = try #require(overview.channels.first?.failure)
      #expect(failure.contains("302") && failure.contains("change the URL"), "\(failure)")
    }
    await receiver.stop()
  }

  /// The status is the answer: a receiver that never ends its answer does not hold up later notifications.
  @Test func answerWithoutAnEndIsADelivery() async throws {
    let receiver = try await WebhookReceiver(endsAnswers: false)
    try await TestServer.run(settings(#"{"webhook": "\#(receiver.url)", "timeout": "2s"}"#)) { server in
      try await send(legs: 0..<2, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
      // No answer ever ends. A busy machine may need a second attempt for its status.
      _ = try await Self.wait(server) { $0.channels[0].delivered == 2 }
    }
    await receiver.stop()
  }

  /// Attempts that failed otherwise are no refusals.
  @Test func refusalAfterAnOutageIsTriedAgain() async throws {
    let receiver = try await WebhookReceiver(fields: ["Retry-After": "3600"]) {
      $0 == 1 ? .serviceUnavailable : .badRequest
    }
    let settings = try settings(#"{"webhook": "\#(receiver.url)"}"#)
    try await TestServer.withStore { store in
      try await TestServer.run(settings, store: store) { server in
        try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
        _ = try await Self.wait(server) { $0.notifications.first?.attempts == 1 }
      }
      let waiting = try #require(try store.nextNotification(of: "c"))
      for _ in 0..<4 { try store.endAttempt(of: waiting.id, .waiting, reason: "no answer", at: .now) }
      try await TestServer.run(settings, store: store) { server in
        let overview = try await Self.wait(server) {
          $0.notifications.first?.attempts == 6 || $0.channels[0].refused == 1
        }
        #expect(overview.channels[0].waiting == 1 && overview.channels[0].refused == 0)
      }
    }
    await receiver.stop()
  }

  /// A later crossing does not end the wait that a receiver asks for.
  @Test(arguments: ["3600", "Fri, 01 Jan 2100 00:00:00 GMT"])
  func newNotificationDoesNotShortenTheWait(patience: String) async throws {
    let receiver = try await WebhookReceiver(fields: ["Retry-After": patience]) { _ in .serviceUnavailable }
    let text = """
      {"channels": {"hook": {"webhook": "\(receiver.url)"}, "program": {"command": ["/bin/true"]}},
        "alerts": [{"name": "way", "fences": ["home"], "events": ["enter", "exit"],
          "channels": ["hook", "program"]}]}
      """
    var chosen = ServerSettings.test
    chosen.alerts = try Self.alerts(atPath: try folder.write(text, to: "alerts.json"))
    try await TestServer.run(chosen) { server in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      try await send(legs: 0..<1, server, since: start)
      _ = try await Self.wait(server) { $0.notifications.contains { $0.attempts == 1 } }
      try await send(legs: 1..<4, server, since: start)
      let overview = try await Self.wait(server) { $0.channels.contains { $0.delivered == 4 } }
      #expect(overview.notifications.map(\.attempts).max() == 1)
    }
    await receiver.stop()
  }

  @Test func waitSurvivesTheServer() async throws {
    let receiver = try await WebhookReceiver(fields: ["Retry-After": "3600"]) { _ in .serviceUnavailable }
    let text = """
      {"channels": {"hook": {"webhook": "\(receiver.url)"}, "program": {"command": ["/bin/true"]}},
        "alerts": [{"name": "way", "fences": ["home"], "events": ["enter", "exit"],
          "channels": ["hook", "program"]}]}
      """
    var chosen = ServerSettings.test
    chosen.alerts = try Self.alerts(atPath: try folder.write(text, to: "alerts.json"))
    try await TestServer.withStore { store in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      try await TestServer.run(chosen, store: store) { server in
        try await send(legs: 0..<1, server, since: start)
        _ = try await Self.wait(server) { $0.notifications.contains { $0.attempts == 1 } }
      }
      try await TestServer.run(chosen, store: store) { server in
        try await send(legs: 1..<2, server, since: start)
        let overview = try await Self.wait(server) { $0.channels.contains { $0.delivered == 2 } }
        #expect(overview.notifications.map(\.attempts).max() == 1)
      }
    }
    await receiver.stop()
  }

  /// The wait is that of the receiver that asked for it.
  @Test func changedReceiverIsNotifiedAtOnce() async throws {
    let first = try await WebhookReceiver(fields: ["Retry-After": "3600"]) { _ in .serviceUnavailable }
    let second = try await WebhookReceiver { _ in .noContent }
    try await TestServer.withStore { store in
      try await TestServer.run(settings(#"{"webhook": "\#(first.url)"}"#), store: store) { server in
        try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
        _ = try await Self.wait(server) { $0.notifications.first?.attempts == 1 }
      }
      try await TestServer.run(settings(#"{"webhook": "\#(second.url)"}"#), store: store) { server in
        let overview = try await Self.wait(server) { $0.channels[0].delivered == 1 }
        #expect(overview.channels[0].delivered == 1 && overview.channels[0].waiting == 0)
      }
    }
    await first.stop()
    await second.stop()
  }

  @Test func refusalsOfAnEarlierRunCount() async throws {
    let receiver = try await WebhookReceiver { _ in .badRequest }
    let settings = try settings(#"{"webhook": "\#(receiver.url)"}"#)
    try await TestServer.withStore { store in
      try await TestServer.run(settings, store: store) { server in
        try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
        _ = try await Self.wait(server) { ($0.notifications.first?.attempts ?? 0) >= 1 }
      }
      let waiting = try #require(try store.nextNotification(of: "c"))
      let stored = try #require(try store.notificationPause(of: "c"))
      #expect(stored.notification == waiting.id && stored.refusals == waiting.attempts)
      let pause = NotificationPause(
        notification: waiting.id, end: .now, length: .zero, refusals: 4, receiver: stored.receiver)
      try store.endAttempt(of: waiting.id, .waiting, reason: "refused", pause: pause, at: .now)
      try await TestServer.run(settings, store: store) { server in
        let overview = try await Self.wait(server) { $0.channels[0].refused == 1 }
        #expect(overview.notifications.first?.attempts == waiting.attempts + 1)
      }
      #expect(try store.notificationPause(of: "c") == nil)
    }
    await receiver.stop()
  }

  /// A clock that was set back by a year must not stop the channel for a year.
  @Test func pauseEndsAlsoByAClockThatWasSetBack() {
    let end = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000)
    let pause = NotificationPause(notification: 1, end: end, length: .seconds(60), refusals: 0, receiver: "c")
    for (rest, seconds) in [(20, -20.0), (0, 20), (60, -31_536_000)] {
      #expect(pause.rest(at: end.advanced(by: .seconds(seconds))) == .seconds(rest))
    }
  }

  @Test func receiverThatWantsNoMoreStopsItsChannel() async throws {
    let receiver = try await WebhookReceiver { _ in .gone }
    try await TestServer.run(settings(#"{"webhook": "\#(receiver.url)"}"#)) { server in
      try await send(legs: 0..<2, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
      let overview = try await Self.wait(server) {
        $0.channels[0].stopped != nil && $0.notifications.count == 2
      }
      #expect(overview.channels[0].waiting == 2 && overview.channels[0].stopped?.contains("410") == true)
    }
    await receiver.stop()
  }

  @Test func notificationSurvivesTheServerAndIsWithdrawnWithItsChannel() async throws {
    let receiver = try await WebhookReceiver { $0 == 1 ? nil : .ok }
    let first = try settings(#"{"webhook": "\#(receiver.url)"}"#)
    try await TestServer.withStore { store in
      var requests = receiver.requests.makeAsyncIterator(), ids: [String] = []
      try await TestServer.run(first, store: store) { server in
        try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
        ids.append(try #require(await requests.next()).id)
      }
      // The next server makes the delivery again, under the same id.
      try await TestServer.run(first, store: store) { server in
        ids.append(try #require(await requests.next()).id)
        _ = try await Self.wait(server) { $0.channels[0].delivered == 1 }
      }
      #expect(Set(ids).count == 1)
      // Without alerts crossings pass; with them again only later ones count.
      try await TestServer.run(store: store) { server in
        try await send(legs: 1..<2, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
      }
      try await TestServer.run(first, store: store) { server in
        try await send(legs: 2..<3, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
        #expect(try #require(await requests.next()).text.contains(#""event":"exit""#))
        _ = try await Self.wait(server) { $0.channels[0].delivered == 2 }
      }
    }
    await receiver.stop()
  }

  // MARK: Privacy

  @Test func privacyZoneAndErasureWithholdNotifications() async throws {
    let receiver = try await WebhookReceiver { _ in .serviceUnavailable }
    try await TestServer.run(settings(#"{"webhook": "\#(receiver.url)"}"#)) { server in
      try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
      _ = try await Self.wait(server) { $0.channels[0].waiting == 1 }
      var random = SystemRandomNumberGenerator()
      let home = try #require(Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
      let zone = try PrivacyZone(name: "home", center: home, radius: 300, policy: .hide, using: &random)
      try ZoneRegistry(server.store).add(zone)
      _ = try await Self.wait(server) { $0.channels[0].withdrawn == 1 }
    }
    await receiver.stop()
  }

  // MARK: Commands

  @Test func commandGetsTheCrossing() async throws {
    let out = folder.path("out")
    let script = try folder.write(
      "#!/bin/sh\ncat >> \(out)\nprintf '%s|%s|%s\\n' \"$1\" \"$WHEREABOUTS_DEVICE\" \"$WHEREABOUTS_MQTT_BROKER\" >> \(out)\n",
      to: "notify.sh")
    #expect(chmod(script, 0o700) == 0)
    try await TestServer.run(
      settings(#"{"command": ["\#(script)", "{event} of {fence}"], "places": "exact"}"#)
    ) {
      server in
      try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
      _ = try await Self.wait(server) { $0.channels[0].delivered == 1 }
    }
    let lines = try String(contentsOfFile: out, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines[1] == "exit of home|anna|")
    #expect(lines[0].contains(#""lat":52.5"#) && lines[0].contains(#""alert":"way""#), "\(lines)")
  }

  @Test func commandGetsNoSecretOfTheEnvironment() {
    let passed = [
      "PATH": "/bin", "HOME": "/home/anna", "LANG": "C.UTF-8", "LC_TIME": "de_DE.UTF-8",
      "XDG_RUNTIME_DIR": "/run/user/1000",
    ]
    let withheld = ["CLOUD_KEY": "secret", "WHEREABOUTS_MQTT_BROKER": "mqtt://anna@host"]
    let environment = CommandSender.environment(
      ["text": "a\0b"], server: passed.merging(withheld) { first, _ in first })
    #expect(environment == passed.merging(["WHEREABOUTS_TEXT": "ab"]) { first, _ in first })
  }

  /// The next server would make the delivery once more.
  @Test func deliveryAtTheEndOfTheServerCounts() async throws {
    let started = folder.path("started")
    let script = try folder.write(
      "#!/bin/sh\ntrap 'exit 0' TERM\ntouch \(started)\nwhile :; do sleep 1 & wait; done\n", to: "notify.sh")
    #expect(chmod(script, 0o700) == 0)
    let settings = try settings(#"{"command": ["\#(script)"]}"#)
    try await TestServer.withStore { store in
      var delivered: Int?
      // On a busy machine the program may be killed before it ends by itself.
      for attempt in 0..<5 where delivered == nil {
        try? FileManager.default.removeItem(atPath: started)
        try await TestServer.run(settings, store: store) { server in
          if attempt == 0 {
            try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
          }
          while !FileManager.default.fileExists(atPath: started) {
            try await Task.sleep(for: .milliseconds(10))
          }
        }
        delivered = try store.notificationCounts()["c"]?[.delivered]
      }
      #expect(delivered == 1)
    }
  }

  @Test func failingCommandIsSetAside() async throws {
    try await TestServer.run(settings(#"{"command": ["/bin/false"]}"#)) { server in
      try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
      let overview = try await Self.wait(server) { $0.channels[0].refused == 1 }
      #expect(overview.notifications.first?.reason == "the program ended with 1")
    }
  }

  // MARK: The trial

  /// A trial decides about stored crossings as the server did, and changes nothing.
  @Test func trialDecidesAsTheServer() async throws {
    let settings = try settings(#"{"command": ["/bin/true"]}"#, #", "coolDown": "1h""#)
    let alerts = try #require(settings.alerts), zone = try #require(TimeZone(identifier: "UTC"))
    try await TestServer.withStore { store in
      var reported: [Overview.Decision] = []
      try await TestServer.run(settings, store: store) { server in
        try await send(legs: 0..<3, server, since: UTCTime.now.advanced(by: .seconds(-6000)))
        reported = try await Self.wait(server) { $0.decisions.count == 3 && $0.channels[0].delivered == 1 }
          .decisions
      }
      var decisions: [AlertTrial.Decision] = []
      try AlertTrial(alerts, timeZone: zone).run(on: store) { decisions.append($0) }
      #expect(decisions.map(\.event.kind.rawValue) == reported.reversed().map(\.event))
      #expect(decisions.map(\.text) == reported.reversed().map(\.text))
      #expect(decisions.map(\.channels) == [["c"], [], []])
      #expect(try store.notifications(of: nil, limit: 10).count == 1)
    }
  }

  // MARK: The overview

  /// The crossings of a new device have the same ids as those of an erased one of its name.
  @Test func decisionsAboutAnErasedDeviceDoNotComeBack() async throws {
    try await TestServer.run(settings(#"{"command": ["/bin/true"]}"#)) { server in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      try await send(legs: 0..<1, server, since: start)
      let before = try await Self.wait(server) { $0.channels[0].delivered == 1 }
      #expect(before.decisions.map(\.event) == ["exit"])
      #expect(try await server.send(.DELETE, "/api/v1/devices/anna", token: server.admin).status == 200)
      try await send(legs: 1..<2, server, since: start)
      let after = try await Self.wait(server) { $0.channels[0].delivered == 1 }
      #expect(after.decisions.map(\.event) == ["enter"])
    }
  }

  @Test func overviewIsForAdministrators() async throws {
    try await TestServer.run(settings(#"{"command": ["/bin/true"]}"#, #", "coolDown": "1h""#)) { server in
      try await send(legs: 0..<2, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
      let overview = try await Self.wait(server) { $0.decisions.count == 2 }
      #expect(overview.decisions.map(\.notified) == [false, true])
      #expect(overview.decisions[0].text.hasPrefix("cool-down until "))
      #expect(try await server.get("/api/v1/alerts").status == 401)
      #expect(try await server.get("/api/v1/alerts", token: server.token("anna", [.read])).status == 403)
      // An administrator of one device may not learn of the others.
      let ofBen = try await server.get("/api/v1/alerts", token: server.token("ben", [.admin]))
      #expect(ofBen.status == 403 && !ofBen.body.contains("anna"), "\(ofBen.body)")
      #expect(try await server.get("/api/v1/alerts?alert=none", token: server.admin).status == 404)
      #expect(try await server.get("/api/v1/alerts?limit=0", token: server.admin).status == 400)
      let one = try await server.get("/api/v1/alerts?alert=way&limit=1", token: server.admin).body
      let documents = try await OpenAPIDocument.served(by: server)
      let operation = OpenAPIDocument.Operation(method: "GET", path: "/api/v1/alerts")
      let document = try #require(documents.first { $0.operations.contains(operation) })
      let schema = try #require(
        try document.response(operation, status: 200)?["content"]?["application/json"]?["schema"])
      let body = try await server.get("/api/v1/alerts", token: server.admin).body
      let all = try JSONDecoder().decode(JSONValue.self, from: Data(body.utf8))
      #expect(try SchemaValidator(document: document).problems(of: all, schema) == [])
      #expect(one.contains(#""unknownFences":[]"#) && one.contains(#""program":"/bin/true""#), "\(one)")
    }
    // A server without alerts has none.
    try await TestServer.run { server in
      let none = try await server.get("/api/v1/alerts", token: server.admin).body
      #expect(none.contains(#""alerts":[]"#), "\(none)")
    }
  }
}
