import Foundation
import HTTPTypes
import Hummingbird
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The paths of links, by which the owner of a device shows others where it is, for a while and without an account.
///
/// A link is a token that reads one device, from the newest fix at the link's creation until the link's end. Links that
/// have ended are revoked when the next one is created.
struct LinkRoutes: Sendable {
  /// The shortest and the longest duration of a link, in seconds.
  private static let durations = 60.0...(31 * 86_400)
  private static let greatestCount = 100
  private static let label = "link"

  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.read("devices/:device/links") { request, context in try await list(request, context) }
    api.post("devices/:device/links") { request, context in try await create(request, context) }
    api.delete("devices/:device/links/:link") { request, context in try await end(request, context) }
  }

  private func owner(_ request: Request, _ context: ServerContext) async throws -> DeviceID {
    try await DeviceRoutes(core: core).owner(request, context, of: "and make its links").0
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let links = links(of: try await owner(request, context)).filter { !$0.isExpired(at: .now) }
    return .json { body in
      body.appendJSONMember("links", links) { body, link in
        body.appendJSONObject { $0.appendJSONMembers(of: link) }
      }
    }
  }

  private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
    let device = try await owner(request, context)
    let wish = try Self.wish(in: try await BodyReader(limits: core.limits).bytes(of: request))
    let now = UTCTime.now, newest = try core.store.lastFix(of: device)?.fix.fix.time
    let terms = TokenTerms(
      label: wish.label ?? Self.label, device: device, scopes: [.read], accuracyCap: wish.accuracyCap,
      expires: now.advanced(by: .seconds(wish.seconds)), since: newest.map { min($0, now) } ?? now)
    if let problem = terms.problem { throw Problem(.unprocessableContent, "\(problem).") }
    let known = links(of: device)
    for link in known where link.isExpired(at: now) { try core.tokens.revoke(link.id) }
    guard known.filter({ !$0.isExpired(at: now) }).count < Self.greatestCount else {
      throw Problem(.conflict, "The device has \(Self.greatestCount) links. End one of them first.")
    }
    let (link, secret) = try core.tokens.create(terms, at: now)
    return .json(.created) { body in
      body.appendJSONMembers(of: link)
      body.appendJSONMember("path", "/#token=\(secret)")
    }
  }

  private func end(_ request: Request, _ context: ServerContext) async throws -> Response {
    let device = try await owner(request, context)
    let id = Int64(try context.parameters.require("link"))
    guard let id, links(of: device).contains(where: { $0.id == id }) else {
      throw Problem(.notFound, "There is no such link.")
    }
    try core.tokens.revoke(id)
    return Response(status: .noContent)
  }

  /// Returns the links of a device, the oldest first. No other token has a beginning and an end.
  private func links(of device: DeviceID) -> [AccessToken] {
    core.tokens.list().filter { $0.device == device && $0.terms.since != nil && $0.terms.expires != nil }
  }

  private struct Wish: Decodable {
    var seconds: Double
    var accuracyCap: Double?
    var label: String?
  }

  private static func wish(in body: [UInt8]) throws(Problem) -> Wish {
    guard let wish = try? JSONDecoder().decode(Wish.self, from: Data(body)) else {
      throw Problem(.badRequest, "The body must be an object as in {\"seconds\":3600}.")
    }
    guard durations.contains(wish.seconds) else {
      throw Problem(.unprocessableContent, "A link lasts from a minute to 31 days, in seconds.")
    }
    return wish
  }
}

extension [UInt8] {
  fileprivate mutating func appendJSONMembers(of link: AccessToken) {
    appendJSONMember("id", Int(link.id))
    appendJSONMember("label", link.terms.label)
    appendJSONMember("accuracyCap", link.terms.accuracyCap)
    appendJSONMember("since", link.terms.since)
    appendJSONMember("expires", link.terms.expires)
  }
}
