extension ServerSettings {
  /// The flag and the key of the server's port, for errors.
  static let portSetting = "--listen (LISTEN)"
  /// The flag and the key of the port for OsmAnd, for errors.
  static let osmAndSetting = "--osmand-port (OSMAND_PORT)"

  /// Checks the settings that belong together.
  func check() throws(ServerError) {
    guard (0...65_535).contains(port) else { throw ServerError("The port must be from 0 to 65535.") }
    if let osmAndPort {
      guard (0...65_535).contains(osmAndPort) else {
        throw ServerError("The port for OsmAnd must be from 0 to 65535.")
      }
      guard osmAndPort == 0 || osmAndPort != port else {
        throw ServerError("The port for OsmAnd must be another one than the server's.")
      }
    }
    guard tls != nil || isLoopback || allowsPlainHTTP else {
      throw ServerError(
        """
        Listening at \(host) without TLS would send tokens and places in the clear. Pass --tls-certificate and \
        --tls-key, or --plain-http behind a proxy that has TLS.
        """)
    }
  }

  /// Throws ``ServerError`` if one of the ports can't be listened at.
  package func checkPorts() async throws {
    var ports = [(port, Self.portSetting)]
    if let osmAndPort { ports.append((osmAndPort, Self.osmAndSetting)) }
    for (port, setting) in ports {
      try await PortListener.check(host: host, port: port, address: address(of: port), setting: setting)
    }
  }

  /// Returns the host and a port, as in a URL.
  func address(of port: Int) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
