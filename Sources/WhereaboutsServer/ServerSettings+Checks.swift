extension ServerSettings {
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
}
