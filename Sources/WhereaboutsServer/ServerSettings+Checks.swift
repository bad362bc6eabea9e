import NIOSSL

extension ServerSettings {
  /// Checks the settings that belong together.
  func check() throws(ServerError) {
    guard (0...65_535).contains(port) else { throw ServerError("The port must be from 0 to 65535.") }
    guard tls != nil || isLoopback || allowsPlainHTTP else {
      throw ServerError(
        """
        Listening at \(host) without TLS would send tokens and places in the clear. Pass --tls-certificate and \
        --tls-key, or --plain-http behind a proxy that has TLS.
        """)
    }
  }
}

extension ServerSettings.TLSFiles {
  /// Reads the files.
  func configuration() throws(ServerError) -> TLSConfiguration {
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      configuration.minimumTLSVersion = .tlsv12
      return configuration
    } catch {
      throw ServerError("The certificate \(certificate) or the key \(key) can't be read. Both must be PEM files.")
    }
  }
}
