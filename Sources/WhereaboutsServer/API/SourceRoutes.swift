import Hummingbird
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The path of the health of this machine's source.
struct SourceRoutes: Sendable {
  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.read("sources") { request, context in try await list(request, context) }
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let token = try await core.authenticator.token(of: request, context, for: .read)
    var statuses: [ServiceStatus] = []
    var storeProblem: StoreError.Code?
    let disclosure = core.authenticator.disclosure(for: token)
    if core.hasSource, disclosure.mayReadBeyondJourney(.this),
      let session = await core.devices.loadedSession(of: .this)
    {
      statuses.append(await session.manager.status)
      switch await session.manager.storeHealth.first(where: { _ in true }) {
      case .failing(let error), .unusable(let error): storeProblem = error.code
      default: break
      }
    }
    return .json { body in
      body.appendJSONMember("sources", statuses) { body, status in
        body.appendJSONObject {
          $0.appendJSONMember("device", DeviceID.this.rawValue)
          $0.appendJSONMembers(of: status)
          // Not the message, which has the path of the store.
          $0.appendJSONMember("storeProblem", storeProblem?.rawValue)
        }
      }
    }
  }
}

extension [UInt8] {
  /// Appends the state of a source, its problem with the remedy, and the members of a failover.
  fileprivate mutating func appendJSONMembers(of status: ServiceStatus) {
    let (state, problem): (String, SourceProblem?) =
      switch status.source {
      case .working: ("working", nil)
      case .unavailable(let problem): ("unavailable", problem)
      case .failed(let problem): ("failed", problem)
      case .ended(let problem): ("ended", problem)
      }
    appendJSONMember("state", state)
    if let problem { appendJSONMember("problem", problem) }
    appendJSONMember("authorization", status.authorization)
    guard !status.sources.isEmpty else { return }
    appendJSONMember("parts", status.sources) { body, source in
      body.appendJSONObject { $0.appendJSONMembers(of: source) }
    }
  }

  private mutating func appendJSONMembers(of source: SourceHealth) {
    appendJSONMember("name", source.name)
    appendJSONMember("state", source.state.rawValue)
    appendJSONMember("used", source.isUsed)
    appendJSONMember("restarts", source.restarts)
    if let problem = source.problem { appendJSONMember("problem", problem) }
    guard let contradiction = source.contradiction else { return }
    appendJSONMember("contradiction") {
      $0.appendJSONMember("other", contradiction.other)
      $0.appendJSONMember("distance", ifFinite: contradiction.distance)
      $0.appendJSONMember("allowed", ifFinite: contradiction.allowed)
    }
  }
}
