import HTTPTypes
import Hummingbird
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The paths that show the owner of a device its readers, and the data that each of them receives.
///
/// The answers use the same ``Disclosure`` as those for the reader. They follow the present rights and zones: an
/// earlier answer to a reader may have held more or less.
struct ReaderRoutes: Sendable {
  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.read("devices/:device/readers") { request, context in try await list(request, context) }
    api.read("devices/:device/readers/:reader/fixes") { request, context in
      try await fixes(request, context)
    }
  }

  private func owner(_ request: Request, _ context: ServerContext) async throws -> DeviceID {
    try await DeviceRoutes(core: core).owner(request, context, of: "who reads it").0
  }

  /// Returns the tokens that may read a device now, links among them.
  private func readers(of device: DeviceID) -> [AccessToken] {
    core.tokens.list().filter { $0.allows(.read, of: device) && !$0.isExpired(at: .now) }
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let device = try await owner(request, context)
    return .json { body in
      body.appendJSONMember("readers", readers(of: device)) { body, reader in
        body.appendJSONObject {
          $0.appendJSONMembers(
            of: reader, isOwner: core.authenticator.disclosure(for: reader).isOwner(of: device))
        }
      }
    }
  }

  private func fixes(_ request: Request, _ context: ServerContext) async throws -> Response {
    let device = try await owner(request, context)
    let id = Int64(try context.parameters.require("reader"))
    guard let reader = readers(of: device).first(where: { $0.id == id }) else {
      throw Problem(.notFound, "There is no such reader. The path readers lists those of the device.")
    }
    let page = try HistoryPage(
      QueryReader(request), of: device, in: core.store, core.authenticator.disclosure(for: reader))
    return .json { body in
      body.appendJSONMember("exact", page.exact)
      body.appendJSONMember("coarse", page.coarse)
      body.appendJSONMember("withheld", page.withheld)
      page.append(to: &body)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendJSONMembers(of reader: AccessToken, isOwner: Bool) {
    appendJSONMember("id", Int(reader.id))
    appendJSONMember("label", reader.terms.label)
    appendJSONMember("device", reader.device?.rawValue)
    appendJSONMember("owner", isOwner)
    appendJSONMember("accuracyCap", reader.terms.accuracyCap)
    appendJSONMember("since", reader.terms.since)
    appendJSONMember("until", reader.terms.link?.until)
    appendJSONMember("expires", reader.terms.expires)
  }
}
