public import WhereaboutsModel
public import WhereaboutsFormats

/// A server that receives fixes and crossings, with the settings of its uploads.
///
/// An endpoint holds no credentials. Secret header fields are in a separate file (``authorizationFile``), so that
/// neither the store nor its backup holds a password.
public struct Endpoint: Hashable, Sendable, Identifiable {
  /// The unique name.
  public let name: String
  /// The URL: `https://…` or `http://…`. Secrets belong in ``authorizationFile``.
  public var url: String
  /// The format of requests.
  public var template: UploadTemplate
  /// The device whose data is sent; `nil` for every device of the store.
  public var device: DeviceID?
  /// The device's name on the server; `nil` for the name in the store.
  public var shownAs: String?
  /// The user's name on the server, for OwnTracks.
  public var user = "whereabouts"
  /// One or two characters that OwnTracks shows; `nil` for the last two of the device.
  public var trackerID: String?
  /// Whether fixes are sent.
  public var sendsFixes = true
  /// Whether crossings are sent.
  public var sendsCrossings = true
  /// The terms of the fixes to send; `nil` for every used fix.
  public var terms: AcceptanceTerms? = .standard
  /// The greatest number of items in one request, if the template allows several. Also the number of fixes that are
  /// sent before ``interval`` has passed. In [1, 1000].
  public var batchSize = 100
  /// The longest time that fixes wait to be sent. Crossings do not wait.
  public var interval: Duration = .seconds(60)
  /// The absolute path of a file with header fields, such as `Authorization: Bearer …`, and other secrets of a
  /// request; `nil` for none. Only the file's owner may have read access.
  public var authorizationFile: String?
  /// The absolute path of a PEM file with the only trusted certificate authorities; `nil` for those of the system.
  public var authorityFile: String?
  /// Whether simulated fixes, and the crossings they caused, are sent even if the template can't mark them.
  public var sendsSimulated = false
  /// Whether bodies are compressed. A server that rejects compression receives uncompressed bodies from then on.
  public var compresses: Bool
  /// The longest wait for an answer, from the first byte sent to the last byte received.
  public var timeout: Duration = .seconds(30)
  /// The delays after failures.
  public var backoff = Backoff()
  /// The number of refusals after which a request becomes a dead letter; `nil` for no limit. Attempts that reach no
  /// server do not count.
  public var maximumAttempts: Int?
  /// Whether any successful answer counts, even without the body expected from the template's servers. Over plain
  /// HTTP a captive portal's page counts as such an answer.
  public var takesAnySuccess = false
  /// Whether OsmAnd's query goes in the body of a POST instead of the URL.
  public var usesForm = false

  /// Creates an endpoint with default settings.
  public init(name: String, url: String, template: UploadTemplate) {
    self.name = name
    self.url = url
    self.template = template
    // Other templates' servers rarely accept compressed requests, and some call them malformed.
    compresses = template == .whereabouts
  }

  /// The name, as the identity.
  public var id: String { name }

  /// ``url`` without parts that may be secret, for display.
  public var redactedURL: String { URLText.redacted(url) }

  /// Returns the server's identity of a device.
  ///
  /// An OwnTracks endpoint for every device encodes names that can be no part of a topic.
  public func identity(of device: DeviceID) -> UploadIdentity {
    var identity = UploadIdentity(device: shownAs ?? device.rawValue, user: user, trackerID: trackerID)
    if template == .owntracks, self.device == nil { identity.encodeDeviceForTopics() }
    return identity
  }

  /// The allowed values of ``batchSize``.
  public static let batchSizes = 1...1000

  /// The reason the endpoint can't be used, for a person; `nil` for a valid endpoint.
  public var problem: String? {
    if name.isEmpty { return "the name is empty" }
    if !url.hasPrefix("https://") && !url.hasPrefix("http://") {
      return "the URL does not begin with https:// or http://"
    }
    // An invalid URL may hold a secret too, so the text leaves the URL out.
    let authority = url.dropFirst(url.hasPrefix("https://") ? 8 : 7).prefix { $0 != "/" && $0 != "?" }
    if authority.isEmpty {
      return "the URL names no host"
    }
    if authority.contains("@") {
      return
        "the URL has a user, which the store must not keep: write user and password into a file of its own (--auth-file)"
    }
    if let problem = URLText.problem(ofAuthority: authority) { return problem }
    if url.contains("#") || url.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value > 0x7E }) {
      return "the URL has a '#', a space or something else that must be encoded in a URL"
    }
    if let name = URLText.possibleSecret(in: url) {
      return "the URL has '\(name)' in its query, which may be a secret and is not kept with the store: "
        + "write the line ?\(name)=… into a file that only you can read, and name that (--auth-file)"
    }
    for path in [authorizationFile, authorityFile].compactMap(\.self) where !path.hasPrefix("/") {
      return "the file \(path) is not named from the root on (/…)"
    }
    if let trackerID, !(1...2).contains(trackerID.unicodeScalars.count) {
      return "a tracker id (--tid) has one or two characters"
    }
    if !Self.batchSizes.contains(batchSize) { return "a batch has 1 to 1000 items" }
    if !sendsFixes && !sendsCrossings { return "neither fixes nor crossings are selected" }
    if sendsCrossings && !sendsFixes && template.unsupportedContent.contains(.crossing) {
      return "\(template.rawValue) cannot express crossings, and nothing else is selected"
    }
    if shownAs != nil && device == nil {
      return "several devices can't be shown under one name: say which device"
    }
    if let problem = identity(of: device ?? "device").problem(in: template) { return "the device \(problem)" }
    return nil
  }

  /// The delays after failures: random, up to a bound that doubles with each failure.
  ///
  /// The randomness spreads clients that failed together. A longer delay asked for by the server applies.
  ///
  /// - Source: "full jitter" of Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog (2015).
  public struct Backoff: Hashable, Sendable, Codable {
    /// The bound after the first failure, in seconds.
    public var first: Double
    /// The greatest bound, in seconds.
    public var longest: Double

    /// Creates a backoff. Invalid bounds are replaced by the defaults.
    public init(first: Double = 1, longest: Double = 300) {
      self.first = first > 0 && first.isFinite ? first : 1
      self.longest = longest > 0 && longest.isFinite ? max(longest, self.first) : max(300, self.first)
    }

    /// The longest accepted delay asked for by a server, in seconds. A server with a wrong clock can't stop uploads
    /// for good.
    static let longestRetryAfter = 86_400.0

    /// The longest delay.
    package static let longestDelay = Duration.seconds(172_800)

    /// Returns a random delay.
    ///
    /// - Parameters:
    ///   - attempts: the number of failures in a row, from 1.
    ///   - retryAfter: the delay that the server asked for, in seconds; `nil` if none.
    ///   - random: the generator of the delay.
    public func delay(
      after attempts: Int, retryAfter: Double? = nil, using random: inout some RandomNumberGenerator
    ) -> Duration {
      let doublings = Double(min(max(attempts, 1) - 1, 60))
      var bound = first
      for _ in 0..<Int(doublings) where bound < longest { bound *= 2 }
      bound = min(bound, longest)
      let drawn = Double.random(in: 0...bound, using: &random)
      let asked = retryAfter.map { min(max($0, 0), Self.longestRetryAfter) } ?? 0
      // Spread also the clients that were asked for the same delay.
      let wait = max(drawn, asked + min(drawn, first))
      return .nanoseconds(Int64((wait * 1e9).rounded()))
    }
  }
}
