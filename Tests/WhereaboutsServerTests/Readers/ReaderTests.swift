import Foundation
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsServer

/// The owner's view of what other readers get.
@Suite struct ReaderTests {
  private static let readers = "/api/v1/devices/anna/readers"

  private struct Page: Decodable {
    var exact: Int?, coarse: Int?, withheld: Int?, fixes: [JSONValue], next: String?
  }

  private static func page(_ server: TestServer, _ path: String, _ token: String) async throws -> Page {
    let answer = try await server.get(path, token: token)
    #expect(answer.status == 200, "\(path): \(answer.body)")
    return try JSONDecoder().decode(Page.self, from: Data(answer.body.utf8))
  }

  /// Adds a zone that hides the beginning of the track.
  private static func server(_ body: (TestServer) async throws -> Void) async throws {
    let home = DisclosureFixture.place(Batches.home.latitude, Batches.home.longitude)
    try await TestServer.run(
      prepare: { store in
        let zone = try DisclosureFixture.zone(.hide, at: home, radius: 150, device: "anna")
        try ZoneRegistry(store).add(zone)
      }, body)
  }

  @Test func previewEqualsTheResponseToTheReader() async throws {
    try await Self.server { server in
      let owner = try server.token("anna", [.read, .write])
      let track = Batches.overland((0...40).map { Double($0) * 50 })
      #expect(try await server.post("/overland", track, token: owner).status == 200)
      let link = TokenTerms(
        label: "link", device: "anna", scopes: [.read], expires: UTCTime.now.advanced(by: .seconds(3600)),
        since: UTCTime.now.advanced(by: .seconds(-290)))
      let all = [
        TokenTerms(label: "all devices", device: nil, scopes: [.read]),
        TokenTerms(label: "coarse", device: "anna", scopes: [.read], accuracyCap: 500), link,
        TokenTerms(label: "second owner", device: "anna", scopes: [.read, .write]),
      ]
      var counts: [[Int]] = []
      for terms in all {
        let (token, secret) = try server.tokens.create(terms, at: .now)
        for query in ["", "?limit=7", "?from=2024-01-01&limit=20", "?from=2024-01-01&to=2024-01-02"] {
          let got = try await Self.page(server, "/api/v1/devices/anna/fixes\(query)", secret)
          let view = try await Self.page(server, "\(Self.readers)/\(token.id)/fixes\(query)", owner)
          #expect(view.fixes == got.fixes && view.next == got.next, "\(terms.label)\(query)")
          let shown = try #require(view.exact) + (try #require(view.coarse))
          #expect(shown == got.fixes.count)
          if query.isEmpty { counts.append([view.exact, view.coarse, view.withheld].map { $0 ?? -1 }) }
        }
      }
      // Nothing from before a link is counted.
      #expect([0, 1, 3].allSatisfy { counts[$0].reduce(0, +) == 41 }, "\(counts)")
      // A zone withholds the beginning, a cap coarsens, a link begins late, and an owner sees everything.
      #expect(counts[0][0] > 0 && counts[0][1] == 0 && counts[0][2] > 0, "\(counts)")
      #expect(counts[1][0] == 0 && counts[1][1] > 0, "\(counts)")
      #expect((1...15).contains(counts[2][0]) && counts[2][1...] == [0, 0], "\(counts)")
      #expect(counts[3] == [41, 0, 0], "\(counts)")
    }
  }

  /// The newest fixes of a reader are those that the reader may see, behind the ones in a hidden zone.
  @Test func newestFixesAreBehindTheWithheldOnes() async throws {
    try await Self.server { server in
      let owner = try server.token("anna", [.read, .write]), reader = try server.token("anna", [.read])
      let track = Batches.overland((1...20).map { 5_000 - Double($0) * 50 } + Array(repeating: 0, count: 60))
      #expect(try await server.post("/overland", track, token: owner).status == 200)
      let path = "/api/v1/devices/anna/fixes"
      let page = try await Self.page(server, "\(path)?newest=3", reader)
      #expect(page.fixes.count == 3)
      // All fixes that the reader may see, in their order.
      #expect(try await Self.page(server, path, reader).fixes.suffix(3) == page.fixes[...])
      #expect(try await Self.page(server, "\(path)?newest=3", owner).fixes != page.fixes)
    }
  }

  /// The cursor of a page states the time of a fix that the reader may see.
  @Test func pagesHoldFixesOfTheReaderAlone() async throws {
    try await Self.server { server in
      let owner = try server.token("anna", [.read, .write]), reader = try server.token("anna", [.read])
      let way = (0..<10).map { 1_000 - Double($0) * 20 }
      let track = Batches.overland(way + Array(repeating: 0, count: 40) + way.reversed())
      #expect(try await server.post("/overland", track, token: owner).status == 200)
      let path = "/api/v1/devices/anna/fixes"
      for (token, count) in [(reader, 20), (owner, 60)] {
        var found: [JSONValue] = [], cursor: String?
        repeat {
          let rest = cursor.map { "&cursor=\($0)" } ?? ""
          let page = try await Self.page(server, "\(path)?limit=3\(rest)", token)
          #expect(page.fixes.count == 3 || page.next == nil)
          found += page.fixes
          cursor = page.next
        } while cursor != nil
        #expect(found.count == count)
        #expect(try await Self.page(server, path, token).fixes == found)
      }
    }
  }

  @Test func readersAreThoseOfTheDevice() async throws {
    struct List: Decodable {
      struct Reader: Decodable {
        var id: Int64, label: String?, owner: Bool, accuracyCap: Double?
      }
      var readers: [Reader]
    }
    try await Self.server { server in
      let owner = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland([0]), token: owner)
      let kin = try server.tokens.create(
        TokenTerms(label: "kin", device: "anna", scopes: [.read], accuracyCap: 500), at: .now
      ).token
      let others = [
        try server.tokens.create(TokenTerms(label: "ben", device: "ben", scopes: [.read]), at: .now).token,
        try server.tokens.create(TokenTerms(label: "writer", device: "anna", scopes: [.write]), at: .now)
          .token,
      ]
      let expired = try server.token("anna", [.read], expires: UTCTime.now.advanced(by: .seconds(-1)))
      let answer = try await server.get(Self.readers, token: owner)
      let list = try JSONDecoder().decode(List.self, from: Data(answer.body.utf8)).readers
      #expect(list.count == 3 && list.filter(\.owner).count == 2, "\(answer.body)")
      let found = try #require(list.first { $0.id == kin.id })
      #expect(found.label == "kin" && found.accuracyCap == 500 && !found.owner)
      for secret in [owner, expired] { #expect(!answer.body.contains(secret)) }
      for id in others.map({ "\($0.id)" }) + ["999", "x"] {
        #expect(try await server.get("\(Self.readers)/\(id)/fixes", token: owner).status == 404, "\(id)")
      }
    }
  }
}
