import NIOCore
import NIOSSL

/// The bytes of a certificate chain and of its private key.
struct TLSPair: Equatable {
  private static let maximumSize = 1 << 20

  let certificate: [UInt8]
  let key: [UInt8]

  /// Reads the files.
  ///
  /// - Throws: the setting of the file that can't be read, and why.
  init(_ files: ServerSettings.TLSFiles) throws(TLSPairError) {
    certificate = try Self.read(files.certificate, .tlsCertificate)
    key = try Self.read(files.key, .tlsKey)
  }

  private static func read(_ path: String, _ setting: ServerSetting) throws(TLSPairError) -> [UInt8] {
    do throws(FileReadError) { return try readFile(path, upTo: maximumSize) } catch {
      throw TLSPairError(
        setting, "\(path) can't be read: \(error.reason). Check the path and who may read it.")
    }
  }

  /// Returns the context for connections.
  ///
  /// - Throws: the setting of the file that is wrong, and why.
  func context() throws(TLSPairError) -> NIOSSLContext {
    guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificate), !chain.isEmpty else {
      throw TLSPairError(
        .tlsCertificate, "The file has no certificate in PEM. It begins with -----BEGIN CERTIFICATE-----.")
    }
    guard let privateKey = try? NIOSSLPrivateKey(bytes: key, format: .pem) else {
      throw TLSPairError(.tlsKey, "The file has no private key in PEM without a passphrase.")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    configuration.minimumTLSVersion = .tlsv12
    // A client that is gone does not answer to the end of a connection, which must not delay the end of the server.
    configuration.shutdownTimeout = .milliseconds(500)
    do { return try NIOSSLContext(configuration: configuration) } catch {
      throw TLSPairError(.tlsKey, "The private key is not the one of the certificate.")
    }
  }
}

/// A reason why a certificate and its key can't be used.
struct TLSPairError: Error, Hashable {
  let setting: ServerSetting
  let text: String

  init(_ setting: ServerSetting, _ text: String) {
    self.setting = setting
    self.text = text
  }
}

extension ServerSettings.TLSFiles {
  /// The problems of the files; empty if the files can be used.
  var problems: [(setting: ServerSetting, text: String)] {
    do throws(TLSPairError) {
      _ = try TLSPair(self).context()
      return []
    } catch {
      return [(error.setting, error.text)]
    }
  }
}
