public import WhereaboutsCore

/// How a relay is doing.
public struct RelayStatus: Hashable, Sendable {
  /// How many clients speak gpsd's protocol, whether they watch or not.
  public var gpsdClients = 0
  /// How many clients take NMEA 0183.
  public var nmeaClients = 0
  /// Whether somebody watches, so that the source has its receiver on.
  public var isReceiverOn = false
  /// How many fixes the source has given.
  public var fixes = 0
  /// When the last of them came, by the wall clock.
  public var lastFix: UTCTime?
  /// How many clients were dropped because they did not take what they were sent.
  public var dropped = 0
  /// How many clients were refused because as many as fit were connected with the same protocol.
  public var refused = 0
  /// What the source has trouble with; `nil` while it delivers.
  public var trouble: SourceTrouble?

  /// A relay that nobody has come to yet.
  public init() {}
}

/// Where a relay listens.
public struct RelayAddress: Hashable, Sendable {
  /// A name or an address of this machine; `localhost` is both 127.0.0.1 and ::1.
  public var host: String
  /// The port; 0 takes one that is free.
  public var port: Int

  /// An address.
  public init(host: String = "localhost", port: Int) {
    self.host = host
    self.port = port
  }

  /// `host:port`, with brackets where the host has colons.
  public var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
