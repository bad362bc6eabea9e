import HTTPTypes
import Hummingbird

/// The paths of the OpenAPI documents, which need no token.
struct DocumentRoutes: Sendable {
  private static let type = "application/vnd.oai.openapi+json;version=3.1"

  func add(to api: RouterGroup<ServerContext>) {
    api.read("openapi.json") { _, _ in .bytes(type: Self.type, Documents.openapi_json) }
    api.read("openapi-phones.json") { _, _ in .bytes(type: Self.type, Documents.openapi_phones_json) }
  }
}
