import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import UnixSignals
public import Whereabouts
import WhereaboutsModel
public import WhereaboutsStore

/// A server that keeps the engines of many devices running, takes fixes from phones and from a source of this machine,
/// and answers over HTTP.
///
/// docs/server.md describes the paths, docs/phones.md the settings of apps. A fix is acknowledged once it is on the disk:
/// an acknowledged fix and a told crossing survive a kill and a power cut.
public struct LocationServer: Sendable {
  private let settings: ServerSettings
  let core: ServerCore
  private let source: (any LocationSource)?
  private let tls: TLSConfiguration?

  /// Opens a server over a store.
  ///
  /// - Parameters:
  ///   - settings: the settings.
  ///   - store: the store, opened for writing.
  ///   - source: the source of this machine's fixes, stored as the device ``/Whereabouts/DeviceID/this``; `nil` for
  ///     none.
  ///   - logger: the logger. No coordinate and no token is logged.
  /// - Throws: ``ServerError`` for settings that can't be used, `StoreError` for a store that can't be read.
  public init(
    settings: ServerSettings, store: SQLiteStore, source: (any LocationSource)?, logger: Logger
  ) throws {
    try settings.check()
    self.settings = settings
    self.source = source
    tls = try settings.tls.map { files throws(ServerError) in try files.configuration() }
    let fences = try SharedFences(store: store), hub = StreamHub()
    let devices = DeviceRegistry(store: store, fences: fences, hub: hub, zone: .current)
    core = ServerCore(
      store: store, devices: devices, fences: fences,
      tokens: try TokenRegistry(store), zones: try ZoneRegistry(store), hub: hub,
      metrics: ServerMetrics(), limits: settings.limits, hasSource: source != nil, logger: logger)
  }

  /// Creates an administrator's token on a store without tokens.
  ///
  /// - Returns: the secret, which is stored nowhere; `nil` if there are tokens.
  public func createFirstToken() throws(StoreError) -> String? {
    guard core.tokens.list().isEmpty else { return nil }
    let terms = TokenTerms(label: "administrator", device: nil, scopes: [.admin])
    return try core.tokens.create(terms, at: .now).secret
  }

  /// Serves until the process gets SIGTERM or SIGINT, or the task is cancelled. Then the states are stored.
  ///
  /// - Parameters:
  ///   - endsOnSignals: whether SIGTERM and SIGINT end the server.
  ///   - onReady: called with the server's URL once it answers.
  public func run(
    endsOnSignals: Bool = true, onReady: @escaping @Sendable (String) async -> Void
  ) async throws {
    let adopted = try await core.fences.adoptOwnFences()
    if adopted > 0 {
      core.logger.info("fences of single devices became the server's", metadata: ["count": "\(adopted)"])
    }
    var configuration = ServiceGroupConfiguration(
      services: [try application(onReady)] + backgroundServices,
      gracefulShutdownSignals: endsOnSignals ? [.sigterm, .sigint] : [],
      logger: core.logger)
    configuration.maximumGracefulShutdownDuration = .seconds(4)
    defer { core.hub.finish() }
    let group = ServiceGroup(configuration: configuration)
    // A cancellation ends the services as a signal does: requests that are being answered are finished.
    let running = Task { try await group.run() }
    try await withTaskCancellationHandler {
      try await running.value
    } onCancel: {
      Task { await group.triggerGracefulShutdown() }
    }
    // A cancelled task would not wait for the store.
    await Task { await core.devices.saveAll() }.value
  }

  private func application(_ onReady: @escaping @Sendable (String) async -> Void) throws -> some Service {
    let scheme = tls == nil ? "http" : "https", host = settings.host
    var logger = core.logger
    // Hummingbird tells of its start at the level of information.
    logger.logLevel = max(logger.logLevel, .notice)
    return Application(
      router: router, server: try serverBuilder(),
      configuration: ApplicationConfiguration(
        address: .hostname(settings.host, port: settings.port), serverName: nil,
        availableConnectionsDelegate: MaximumAvailableConnections(settings.limits.connections)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? settings.port
        await onReady("\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)")
      }, logger: logger)
  }

  private func serverBuilder() throws -> HTTPServerBuilder {
    let http = HTTP1Channel.Configuration(
      idleTimeout: .seconds(settings.limits.idleTimeout.components.seconds),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))
    let plain = HTTPServerBuilder { responder in
      ConnectionChannel(base: HTTP1Channel(responder: responder, configuration: http))
    }
    return if let tls { try .tls(plain, tlsConfiguration: tls) } else { plain }
  }

  /// The routes.
  var router: Router<ServerContext> {
    let router = Router(context: ServerContext.self)
    router.add(middleware: ErrorMiddleware(metrics: core.metrics))
    HealthRoutes(core: core).add(to: router)
    IngestionRoutes(core).add(to: router)
    let api = router.group("api/v1")
    DeviceRoutes(core: core).add(to: api)
    FenceRoutes(core: core).add(to: api)
    StreamRoutes(core: core).add(to: api)
    SourceRoutes(core: core).add(to: api)
    DocumentRoutes().add(to: api)
    // For requests that no route takes.
    router.add(middleware: MethodMiddleware(routes: RouteTable(router.routes)))
    return router
  }

  /// Applies edits of fences that commands made over the store. A failure is tried again.
  private static func adoptEdits(_ core: ServerCore) async {
    do throws(StoreError) { try await core.fences.adoptEdits() } catch {
      core.logger.error("fences not read", metadata: ["code": "\(error.code)"])
    }
  }

  private var backgroundServices: [any Service] {
    let core = core
    var services: [any Service] = [
      FenceChangeService(devices: core.devices),
      PeriodicTask(interval: settings.limits.keepAlive) { core.hub.keepAlive() },
      PeriodicTask(interval: .seconds(1)) { await Self.adoptEdits(core) },
      PeriodicTask(interval: .seconds(60)) { await core.devices.restIdleDevices() },
      StreamEnd(hub: core.hub),
      RefreshService(core: core),
    ]
    if let source {
      services.append(SourceFollower(source: source, device: .this, devices: core.devices, hub: core.hub))
    }
    return services
  }
}

/// The task that applies changes of the fences to the loaded devices.
private struct FenceChangeService: Service {
  let devices: DeviceRegistry

  func run() async throws {
    await cancelWhenGracefulShutdown { await devices.applyFenceChanges() }
  }
}

/// The end of the event streams when the server ends: they would hold their connections open.
private struct StreamEnd: Service {
  let hub: StreamHub

  func run() async throws {
    try? await gracefulShutdown()
    hub.finish()
  }
}

/// The task that notices changes of tokens and zones by commands.
private struct RefreshService: Service {
  let core: ServerCore

  func run() async throws {
    let refresher = RegistryRefresher(tokens: core.tokens, zones: core.zones) { error in
      core.logger.error("tokens not read", metadata: ["code": "\(error.code)"])
    }
    await cancelWhenGracefulShutdown { await refresher.run() }
  }
}
