public import WhereaboutsCore

/// What an answer means for the request that it answers.
///
/// Only the status, a few fields and, for Overland, one member of the body are looked at. Nothing in an answer changes
/// what is sent or watched: no command in it is followed.
public enum UploadReply: Hashable, Sendable {
  /// It was taken.
  case taken
  /// It was not, and is to be sent again; not before so many seconds where that is said.
  case later(seconds: Double?, reason: String)
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
    /// The beginning of the body.
    public var body: [UInt8]

    /// An answer.
    public init(
      status: Int, retryAfter: String? = nil, date: String? = nil, location: String? = nil, body: [UInt8] = []
    ) {
      self.status = status
      self.retryAfter = retryAfter
      self.date = date
      self.location = location
      self.body = body
    }
  }

  /// Judges an answer.
  ///
  /// - Parameters:
  ///   - answer: what the server said.
  ///   - template: in whose words was asked.
  ///   - wasCompressed: whether the body was.
  ///   - takesAnySuccess: whether Overland's own word of success isn't needed.
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
      guard template == .overland, !takesAnySuccess, !saysOK(answer.body) else { return .taken }
      return .later(seconds: patience, reason: "\(reason) without Overland's \"result\":\"ok\"")
    case 300..<400:
      let place = answer.location.map { " to \(shown($0))" } ?? ""
      return .stop(reason: "\(reason): it redirects\(place), which is not followed; give it the right URL")
    case 401, 403, 407:
      return .stop(reason: "\(reason): it wants other credentials")
    case 413: return .tooLarge(reason: reason)
    case 400 where wasCompressed, 415 where wasCompressed: return .plainer(reason: reason)
    case 408, 409, 425, 429: return .later(seconds: patience, reason: reason)
    case 400..<500: return .never(reason: reason)
    // 1xx is no answer, and what is no status is a broken server.
    default: return .later(seconds: patience, reason: reason)
    }
  }

  /// Whether a body is an object with the member that says so; anything else is not.
  static func saysOK(_ body: [UInt8]) -> Bool {
    body.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      guard case .text("ok")? = scanner.wholeObject()?["result"] else { return false }
      return true
    }
  }

  /// A server's text, so that a terminal is safe from it.
  private static func shown(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.prefix(200).filter { $0.value > 0x20 && $0.value < 0x7F }))
  }

  private static let words = [
    301: "moved permanently", 302: "found", 307: "temporary redirect", 308: "permanent redirect",
    400: "bad request", 401: "unauthorized", 403: "forbidden", 404: "not found", 405: "method not allowed",
    408: "request timeout", 409: "conflict", 410: "gone", 413: "content too large",
    415: "unsupported media type",
    422: "unprocessable content", 425: "too early", 429: "too many requests", 500: "internal server error",
    501: "not implemented", 502: "bad gateway", 503: "service unavailable", 504: "gateway timeout",
  ]
}
