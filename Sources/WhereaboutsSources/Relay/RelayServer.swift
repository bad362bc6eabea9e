import NIOCore
import NIOPosix
import SystemPackage
public import Whereabouts
public import WhereaboutsCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Offers what a source has to programs that were made for gpsd, or that take NMEA 0183 over TCP.
///
/// Any number of clients up to 64 of each protocol; those beyond are refused, and counted. gpsd's clients are answered as gpsd answers (VERSION, DEVICES, WATCH, POLL) and sent TPV, SKY
/// and ATT, or NMEA where they ask for that; NMEA clients are sent sentences as soon as they are there. The source's receiver is
/// on only while one of them watches. A client that does not take what it is sent is dropped when 64 KiB wait for it; the others
/// don't notice.
public final class RelayServer: Sendable {
  /// Where gpsd's protocol is spoken; `nil` where it is not.
  public let gpsdAddress: RelayAddress?
  /// Where NMEA 0183 is sent; `nil` where it is not.
  public let nmeaAddress: RelayAddress?

  private let channels: [any Channel]
  private let events: AsyncStream<RelayWire.Event>

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - gpsd: where to speak gpsd's protocol.
  ///   - nmea: where to send NMEA 0183.
  /// - Throws: where an address is taken, not this machine's, or not allowed.
  public init(gpsd: RelayAddress?, nmea: RelayAddress?) async throws(SourceTrouble) {
    let inlet: AsyncStream<RelayWire.Event>.Continuation
    (events, inlet) = AsyncStream.makeStream(of: RelayWire.Event.self)
    var channels: [any Channel] = []
    var bound: [RelayDesk.Dialect: RelayAddress] = [:]
    do {
      for (dialect, address) in [(RelayDesk.Dialect.gpsd, gpsd), (.nmea, nmea)] {
        guard var address else { continue }
        for host in address.host == "localhost" ? ["127.0.0.1", "::1"] : [address.host] {
          do {
            let channel = try await RelayWire.listen(host: host, port: address.port, dialect, inlet)
            channels.append(channel)
            address.port = channel.localAddress?.port ?? address.port
          } catch  where host == "::1" && address.host == "localhost" && !Self.isTaken(error) {
            // A machine without IPv6 has one address less.
          }
        }
        bound[dialect] = address
      }
    } catch {
      for channel in channels { channel.close(promise: nil) }
      let address = bound.isEmpty ? gpsd ?? nmea : nmea
      throw Self.trouble(error, at: address, isGPSD: bound.isEmpty && gpsd != nil)
    }
    self.channels = channels
    gpsdAddress = bound[.gpsd]
    nmeaAddress = bound[.nmea]
  }

  private static func isTaken(_ error: any Error) -> Bool { (error as? IOError)?.errnoCode == EADDRINUSE }

  private static func trouble(_ error: any Error, at address: RelayAddress?, isGPSD: Bool) -> SourceTrouble {
    let reason =
      (error as? IOError).map { Errno(rawValue: $0.errnoCode).description.lowercased() }
      ?? (error is SocketAddressError ? "its name is not known" : "\(error)")
    let remedy: String? =
      switch (error as? IOError)?.errnoCode {
      case EADDRINUSE where isGPSD:
        "gpsd itself may be running there. Take another port, as in --gpsd 2948, or run `sudo systemctl stop gpsd.socket gpsd`."
      case EADDRINUSE: "Something listens there already. Take another port."
      case EACCES: "Ports below 1024 are the system's. Take another port."
      case EADDRNOTAVAIL:
        "This machine has no such address. Take localhost, or 0.0.0.0 for all of its addresses."
      default: nil
      }
    return SourceTrouble(
      Self.isTaken(error) ? .inUse : .unusable,
      message: "listen at \(address?.text ?? "any address"): \(reason)", remedy: remedy)
  }

  /// Serves what a source has, until the task is cancelled; then every client is let go, and nobody listens any more.
  ///
  /// Call it once. A source that has nothing more to tell leaves its clients connected, without positions.
  ///
  /// - Parameters:
  ///   - source: where fixes come from. It runs in here, and must not be another manager's.
  ///   - device: what gpsd's clients are told that the receiver is called.
  ///   - note: is told how it stands whenever something of that changes. The relay waits for its return.
  public func serve(
    _ source: some LocationSource, device: String = "whereabouts",
    noting note: @escaping @Sendable (RelayStatus) async -> Void = { _ in }
  ) async {
    let (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self, bufferingPolicy: .bufferingNewest(1))
    let hub = RelayHub(
      RelayDesk(device: device, revision: RelayIdentity.revision), demands: demandsIn, noting: note)
    let link = SourceLink(
      demands: demands, questions: AsyncStream { $0.finish() },
      background: BackgroundSettings(allowsUpdates: true)
    ) { signal, _ in
      EngineStatus(demand: await hub.take(signal.map { .signal($0) }))
    }
    demandsIn.yield(.off)
    await withTaskGroup { group in
      group.addTask { await source.run(link) }
      for await event in events { _ = await hub.take(event) }
      group.cancelAll()
    }
    for channel in channels { channel.close(promise: nil) }
    await hub.closeAll()
  }
}

/// Brings what clients do and what the source tells to the desk, one after the other, and carries out what it decides.
private actor RelayHub {
  private var desk: RelayDesk
  private var clients = RelayClients()
  private var status = RelayStatus()
  private var demand = Demand.off
  private let demands: AsyncStream<Demand>.Continuation
  private let note: @Sendable (RelayStatus) async -> Void

  init(
    _ desk: RelayDesk, demands: AsyncStream<Demand>.Continuation,
    noting note: @escaping @Sendable (RelayStatus) async -> Void
  ) {
    self.desk = desk
    self.demands = demands
    self.note = note
  }

  /// Takes what happened, if anything did.
  ///
  /// - Returns: what is needed of the source from now on.
  func take(_ event: RelayWire.Event?) async -> Demand {
    guard let event, let asked = clients.take(event) else { return demand }
    for asked in asked {
      for effect in desk.handle(asked, at: Self.wall()) {
        switch effect {
        case .demand(let demand):
          self.demand = demand
          demands.yield(demand)
        case .send(let bytes, let numbers): clients.send(bytes, to: numbers)
        }
      }
    }
    clients.readOn(after: event)
    var now = desk.status
    now.dropped = clients.dropped
    now.refused = clients.refused
    if now != status {
      status = now
      await note(now)
    }
    return demand
  }

  func closeAll() { clients.closeAll() }

  private static func wall() -> UTCTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // Milliseconds, as gpsd has them.
    return UTCTime(
      nanosecondsSince1970: (Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000) * 1_000_000)
  }
}

/// What the relays of this process are recognised by, so that none takes its own fixes for news.
enum RelayIdentity {
  /// What the `rev` of every relay begins with.
  static let prefix = "whereabouts-"
  /// What an ERROR begins with that says why the source of a relay does not deliver.
  static let troublePrefix = "could not "
  /// For `rev` of VERSION.
  static let revision = "\(prefix)\(String(UInt64.random(in: .min ... .max), radix: 16))"
}
