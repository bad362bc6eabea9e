import Foundation

/// The address of an MQTT broker as typed: `mqtt://[user@]host[:port]`, or `mqtts://…` for TLS.
///
/// A password has no place in an address: addresses are printed and logged.
package struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
  /// The name or the address of the host, without brackets.
  package var host: String
  /// The port; 1883, or 8883 with TLS, unless given.
  package var port: Int
  /// Whether the connection has TLS.
  package var usesTLS: Bool
  /// The user's name; `nil` for none.
  package var user: String?

  /// Reads an address.
  ///
  /// - Returns: `nil` for a text of another form, and for one with a password.
  package init?(_ text: String) {
    guard let separator = text.firstRange(of: "://") else { return nil }
    switch text[..<separator.lowerBound].lowercased() {
    case "mqtt": usesTLS = false
    case "mqtts": usesTLS = true
    default: return nil
    }
    var rest = text[separator.upperBound...]
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    guard !rest.contains(where: { "/?# \t".contains($0) }) else { return nil }
    if let at = rest.lastIndex(of: "@") {
      guard let name = rest[..<at].removingPercentEncoding, !name.isEmpty, !rest[..<at].contains(":") else {
        return nil
      }
      user = name
      rest = rest[rest.index(after: at)...]
    }
    port = usesTLS ? 8883 : 1883
    host = ""
    guard readHost(rest) else { return nil }
  }

  /// Reads `host`, `host:port`, `[address]` or `[address]:port`.
  private mutating func readHost(_ text: Substring) -> Bool {
    var name = text, end: Substring = ""
    if text.hasPrefix("[") {
      guard let bracket = text.firstIndex(of: "]") else { return false }
      name = text[text.index(after: text.startIndex)..<bracket]
      end = text[text.index(after: bracket)...]
    } else if let colon = text.firstIndex(of: ":") {
      name = text[..<colon]
      end = text[colon...]
    }
    if !end.isEmpty {
      guard end.hasPrefix(":"), let port = SettingText(text: String(end.dropFirst())).integer(in: 1...65_535)
      else { return false }
      self.port = port
    }
    host = String(name)
    return !host.isEmpty
  }

  /// The address without the user.
  package var description: String {
    "\(usesTLS ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
