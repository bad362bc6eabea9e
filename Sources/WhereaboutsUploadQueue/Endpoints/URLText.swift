/// The parts of a URL that may be stored and shown.
enum URLText {
  /// The names of query items that identify or format, and never authorize.
  private static let nonSecretNames: Set<String> = [
    "u", "d", "id", "user", "device", "deviceid", "format", "topic",
  ]

  /// Returns the first query name whose value may be secret; `nil` if none.
  static func possibleSecret(in url: String) -> String? {
    items(url).first { !nonSecretNames.contains($0.name.lowercased()) }.map { String($0.name) }
  }

  /// Returns a URL without the user and without values that may be secret.
  static func redacted(_ url: String) -> String {
    var text = String(url.prefix { $0 != "?" })
    if let mark = text.firstRange(of: "://") {
      let rest = text[mark.upperBound...]
      let authority = rest.prefix { $0 != "/" }
      if let at = authority.lastIndex(of: "@") {
        text = String(text[..<mark.upperBound] + rest[rest.index(after: at)...])
      }
    }
    let query = items(url).map { item in
      nonSecretNames.contains(item.name.lowercased()) ? "\(item.name)=\(item.value)" : "\(item.name)=…"
    }
    return query.isEmpty ? text : text + "?" + query.joined(separator: "&")
  }

  /// Returns the reason that no server can be reached at an authority, `HOST` or `HOST:PORT`; `nil` if one can be.
  static func problem(ofAuthority authority: Substring) -> String? {
    let host: Substring
    if authority.hasPrefix("[") {
      let address = authority.dropFirst().prefix { $0 != "]" }
      host = authority.prefix(address.count + 2)
      // A zone, as in `%25eth0`, may have any name.
      let digits = address.prefix { $0 != "%" }
      guard host.hasSuffix("]"), digits.contains(":"),
        digits.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
      else { return "the URL has no IPv6 address within brackets, as in http://[::1]:8080/" }
    } else {
      host = authority.prefix { $0 != ":" }
      if host.isEmpty { return "the URL names no host" }
      if host.contains("[") || host.contains("]") { return "the URL has a bracket in the host's name" }
    }
    let end = authority.dropFirst(host.count)
    guard !end.isEmpty else { return nil }
    let port = end.dropFirst()
    // The text may be the password of a URL that is cut off, so it is left out.
    guard end.hasPrefix(":"), port.allSatisfy(\.isNumber), let number = Int(port),
      (1...65_535).contains(number)
    else { return "the URL has a port that is no number from 1 to 65535; an IPv6 address stands in brackets" }
    return nil
  }

  private static func items(_ url: String) -> [(name: Substring, value: Substring)] {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    return url[url.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return (name, item.dropFirst(name.count + 1))
    }
  }
}
