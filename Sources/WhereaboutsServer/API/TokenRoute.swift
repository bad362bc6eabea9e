import Hummingbird
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The path that returns the rights of a client's token.
struct TokenRoute: Sendable {
  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.read("token") { request, context in try await show(request, context) }
  }

  private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
    let terms = try await core.authenticator.token(of: request, context).terms
    return .json { body in
      body.appendJSONMember("label", terms.label)
      body.appendJSONMember("device", terms.device?.rawValue)
      body.appendJSONMember("scopes", terms.scopes.sorted()) { $0.appendJSONString($1.rawValue) }
      body.appendJSONMember("accuracyCap", terms.accuracyCap)
      body.appendJSONMember("since", terms.since)
      body.appendJSONMember("until", terms.link?.until)
      body.appendJSONMember("expires", terms.expires)
    }
  }
}
