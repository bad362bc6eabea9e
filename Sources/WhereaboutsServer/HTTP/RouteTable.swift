import HTTPTypes
import Hummingbird

/// The paths of a server with their methods, for requests without a matching route.
struct RouteTable: Sendable {
  private var entries: [(path: RouterPath, methods: [HTTPRequest.Method])] = []

  init(_ routes: [Router<ServerContext>.RouteDescription]) {
    for route in routes {
      if let place = entries.firstIndex(where: { $0.path == route.path }) {
        entries[place].methods.append(route.method)
      } else {
        entries.append((route.path, [route.method]))
      }
    }
  }

  /// Returns the methods of a path; empty for an unknown path.
  func methods(at path: String) -> [HTTPRequest.Method] {
    let components = path.split(separator: "/")
    return entries.first { entry in
      entry.path.count == components.count && zip(entry.path, components).allSatisfy { $0 ~= $1 }
    }?.methods ?? []
  }

  /// The methods of all paths.
  var methods: Set<HTTPRequest.Method> { Set(entries.flatMap(\.methods)) }
}

/// The answer for a known path with another method: 405 with the methods of the path, and these to OPTIONS. A request
/// OPTIONS for `*` concerns the server as a whole (RFC 9110, section 9.3.7).
struct MethodMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  let routes: RouteTable

  func handle(
    _ request: Request, context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let isOfServer = request.method == .options && request.uri.path == "*"
    let methods = isOfServer ? Array(routes.methods) : routes.methods(at: request.uri.path)
    guard !methods.isEmpty else { return try await next(request, context) }
    let allowed = (methods + [.options]).map(\.rawValue).sorted().joined(separator: ", ")
    if request.method == .options { return Response(status: .noContent, headers: [.allow: allowed]) }
    var problem = Problem(.methodNotAllowed, "This path does not know the method. It knows \(allowed).")
    problem.allowedMethods = allowed
    throw problem
  }
}

extension RouterMethods where Context == ServerContext {
  /// Adds a path that is read: GET, and HEAD, whose response has the same fields and no body.
  func read(
    _ path: RouterPath, use handler: @escaping @Sendable (Request, ServerContext) async throws -> Response
  ) {
    get(path, use: handler)
    head(path, use: handler)
  }
}
