import Foundation
import NIOHTTP1
import Testing

@testable import WhereaboutsServer

/// Requests that a page of another site may make with a password of the browser, or with a form.
@Suite struct BrowserRequestTests {
  /// A browser that has a password adds it to the requests of every page.
  @Test(arguments: [("same-origin", 200), ("none", 200), ("same-site", 401), ("cross-site", 401)])
  func passwordIsIgnoredInRequestsOfOtherSites(_ site: String, _ status: Int) async throws {
    try await TestServer.run { server in
      let basic = "Basic " + Data("me:\(server.admin)".utf8).base64EncodedString()
      let fields = [("Authorization", basic), ("Sec-Fetch-Site", site)]
      let answer = try await server.send(.POST, "/api/v1/fences", Batches.fence(), headers: fields)
      #expect(answer.status == status, "\(answer.body)")
      // A program has no site.
      let program = try await server.get("/api/v1/token", headers: [("Authorization", basic)])
      #expect(program.status == 200)
    }
  }

  /// A browser states no site to a server without TLS on another machine.
  @Test func passwordIsIgnoredInRequestsOfAnotherOrigin() async throws {
    try await TestServer.run { server in
      let basic = "Basic " + Data("me:\(server.admin)".utf8).base64EncodedString()
      func status(_ fields: [(String, String)]) async throws -> Int {
        let fields = [("Authorization", basic)] + fields
        return try await server.send(.POST, "/api/v1/fences", Batches.fence(), headers: fields).status
      }
      for origin in ["https://example.org", "null", "http://127.0.0.1"] {
        #expect(try await status([("Origin", origin)]) == 401, "\(origin)")
      }
      let own = try await status([("Origin", "http://127.0.0.1:\(server.port)")])
      // An app has a scheme of its own.
      let ofApp = try await status([("Origin", "tauri://localhost")])
      #expect(own == 200 && ofApp == 200)
      // A proxy may change the host, and state the first one. The site is the browser's word.
      for field in [("X-Forwarded-Host", "Example.org, inner"), ("Sec-Fetch-Site", "same-origin")] {
        #expect(try await status([("Origin", "https://example.org"), field]) == 200, "\(field)")
      }
    }
  }

  /// A body is read only after the token was checked.
  @Test func tokenOfAFormDoesNotCount() async throws {
    try await TestServer.run { server in
      let form = [("Content-Type", "application/x-www-form-urlencoded")]
      let answer = try await server.post(
        "/osmand", "id=anna&lat=1&lon=2&token=\(server.admin)", headers: form)
      #expect(answer.status == 401 && answer.body.contains("token= in the URL"), "\(answer.body)")
      let inURL = try await server.post(
        "/osmand?token=\(server.admin)", "id=anna&lat=1&lon=2", headers: form)
      #expect(inURL.status == 200, "\(inURL.body)")
    }
  }
}
