/// What of a URL may be kept and shown.
enum URLText {
  /// Names in a query whose values say who or in which form, and never who may.
  private static let harmless: Set<String> = [
    "u", "d", "id", "user", "device", "deviceid", "format", "topic",
  ]

  /// The first name in a query whose value may be a secret; `nil` where there is none.
  static func possibleSecret(in url: String) -> String? {
    items(url).first { !harmless.contains($0.name.lowercased()) }.map { String($0.name) }
  }

  /// The URL without values that may be secrets, and without a user.
  static func shown(_ url: String) -> String {
    var text = String(url.prefix { $0 != "?" })
    if let mark = text.firstRange(of: "://") {
      let rest = text[mark.upperBound...]
      let authority = rest.prefix { $0 != "/" }
      if let at = authority.lastIndex(of: "@") {
        text = String(text[..<mark.upperBound] + rest[rest.index(after: at)...])
      }
    }
    let query = items(url).map { item in
      harmless.contains(item.name.lowercased()) ? "\(item.name)=\(item.value)" : "\(item.name)=…"
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
