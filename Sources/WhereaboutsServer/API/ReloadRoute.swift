import HTTPTypes
import Hummingbird
import WhereaboutsFormats

/// The path that reloads the configuration, as SIGHUP does.
struct ReloadRoute: Sendable {
  let core: ServerCore
  let reloader: ConfigurationReloader

  func add(to api: RouterGroup<ServerContext>) {
    api.post("reload") { request, _ in try await reload(request) }
  }

  private func reload(_ request: Request) async throws -> Response {
    _ = try core.authenticator.token(of: request, for: .admin)
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
