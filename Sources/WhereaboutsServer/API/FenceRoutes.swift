import Foundation
import HTTPTypes
import Hummingbird
import Whereabouts
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel

/// The paths of the fences, which all devices share.
struct FenceRoutes: Sendable {
  private static let type = "application/geo+json"

  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.read("fences") { request, context in try await list(request, context) }
    api.put("fences") { request, context in try await replaceAll(request, context) }
    api.post("fences") { request, context in try await set(request, context) }
    api.read("fences/:fence") { request, context in try await show(request, context, Self.fence(context)) }
    api.delete("fences/:fence") { request, context in try await remove(request, context, Self.fence(context))
    }
  }

  private static func fence(_ context: ServerContext) throws -> FenceID {
    let name = try context.parameters.require("fence")
    return FenceID(name.removingPercentEncoding ?? name)
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let token = try await core.authenticator.token(of: request, context, for: .read)
    let (fences, tag) = await core.fences.tagged
    return response(to: request, fences.compactMap { visible($0, to: token) }, tag, token)
  }

  private func show(_ request: Request, _ context: ServerContext, _ id: FenceID) async throws -> Response {
    let token = try await core.authenticator.token(of: request, context, for: .read)
    let (fences, tag) = await core.fences.tagged
    guard let fence = fences.first(where: { $0.id == id }).flatMap({ visible($0, to: token) }) else {
      throw Self.noSuchFence
    }
    return response(to: request, [fence], tag, token)
  }

  /// Returns a fence as a token's holder may see it; `nil` if the area is withheld.
  private func visible(_ fence: Fence, to token: AccessToken) -> Fence? {
    if token.terms.scopes.contains(.admin) { return fence }
    guard let shown = core.authenticator.disclosure(for: token).fence(fence), shown.area != nil else {
      return nil
    }
    var fence = fence
    fence.properties = shown.properties
    return fence
  }

  private func replaceAll(_ request: Request, _ context: ServerContext) async throws -> Response {
    let fences = try await fences(of: request, context)
    return Self.response(try await change(request) { try $0.replaceAll(with: fences) })
  }

  private func set(_ request: Request, _ context: ServerContext) async throws -> Response {
    let fences = try await fences(of: request, context)
    return Self.response(try await change(request) { try $0.set(fences) })
  }

  private func remove(
    _ request: Request, _ context: ServerContext, _ id: FenceID
  ) async throws -> Response {
    _ = try await core.authenticator.token(of: request, context, for: .admin)
    let (existed, tag) = try await change(request) { try $0.remove(id) }
    guard existed else { throw Self.noSuchFence }
    return Response(status: .noContent, headers: [.eTag: tag])
  }

  private static let noSuchFence = Problem(.notFound, "There is no such fence.")

  /// - Parameter version: the version of all fences, which an administrator sees and may change. The tag of another
  ///   reader is that of the answer: it depends on the zones and on the token, too.
  private func response(
    to request: Request, _ fences: [Fence], _ version: String, _ token: AccessToken
  ) -> Response {
    let body = FenceWriter().write(fences)
    let tag = token.terms.scopes.contains(.admin) ? version : "\"\(PageAsset.digest(of: [body]))\""
    let isKnown = EntityTagConditions(request).isKnown(tag)
    var response: Response = isKnown ? Response(status: .notModified) : .bytes(type: Self.type, body)
    response.headers[.eTag] = tag
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }

  /// Performs a change unless another client has changed the fences since this client read them.
  private func change<Result: Sendable>(
    _ request: Request, _ body: @Sendable (isolated SharedFences) throws -> Result
  ) async throws -> (result: Result, tag: String) {
    guard let changed = try await core.fences.change(EntityTagConditions(request), body) else {
      throw Problem(
        .preconditionFailed, "Nothing was changed: the fences have changed meanwhile. Read them again.")
    }
    return changed
  }

  private static func response(_ changed: (result: SharedFences.Summary, tag: String)) -> Response {
    let summary = changed.result
    var response: Response = .json {
      $0.appendJSONMember("added", summary.added)
      $0.appendJSONMember("replaced", summary.replaced)
      $0.appendJSONMember("removed", summary.removed)
      $0.appendJSONMember("unchanged", summary.unchanged)
    }
    response.headers[.eTag] = changed.tag
    return response
  }

  /// Returns the fences of a body, in a format of ``FenceReader``. One bad fence refuses all, and nothing is changed.
  private func fences(of request: Request, _ context: ServerContext) async throws -> [Fence] {
    _ = try await core.authenticator.token(of: request, context, for: .admin)
    let radius = try QueryReader(request).number("radius", in: 0.1...Area.Circle.greatestRadius)
    return try await BodyReader(of: .fences, limits: core.limits)
      .fences(of: request, radius: radius, otherwise: "Nothing was changed")
  }
}

extension BodyReader {
  /// Returns the fences of a body, in a format of ``FenceReader``. One bad fence refuses all.
  ///
  /// - Parameters:
  ///   - radius: the radius in metres of points without one; `nil` refuses such points.
  ///   - consequence: the consequence of a bad fence, as the beginning of a sentence.
  func fences(
    of request: Request, radius: Double? = nil, otherwise consequence: String
  ) async throws -> [Fence] {
    let file = FenceReader(defaultRadius: radius).read(try await bytes(of: request))
    guard file.problems.isEmpty else {
      var problem = Problem(.unprocessableContent, "\(consequence): some fences can't be read.")
      problem.rows = file.problems.map { "\($0)" }
      throw problem
    }
    var fences: [Fence] = [], unknown: [String] = []
    for fence in file.fences {
      do throws(TimeZoneRules.LookupError) { fences.append(try fence.resolvingTimeZone()) } catch {
        unknown.append("fence \"\(fence.id)\": \(error)")
      }
    }
    guard unknown.isEmpty else {
      var problem = Problem(.unprocessableContent, "\(consequence): some fences name an unknown time zone.")
      problem.rows = unknown
      throw problem
    }
    return fences
  }
}
