import HTTPTypes
import Hummingbird
import Logging
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The paths by which an administrator erases a device, or a span of its past, while the server runs.
///
/// The data are overwritten in the store's file before the answer. Requests that use the device end first; waits for a
/// fix end with 404.
struct ErasureRoutes: Sendable {
  /// The number of erased rows, and whether their bytes are gone from the file.
  private typealias Erased = (count: Int, isComplete: Bool)

  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.delete("devices/:device") { request, context in
      let device = try await device(request, context)
      return try await erase(.device(device), of: device)
    }
    api.delete("devices/:device/fixes") { request, context in
      let device = try await device(request, context)
      guard let span = try QueryReader(request).span() else {
        throw Problem(
          .badRequest, "State the span: from=, to= or both. DELETE \u{2026}/devices/ID erases everything.")
      }
      return try await erase(.span(span, of: device), of: device)
    }
  }

  private func device(_ request: Request, _ context: ServerContext) async throws -> DeviceID {
    _ = try await core.authenticator.token(of: request, context, for: .admin)
    let (device, _) = try await DeviceRoutes(core: core).reader(request, context)
    guard device != .this || !core.hasSource else {
      throw Problem(
        .conflict, "The device has a source of this machine. End the server, and use `whereabouts forget`.")
    }
    return device
  }

  private func erase(_ scope: ErasureScope, of device: DeviceID) async throws -> Response {
    let rows = try await core.devices.erase(device) { () throws(StoreError) -> Erased in
      let rows = try forget(scope)
      // Requests that wait for the end of the erasure have new fixes, which must stay.
      core.hub.forget(device)
      core.batteries.forget(device)
      core.phones.forget(device)
      if case .device = scope { core.alerts.forget(device) }
      // Before the requests that wait go on, which may have a token that was erased.
      try core.tokens.refresh()
      return rows
    }
    if case .device = scope { core.hub.endStreams(of: device) }
    core.logger.notice(
      "data of a device were erased", metadata: ["device": "\(device)", "rows": "\(rows.count)"])
    return .json(rows.isComplete ? .ok : .accepted) { body in
      if rows.isComplete { body.appendJSONMember("erased", rows.count) }
      body.appendJSONMember("complete", rows.isComplete)
    }
  }

  private func forget(_ scope: ErasureScope) throws(StoreError) -> Erased {
    do throws(StoreError) { return (count: try core.store.forget(scope), isComplete: true) } catch {
      // The rows are gone, but another program reads the file, which therefore still contains their bytes.
      guard error.code == .locked else { throw error }
      return (count: 0, isComplete: false)
    }
  }
}
