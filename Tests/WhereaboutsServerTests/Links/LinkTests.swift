import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsServer

/// Links that show a device to others for a while.
@Suite struct LinkTests {
  private static let links = "/api/v1/devices/anna/links"

  /// Stores the fixes of an hour ago and of now, and returns the owner's token and a link's secret and number.
  private static func link(
    _ server: TestServer, _ wish: String = #"{"seconds":3600}"#
  ) async throws -> (owner: String, secret: String, id: Int) {
    let owner = try server.token("anna", [.read, .write])
    let past = Batches.overland([0, 0, 0], end: UTCTime.now.advanced(by: .seconds(-3600)))
    _ = try await server.post("/overland", past, token: owner)
    _ = try await server.post("/overland", Batches.overland([500]), token: owner)
    let answer = try await server.post(links, wish, token: owner)
    #expect(answer.status == 201, "\(answer.body)")
    let path = try #require(answer["path", as: String.self])
    return (owner, String(path.dropFirst("/#token=".count)), try #require(answer["id", as: Int.self]))
  }

  @Test func linkShowsNothingFromBefore() async throws {
    try await TestServer.run { server in
      let link = try await Self.link(server)
      let fix = try await server.get("/api/v1/devices/anna/fix", token: link.secret)
      #expect(fix.status == 200, "\(fix.body)")
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: link.secret)
      #expect(fixes["fixes", as: [Any].self]?.count == 1, "\(fixes.body)")
      let trips = try await server.get("/api/v1/devices/anna/trips", token: link.secret)
      #expect(trips["trips", as: [Any].self]?.isEmpty == true, "\(trips.body)")
      for path in ["days", "places", "links", "why?fence=home"] {
        #expect(try await server.get("/api/v1/devices/anna/\(path)", token: link.secret).status == 403)
      }
      #expect(try await server.post(Self.links, #"{"seconds":60}"#, token: link.secret).status == 403)
      #expect(try await server.post("/overland", Batches.overland([0]), token: link.secret).status == 403)
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

  @Test func linkMayBeCoarse() async throws {
    try await TestServer.run { server in
      let link = try await Self.link(server, #"{"seconds":3600,"accuracyCap":5000,"label":"Kin"}"#)
      let fix = try await server.get("/api/v1/devices/anna/fix", token: link.secret)
      #expect(fix.status == 200 && (fix["hacc", as: Double.self] ?? 0) > 1_000, "\(fix.body)")
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
    (#"{"seconds":60,"accuracyCap":1}"#, 422), (#"{"seconds":60,"label":"a\nb"}"#, 422),
  ])
  func unusableWishIsRefused(wish: String, status: Int) async throws {
    try await TestServer.run { server in
      let owner = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland([0]), token: owner)
      #expect(try await server.post(Self.links, wish, token: owner).status == status)
    }
  }
}
