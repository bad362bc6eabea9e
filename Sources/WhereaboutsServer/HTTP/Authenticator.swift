import Foundation
import HTTPTypes
import Hummingbird
import Whereabouts
import WhereaboutsModel

/// The check of a request's token.
struct Authenticator: Sendable {
  let tokens: TokenRegistry

  /// Returns the token of a request if it has a scope.
  ///
  /// - Throws: ``Problem``: 401 without a valid token, 403 without the scope.
  func token(of request: Request, for scope: AccessToken.Scope) throws(Problem) -> AccessToken {
    guard let secret = Self.secret(of: request), let token = tokens.verify(secret, at: .now) else {
      var problem = Problem(
        .unauthorized, "A valid token is needed: as Bearer, as the password of HTTP Basic, or as token=.")
      problem.challenge = "Bearer, Basic realm=\"whereabouts\", charset=\"UTF-8\""
      throw problem
    }
    guard token.allows(scope) else {
      throw Problem(.forbidden, "The token may not \(scope.rawValue).")
    }
    return token
  }

  /// Returns the token of a request that reads a device.
  ///
  /// - Throws: ``Problem``: also 404 if the token is for another device.
  func reader(of request: Request, device: DeviceID) throws(Problem) -> AccessToken {
    let token = try token(of: request, for: .read)
    guard token.covers(device) else { throw Problem.noSuchDevice }
    return token
  }

  /// Returns the secret of a request: of Bearer, of HTTP Basic's password, or of the query.
  static func secret(of request: Request) -> String? {
    if let field = request.headers[.authorization] {
      let parts = field.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard parts.count == 2 else { return nil }
      switch parts[0].lowercased() {
      case "bearer": return String(parts[1])
      case "basic": return credentials(String(parts[1]))?.password
      default: return nil
      }
    }
    return request.uri.queryParameters["token"].map(String.init)
  }

  /// Returns the user's name of HTTP Basic.
  static func user(of request: Request) -> String? {
    guard let field = request.headers[.authorization], field.lowercased().hasPrefix("basic ") else {
      return nil
    }
    return credentials(String(field.dropFirst(6)))?.user
  }

  private static func credentials(_ text: String) -> (user: String, password: String)? {
    guard let data = Data(base64Encoded: text.trimmingPrefix(" ").description) else { return nil }
    let plain = String(decoding: data, as: UTF8.self)
    guard let colon = plain.firstIndex(of: ":") else { return nil }
    return (String(plain[..<colon]), String(plain[plain.index(after: colon)...]))
  }
}

extension AccessToken {
  /// Whether the token has a scope. An administrator has all of them.
  func allows(_ scope: Scope) -> Bool { scopes.contains(scope) || scopes.contains(.admin) }

  /// Whether the token is for a device.
  func covers(_ device: DeviceID) -> Bool { self.device == nil || self.device == device }
}
