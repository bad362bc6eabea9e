import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsServer

/// Links to a journey of the past.
@Suite struct JourneyLinkTests {
  private static let anna = "/api/v1/devices/anna/"
  private static let noon = UTCTime(iso8601: "2024-05-14T12:00:00Z")!

  /// Runs a body with a device whose journey has ended, and the owner's token.
  private static func run(
    prepare: (SQLiteStore) async throws -> Void = { _ in },
    _ body: (TestServer, String) async throws -> Void
  ) async throws {
    try await TestServer.run(prepare: prepare) { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let owner = try server.token("anna", [.read, .write])
      let sent = try await server.post(
        "/overland", Batches.overland(JourneyLink.distances, end: noon), token: owner)
      #expect(sent.status == 200, "\(sent.body)")
      try await body(server, owner)
    }
  }

  private struct Page: Decodable {
    var fixes: [Fix]
    var next: String?

    struct Fix: Decodable, Equatable {
      var time: UTCTime
      var lat: Double
      var hacc: Double?
    }
  }

  private static func fixes(
    _ server: TestServer, _ token: String, _ path: String = "fixes"
  ) async throws -> [Page.Fix] {
    let answer = try await server.get(anna + path, token: token)
    #expect(answer.status == 200, "\(path): \(answer.body)")
    let page = try JSONDecoder().decode(Page.self, from: Data(answer.body.utf8))
    #expect(page.next == nil)
    return page.fixes
  }

  @Test func linkShowsTheJourneyAlone() async throws {
    try await Self.run { server, owner in
      let link = try await server.journeyLink(owner)
      _ = try await server.post("/overland", Batches.overland([2_000]), token: owner)
      let journey = try await server.get(Self.anna + "journey", token: link.secret)
      #expect(journey.status == 200 && !journey.body.contains("lat"), "\(journey.body)")
      let distance = try #require(journey["distance", as: Double.self])
      #expect(abs(distance - 1600) < 120, "\(journey.body)")
      try Self.expectDocumented(journey)

      let fixes = try await Self.fixes(server, link.secret)
      #expect((35...45).contains(fixes.count) && fixes.allSatisfy { link.span.contains($0.time) })
      let last = try await Self.fixes(server, link.secret, "fixes?newest=3")
      #expect(last == Array(fixes.suffix(3)))
      #expect(try await Self.fixes(server, link.secret, "fixes?from=2024-05-15").isEmpty)

      for (path, member) in [("crossings", "crossings"), ("trips", "trips"), ("receiver", "usages")] {
        let answer = try await server.get(Self.anna + path, token: link.secret)
        #expect(answer[member, as: [Any].self]?.isEmpty == true, "\(path): \(answer.body)")
      }
      let crossings = try await server.get(Self.anna + "crossings", token: owner)
      #expect(crossings["crossings", as: [Any].self]?.isEmpty == false, "\(crossings.body)")
      let fences = try await server.get("/api/v1/fences", token: link.secret)
      #expect(fences["features", as: [Any].self]?.isEmpty == true, "\(fences.body)")
      for query in ["", "?accuracy=city&timeout=0"] {
        #expect(try await server.get(Self.anna + "fix" + query, token: link.secret).status == 404)
      }
      let devices = try await server.get("/api/v1/devices", token: link.secret)
      #expect(devices.body.contains("anna") && !devices.body.contains("lastFix"), "\(devices.body)")
      let stream = try await server.get("/api/v1/stream?for=0&after=0", token: link.secret)
      #expect(stream.status == 200 && !stream.body.contains("event:"), "\(stream.body)")
      let rights = try await server.get("/api/v1/token", token: link.secret)
      #expect(rights["until", as: String.self] != nil, "\(rights.body)")
      for path in ["days", "places", "links", "looks", "readers", "decisions"] {
        #expect(try await server.get(Self.anna + path, token: link.secret).status == 403, "\(path)")
      }
      #expect(try await server.get(Self.anna + "journey", token: owner).status == 404)
    }
  }

  private static func expectDocumented(_ answer: TestServer.Answer) throws {
    let document = try OpenAPIDocument(Documents.openapi_json)
    let operation = OpenAPIDocument.Operation(method: "GET", path: "/api/v1/devices/{device}/journey")
    let response = try #require(try document.response(operation, status: 200))
    let schema = try #require(response["content"]?["application/json"]?["schema"])
    let body = try JSONDecoder().decode(JSONValue.self, from: Data(answer.body.utf8))
    #expect(try SchemaValidator(document: document).problems(of: body, schema) == [])
  }

  @Test func zonesAndCapApply() async throws {
    let home = DisclosureFixture.place(Batches.home.latitude, Batches.home.longitude)
    try await Self.run(
      prepare: { store in
        let zone = try DisclosureFixture.zone(.hide, at: home, radius: 150, device: "anna")
        try ZoneRegistry(store).add(zone)
      },
      { server, owner in
        let link = try await server.journeyLink(owner)
        let coarse = try await server.journeyLink(owner, #","accuracyCap":500"#)
        let all = try await Self.fixes(server, owner).filter { link.span.contains($0.time) }
        let shown = try await Self.fixes(server, link.secret)
        #expect(!shown.isEmpty && shown.count < all.count)
        #expect(shown.allSatisfy { $0.lat > Batches.home.latitude + 150 / 111_300 })
        let cells = try await Self.fixes(server, coarse.secret)
        #expect(!cells.isEmpty && cells.allSatisfy { ($0.hacc ?? 0) >= 500 })
        // The owner's view of the reader.
        let preview = try await Self.fixes(server, owner, "readers/\(link.id)/fixes")
        #expect(preview == shown)
      })
  }

  @Test func lateFixOnTheWayIsShown() async throws {
    try await Self.run { server, owner in
      let link = try await server.journeyLink(owner)
      let before = try await Self.fixes(server, link.secret)
      let late = Batches.overland([420], end: Self.noon.advanced(by: .seconds(-1190)))
      _ = try await server.post("/overland", late, token: owner)
      #expect(try await Self.fixes(server, link.secret).count == before.count + 1)
      #expect(try await server.get(Self.anna + "journey", token: link.secret).status == 200)
    }
  }

  /// A link whose journey is erased, as a whole or its second half, answers as a link that has ended.
  @Test(arguments: [-3600, -1000])
  func erasedJourneyEndsItsLink(from seconds: Int) async throws {
    try await Self.run { server, owner in
      let link = try await server.journeyLink(owner), ended = try await server.journeyLink(owner)
      _ = try await server.post("/overland", Batches.overland([2_000]), token: owner)
      let path = "\(Self.anna)links/\(ended.id)"
      #expect(try await server.send(.DELETE, path, token: owner).status == 204)
      let answer = try await server.get(Self.anna + "journey", token: ended.secret)
      #expect(answer.status == 401)

      let span =
        "from=\(Self.noon.advanced(by: .seconds(seconds)).iso8601)&to=\(Self.noon.advanced(by: .seconds(1)).iso8601)"
      let erased = try await server.send(.DELETE, "\(Self.anna)fixes?\(span)", token: server.admin)
      #expect(erased.status == 200, "\(erased.body)")
      for path in ["devices/anna/journey", "devices/anna/fixes", "devices/anna/fix", "devices", "token"] {
        let gone = try await server.get("/api/v1/" + path, token: link.secret)
        #expect(gone.status == 401 && gone.body == answer.body, "\(path): \(gone.body)")
      }
      let left = try await server.get(Self.anna + "links", token: owner)
      #expect(left["links", as: [Any].self]?.isEmpty == true, "\(left.body)")
    }
  }

  @Test func linkEndsAfterItsLooks() async throws {
    try await Self.run { server, owner in
      let link = try await server.journeyLink(owner, #","looks":1,"label":"Kin""#)
      let path = Self.anna + "journey", other = [("User-Agent", "curl/8")]
      #expect(try await server.get(path, token: link.secret).status == 200)
      #expect(try await server.get(path, token: link.secret, headers: other).status == 401)
      let looks = try await server.get(Self.anna + "looks", token: owner)
      #expect(looks["looks", as: [Any].self]?.count == 1 && looks.body.contains("Kin"), "\(looks.body)")
    }
  }

  @Test func journeyThatContinuesIsRefused() async throws {
    try await TestServer.run { server in
      let owner = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland((0...40).map { Double($0) * 50 }), token: owner)
      let journey = try await server.journeyID(owner)
      let body = #"{"seconds":3600,"journey":"\#(journey)"}"#
      let answer = try await server.post(Self.anna + "links", body, token: owner)
      #expect(answer.status == 409 && answer.body.contains("has not ended"), "\(answer.body)")
    }
  }

  /// A device that is silent on its way between two stays.
  @Test func journeyWithoutFixesIsRefused() async throws {
    try await TestServer.run { server in
      let owner = try server.token("anna", [.read, .write])
      for (distance, seconds) in [(0.0, -1800), (1600.0, 0)] {
        let stay = Batches.overland(
          Array(repeating: distance, count: 30), end: Self.noon.advanced(by: .seconds(seconds)))
        _ = try await server.post("/overland", stay, token: owner)
      }
      let journey = try await server.journeyID(owner)
      let body = #"{"seconds":3600,"journey":"\#(journey)"}"#
      let answer = try await server.post(Self.anna + "links", body, token: owner)
      #expect(answer.status == 422 && answer.body.contains("No fix is stored"), "\(answer.body)")
    }
  }

  @Test(arguments: [
    (#""vsdg2kg""#, 422), (#""x""#, 422), ("\"\"", 422), (#""j1""#, 422), (#""j1y2p0ij32e8e7""#, 422),
    ("5", 400), (#""j1","arrival":"home""#, 422), (#""j1","near":500"#, 422),
  ])
  func unusableJourneyIsRefused(journey: String, status: Int) async throws {
    try await Self.run { server, owner in
      let body = #"{"seconds":60,"journey":\#(journey)}"#
      let answer = try await server.post(Self.anna + "links", body, token: owner)
      #expect(answer.status == status, "\(answer.body)")
    }
  }

  /// A link that a store keeps shows its span alone.
  @Test func storedLinkHasItsSpan() throws {
    let folder = try TemporaryPlace()
    let store = try SQLiteStore.open(at: folder.path("s"))
    var terms = TokenTerms(device: "phone", scopes: [.read], expires: t(900), since: t(1))
    terms.link = LinkTerms(until: t(2))
    let link = try TokenRegistry(store).create(terms, at: t(0)).token
    #expect(try TokenRegistry(store).list() == [link])
    let disclosure = Disclosure(reader: link, zones: [])
    #expect([0, 1, 2, 3].map { disclosure.maySee(t($0)) } == [false, true, true, false])
    #expect(!disclosure.maySee(nil))
    #expect(disclosure.visiblePart(of: t(0)..<t(2)) == t(1)..<t(2))
    #expect(disclosure.visiblePart(of: t(3)..<t(4))?.isEmpty == true)
    let fix = DisclosureFixture.fix(at: DisclosureFixture.home)
    #expect(disclosure.fix(fix, of: "phone") == fix)
    #expect(disclosure.newestFix(fix, of: "phone") == nil)
    #expect(disclosure.trip(Trip(id: "walk", began: t(1), ended: t(2)), of: "phone") == nil)
    let fence = try DisclosureFixture.fence(radius: 100)
    #expect(disclosure.fence(fence, of: "phone") == nil)
    terms.link = LinkTerms(arrival: LinkTerms.Arrival(fence: "home", afterNumber: 1), until: t(2))
    #expect(terms.problem == "a link to a journey has no arrival")
  }
}
