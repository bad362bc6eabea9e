import NIOCore
import NIOPosix
import SystemPackage
public import Whereabouts
public import WhereaboutsModel
import WhereaboutsSystem

/// A server that offers a source's fixes to clients of gpsd's protocol, and to clients of NMEA 0183 over TCP.
///
/// The server accepts up to 64 clients of each protocol; further clients are refused and counted. gpsd clients get
/// gpsd's replies (VERSION, DEVICES, WATCH, POLL) and TPV, SKY and ATT reports, or NMEA on request. NMEA clients get
/// sentences as soon as available. The source's receiver is on only while a client watches. A client with 64 KiB of
/// unread data is dropped; the others are not affected.
public final class RelayServer: Sendable {
  /// The address of gpsd's protocol; `nil` if not served.
  public let gpsdAddress: RelayAddress?
  /// The address of NMEA 0183; `nil` if not served.
  public let nmeaAddress: RelayAddress?

  private let channels: [any Channel]
  private let events: AsyncStream<RelayTransport.Event>

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - gpsd: the address for gpsd's protocol.
  ///   - nmea: the address for NMEA 0183.
  /// - Throws: a `SourceProblem` if an address is in use, not this machine's, or not allowed.
  public init(gpsd: RelayAddress?, nmea: RelayAddress?) async throws(SourceProblem) {
    let inlet: AsyncStream<RelayTransport.Event>.Continuation
    (events, inlet) = AsyncStream.makeStream(of: RelayTransport.Event.self)
    var channels: [any Channel] = []
    var bound: [RelaySession.Dialect: RelayAddress] = [:]
    do {
      for (dialect, address) in [(RelaySession.Dialect.gpsd, gpsd), (.nmea, nmea)] {
        guard var address else { continue }
        for host in address.host == "localhost" ? ["127.0.0.1", "::1"] : [address.host] {
          do {
            let channel = try await RelayTransport.listen(host: host, port: address.port, dialect, inlet)
            channels.append(channel)
            address.port = channel.localAddress?.port ?? address.port
          } catch  where host == "::1" && address.host == "localhost" && !Self.isAddressInUse(error) {
            // A machine without IPv6 has one address less.
          }
        }
        bound[dialect] = address
      }
    } catch {
      for channel in channels { channel.close(promise: nil) }
      let address = bound.isEmpty ? gpsd ?? nmea : nmea
      throw Self.problem(error, at: address, isGPSD: bound.isEmpty && gpsd != nil)
    }
    self.channels = channels
    gpsdAddress = bound[.gpsd]
    nmeaAddress = bound[.nmea]
  }

  private static func isAddressInUse(_ error: any Error) -> Bool {
    (error as? IOError)?.errnoCode == EADDRINUSE
  }

  static func problem(_ error: any Error, at address: RelayAddress?, isGPSD: Bool) -> SourceProblem {
    let reason =
      (error as? IOError).map { Errno(rawValue: $0.errnoCode).description.lowercased() }
      ?? (error is SocketAddressError || error is SocketAddressError.UnknownHost
        ? "its name is not known" : "\(error)")
    let remedy: String? =
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE where isGPSD:
        "gpsd itself may be running there. Take another port, as in --gpsd 2948, or run `sudo systemctl stop gpsd.socket gpsd`."
      case EADDRINUSE: "Something listens there already. Take another port."
      case EACCES:
        "A port below 1024 needs the capability CAP_NET_BIND_SERVICE. Take another port, as in 10110."
      case EADDRNOTAVAIL:
        "This machine has no such address. Take localhost, or 0.0.0.0 for all of its addresses."
      default: nil
      }
    let code: SourceProblem.Code =
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE: .inUse
      case EACCES: .notPermitted
      default: .unusable
      }
    return SourceProblem(
      code, message: "listen at \(address?.text ?? "any address"): \(reason)", remedy: remedy)
  }

  /// Serves a source's fixes until the task is cancelled; then all clients are disconnected and the sockets closed.
  ///
  /// Call it once. A source that has ended leaves its clients connected, without positions.
  ///
  /// - Parameters:
  ///   - source: the source of fixes. The server runs the source, which must not belong to another manager.
  ///   - device: the receiver's name for gpsd clients.
  ///   - observer: receives the status after a change, one call at a time: the next call has all changes meanwhile.
  public func serve(
    _ source: some LocationSource, device: String = "whereabouts",
    onStatusChange observer: @escaping @Sendable (RelayStatus) async -> Void = { _ in }
  ) async {
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self, bufferingPolicy: .bufferingNewest(1))
    let hub = RelayHub(
      RelaySession(device: device, revision: RelayIdentity.revision), demands: demandsIn,
      onStatusChange: observer)
    let link = SourceLink(
      demands: demands, authorizationRequests: AsyncStream { $0.finish() },
      background: ManagerSettings.Background(allowsUpdates: true)
    ) { signal, _ in
      SourceLink.Status(demand: await hub.process(signal.map { .signal($0) }))
    }
    demandsIn.yield(.off)
    await withTaskGroup { group in
      group.addTask { await source.run(link) }
      for await event in events { _ = await hub.process(event) }
      group.cancelAll()
    }
    for channel in channels { channel.close(promise: nil) }
    await hub.closeAll()
  }
}

/// An actor that passes the clients' events and the source's signals to the session in order, and applies the
/// effects.
private actor RelayHub {
  private var session: RelaySession
  private var clients = RelayClients()
  /// The status that was reported last.
  private var status = RelayStatus()
  private var isReporting = false
  private var demand = Demand.off
  private let demands: AsyncStream<Demand>.Continuation
  private let onStatusChange: @Sendable (RelayStatus) async -> Void

  init(
    _ session: RelaySession, demands: AsyncStream<Demand>.Continuation,
    onStatusChange observer: @escaping @Sendable (RelayStatus) async -> Void
  ) {
    self.session = session
    self.demands = demands
    self.onStatusChange = observer
  }

  /// Processes an event, if there is one.
  ///
  /// - Returns: the demand on the source from now on.
  func process(_ event: RelayTransport.Event?) async -> Demand {
    guard let event, let asked = clients.process(event) else { return demand }
    for asked in asked {
      for effect in session.handle(asked, at: Self.wallClock()) {
        switch effect {
        case .demand(let demand):
          self.demand = demand
          demands.yield(demand)
        case .send(let bytes, let numbers): clients.send(bytes, to: numbers)
        }
      }
    }
    clients.readMore(after: event)
    await reportStatus()
    return demand
  }

  /// Reports the status until it no longer changes. A second report at the same time could overtake the first.
  private func reportStatus() async {
    guard !isReporting else { return }
    isReporting = true
    while true {
      var now = session.status
      now.droppedClients = clients.droppedClients
      now.refusedClients = clients.refusedClients
      guard now != status else { break }
      status = now
      await onStatusChange(now)
    }
    isReporting = false
  }

  func closeAll() { clients.closeAll() }

  private static func wallClock() -> UTCTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // gpsd's times have milliseconds.
    return UTCTime(
      nanosecondsSince1970: (Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000) * 1_000_000)
  }
}

/// The identity of this process's relays, so that no relay uses its own fixes.
enum RelayIdentity {
  /// The prefix of every relay's `rev`.
  static let prefix = "whereabouts-"
  /// The prefix of an ERROR that states why a relay's source does not deliver.
  static let problemPrefix = "could not "
  /// The `rev` of VERSION.
  static let revision = "\(prefix)\(String(UInt64.random(in: .min ... .max), radix: 16))"
}
