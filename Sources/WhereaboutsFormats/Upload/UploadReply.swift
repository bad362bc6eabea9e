public import WhereaboutsModel

/// The meaning of a server's response for its request.
///
/// Only the status, a few fields and the form of the body are read: each template defines its acceptance. A response
/// never changes the uploaded data or the fences; commands in it are ignored.
public enum UploadReply: Hashable, Sendable {
  /// The server accepted the request.
  case accepted
  /// The server can't accept the request now; `seconds` is the server's stated delay, if any.
  case retryLater(seconds: Double?, reason: String)
  /// The response is not one of the template's servers, as from a captive portal or a proxy.
  case unconfirmed(reason: String)
  /// The request did not reach a server, or no response arrived.
  case unreachable(reason: String)
  /// The server knows no such path or device, as after a typing error in the URL.
  case notFound(reason: String)
  /// The request is too large.
  case tooLarge(reason: String)
  /// The server may not support the compression.
  case compressionRejected(reason: String)
  /// The server will never accept the request.
  case permanentlyRejected(reason: String)
  /// The server accepts no request until a person acts.
  case actionRequired(reason: String)

  /// The parts of a response that are read. A field that the response does not have is `nil`.
  public struct Response: Hashable, Sendable {
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
    /// Whether the body is longer than the bytes read.
    public var isTruncated: Bool

    /// Creates a response.
    public init(
      status: Int, retryAfter: String? = nil, date: String? = nil, location: String? = nil,
      contentType: String? = nil, body: [UInt8] = [], isTruncated: Bool = false
    ) {
      self.status = status
      self.retryAfter = retryAfter
      self.date = date
      self.location = location
      self.contentType = contentType
      self.body = body
      self.isTruncated = isTruncated
    }
  }

  /// Classifies a response.
  ///
  /// - Parameters:
  ///   - answer: the server's response.
  ///   - template: the template of the request.
  ///   - wasCompressed: whether the request's body was compressed.
  ///   - acceptsAnySuccess: whether any 2xx is an acceptance, with any body.
  ///   - now: the wall clock.
  /// - Source: RFC 9110, section 15, and RFC 6585; 409 as in the IETF's draft of the Idempotency-Key field: the same
  ///   request is still being processed.
  public static func classify(
    _ answer: Response, to template: UploadTemplate, wasCompressed: Bool, acceptsAnySuccess: Bool,
    now: UTCTime
  ) -> UploadReply {
    let reason =
      "the server answered \(answer.status)\(reasonPhrases[answer.status].map { " (\($0))" } ?? "")"
    let patience = answer.retryAfter.flatMap { HTTPDate.retryAfter($0, date: answer.date, now: now) }
    switch answer.status {
    case 200..<300:
      if acceptsAnySuccess || template.confirms(answer) { return .accepted }
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
      return .actionRequired(reason: "\(reason): it wants other credentials")
    case 413: return .tooLarge(reason: reason)
    case 400 where wasCompressed, 415 where wasCompressed: return .compressionRejected(reason: reason)
    // The protocol of OsmAnd has no other answer for a device that the server does not know.
    case 404, 405, 410,
      400 where template == .osmand:
      return .notFound(reason: reason)
    case 408, 409, 425, 429: return .retryLater(seconds: patience, reason: reason)
    case 400..<500: return .permanentlyRejected(reason: reason)
    // 1xx is no response, and an invalid status is a broken server.
    default: return .retryLater(seconds: patience, reason: reason)
    }
  }

  /// Returns the scheme and host of a URL, so that a terminal is safe from the rest and no secret in it is shown.
  private static func host(_ url: String) -> String? {
    let text = String(
      String.UnicodeScalarView(url.unicodeScalars.prefix(200).filter { $0.value > 0x20 && $0.value < 0x7F }))
    guard let mark = text.firstRange(of: "://") else { return nil }
    let authority = text[mark.upperBound...].prefix { !"/?#".contains($0) }
    guard let host = authority.split(separator: "@").last else { return nil }
    return "\(text[..<mark.upperBound])\(host)"
  }

  private static let reasonPhrases = [
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
