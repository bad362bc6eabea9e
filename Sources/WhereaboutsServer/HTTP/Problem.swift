import HTTPTypes
import Hummingbird
import NIOCore
import WhereaboutsFormats
import Whereabouts

/// An error response as problem details (RFC 9457).
struct Problem: Error {
  /// The status.
  var status: HTTPResponse.Status
  /// The description for a person: what failed, and what to do. Never a coordinate or a secret.
  var detail: String
  /// The seconds after which the client may try again; `nil` if a later try changes nothing.
  var retryAfter: Int?
  /// The scheme to authenticate with, if that is missing.
  var challenge: String?
  /// The methods that the path knows, if the request has another one.
  var allowedMethods: String?
  /// The problems of single rows of the body, at most a hundred.
  var rows: [String] = []

  init(_ status: HTTPResponse.Status, _ detail: String, retryAfter: Int? = nil) {
    self.status = status
    self.detail = detail
    self.retryAfter = retryAfter
  }

  /// The type of ``body``.
  static let type = "application/problem+json"

  /// The problem as JSON.
  var body: [UInt8] {
    var body: [UInt8] = []
    body.appendJSONObject {
      $0.appendJSONMember("type", text: "about:blank")
      $0.appendJSONMember("title", status.reasonPhrase)
      $0.appendJSONMember("status", Int(status.code))
      $0.appendJSONMember("detail", detail)
      if !rows.isEmpty { $0.appendJSONMember("problems", rows.prefix(100)) { $0.appendJSONString($1) } }
    }
    return body
  }

  /// The response of this problem.
  var response: Response {
    var headers: HTTPFields = [.contentType: Self.type]
    if let retryAfter { headers[.retryAfter] = String(retryAfter) }
    if let challenge { headers[.wwwAuthenticate] = challenge }
    if let allowedMethods { headers[.allow] = allowedMethods }
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}

extension Problem {
  /// The same answer for a device that does not exist and for one that the token may not read.
  static let noSuchDevice = Problem(.notFound, "No such device, or the token is not for it.")

  /// Creates the answer while the store can't be read or written.
  init(_ error: StoreError) {
    switch error.code {
    case .full:
      self.init(
        HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
        "The disk of the server is full. Send the request again later.", retryAfter: 60)
    default:
      self.init(.serviceUnavailable, "The server's store does not work at present.", retryAfter: 30)
    }
  }
}
