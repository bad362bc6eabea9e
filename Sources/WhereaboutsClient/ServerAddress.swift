import WhereaboutsSystem
import WhereaboutsUpload

/// The address of a server, with the right to use it.
package struct ServerAddress: Hashable, Sendable {
  /// An address that can't be used.
  package struct AddressError: Error, Hashable, CustomStringConvertible {
    /// The failure and the remedy.
    package let description: String
    /// Whether the token's file is at fault, and not the address.
    package var isOfFile = false
    /// Whether the permissions of the token's file are the reason.
    package var isForbidden = false
  }

  /// The URL without a slash at its end: `http://host:port`, `https://host/base` or `http+unix://` with the path of a
  /// socket.
  package let url: String
  /// The value of `Authorization`; `nil` for none.
  package var authorization: String?
  /// The file with the authorities that are trusted in place of the system's; `nil` for the system's.
  package var authorityFile: String?

  /// Creates the address of a Unix socket, which needs no token.
  package init(socket path: String) {
    let escaped = path.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    self.init(url: "http+unix://" + escaped.joined())
  }

  /// Creates an address as typed.
  ///
  /// - Parameters:
  ///   - text: `http://HOST:PORT`, `https://HOST`, either with a path before `/api`, or the path of a Unix socket.
  ///   - allowsPlainHTTP: whether a token may go over plain HTTP beyond this machine.
  package init(_ text: String, allowsPlainHTTP: Bool = false) throws(AddressError) {
    if text.hasPrefix("/") || text.hasPrefix(".") {
      self.init(socket: text)
      return
    }
    let parts = text.split(separator: "://", maxSplits: 1)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else {
      throw AddressError(
        description:
          "'\(text)' is no server; as in http://localhost:8080, https://example.org or a socket's path")
    }
    let rest = parts[1], host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !host.isEmpty, !rest.contains(where: { $0 == "?" || $0 == "#" || $0.isWhitespace }) else {
      throw AddressError(
        description: "'\(text)' is no server: it has no host, or more than a host and a path")
    }
    guard !host.contains("@") else {
      throw AddressError(
        description: "a URL must not hold a password; --token-file or WHEREABOUTS_TOKEN has the token")
    }
    guard allowsPlainHTTP || parts[0].lowercased() == "https" || host.isLoopbackAuthority else {
      throw AddressError(
        description:
          "\(text) would send the token in the clear: use https, or --plain-http in a network that is safe")
    }
    self.init(
      url: String(text[..<(text.lastIndex { $0 != "/" }.map { text.index(after: $0) } ?? text.endIndex)]))
  }

  private init(url: String) { self.url = url }

  /// Sets the token.
  package mutating func setToken(_ token: String) { authorization = "Bearer \(token)" }

  /// Sets the token that a file holds, alone or as a header field.
  package mutating func readToken(file: String) throws(AddressError) {
    let contents: AuthorizationFile.Contents
    do throws(AuthorizationFile.ReadError) { contents = try AuthorizationFile.contents(at: file) } catch {
      throw AddressError(description: "\(error)", isOfFile: true, isForbidden: error.isForbidden)
    }
    guard let value = contents.fields.first(where: { $0.name.lowercased() == "authorization" })?.value else {
      throw AddressError(description: "could not use \(file): it holds no token", isOfFile: true)
    }
    authorization = value.contains(" ") ? value : "Bearer \(value)"
  }

  /// The address for messages.
  package var name: String { url.hasPrefix("http+unix:") ? "the server of this store" : url }
}
