import HTTPTypes
import Hummingbird
import NIOCore

/// The paths of the web page, which need no token: the page asks the person for one.
struct PageRoutes: Sendable {
  /// The files for a content policy of their own; `nil` for the standard ones.
  private let ownAssets: PageAssets?
  private let contentPolicy: String
  private let ingestion: IngestionRoutes

  /// - Parameters:
  ///   - tiles: the tiles of the map; `nil` for none.
  ///   - ingestion: the routes that store the position of a tracker that sends to the path of the page.
  init(tiles: MapTiles?, ingestion: IngestionRoutes) {
    self.ingestion = ingestion
    contentPolicy = Self.contentPolicy(pictures: tiles?.origin)
    // A browser stores the page with its policy. Another policy needs another version of the worker, so that the page
    // is read again.
    ownAssets = tiles?.origin == nil ? nil : PageAssets.standard.version(for: contentPolicy)
  }

  /// The files. The first request compresses the standard ones, so that the server is ready sooner.
  private var assets: PageAssets { ownAssets ?? .standard }

  /// Returns the content policy: only files of this server, no scripts or styles in the text, no markup from strings.
  /// The one trusted type is the address of the worker.
  ///
  /// - Parameter pictures: the one other source of pictures; `nil` for none.
  static func contentPolicy(pictures: String?) -> String {
    let pictures = pictures.map { "'self' \($0)" } ?? "'self'"
    return """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src \(pictures); connect-src 'self'; \
      manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
      require-trusted-types-for 'script'; trusted-types worker
      """
  }

  func add(to router: Router<ServerContext>) {
    router.read("/") { request, context in
      // A tracker whose URL has no path would take the page for an acknowledgement, and forget the position.
      if request.method == .get, IngestionRoutes.hasPosition(request) {
        return try await ingestion.respondToOsmAnd(request, context)
      }
      return response(to: request, assets.index)
    }
    router.read("page/:file") { request, context in
      let name = try context.parameters.require("file")
      guard let asset = assets.files[name] else {
        throw Problem(.notFound, "The page has no such file.")
      }
      var response = response(to: request, asset)
      if name == PageAssets.workerName { response.headers[.serviceWorkerAllowed] = "/" }
      return response
    }
  }

  private func response(to request: Request, _ asset: PageAsset) -> Response {
    let sent = Self.acceptsGzip(request) ? asset.gzip ?? asset.plain : asset.plain
    var response: Response =
      if EntityTagConditions(request).isKnown(sent.tag) {
        Response(status: .notModified)
      } else {
        .bytes(type: asset.type, sent.bytes)
      }
    response.headers[.eTag] = sent.tag
    // Asked again each time: a new program has new files.
    response.headers[.cacheControl] = "no-cache"
    response.headers[.vary] = "Accept-Encoding"
    if asset.gzip?.tag == sent.tag, response.status == .ok { response.headers[.contentEncoding] = "gzip" }
    response.headers[.contentSecurityPolicy] = contentPolicy
    response.headers[.permissionsPolicy] = "geolocation=(self), camera=(), microphone=()"
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    return response
  }

  private static func acceptsGzip(_ request: Request) -> Bool {
    guard let field = request.headers[.acceptEncoding] else { return false }
    return field.split(separator: ",").contains { entry in
      let parts = entry.split(separator: ";").map { $0.filter { $0 != " " } }
      guard parts.first?.lowercased() == "gzip" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
    }
  }
}
