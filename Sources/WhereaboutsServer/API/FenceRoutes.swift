import Foundation
import HTTPTypes
import Hummingbird
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The paths of the fences, which all devices share.
struct FenceRoutes: Sendable {
  private static let type = "application/geo+json"

  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.get("fences") { request, context in try await list(request, context) }
    api.put("fences") { request, context in try await replaceAll(request, context) }
    api.post("fences") { request, context in try await set(request, context) }
    api.get("fences/:fence") { request, context in try await show(request, context, Self.fence(context)) }
    api.delete("fences/:fence") { request, context in try await remove(request, context, Self.fence(context)) }
  }

  private static func fence(_ context: ServerContext) throws -> FenceID {
    let name = try context.parameters.require("fence")
    return FenceID(name.removingPercentEncoding ?? name)
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let token = try await core.authenticator.token(of: request, context, for: .read)
    let fences = await core.fences.fences.compactMap { visible($0, to: token) }
    return .bytes(type: Self.type, FenceWriter().write(fences))
  }

  private func show(_ request: Request, _ context: ServerContext, _ id: FenceID) async throws -> Response {
    let token = try await core.authenticator.token(of: request, context, for: .read)
    guard let fence = await core.fences.fence(id).flatMap({ visible($0, to: token) }) else {
      throw Self.noSuchFence
    }
    return .bytes(type: Self.type, FenceWriter().write([fence]))
  }

  /// Returns a fence as a token's holder may see it; `nil` if the area is withheld.
  private func visible(_ fence: Fence, to token: AccessToken) -> Fence? {
    if token.terms.scopes.contains(.admin) { return fence }
    // A zone of every device holds for a token without a device.
    let device = token.device ?? DeviceID("")
    guard let shown = core.authenticator.disclosure(for: token).fence(fence, of: device),
      shown.area != nil
    else { return nil }
    var fence = fence
    fence.properties = shown.properties
    return fence
  }

  private func replaceAll(_ request: Request, _ context: ServerContext) async throws -> Response {
    let fences = try await fences(of: request, context)
    return try Self.response(await core.fences.replaceAll(with: fences))
  }

  private func set(_ request: Request, _ context: ServerContext) async throws -> Response {
    let fences = try await fences(of: request, context)
    return try Self.response(await core.fences.set(fences))
  }

  private func remove(
    _ request: Request, _ context: ServerContext, _ id: FenceID
  ) async throws -> Response {
    _ = try await core.authenticator.token(of: request, context, for: .admin)
    guard try await core.fences.remove(id) else { throw Self.noSuchFence }
    return Response(status: .noContent)
  }

  private static let noSuchFence = Problem(.notFound, "There is no such fence.")

  private static func response(_ summary: SharedFences.Summary) -> Response {
    .json {
      $0.appendJSONMember("added", summary.added)
      $0.appendJSONMember("replaced", summary.replaced)
      $0.appendJSONMember("removed", summary.removed)
      $0.appendJSONMember("unchanged", summary.unchanged)
    }
  }

  /// Returns the fences of a body: GeoJSON, or KML or GPX. One bad fence refuses all, and nothing is changed.
  private func fences(of request: Request, _ context: ServerContext) async throws -> [Fence] {
    _ = try await core.authenticator.token(of: request, context, for: .admin)
    let body = try await BodyReader(limits: core.limits).bytes(of: request)
    let file = FenceReader().read(body)
    guard file.problems.isEmpty else {
      var problem = Problem(.unprocessableContent, "Nothing was changed: some fences can't be read.")
      problem.rows = file.problems.map { "\($0)" }
      throw problem
    }
    return try file.fences.map { fence throws(Problem) in
      do throws(TimeZoneError) { return try fence.resolvingTimeZone() } catch {
        throw Problem(.unprocessableContent, "Nothing was changed: the hours of a fence name an unknown zone.")
      }
    }
  }
}
