import HTTPTypes

/// The names of fields that the library of HTTP does not define.
extension HTTPField.Name {
  static let accelBuffering = valid("X-Accel-Buffering")
  static let crossOriginOpenerPolicy = valid("Cross-Origin-Opener-Policy")
  static let lastEventID = valid("Last-Event-ID")
  static let ownTracksDevice = valid("X-Limit-D")
  static let ownTracksUser = valid("X-Limit-U")
  static let permissionsPolicy = valid("Permissions-Policy")
  static let referrerPolicy = valid("Referrer-Policy")
  static let secFetchSite = valid("Sec-Fetch-Site")
  static let serviceWorkerAllowed = valid("Service-Worker-Allowed")
  static let xForwardedFor = valid("X-Forwarded-For")
  static let xForwardedHost = valid("X-Forwarded-Host")

  /// Returns a field's name. Traps if the text is none (programmer error).
  private static func valid(_ text: StaticString) -> HTTPField.Name {
    guard let name = HTTPField.Name("\(text)") else { preconditionFailure("\(text) is no name of a field") }
    return name
  }
}
