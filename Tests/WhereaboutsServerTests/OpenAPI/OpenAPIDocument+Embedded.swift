import NIOHTTP1
import Testing

extension OpenAPIDocument {
  /// The document that a server shows at a path.
  static func served(at path: String, by server: TestServer) async throws -> OpenAPIDocument {
    let response = try await server.send("GET", path, token: nil)
    try #require(response.status == 200)
    #expect(response.headers["Content-Type"] == ["application/vnd.oai.openapi+json;version=3.1"])
    return try OpenAPIDocument(response.body)
  }

  /// Both documents of a server.
  static func served(by server: TestServer) async throws -> [OpenAPIDocument] {
    [
      try await served(at: "/api/v1/openapi.json", by: server),
      try await served(at: "/api/v1/openapi-phones.json", by: server),
    ]
  }
}
