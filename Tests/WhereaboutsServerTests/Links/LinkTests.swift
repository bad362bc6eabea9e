import Foundation
import GRDB
import Logging
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// Links that show a device to others for a while.
@Suite struct LinkTests {
  private static let links = "/api/v1/devices/anna/links"

  /// Stores the fixes of an hour ago and of now, and returns the owner's token and a link's secret and number.
  private static func link(
    _ server: TestServer, _ body: String = #"{"seconds":3600}"#
  ) async throws -> (owner: String, secret: String, id: Int) {
    let owner = try server.token("anna", [.read, .write])
    let past = Batches.overland([0, 0, 0], end: UTCTime.now.advanced(by: .seconds(-3600)))
    _ = try await server.post("/overland", past, token: owner)
    _ = try await server.post("/overland", Batches.overland([500]), token: owner)
    let answer = try await server.post(links, body, token: owner)
    #expect(answer.status == 201, "\(answer.body)")
    let path = try #require(answer["path", as: String.self])
    return (owner, String(path.dropFirst("/#token=".count)), try #require(answer["id", as: Int.self]))
  }

  @Test func linkShowsNothingFromBefore() async throws {
    // The trip of the day must begin before the link at any time of the test: here it is noon.
    var settings = ServerSettings.test
    let second = Int(UTCTime.now.nanosecondsSince1970 / 1_000_000_000 % 86_400)
    settings.timeZone = try #require(TimeZone(secondsFromGMT: (43_200 - second) / 900 * 900))
    try await TestServer.run(settings) { server in
      let link = try await Self.link(server)
      let fix = try await server.get("/api/v1/devices/anna/fix", token: link.secret)
      #expect(fix.status == 200, "\(fix.body)")
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: link.secret)
      #expect(fixes["fixes", as: [Any].self]?.count == 1, "\(fixes.body)")
      // The cursor behind an empty page would state the time of an earlier fix.
      for query in ["?limit=1", "?limit=1&from=2024-01-01", "?newest=1"] {
        let page = try await server.get("/api/v1/devices/anna/fixes\(query)", token: link.secret)
        #expect(page["fixes", as: [Any].self]?.count == 1, "\(query): \(page.body)")
        // Nor does it state how many fixes are stored.
        if let next = page["next", as: String.self] {
          #expect(next.hasSuffix("~1"), "\(next)")
          let rest = try await server.get("/api/v1/devices/anna/fixes?cursor=\(next)", token: link.secret)
          #expect(rest.body == #"{"fixes":[]}"#, "\(rest.body)")
          // Nor does the answer to the cursor of an owner, which a reader can write, too.
          for number in [0, 100] {
            let path = "/api/v1/devices/anna/fixes?cursor=\(next.dropLast(2)).\(number)"
            let answer = try await server.get(path, token: link.secret)
            #expect(answer["fixes", as: [Any].self]?.count == 1, "\(answer.body)")
          }
        }
      }
      let past = "/api/v1/devices/anna/fixes?limit=1&to=2024-01-01"
      let before = try await server.get(past, token: link.secret)
      #expect(before.body == #"{"fixes":[]}"#)
      let trips = try await server.get("/api/v1/devices/anna/trips", token: link.secret)
      #expect(trips["trips", as: [Any].self]?.isEmpty == true, "\(trips.body)")
      for path in ["days", "places", "links", "why?fence=home"] {
        #expect(try await server.get("/api/v1/devices/anna/\(path)", token: link.secret).status == 403)
      }
      #expect(try await server.post(Self.links, #"{"seconds":60}"#, token: link.secret).status == 403)
      #expect(try await server.post("/overland", Batches.overland([0]), token: link.secret).status == 403)
    }
  }

  /// A misspelt condition makes no link, and the message is a sentence.
  @Test(arguments: [
    (#"{"seconds":60,"foo":1}"#, 400, "foo is unknown. Known are seconds, accuracyCap"),
    (#"{"seconds":60,"accuracyCap":-5}"#, 422, "An accuracy cap is 10 m to 1000 km."),
    (#"{"seconds":"60"}"#, 400, "seconds is a number of seconds."),
    (#"{"seconds":60,"accuracyCap":"500m"}"#, 400, "accuracyCap is a number of metres."),
    (#"{"seconds":60,"looks":"3"}"#, 400, "looks is a whole number."),
    (#"{"seconds":60,"label":5}"#, 400, "label is a text."),
    ("{}", 400, #"as in {\"seconds\":3600}"#),
    (#"{"label":"Kin"}"#, 400, #"seconds is missing, a number as in {\"seconds\":3600}."#),
    (#"{"seconds":60,"looks":1.5}"#, 400, "looks is a whole number."),
    ("x", 400, "The body must be an object"),
  ])
  func badTermsAreRefused(_ body: String, _ status: Int, _ message: String) async throws {
    try await TestServer.run { server in
      let link = try await Self.link(server)
      let answer = try await server.post(Self.links, body, token: link.owner)
      #expect(answer.status == status && answer.body.contains(message), "\(answer.body)")
    }
  }

  /// Many such bodies at once would fill the memory of the server.
  @Test func greatBodyMakesNoLink() async throws {
    try await TestServer.run { server in
      let link = try await Self.link(server)
      let label = String(repeating: "a", count: 70_000)
      let body = #"{"seconds":60,"label":"\#(label)"}"#
      let answer = try await server.post(Self.links, body, token: link.owner)
      #expect(
        answer.status == 413 && answer.body.contains("larger than 65536 bytes. Shorten its texts."),
        "\(answer.body.prefix(300))")
    }
  }

  @Test func endedLinkEndsItsStreamAtOnce() async throws {
    try await TestServer.run { server in
      let link = try await Self.link(server)
      var events = try await server.stream(token: link.secret)
      _ = try await server.post("/overland", Batches.overland([520]), token: link.owner)
      #expect(try await events.next()?.name == "fix")
      let list = try await server.get(Self.links, token: link.owner)
      #expect(list["links", as: [Any].self]?.count == 1 && !list.body.contains(link.secret))
      #expect(try await server.send(.DELETE, "\(Self.links)/\(link.id)", token: link.owner).status == 204)
      _ = try await server.post("/overland", Batches.overland([540]), token: link.owner)
      #expect(try await events.next() == nil)
      #expect(try await server.get("/api/v1/devices/anna/fix", token: link.secret).status == 401)
      #expect(try await server.send(.DELETE, "\(Self.links)/\(link.id)", token: link.owner).status == 404)
    }
  }

  /// Two requests for a link at the same time remove the same links that have expired.
  @Test func expiredLinkMayBeGone() async throws {
    try await TestServer.run { server in
      let link = try await Self.link(server)
      let past = UTCTime.now.advanced(by: .seconds(-3600))
      let terms = TokenTerms(
        device: "anna", scopes: [.read], expires: past.advanced(by: .seconds(60)), since: past)
      let expired = try server.tokens.create(terms, at: past).token
      // The registry of the server reads the change within a second.
      try server.store.write {
        try $0.execute(sql: "DELETE FROM token WHERE id = ?", arguments: [expired.id])
      }
      let made = try await server.post(Self.links, #"{"seconds":60}"#, token: link.owner)
      #expect(made.status == 201, "\(made.body)")
    }
  }

  /// A command may have ended the link a moment ago.
  @Test func linkThatIsGoneIsNotFound() async throws {
    try await TestServer.run { server in
      let link = try await Self.link(server)
      try server.store.write {
        try $0.execute(sql: "DELETE FROM token WHERE id = ?", arguments: [link.id])
      }
      let answer = try await server.send(.DELETE, "\(Self.links)/\(link.id)", token: link.owner)
      #expect(answer.status == 404, "\(answer.body)")
    }
  }

  @Test func linkMayBeCoarse() async throws {
    try await TestServer.run { server in
      let link = try await Self.link(server, #"{"seconds":3600,"accuracyCap":5000,"label":"Kin"}"#)
      let fix = try await server.get("/api/v1/devices/anna/fix", token: link.secret)
      #expect(fix.status == 200 && (fix["hacc", as: Double.self] ?? 0) > 1_000, "\(fix.body)")
    }
  }

  // MARK: Looks

  private static let firefox = (
    "User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
  )
  private static let chrome = (
    "User-Agent", "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Safari/537.36"
  )

  /// Two browsers are two looks; the requests of one within half an hour are one.
  @Test func linkEndsAfterItsLooks() async throws {
    try await TestServer.run { server in
      let link = try await Self.link(server, #"{"seconds":3600,"looks":1,"label":"Kin"}"#)
      let path = "/api/v1/devices/anna/fix"
      for _ in 0..<3 {
        #expect(try await server.send(.GET, path, token: link.secret, headers: [Self.firefox]).status == 200)
      }
      let refused = try await server.send(.GET, path, token: link.secret, headers: [Self.chrome])
      #expect(refused.status == 401 && refused.body.contains("as often as it may be"), "\(refused.body)")
      #expect(try await server.send(.GET, path, token: link.secret, headers: [Self.firefox]).status == 200)
      let looks = try await server.get("/api/v1/devices/anna/looks", token: link.owner)
      let entries = try #require(looks["looks", as: [[String: Any]].self])
      #expect(
        entries.count == 1 && entries[0]["reader"] as? String == "this machine, Firefox on Linux",
        "\(looks.body)")
      #expect(entries[0]["label"] as? String == "Kin" && entries[0]["link"] as? Int == link.id)
      let list = try await server.get(Self.links, token: link.owner)
      #expect(list.body.contains(#""looks":1,"looked":1"#), "\(list.body)")
      // The list outlives the link, and goes with the span that it belongs to.
      #expect(try await server.send(.DELETE, "\(Self.links)/\(link.id)", token: link.owner).status == 204)
      let kept = try server.store.looks(at: "anna")
      #expect(kept.count == 1)
      try server.store.forget(
        .span(UTCTime(nanosecondsSince1970: 0)..<UTCTime.now.advanced(by: .seconds(60)), of: "anna"))
      let left = try server.store.looks(at: "anna")
      #expect(left.isEmpty)
    }
  }

  /// A register of a restarted server knows the looks of the one before.
  @Test func looksSurviveARestart() throws {
    let folder = try TemporaryPlace()
    let store = try SQLiteStore.open(at: folder.path("s"))
    var terms = TokenTerms(
      device: "anna", scopes: [.read], expires: UTCTime.now.advanced(by: .seconds(9_000)), since: .now)
    terms.link = LinkTerms(looks: 2)
    let start = UTCTime.now
    let link = try TokenRegistry(store).create(terms, at: start).token
    #expect(try TokenRegistry(store).list() == [link])
    #expect(try LookRegister(store).admit(link, "a", at: start))
    for second in [1, 1_799] {
      #expect(try LookRegister(store).admit(link, "a", at: start.advanced(by: .seconds(second))))
    }
    let register = LookRegister(store)
    #expect(try register.admit(link, "a", at: start.advanced(by: .seconds(1_800))))
    #expect(try !register.admit(link, "b", at: start.advanced(by: .seconds(1_801))))
    #expect(try !register.admit(link, "a", at: start.advanced(by: .seconds(3_600))))
    #expect(try store.looks(at: "anna").count == 2)
  }

  /// A request with a link may be under way while the device is erased.
  @Test func lookBringsNoErasedDeviceBack() throws {
    let folder = try TemporaryPlace()
    let store = try SQLiteStore.open(at: folder.path("s"))
    var terms = TokenTerms(
      device: "anna", scopes: [.read], expires: UTCTime.now.advanced(by: .seconds(9_000)), since: .now)
    terms.link = LinkTerms(looks: 2)
    let link = try TokenRegistry(store).create(terms, at: .now).token, register = LookRegister(store)
    try store.forget(.device("anna"))
    _ = try register.admit(link, "a", at: .now)
    #expect(try store.devices().isEmpty)
    #expect(try store.looks(at: "anna").isEmpty)
  }

  @Test(arguments: [
    ("192.0.2.77", "192.0.2.0/24"), ("127.0.0.1", "this machine"), ("::1", "this machine"),
    ("2001:db8:1:2:3::9", "2001:db8:1::/48"), ("::ffff:192.0.2.77", "192.0.2.0/24"), ("x", "this machine"),
  ])
  func readerIsNamedByNetwork(address: String, network: String) {
    #expect(ReaderName.network(of: address, (24, 48)) == network)
    #expect(ReaderName(address: address, userAgent: nil).text == "\(network), another program")
  }

  @Test func householdIsOneKeyOfFailures() {
    #expect(ReaderName.network(of: "2001:db8:1:2:3::9", (32, 64)) == "2001:db8:1:2::/64")
    #expect(ReaderName.network(of: "192.0.2.77", (32, 64)) == "192.0.2.77")
  }

  // MARK: Arrival

  @Test func linkEndsOnArrival() async throws {
    try await TestServer.withStore { store in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      var link = (owner: "", secret: "", id: 0)
      try await TestServer.run(store: store) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        let owner = try server.token("anna", [.read, .write])
        // At home, a link until the arrival there is none.
        _ = try await server.post("/overland", Batches.overland([0, 0, 0, 0, 0], end: start), token: owner)
        let there = try await server.post(Self.links, #"{"seconds":3600,"arrival":"home"}"#, token: owner)
        #expect(there.status == 409, "\(there.body)")
        let out = (1...20).map { Double($0) * 40 } + Array(repeating: 800, count: 5)
        _ = try await server.post(
          "/overland", Batches.overland(out, end: start.advanced(by: .seconds(600))), token: owner)
        let body = #"{"seconds":3600,"arrival":"home","accuracyCap":500,"near":600}"#
        let made = try await server.post(Self.links, body, token: owner)
        #expect(made.status == 201 && made.body.contains(#""arrival":"home","near":600"#), "\(made.body)")
        let path = try #require(made["path", as: String.self])
        link = (owner, String(path.dropFirst("/#token=".count)), try #require(made["id", as: Int.self]))
        // Far away the place is coarse, near it is exact.
        let far = try await server.get("/api/v1/devices/anna/fix", token: link.secret)
        #expect((far["hacc", as: Double.self] ?? 0) >= 500, "\(far.body)")
        let near = Batches.overland([760, 680, 600, 520, 440], end: start.advanced(by: .seconds(900)))
        _ = try await server.post("/overland", near, token: owner)
        let shown = try await server.get("/api/v1/devices/anna/fix", token: link.secret)
        #expect((shown["hacc", as: Double.self] ?? 1000) < 100, "\(shown.body)")
        var events = try await server.stream(token: link.secret)
        let home = Batches.overland(
          [360, 280, 200, 120, 40, 0, 0, 0, 0, 0], end: start.advanced(by: .seconds(1500)))
        _ = try await server.post("/overland", home, token: owner)
        while try await events.next() != nil {}
        #expect(try await server.get("/api/v1/devices/anna/fix", token: link.secret).status == 401)
        let left = try await server.get(Self.links, token: owner)["links", as: [Any].self]
        #expect(left?.isEmpty == true)
      }
    }
  }

  /// A fence that reports no arrivals would never end a link, nor would one around the newest fix that is so new that
  /// the side is not known yet.
  @Test func linkNeedsAFenceAtWhichTheDeviceArrives() async throws {
    try await TestServer.run { server in
      let owner = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland([800, 800]), token: owner)
      let exits = Batches.fence().replacing("\"radius\"", with: "\"notify\":[\"exit\"],\"radius\"")
      _ = try await server.send(.PUT, "/api/v1/fences", exits, token: server.admin)
      let never = try await server.post(Self.links, #"{"seconds":3600,"arrival":"home"}"#, token: owner)
      #expect(never.status == 422 && never.body.contains("does not report when"), "\(never.body)")
      for (id, radius, status) in [("wide", 900, 409), ("narrow", 700, 201)] {
        _ = try await server.send(
          .PUT, "/api/v1/fences", Batches.fence(id, radius: radius), token: server.admin)
        let made = try await server.post(Self.links, "{\"seconds\":3600,\"arrival\":\"\(id)\"}", token: owner)
        #expect(made.status == status, "\(made.body)")
      }
    }
  }

  /// Stores a way out of the fence around home and back, and creates a link as of when the device was out.
  private static func linkOfArrived(
    _ store: SQLiteStore
  ) async throws -> (token: AccessToken, secret: String) {
    let start = UTCTime.now.advanced(by: .seconds(-3000))
    try await TestServer.run(store: store) { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let owner = try server.token("anna", [.read, .write])
      let way = [0, 0, 0, 0, 0] + (1...20).map { Double($0) * 40 } + Array(repeating: 800, count: 5)
      _ = try await server.post("/overland", Batches.overland(way, end: start), token: owner)
      _ = try await server.post(
        "/overland", Batches.overland(way.reversed(), end: start.advanced(by: .seconds(900))), token: owner)
    }
    var terms = TokenTerms(
      device: "anna", scopes: [.read], expires: UTCTime.now.advanced(by: .seconds(600)), since: start)
    terms.link = LinkTerms(arrival: LinkTerms.Arrival(fence: "home", afterNumber: 1))
    return try TokenRegistry(store).create(terms, at: .now)
  }

  /// A server that was killed between the crossing and the end of the link ends it before its first answer.
  @Test func arrivalIsNotedAtTheStart() async throws {
    try await TestServer.withStore { store in
      let secret = try await Self.linkOfArrived(store).secret
      #expect(try TokenRegistry(store).verify(secret, at: .now) != nil)
      try await TestServer.run(store: store) { server in
        let answer = try await server.get("/api/v1/devices/anna/fix", token: secret)
        #expect(answer.status == 401)
      }
    }
  }

  /// A device may arrive after the check at the start, and before the crossings are followed.
  @Test func arrivalIsNotedAfterTheStart() async throws {
    try await TestServer.withStore { store in
      let link = try await Self.linkOfArrived(store).token
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let core = try LocationServer(settings: .test, store: store, source: nil, logger: logger).core
      #expect(core.tokens.list().contains { $0.id == link.id })
      let arrivals = Task { try await LinkArrivals(core: core).run() }
      while core.tokens.list().contains(where: { $0.id == link.id }) {
        try await Task.sleep(for: .milliseconds(10))
      }
      arrivals.cancel()
      try await arrivals.value
    }
  }

  /// A device may arrive while its link is made: the crossings are read again once the link exists.
  @Test func newLinkIsCheckedForAnArrival() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let owner = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland([800, 800]), token: owner)
      let subscription = try #require(server.core.hub.follow())
      _ = subscription.drain()
      let made = try await server.post(Self.links, #"{"seconds":3600,"arrival":"home"}"#, token: owner)
      #expect(made.status == 201 && subscription.drain().hasCrossings, "\(made.body)")
    }
  }

  /// A store that could not be written at the arrival leaves no link open.
  @Test func linkEndsAfterAFailureOfTheStore() async throws {
    try await TestServer.run { server in
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let owner = try server.token("anna", [.read, .write])
      let way = [0, 0, 0, 0, 0] + (1...20).map { Double($0) * 40 } + Array(repeating: 800, count: 5)
      _ = try await server.post("/overland", Batches.overland(way, end: start), token: owner)
      let made = try await server.post(Self.links, #"{"seconds":3600,"arrival":"home"}"#, token: owner)
      let path = try #require(made["path", as: String.self]), fix = "/api/v1/devices/anna/fix"
      let secret = String(path.dropFirst("/#token=".count))
      try server.store.write {
        try $0.execute(
          sql: "CREATE TRIGGER kept BEFORE DELETE ON token BEGIN SELECT RAISE(ABORT, 'kept'); END")
      }
      _ = try await server.post(
        "/overland", Batches.overland(way.reversed(), end: start.advanced(by: .seconds(900))), token: owner)
      try await Task.sleep(for: .milliseconds(500))
      #expect(try await server.get(fix, token: secret).status == 200)
      try server.store.write { try $0.execute(sql: "DROP TRIGGER kept") }
      var status = 200
      while status == 200 {
        status = try await server.get(fix, token: secret).status
        if status == 200 { try await Task.sleep(for: .milliseconds(100)) }
      }
      #expect(status == 401)
    }
  }

  /// The holder of a token that expires must not go on reading with a link.
  @Test func linkEndsWithTheTokenThatMadeIt() async throws {
    try await TestServer.run { server in
      let end = UTCTime.now.advanced(by: .seconds(600)), device: DeviceID = "anna"
      let owner = try server.token(device, [.read, .write], expires: end)
      _ = try await server.post("/overland", Batches.overland([0]), token: owner)
      for (seconds, ends) in [(3600, true), (60, false)] {
        let answer = try await server.post(Self.links, #"{"seconds":\#(seconds)}"#, token: owner)
        let id = try #require(answer["id", as: Int.self], "\(answer.body)")
        let link = try #require(server.tokens.list().first { $0.id == Int64(id) })
        #expect((link.terms.expires == end) == ends, "\(seconds) s: \(answer.body)")
      }
    }
  }

  /// Another token than a link is neither listed nor ended.
  @Test func otherTokensAreNoLinks() async throws {
    try await TestServer.run { server in
      let owner = try server.token("anna", [.read, .write])
      let later = UTCTime.now.advanced(by: .seconds(3600))
      let reader = try server.token("anna", [.read], expires: later)
      _ = try await server.post("/overland", Batches.overland([0]), token: owner)
      #expect(try await server.get(Self.links, token: owner)["links", as: [Any].self]?.isEmpty == true)
      for token in server.tokens.list() {
        #expect(try await server.send(.DELETE, "\(Self.links)/\(token.id)", token: owner).status == 404)
      }
      #expect(try await server.get("/api/v1/devices/anna/fix", token: reader).status == 200)
    }
  }

  @Test(arguments: [
    ("", 400), ("{}", 400), (#"{"seconds":"60"}"#, 400), (#"{"seconds":59}"#, 422),
    (#"{"seconds":1e300}"#, 422),
    (#"{"seconds":60,"looks":0}"#, 422), (#"{"seconds":60,"looks":101}"#, 422),
    (#"{"seconds":60,"looks":1.5}"#, 400),
    (#"{"seconds":60,"arrival":"nowhere"}"#, 422), (#"{"seconds":60,"near":500}"#, 422),
    (#"{"seconds":60,"accuracyCap":1}"#, 422), (#"{"seconds":60,"label":"a\nb"}"#, 422),
  ])
  func unusableRequestIsRefused(body: String, status: Int) async throws {
    try await TestServer.run { server in
      let owner = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland([0]), token: owner)
      #expect(try await server.post(Self.links, body, token: owner).status == status)
    }
  }
}
