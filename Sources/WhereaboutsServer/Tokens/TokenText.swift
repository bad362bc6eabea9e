import Whereabouts
package import WhereaboutsModel
package import WhereaboutsReports

/// Access tokens as text and as JSON.
package enum TokenText {
  /// Returns a one-line description of a new token.
  package static func line(_ token: AccessToken) -> String {
    var parts = [device(token), scopes(token)]
    if let cap = token.terms.accuracyCap { parts.append("no better than \(Quantities.length(cap))") }
    if let since = since(token.terms) { parts.append(since) }
    if let expires = token.terms.expires { parts.append("until \(expires.dateText) \(expires.clockText)") }
    if case .password(let user) = token.credential { parts.append("user name \(user)") }
    return "token \(token.id) created: \(token.terms.label), \(parts.joined(separator: ", "))"
  }

  /// Returns the columns of a table.
  package static func columns(_ token: AccessToken, now: UTCTime) -> [String] {
    let terms = token.terms
    let credential =
      switch token.credential {
      case .secret(let hint): hint
      case .password: "password"
      }
    let expiry = terms.expires.map { time in
      "\(token.isExpired(at: now) ? "expired" : "until") \(time.dateText) \(time.clockText)"
    }
    return [
      "\(token.id)", terms.label, device(token), scopes(token),
      terms.accuracyCap.map { "≥ \(Quantities.length($0))" } ?? "",
      ([since(terms), expiry].compactMap { $0 } + conditions(terms)).joined(separator: ", "), credential,
    ]
  }

  /// Returns a token as JSON: `id`, `label`, `device` (absent for every device), `scopes`, `accuracyCap` in metres,
  /// `created`, `since`, `until` (the end of a journey), `expires`, and `hint` (the beginning of the secret) or `user`
  /// (of a password).
  package static func json(_ token: AccessToken) -> JSONObject {
    var line = JSONObject()
    line.add("id", Int(token.id))
    line.add("label", token.terms.label)
    line.add("device", token.device?.rawValue)
    line.add("scopes", token.terms.scopes.sorted().map(\.rawValue))
    line.add("accuracyCap", token.terms.accuracyCap)
    line.add("created", token.created.iso8601)
    line.add("since", token.terms.since?.iso8601)
    line.add("until", token.terms.link?.until?.iso8601)
    line.add("expires", token.terms.expires?.iso8601)
    switch token.credential {
    case .secret(let hint): line.add("hint", hint)
    case .password(let user): line.add("user", user)
    }
    return line
  }

  /// Returns the time before which a token shows nothing, and the end of a journey.
  private static func since(_ terms: TokenTerms) -> String? {
    guard let since = terms.since.map({ "\($0.dateText) \($0.clockText)" }) else { return nil }
    guard let until = terms.link?.until else { return "nothing before \(since)" }
    return "only the journey from \(since) to \(until.dateText) \(until.clockText)"
  }

  /// Returns the further ends of a link.
  private static func conditions(_ terms: TokenTerms) -> [String] {
    var parts: [String] = []
    if let arrival = terms.link?.arrival { parts.append("until arrival at \(arrival.fence.name)") }
    if let looks = terms.link?.looks { parts.append("\(looks) looks") }
    return parts
  }

  private static func device(_ token: AccessToken) -> String {
    token.device.map { "device \($0)" } ?? "every device"
  }

  private static func scopes(_ token: AccessToken) -> String {
    token.terms.scopes.sorted().map(\.rawValue).joined(separator: ", ")
  }
}
