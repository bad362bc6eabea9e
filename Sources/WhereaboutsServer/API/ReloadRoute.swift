import HTTPTypes
import Hummingbird
import WhereaboutsFormats

/// The path that reloads the configuration, as SIGHUP does.
struct ReloadRoute: Sendable {
  let core: ServerCore
  /// The reloader; `nil` for a server in a program of its own, which has no configuration.
  let reloader: ConfigurationReloader?

  func add(to api: RouterGroup<ServerContext>) {
    api.post("reload") { request, context in try await reload(request, context) }
  }

  private func reload(_ request: Request, _ context: ServerContext) async throws -> Response {
    _ = try await core.authenticator.token(of: request, context, for: .admin)
    guard let reloader else { throw Problem(.notFound, "This server has no configuration to reload.") }
    do throws(ConfigurationProblems) {
      let outcome = try await reloader.reload()
      return .json {
        $0.appendJSONMember("changed", outcome.changed) { $0.appendJSONString($1.rawValue) }
        $0.appendJSONMember("needsRestart", outcome.needsRestart) { $0.appendJSONString($1.rawValue) }
        $0.appendJSONMember("adoptedFences", outcome.adoptedFences)
      }
    } catch {
      var problem = Problem(
        .unprocessableContent, "The configuration has mistakes. The old one stays in force.")
      problem.rows = error.all.map(\.description)
      throw problem
    }
  }
}
