public import WhereaboutsCore

/// What an answer means for the request that it answers.
///
/// Only the status, a few fields and the form of the body are looked at: each template knows its acceptance. Nothing in an
/// answer changes what is sent or watched: no command in it is followed.
public enum UploadReply: Hashable, Sendable {
  /// It was taken.
  case taken
  /// The server can't take it now; not before so many seconds where the server says that.
  case later(seconds: Double?, reason: String)
  /// The answer is not one that a server of the template gives, as from a captive portal or a proxy.
  case unconfirmed(reason: String)
  /// The request did not reach a server, or no answer came back.
  case unreachable(reason: String)
  /// The server knows no such place or device, as after a typing error in the URL.
  case misdirected(reason: String)
  /// It is too large.
  case tooLarge(reason: String)
  /// What it was compressed with may not be understood.
  case plainer(reason: String)
  /// It will never be taken.
  case never(reason: String)
  /// Nothing will be taken until a person has looked after it.
  case stop(reason: String)

  /// What an answer consists of, as far as it is looked at.
  public struct Answer: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The `Retry-After` field.
    public var retryAfter: String?
    /// The `Date` field.
    public var date: String?
    /// The `Location` field.
    public var location: String?
    /// The `Content-Type` field.
    public var contentType: String?
    /// The beginning of the body.
    public var body: [UInt8]
    /// Whether there is more of the body than was read.
    public var isCut: Bool

    /// An answer.
    public init(
      status: Int, retryAfter: String? = nil, date: String? = nil, location: String? = nil,
      contentType: String? = nil, body: [UInt8] = [], isCut: Bool = false
    ) {
      self.status = status
      self.retryAfter = retryAfter
      self.date = date
      self.location = location
      self.contentType = contentType
      self.body = body
      self.isCut = isCut
    }
  }

  /// Judges an answer.
  ///
  /// - Parameters:
  ///   - answer: what the server said.
  ///   - template: in whose words was asked.
  ///   - wasCompressed: whether the body was.
  ///   - takesAnySuccess: whether any 2xx is an acceptance, whatever its body.
  ///   - now: the wall clock.
  /// - Source: RFC 9110, section 15, and RFC 6585; 409 as in the IETF's draft of the Idempotency-Key field, where it says
  ///   that the same request is still being worked on.
  public static func judge(
    _ answer: Answer, to template: UploadTemplate, wasCompressed: Bool, takesAnySuccess: Bool, now: UTCTime
  ) -> UploadReply {
    let reason = "the server answered \(answer.status)\(words[answer.status].map { " (\($0))" } ?? "")"
    let patience = answer.retryAfter.flatMap { HTTPDate.retryAfter($0, date: answer.date, now: now) }
    switch answer.status {
    case 200..<300:
      if takesAnySuccess || template.confirms(answer) { return .taken }
      return .unconfirmed(
        reason:
          "\(reason) without \(template.acceptance): a login page of the network, or another kind of server")
    case 300..<400:
      let host = answer.location.flatMap(Self.host).map { " to \($0)" } ?? ""
      return .unconfirmed(
        reason:
          "\(reason): it redirects\(host), which is not followed; a login page of the network, or a wrong URL"
      )
    // The network itself wants a login (RFC 6585).
    case 511: return .unconfirmed(reason: reason)
    case 401, 403, 407:
      return .stop(reason: "\(reason): it wants other credentials")
    case 413: return .tooLarge(reason: reason)
    case 400 where wasCompressed, 415 where wasCompressed: return .plainer(reason: reason)
    // The protocol of OsmAnd has no other answer for a device that the server does not know.
    case 404, 405, 410,
      400 where template == .osmand:
      return .misdirected(reason: reason)
    case 408, 409, 425, 429: return .later(seconds: patience, reason: reason)
    case 400..<500: return .never(reason: reason)
    // 1xx is no answer, and what is no status is a broken server.
    default: return .later(seconds: patience, reason: reason)
    }
  }

  /// The scheme and host of a URL, so that a terminal is safe from the rest and no secret in it is shown.
  private static func host(_ url: String) -> String? {
    let text = String(
      String.UnicodeScalarView(url.unicodeScalars.prefix(200).filter { $0.value > 0x20 && $0.value < 0x7F }))
    guard let mark = text.firstRange(of: "://") else { return nil }
    let authority = text[mark.upperBound...].prefix { !"/?#".contains($0) }
    guard let host = authority.split(separator: "@").last else { return nil }
    return "\(text[..<mark.upperBound])\(host)"
  }

  private static let words = [
    301: "moved permanently", 302: "found", 303: "see other", 307: "temporary redirect",
    308: "permanent redirect",
    400: "bad request", 401: "unauthorized", 403: "forbidden", 404: "not found", 405: "method not allowed",
    408: "request timeout", 409: "conflict", 410: "gone", 413: "content too large",
    415: "unsupported media type",
    422: "unprocessable content", 425: "too early", 429: "too many requests", 500: "internal server error",
    501: "not implemented", 502: "bad gateway", 503: "service unavailable", 504: "gateway timeout",
    511: "network authentication required",
  ]
}
