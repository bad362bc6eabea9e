import Hummingbird
import WhereaboutsFormats

/// The path that returns the tiles of the page's map. It needs a token, since an address of tiles may hold a
/// key.
struct MapRoute: Sendable {
  let core: ServerCore
  let tiles: MapTiles?

  func add(to api: RouterGroup<ServerContext>) {
    api.read("map") { request, context in try await show(request, context) }
  }

  private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
    _ = try await core.authenticator.token(of: request, context)
    return .json { body in
      guard let tiles else { return }
      body.appendJSONMember("tiles") { body in
        body.appendJSONMember("template", tiles.template)
        body.appendJSONMember("attribution", tiles.attribution)
        body.appendJSONMember("link", tiles.link)
        body.appendJSONMember("minZoom", tiles.zooms.lowerBound)
        body.appendJSONMember("maxZoom", tiles.zooms.upperBound)
      }
    }
  }
}
