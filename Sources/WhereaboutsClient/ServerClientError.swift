import AsyncHTTPClient
import NIOCore
import WhereaboutsFormats
import WhereaboutsSystem
import WhereaboutsUpload

/// A request to a server that failed.
package struct ServerClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  package enum Kind: Hashable, Sendable {
    /// The server does not answer, or the connection broke.
    case unreachable
    /// The token is missing or wrong, or it may not do this.
    case notPermitted
    /// The server does not have the requested data.
    case notFound
    /// The resource has changed since it was read.
    case changed
    /// The server refused the request for another reason, or can't do it now.
    case refused
  }

  package let kind: Kind
  /// The failure and its remedy.
  package let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  static let malformed = ServerClientError(.refused, "the server answered in a form that is not known")

  /// Creates the error of a response that is no success: problem details of RFC 9457, or the answer of a proxy.
  ///
  /// - Parameter location: the address to which the response redirects; `nil` for none.
  init(status: Int, body: [UInt8], location: String?, _ address: ServerAddress) {
    let detail = body.withUnsafeBytes { bytes -> String? in
      var scanner = JSONScanner(bytes)
      guard let fields = scanner.wholeObject(), let text = try? fields.text("detail") else { return nil }
      return text
    }
    let reason = detail ?? "the answer had the status \(status)"
    switch status {
    case 401:
      let remedy =
        address.authorization == nil
        ? "it needs a token: --token-file or WHEREABOUTS_TOKEN has it" : "it does not take the token"
      self.init(.notPermitted, "could not use \(address.name): \(remedy)")
    case 403: self.init(.notPermitted, "could not use \(address.name): \(reason)")
    case 301...303, 307, 308:
      // A redirect would pass the token on, so it is not followed. The request's own path and query are left out.
      let target = location?.prefix { $0 != "?" } ?? ""
      let base = target[..<(target.firstRange(of: "/api/v1")?.lowerBound ?? target.endIndex)]
      let place = base.isEmpty ? "" : " to \(base)"
      self.init(
        .refused,
        "could not use \(address.name): it redirects\(place). Pass the address of the server itself.")
    case 404 where detail == nil:
      self.init(
        .notFound,
        "could not use \(address.name): there is no API at this address. Check its host, its port and its path."
      )
    case 404: self.init(.notFound, reason)
    case 412: self.init(.changed, reason)
    default: self.init(.refused, "could not use \(address.name): \(reason)")
    }
  }

  /// Creates the error of a failure below HTTP.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  init(_ error: any Error, _ address: ServerAddress) throws {
    try Task.checkCancellation()
    if error is CancellationError { throw error }
    if let known = error as? Self {
      self = known
      return
    }
    let reason =
      switch error {
      case let error as HTTPClientError
      where [.deadlineExceeded, .readTimeout, .connectTimeout].contains(error):
        "there was no answer in time"
      case let error as HTTPClientError: error.shortDescription.lowercased()
      case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
      default: ConnectionFailure.reason(error)
      }
    self.init(.unreachable, "could not reach \(address.name): \(reason)")
  }
}
