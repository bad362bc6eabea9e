public import WhereaboutsModel

/// The rights of an access token.
public struct TokenTerms: Hashable, Sendable {
  /// The smallest and the greatest accuracy cap, in metres.
  public static let accuracyCaps: ClosedRange<Double> = 10...1_000_000
  /// The greatest length of a label, in bytes of UTF-8.
  public static let maximumLabelLength = 100

  /// The name for people, and the user name of a password.
  public var label: String
  /// The only device; `nil` for every device.
  public var device: DeviceID?
  /// The permissions.
  public var scopes: Set<AccessToken.Scope>
  /// The best accuracy that the reader may see, in metres; `nil` for no limit.
  public var accuracyCap: Double?
  /// The time from which the token is invalid; `nil` for never.
  public var expires: UTCTime?
  /// The time before which the reader sees nothing; `nil` for the whole past.
  public var since: UTCTime?
  /// The conditions of a link; `nil` for another token.
  package var link: LinkTerms?

  /// Creates terms.
  ///
  /// - Parameters:
  ///   - label: the name for people; `nil` for the name of the device, or `all`.
  ///   - device: the only device; `nil` for every device.
  ///   - scopes: the permissions.
  ///   - accuracyCap: the best accuracy that the reader may see, in metres.
  ///   - expires: the time from which the token is invalid.
  ///   - since: the time before which the reader sees nothing.
  public init(
    label: String? = nil, device: DeviceID?, scopes: Set<AccessToken.Scope>, accuracyCap: Double? = nil,
    expires: UTCTime? = nil, since: UTCTime? = nil
  ) {
    self.label = label ?? device?.rawValue ?? "all"
    self.device = device
    self.scopes = scopes
    self.accuracyCap = accuracyCap
    self.expires = expires
    self.since = since
  }

  /// Limits the token to a journey of the past. Nothing else of the device is shown.
  package mutating func restrict(to journey: JourneySegment) {
    since = journey.start.time
    var link = link ?? LinkTerms()
    link.until = journey.end.time
    self.link = link
  }

  /// Whether the token is a link: no other token has a beginning and an end.
  var isLink: Bool { since != nil && expires != nil }

  /// The reason why no token can have these terms; `nil` if one can. The store decides about the name of a device that
  /// is not empty: it may have the device from an earlier version, and refuses to add one without a valid name.
  public var problem: String? {
    if scopes.isEmpty { return "a token needs at least one of the scopes read, write and admin" }
    if device?.rawValue.isEmpty == true { return "a device has a name" }
    if label.isEmpty || label.utf8.count > Self.maximumLabelLength {
      return "a label has 1 to \(Self.maximumLabelLength) bytes"
    }
    if label.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "a label is one line of text"
    }
    if let problem = link?.problem { return problem }
    if link != nil, since == nil || expires == nil || device == nil {
      return "a link is for one device, has a beginning and expires"
    }
    if let since, let until = link?.until, until < since { return "a journey ends after its beginning" }
    if link?.nearness != nil, accuracyCap == nil {
      return "a link is exact near its destination only under an accuracy cap"
    }
    if since != nil, scopes != [.read] {
      return "a token with a beginning (--since-now, --journey) has only the scope read"
    }
    guard let accuracyCap else { return nil }
    if !Self.accuracyCaps.contains(accuracyCap) { return "an accuracy cap is 10 m to 1000 km" }
    // An administrator can export and erase everything.
    return scopes.contains(.admin) ? "an accuracy cap does not limit an administrator" : nil
  }
}
