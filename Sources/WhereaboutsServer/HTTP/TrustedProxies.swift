import Foundation

/// The proxies whose field `X-Forwarded-For` names the client of a request.
///
/// The field is read from a trusted peer only: anybody else could choose an address, evade the delays after wrong
/// passwords, and delay others.
package struct TrustedProxies: Hashable, Sendable {
  /// A network of the 16 bytes of IPv6.
  private struct Network: Hashable, Sendable {
    let address: [UInt8]
    /// The length of the prefix in bits.
    let length: Int

    /// Reads an address, or a network as in `192.0.2.0/24`.
    init?(_ text: Substring) {
      let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let address = TrustedProxies.bytes(of: String(parts[0])) else { return nil }
      self.address = address
      let whole = parts[0].contains(":") ? 128 : 32
      guard parts.count > 1 else {
        length = 128
        return
      }
      guard let bits = SettingText(text: String(parts[1])).integer(in: 0...whole) else { return nil }
      length = 128 - whole + bits
    }

    func contains(_ other: [UInt8]) -> Bool {
      let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
      guard address.prefix(whole) == other.prefix(whole) else { return false }
      guard rest > 0 else { return true }
      return (address[whole] ^ other[whole]) & (UInt8.max << (8 - rest)) == 0
    }
  }

  private var networks: [Network] = []

  /// Creates the standard: no proxy is trusted.
  package init() {}

  /// Reads addresses and networks with commas between.
  init?(_ setting: SettingText) {
    for part in Self.parts(of: setting.text) {
      guard let network = Network(part) else { return nil }
      networks.append(network)
    }
  }

  /// Returns the address of a request's client: the last one of the field that is no trusted proxy. An entry that is no
  /// address ends the search, since the entries before it are from an unknown sender.
  ///
  /// - Parameters:
  ///   - peer: the address of the connection; `nil` for a Unix socket, whose client is always this machine.
  ///   - forwarded: the field `X-Forwarded-For`, to whose end each proxy adds its peer; `nil` for none.
  func client(of peer: String?, forwarded: String?) -> String? {
    guard let peer, let forwarded, contains(peer) else { return peer }
    var client = peer
    for entry in Self.parts(of: forwarded).reversed() {
      guard let address = Self.bytes(of: String(entry)) else { break }
      client = String(entry)
      guard networks.contains(where: { $0.contains(address) }) else { break }
    }
    return client
  }

  private func contains(_ address: String) -> Bool {
    guard !networks.isEmpty, let bytes = Self.bytes(of: address) else { return false }
    return networks.contains { $0.contains(bytes) }
  }

  /// Returns the parts between commas, without the blanks around them.
  private static func parts(of text: String) -> [Substring] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let part = part.drop { $0 == " " || $0 == "\t" }
      return part.lastIndex { $0 != " " && $0 != "\t" }.map { part[...$0] } ?? part
    }
  }

  /// Returns the bytes of an address; those of IPv4 as `::ffff:192.0.2.1`, by which a listener of both kinds names an
  /// IPv4 peer.
  private static func bytes(of address: String) -> [UInt8]? {
    var v4 = [UInt8](repeating: 0, count: 4), v6 = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &v4) == 1 { return [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + v4 }
    return inet_pton(AF_INET6, address, &v6) == 1 ? v6 : nil
  }
}
