import WhereaboutsSystem

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

  /// Returns the host and the port of a listening address as typed: `2947`, `0.0.0.0:2947` or `[::]:2947`.
  ///
  /// - Returns: the host without its brackets, `nil` where the text is only a port, and the port as typed. `nil` for an
  ///   empty host, and for a host with colons and without brackets.
  package static func parts(of text: String) -> (host: String?, port: Substring)? {
    guard let colon = text.lastIndex(of: ":") else { return (nil, text[...]) }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    return host.isEmpty ? nil : (String(host), text[text.index(after: colon)...])
  }
}
