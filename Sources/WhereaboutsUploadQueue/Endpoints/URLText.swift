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

  private static func items(_ url: String) -> [(name: Substring, value: Substring)] {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    return url[url.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return (name, item.dropFirst(name.count + 1))
    }
  }
}
