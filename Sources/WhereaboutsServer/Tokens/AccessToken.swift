public import WhereaboutsModel

/// The right of a client to use the server. Revoking a token deletes the token.
public struct AccessToken: Hashable, Sendable, Identifiable {
  /// A permission.
  public enum Scope: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Reads fixes, crossings and trips, as ``Disclosure`` allows.
    case read
    /// Adds fixes and other data.
    case write
    /// Does everything, including administration and erasure. Includes the other scopes.
    case admin

    /// Returns whether the left scope comes first in lists.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .read: 0
      case .write: 1
      case .admin: 2
      }
    }
  }

  /// The kind of proof that a client presents.
  public enum Credential: Hashable, Sendable {
    /// A random secret; `hint` is its beginning, by which a person recognizes it.
    case secret(hint: String)
    /// A password that a person chose, with the user name of HTTP Basic.
    case password(user: String)
  }

  /// The number of a token, which is never reused.
  public let id: Int64
  /// The rights of the token.
  public let terms: TokenTerms
  /// The time of creation.
  public let created: UTCTime
  /// The kind of proof that a client presents.
  public let credential: Credential

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - id: the number.
  ///   - terms: the rights.
  ///   - created: the time of creation.
  ///   - credential: the kind of proof.
  public init(id: Int64, terms: TokenTerms, created: UTCTime, credential: Credential) {
    self.id = id
    self.terms = terms
    self.created = created
    self.credential = credential
  }

  /// The right of a program that needs no token: an administrator's.
  static let owner = AccessToken(
    id: 0, terms: TokenTerms(label: "this machine", device: nil, scopes: [.admin]),
    created: UTCTime(nanosecondsSince1970: 0), credential: .secret(hint: ""))

  /// The only device of the token; `nil` for every device.
  public var device: DeviceID? { terms.device }

  /// Returns whether the token grants a scope for a device.
  public func allows(_ scope: Scope, of device: DeviceID) -> Bool {
    covers(device) && (terms.scopes.contains(scope) || terms.scopes.contains(.admin))
  }

  /// Returns whether the token is for a device, with any scope.
  public func covers(_ device: DeviceID) -> Bool { terms.device == nil || terms.device == device }

  /// Returns whether the token has expired. A token expires at the very instant.
  public func isExpired(at time: UTCTime) -> Bool { terms.expires.map { $0 <= time } ?? false }
}
