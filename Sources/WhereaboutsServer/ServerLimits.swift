/// The limits of requests to a server. A request beyond a limit is refused at once.
public struct ServerLimits: Hashable, Sendable {
  /// The greatest size of a body in bytes.
  public var bodySize = 16 << 20
  /// The longest time for a body to arrive.
  public var bodyTimeout = Duration.seconds(60)
  /// The greatest number of requests whose fixes are read or stored at the same time; for one token half of it.
  public var ingestions = 64
  /// The greatest number of open event streams; for one token half of it.
  public var streams = 20_000
  /// The greatest number of open connections. Those of one token that wait for a fix are at most half of it.
  public var connections = 25_000
  /// The time after which a connection without a request is closed.
  public var idleTimeout = Duration.seconds(75)
  /// The longest wait of a request for a fix.
  public var longestWait = Duration.seconds(300)
  /// The interval of the comments that keep an event stream open.
  public var keepAlive = Duration.seconds(15)

  /// Creates the standard limits.
  public init() {}
}
