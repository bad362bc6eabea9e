public import WhereaboutsModel
import WhereaboutsSystem

/// The status of a relay.
public struct RelayStatus: Hashable, Sendable {
  /// The number of gpsd clients, watching or not.
  public var gpsdClients = 0
  /// The number of NMEA 0183 clients.
  public var nmeaClients = 0
  /// Whether a client watches, so that the source's receiver is on.
  public var isReceiverOn = false
  /// The number of fixes from the source.
  public var fixCount = 0
  /// The arrival of the last fix, by the wall clock.
  public var lastFix: UTCTime?
  /// The number of clients dropped because they did not read their data.
  public var droppedClients = 0
  /// The number of clients refused because their protocol had the maximum number of clients.
  public var refusedClients = 0
  /// The source's problem; `nil` while the source delivers.
  public var problem: SourceProblem?

  /// Creates the status of a relay without clients.
  public init() {}
}

/// An address at which a relay listens.
public struct RelayAddress: Hashable, Sendable {
  /// A name or an address of this machine; `localhost` is both 127.0.0.1 and ::1.
  public var host: String
  /// The port; 0 picks a free one.
  public var port: Int

  /// Creates an address of a host and a port.
  public init(host: String = "localhost", port: Int) {
    self.host = host
    self.port = port
  }

  /// The text `host:port`, with brackets if the host has colons.
  public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Whether a client can connect to this address through the loopback address.
  package var isLocal: Bool { host.isLoopbackHost || host == "0.0.0.0" || host == "::" }
}
