import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsServer

/// The web page: its files, their fields, and what a client has already.
@Suite struct PageTests {
  @Test func servesThePageWithoutAToken() async throws {
    try await TestServer.run { server in
      let page = try await server.send("GET", "/", token: nil)
      #expect(page.status == 200)
      #expect(page.headers["Content-Type"] == ["text/html; charset=utf-8"])
      #expect(page.text.hasPrefix("<!doctype html>"))
      for name in PageAssets.standard.files.keys {
        let file = try await server.send("GET", "/page/\(name)", token: nil)
        #expect(file.status == 200, "\(name)")
        let isWhole = file.body == PageAssets.standard.files[name]?.plain.bytes
        #expect(isWhole, "\(name)")
      }
      #expect(try await server.send("GET", "/page/none.js", token: nil).status == 404)
      #expect(try await server.send("GET", "/page/..%2Fopenapi.json", token: nil).status == 404)
    }
  }

  @Test func everyFileThatThePageNamesIsServed() throws {
    let assets = PageAssets.standard
    let texts = [assets.index] + assets.files.filter { $0.key.hasSuffix(".js") }.values
    // Leaflet's pictures of markers are not used.
    var named: Set<String> = []
    for asset in texts {
      let text = String(decoding: asset.plain.bytes, as: UTF8.self)
      named.formUnion(
        text.matches(of: /(?:\/page\/|from "\.\/|import\("\.\/)([a-z0-9-]+\.[a-z]+)/).map { String($0.1) })
    }
    #expect(named.isSubset(of: assets.files.keys), "\(named.subtracting(assets.files.keys))")
    #expect(named.count > 20)
  }

  @Test func workerKnowsEachFileAndTheVersion() throws {
    let assets = PageAssets.standard
    let worker = String(decoding: try #require(assets.files["worker.js"]).plain.bytes, as: UTF8.self)
    #expect(!worker.contains("\"FILES\"") && !worker.contains("\"VERSION\""))
    for name in assets.files.keys where name != "worker.js" { #expect(worker.contains("\"/page/\(name)\"")) }
    #expect(PageAsset.digest(of: [[1], [2]]) != PageAsset.digest(of: [[1, 2], []]))
  }

  @Test func policyAllowsNothingUnsafe() async throws {
    try await TestServer.run { server in
      for path in ["/", "/page/app.js", "/page/worker.js"] {
        let response = try await server.send("GET", path, token: nil)
        let policy = try #require(response.headers["Content-Security-Policy"].first)
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*"))
        #expect(response.headers["X-Content-Type-Options"] == ["nosniff"])
        #expect(response.headers["Referrer-Policy"] == ["no-referrer"])
      }
      let worker = try await server.send("GET", "/page/worker.js", token: nil)
      #expect(worker.headers["Service-Worker-Allowed"] == ["/"])
      let other = try await server.send("GET", "/health", token: nil)
      #expect(other.headers["Content-Security-Policy"] == ["default-src 'none'; frame-ancestors 'none'"])
    }
  }

  @Test(arguments: [
    ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP", true), ("gzip;q=0", false), ("gzip; q=0.0", false),
    ("br", false), ("", false),
  ])
  func compressesForClientsThatAcceptGzip(_ accepted: String, _ isCompressed: Bool) async throws {
    try await TestServer.run { server in
      let response = try await server.send(
        "GET", "/page/app.js", token: nil, headers: [("Accept-Encoding", accepted)])
      #expect(response.headers["Content-Encoding"] == (isCompressed ? ["gzip"] : []))
      #expect(response.headers["Vary"] == ["Accept-Encoding"])
      // The client decompresses.
      let isWhole = response.body == PageAssets.standard.files["app.js"]?.plain.bytes
      #expect(isWhole)
    }
  }

  @Test func knownFilesAreNotSentAgain() async throws {
    try await TestServer.run { server in
      let first = try await server.send("GET", "/", token: nil, headers: [("Accept-Encoding", "identity")])
      let tag = try #require(first.headers["ETag"].first)
      let second = try await server.send(
        "GET", "/", token: nil, headers: [("If-None-Match", tag), ("Accept-Encoding", "identity")])
      #expect(second.status == 304 && second.body.isEmpty)
      #expect(second.headers["ETag"] == [tag])
      // The same file in another encoding is another representation.
      let third = try await server.send(
        "GET", "/", token: nil, headers: [("If-None-Match", tag), ("Accept-Encoding", "gzip")])
      #expect(third.status == 200)
    }
  }

  @Test func weighsLessThan300kBCompressed() {
    let assets = PageAssets.standard
    let sizes = ([assets.index] + assets.files.values).map { ($0.gzip ?? $0.plain).bytes.count }
    #expect(sizes.reduce(0, +) < 300_000)
  }

  @Test func tokenReportsItsRights() async throws {
    try await TestServer.run { server in
      let admin = try await server.get("/api/v1/token", token: server.admin)
      #expect(admin["scopes"] == ["admin"])
      #expect(admin["device", as: String.self] == nil)
      let capped = try server.token("anna", [.read, .write], cap: 500)
      let anna = try await server.get("/api/v1/token", token: capped)
      #expect(anna["scopes"] == ["read", "write"])
      #expect(anna["device"] == "anna")
      #expect(anna["accuracyCap"] == 500.0)
      #expect(try await server.get("/api/v1/token").status == 401)
    }
  }

  @Test func newestCrossingsAreThoseAtTheEnd() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      _ = try await server.send("PUT", "/api/v1/fences", body: Batches.fence())
      let there = Array(repeating: 0.0, count: 10), away = Array(repeating: 2000.0, count: 10)
      _ = try await server.post("/overland", Batches.overland(there + away + there + away), token: token)
      func numbers(_ query: String) async throws -> [Int] {
        let answer = try await server.get("/api/v1/devices/anna/crossings\(query)", token: token)
        return (answer["crossings", as: [[String: Any]].self] ?? []).compactMap { $0["number"] as? Int }
      }
      let all = try await numbers("")
      try #require(all.count >= 2)
      #expect(try await numbers("?newest=2") == Array(all.suffix(2)))
      #expect(try await numbers("?newest=1000") == all)
      #expect(try await server.get("/api/v1/devices/anna/crossings?newest=0", token: token).status == 400)
    }
  }
}
