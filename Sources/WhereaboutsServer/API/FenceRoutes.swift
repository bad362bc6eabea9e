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
    api.get("fences") { request, _ in try await list(request) }
    api.put("fences") { request, _ in try await replaceAll(request) }
    api.post("fences") { request, _ in try await set(request) }
    api.get("fences/:fence") { request, context in try await show(request, Self.fence(context)) }
    api.delete("fences/:fence") { request, context in try await remove(request, Self.fence(context)) }
  }

  private static func fence(_ context: ServerContext) throws -> FenceID {
    let name = try context.parameters.require("fence")
    return FenceID(name.removingPercentEncoding ?? name)
  }

  private func list(_ request: Request) async throws -> Response {
    _ = try core.authenticator.token(of: request, for: .read)
    return .bytes(type: Self.type, FenceWriter().write(await core.fences.fences))
  }

  private func show(_ request: Request, _ id: FenceID) async throws -> Response {
    _ = try core.authenticator.token(of: request, for: .read)
    guard let fence = await core.fences.fence(id) else { throw Self.noSuchFence }
    return .bytes(type: Self.type, FenceWriter().write([fence]))
  }

  private func replaceAll(_ request: Request) async throws -> Response {
    let fences = try await fences(of: request)
    return try Self.response(await core.fences.replaceAll(with: fences))
  }

  private func set(_ request: Request) async throws -> Response {
    let fences = try await fences(of: request)
    return try Self.response(await core.fences.set(fences))
  }

  private func remove(_ request: Request, _ id: FenceID) async throws -> Response {
    _ = try core.authenticator.token(of: request, for: .admin)
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
  private func fences(of request: Request) async throws -> [Fence] {
    _ = try core.authenticator.token(of: request, for: .admin)
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
