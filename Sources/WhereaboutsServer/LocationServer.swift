import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals
public import Whereabouts
import WhereaboutsModel
public import WhereaboutsStore
import WhereaboutsUploadQueue

/// A server that runs the engines of many devices, receives fixes from phones and from a source of this machine, and
/// answers over HTTP.
///
/// docs/server.md describes the paths, docs/phones.md the settings of apps. A fix is acknowledged once it is on the
/// disk: acknowledged fixes and reported crossings survive a kill and a power cut.
public struct LocationServer: Sendable {
  private let settings: ServerSettings
  let core: ServerCore
  private let source: (any LocationSource)?
  private let tls: TLSContexts?

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
    try self.init(
      settings: settings, store: store, source: source, logger: logger,
      passwordCost: PasswordRecord.standardCost)
  }

  /// - Parameter passwordCost: the cost of new passwords and of checks for unknown users.
  init(
    settings: ServerSettings, store: SQLiteStore, source: (any LocationSource)?, logger: Logger,
    passwordCost: Int
  ) throws {
    try settings.check()
    self.settings = settings
    self.source = source
    tls = try settings.tls.map { files throws(ServerError) in try TLSContexts(files) }
    let fences = try SharedFences(store: store), hub = StreamHub()
    let devices = DeviceRegistry(
      store: store, fences: fences, hub: hub, zone: settings.timeZone, logger: logger)
    let zones = try ZoneRegistry(store)
    core = ServerCore(
      store: store, devices: devices, fences: fences,
      tokens: try TokenRegistry(store, passwordCost: passwordCost, zones: zones), zones: zones, hub: hub,
      limits: settings.limits,
      hasSource: source != nil, alerts: settings.alerts, phones: settings.phones,
      trustedProxies: settings.trustedProxies, logger: logger)
  }

  /// Creates an administrator's token on a store without tokens.
  ///
  /// - Returns: the secret, which is stored nowhere; `nil` if there are tokens.
  public func createFirstToken() throws(StoreError) -> String? { try makeFirstToken()?.secret }

  /// Creates an administrator's token on a store without tokens, and revokes the token if nobody sees its secret.
  ///
  /// - Parameter show: shows the secret. Returns false if nobody reads the output.
  package func createFirstToken(show: (_ secret: String) throws -> Bool) throws {
    guard let created = try makeFirstToken() else { return }
    let isShown: Bool
    do { isShown = try show(created.secret) } catch {
      try core.tokens.revoke(created.token.id)
      throw error
    }
    guard !isShown else { return }
    try core.tokens.revoke(created.token.id)
    core.logger.warning("no administrator's token was created: standard output is closed")
  }

  private func makeFirstToken() throws(StoreError) -> (token: AccessToken, secret: String)? {
    guard core.tokens.list().isEmpty else { return nil }
    let terms = TokenTerms(label: "administrator", device: nil, scopes: [.admin])
    return try core.tokens.create(terms, at: .now)
  }

  /// Serves until the process receives SIGTERM or SIGINT, or the task is cancelled. Then the states are stored.
  ///
  /// - Parameters:
  ///   - endsOnSignals: whether SIGTERM and SIGINT end the server.
  ///   - onReady: called with the server's URL once it answers.
  public func run(
    endsOnSignals: Bool = true, onReady: @escaping @Sendable (String) async -> Void
  ) async throws {
    try await run(nil, endsOnSignals: endsOnSignals, onReady: onReady)
  }

  /// Serves with a configuration that can be reloaded, and with a supervisor.
  ///
  /// - Parameters:
  ///   - supervision: the configuration and the supervisor; `nil` for none.
  ///   - endsOnSignals: whether SIGTERM and SIGINT end the server.
  ///   - beforeStart: called before the first request, once the ports are known to be free.
  ///   - onReady: called with the server's URL once it answers.
  package func run(
    _ supervision: ServerSupervision?, endsOnSignals: Bool = true, beforeStart: () throws -> Void = {},
    onReady: @escaping @Sendable (String) async -> Void
  ) async throws {
    // Before the listeners start: one that fails ends the others, and those log errors that have no other cause.
    try await settings.checkPorts()
    // From now on a signal ends the server in order, also before it is ready. A search for the host's address, which may
    // take long, is over.
    let stopSignals = await UnixSignalsSequence(trapping: endsOnSignals ? [.sigterm, .sigint] : [])
    try beforeStart()
    let reloader = supervision.map { ConfigurationReloader($0, core: core, tls: tls) }
    // Before the first request: the alerts begin with its crossings.
    if settings.alerts == nil { try core.store.removeAlerts() } else { _ = try core.store.alertPosition() }
    var seen: [AccessToken.ID: UInt64] = [:]
    try LinkArrivals(core: core).endArrived(&seen)
    let others = [settings.osmAndPort != nil, settings.socket != nil]
    let (ready, readyIn) = AsyncStream.makeStream(of: Void.self)
    let listeners = ListenerStart(count: 1 + others.count { $0 }) { url in
      supervision?.notifier?.send(.ready)
      await onReady(url)
      readyIn.finish()
    }
    let adopted = try await core.fences.adoptOwnFences()
    if adopted > 0 {
      core.logger.info("fences of single devices became the server's", metadata: ["count": "\(adopted)"])
    }
    reportConnectionShares()
    reportEndpoints()
    await reportUnknownFences()
    // Before the first request: one for the same device would load it without its source.
    let follower = await sourceFollower
    let notifier = supervision?.notifier
    let deadline = StopDeadline { notifier?.send(.stopping) }
    let services: [any Service] =
      applications(listeners, reloader) + backgroundServices(follower)
      + supervisionServices(supervision, reloader, ready) + [deadline]
    defer { core.hub.finish() }
    try await run(serviceGroup(of: services, endingOn: endsOnSignals ? stopSignals : nil), until: deadline)
    // A cancelled task would not wait for the store.
    await Task { await core.devices.closeAll() }.value
  }

  /// Returns the group that runs the services.
  ///
  /// - Parameter signals: the signals that end the group; `nil` for none.
  private func serviceGroup(
    of services: [any Service], endingOn signals: UnixSignalsSequence?
  ) -> ServiceGroup {
    // The group logs the names. The description of a service would hold passwords, keys and addresses.
    var grouped = services.map {
      ServiceGroupConfiguration.ServiceConfiguration(service: $0, serviceName: "\(type(of: $0))")
    }
    if let signals {
      // The last one: a service that ends by itself while the group ends another one would be an error.
      grouped.append(
        ServiceGroupConfiguration.ServiceConfiguration(
          service: StopSignalService(signals: signals),
          successTerminationBehavior: .gracefullyShutdownGroup,
          serviceName: "\(StopSignalService.self)"))
    }
    var configuration = ServiceGroupConfiguration(services: grouped, logger: core.logger)
    configuration.maximumGracefulShutdownDuration = StopDeadline.grace
    return ServiceGroup(configuration: configuration)
  }

  /// Warns of upload endpoints in the store: the server does not upload.
  private func reportEndpoints() {
    let names = ((try? core.store.endpoints()) ?? []).map(\.name)
    guard !names.isEmpty else { return }
    core.logger.warning(
      "serve does not upload; run `whereabouts queue flush` regularly",
      metadata: ["endpoints": "\(names.joined(separator: ", "))"])
  }

  /// Warns of fences that alerts name and the server does not have: an id may be misspelled.
  private func reportUnknownFences() async {
    guard let alerts = settings.alerts else { return }
    var unknown: [String] = []
    for id in alerts.fences.sorted() {
      if await core.fences.fence(id) == nil { unknown.append(id.name) }
    }
    guard !unknown.isEmpty else { return }
    core.logger.warning(
      "alerts name fences that do not exist; their crossings are notified once they are added",
      metadata: ["fences": "\(unknown.joined(separator: ", "))"])
  }

  private func run(_ group: ServiceGroup, until deadline: StopDeadline) async throws {
    do {
      if try await !deadline.run(group) {
        core.logger.notice("connections that did not end in time are cut")
      }
    } catch is CancellationError {
      // Requests that did not end in time were cut.
    }
  }

  /// Returns the listeners: the server's own, and the one for OsmAnd if it is wanted.
  private func applications(
    _ listeners: ListenerStart, _ reloader: ConfigurationReloader?
  ) -> [any Service] {
    let ingestion = IngestionRoutes(core)
    let own = router(ingestion, reloader)
    let main = listener(own, port: settings.port, ServerSettings.portSetting) { await listeners.started($0) }
    var all: [any Service] = [main]
    if let path = settings.socket {
      all.append(ownerListener(own, OwnerSocket(path: path), listeners))
    }
    if let port = settings.osmAndPort {
      let router = Router(context: ServerContext.self)
      router.add(middleware: ErrorMiddleware(metrics: core.metrics))
      ingestion.addOsmAnd(to: router)
      let logger = core.logger
      all.append(
        listener(router, port: port, ServerSettings.osmAndSetting) { url in
          logger.notice("listening for OsmAnd", metadata: ["url": "\(url)"])
          await listeners.started(nil)
        })
    }
    return all.count == 1 ? all : [ListenerGroup(listeners: all)]
  }

  /// Returns a listener at a port.
  ///
  /// - Parameter setting: the flag and the key of the port, for errors.
  private func listener(
    _ router: Router<ServerContext>, port: Int, _ setting: String,
    _ onStart: @escaping @Sendable (String) async -> Void
  ) -> any Service {
    let scheme = tls == nil ? "http" : "https"
    let builder = serverBuilder { [tls] plain in
      if let tls { ReloadingTLSChannel(base: plain, contexts: tls) } else { plain }
    }
    let address = BindAddress.hostname(settings.host, port: port)
    let server = application(router, builder, at: address, share: connectionShares?.port) { channel in
      await onStart("\(scheme)://\(settings.address(of: channel.localAddress?.port ?? port))")
    }
    return PortListener(listener: server, address: settings.address(of: port), setting: setting)
  }

  /// Returns the listener for the commands of this user.
  private func ownerListener(
    _ router: Router<ServerContext>, _ socket: OwnerSocket, _ listeners: ListenerStart
  ) -> any Service {
    let builder = serverBuilder { OwnerChannel(base: $0) }
    let address = BindAddress.unixDomainSocket(path: socket.path)
    let listener = application(router, builder, at: address, share: connectionShares?.socket) { _ in
      socket.restrict()
      await listeners.started(nil)
    }
    return OwnerSocketListener(socket: socket, listener: listener, listeners: listeners, logger: core.logger)
  }

  /// The shares of the listeners in the open files; `nil` if the limit is not known.
  private var connectionShares: ConnectionShares? {
    ConnectionShares.openFiles.map {
      ConnectionShares(
        openFiles: $0, cores: NIOCore.System.coreCount, ports: settings.osmAndPort == nil ? 1 : 2,
        hasSocket: settings.socket != nil)
    }
  }

  /// Reports that the limit of open files permits fewer connections than the settings.
  private func reportConnectionShares() {
    guard let shares = connectionShares, shares.port < settings.limits.connections else { return }
    core.logger.log(
      level: shares.port < ConnectionShares.few ? .warning : .info,
      """
      a listener has at most \(shares.port) connections, fewer than MAX_CONNECTIONS. \(AcceptPause.openFilesRemedy)
      """)
  }

  /// - Parameter share: the greatest number of connections; `nil` for that of the settings.
  private func application(
    _ router: Router<ServerContext>, _ builder: HTTPServerBuilder, at address: BindAddress, share: Int?,
    _ onStart: @escaping @Sendable (any Channel) async -> Void
  ) -> any Service {
    // Hummingbird logs its start at the level of information.
    let logger = Logger(label: "whereabouts") { _ in AtLeastLogHandler(core.logger.handler, .notice) }
    return Application(
      responder: StreamResponder(base: router.buildResponder()), server: builder,
      configuration: ApplicationConfiguration(
        address: address, serverName: nil,
        availableConnectionsDelegate: ConnectionBound(core.liveLimits, share: share ?? .max)),
      onServerRunning: { [logger = core.logger] channel in
        await AcceptPause.add(to: channel, logger: logger)
        await onStart(channel)
      }, logger: logger)
  }

  /// Returns the builder of HTTP servers.
  ///
  /// - Parameter wrapper: adds the layers of a connection around its plain channel.
  private func serverBuilder(
    _ wrapper: @escaping @Sendable (ConnectionChannel) -> any ServerChildChannel
  ) -> HTTPServerBuilder {
    let http = HTTP1Channel.Configuration(
      idleTimeout: .seconds(settings.limits.idleTimeout.components.seconds),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))
    return HTTPServerBuilder { [limits = core.liveLimits] responder in
      wrapper(
        ConnectionChannel(base: HTTP1Channel(responder: responder, configuration: http), limits: limits))
    }
  }

  /// The routes of a server without a configuration.
  var router: Router<ServerContext> { router(IngestionRoutes(core), nil) }

  /// Returns the routes.
  ///
  /// - Parameter reloader: reloads the configuration; `nil` for a server without one.
  private func router(_ ingestion: IngestionRoutes, _ reloader: ConfigurationReloader?) -> Router<
    ServerContext
  > {
    let router = Router(context: ServerContext.self)
    router.add(middleware: ErrorMiddleware(metrics: core.metrics))
    HealthRoutes(core: core).add(to: router)
    PageRoutes(tiles: settings.tiles, ingestion: ingestion).add(to: router)
    ingestion.add(to: router)
    let api = router.group("api/v1")
    DocumentRoutes().add(to: api)
    api.add(middleware: ParameterMiddleware())
    DeviceRoutes(core: core).add(to: api)
    FenceRoutes(core: core).add(to: api)
    StreamRoutes(core: core).add(to: api)
    SourceRoutes(core: core).add(to: api)
    TokenRoute(core: core).add(to: api)
    MapRoute(core: core, tiles: settings.tiles).add(to: api)
    LinkRoutes(core: core).add(to: api)
    JourneyRoute(core: core).add(to: api)
    AlertRoutes(core: core, timeZone: settings.timeZone).add(to: api)
    ReaderRoutes(core: core).add(to: api)
    ErasureRoutes(core: core).add(to: api)
    ReloadRoute(core: core, reloader: reloader).add(to: api)
    // For requests without a matching route.
    router.add(middleware: MethodMiddleware(routes: RouteTable(router.routes)))
    return router
  }

  /// The follower of the source of this machine, with its device loaded; `nil` without a source.
  private var sourceFollower: SourceFollower? {
    get async {
      guard let source else { return nil }
      let session = await core.devices.retain(.this, source: source)
      return SourceFollower(source: source, session: session, hub: core.hub)
    }
  }

  private func backgroundServices(_ follower: SourceFollower?) -> [any Service] {
    let core = core
    var services: [any Service] = [
      FenceChangeService(devices: core.devices),
      PeriodicTask(interval: settings.limits.keepAlive) { core.hub.keepAlive() },
      FenceEditService(core: core),
      PeriodicTask(interval: .seconds(1)) { core.hub.endStreams(withoutValidTokenIn: core.tokens) },
      PeriodicTask(interval: .seconds(60)) { await core.devices.restIdleDevices() },
      PeriodicTask(interval: .seconds(3600)) { core.store.scheduleRetention() },
      // The services end from the last one on, and those that follow the hub must not end before they are asked to.
      StreamEnd(hub: core.hub),
      LinkArrivals(core: core),
      RefreshService(core: core),
    ]
    if let follower {
      services.append(follower)
      let states = SourceStateService(manager: follower.session.manager, logger: core.logger)
      services.append(states)
      services.append(PeriodicTask(interval: .seconds(60)) { await states.processLastStatus() })
      services.append(PeriodicTask(interval: .seconds(5)) { await core.devices.repeatLoad(of: .this) })
    }
    if let alerts = settings.alerts {
      services.append(AlertService(core: core, settings: alerts, timeZone: settings.timeZone))
    }
    #if MQTT
      if let mqtt = settings.mqtt { services.append(MQTTService(core: core, settings: mqtt)) }
    #endif
    return services
  }

  private func supervisionServices(
    _ supervision: ServerSupervision?, _ reloader: ConfigurationReloader?, _ ready: AsyncStream<Void>
  ) -> [any Service] {
    var services: [any Service] = []
    if let supervision, let reloader {
      services.append(HangupService(hangups: supervision.hangups, reloader: reloader, ready: ready))
      services.append(PeriodicTask(interval: .seconds(60)) { await reloader.reloadTLS() })
    }
    if let notifier = supervision?.notifier, let interval = notifier.watchdogInterval {
      services.append(WatchdogService(notifier: notifier, interval: interval, core: core))
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

/// The task that applies edits of fences that commands made over the store. A failure is tried again, and logged once for
/// as long as its cause lasts.
private struct FenceEditService: Service {
  let core: ServerCore

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var reported: StoreError.Code?
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        do throws(StoreError) {
          try await core.fences.adoptEdits()
          reported = nil
        } catch {
          if reported != error.code {
            core.logger.error("fences not read", metadata: ["code": "\(error.code)"])
          }
          reported = error.code
        }
      }
    }
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
      core.logger.error("tokens or privacy zones not read", metadata: ["code": "\(error.code)"])
    }
    await cancelWhenGracefulShutdown { await refresher.run() }
  }
}
