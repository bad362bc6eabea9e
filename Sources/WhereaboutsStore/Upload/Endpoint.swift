public import Whereabouts
public import WhereaboutsCore
public import WhereaboutsFormats

/// A server that fixes and crossings go to, and what goes there.
///
/// Nothing here says who may send: the header fields that do are in a file of their own
/// (``authorizationFile``), so that neither the store nor a backup of it holds a password.
public struct Endpoint: Hashable, Sendable, Identifiable {
  /// What it is found again by.
  public let name: String
  /// Where requests go: `https://…` or `http://…`. Without secrets: those belong in ``authorizationFile``.
  public var url: String
  /// In whose words.
  public var template: UploadTemplate
  /// Whose fixes and crossings; `nil` for every device of the store.
  public var device: DeviceID?
  /// What a device is called there; `nil` for its name in the store.
  public var shownAs: String?
  /// Whose device it is there, for OwnTracks.
  public var user = "whereabouts"
  /// One or two characters that OwnTracks shows; `nil` for the last two of the device.
  public var trackerID: String?
  /// Whether fixes are sent.
  public var sendsFixes = true
  /// Whether crossings are sent.
  public var sendsCrossings = true
  /// Which fixes are worth sending; `nil` for every one that was used.
  public var terms: AcceptanceTerms? = .standard
  /// How many items one request holds at most, where the template holds more than one; and how many fixes may wait
  /// before ``interval`` has passed. In [1, 1000].
  public var batchSize = 100
  /// How long fixes may wait to be sent. Crossings do not wait.
  public var interval: Duration = .seconds(60)
  /// The absolute path of a file with header fields, as in `Authorization: Bearer …`, and with what else of a request is
  /// secret. Only its owner may be able to read it.
  public var authorizationFile: String?
  /// The absolute path of a file with certificates (PEM) of authorities; `nil` for those that the system trusts. With it
  /// no others are trusted.
  public var authorityFile: String?
  /// Whether simulated fixes, and crossings that they settled, are sent also where the template can't mark them.
  public var sendsSimulated = false
  /// Whether bodies are compressed. A server that does not understand that is sent plain ones from then on.
  public var compresses: Bool
  /// How long an answer may take, from the first byte sent to the last byte received.
  public var timeout: Duration = .seconds(30)
  /// How long is waited after a failure.
  public var backoff = Backoff()
  /// How often the server may refuse one request before it is set aside; `nil` for ever. Tries that reach no server do
  /// not count.
  public var maximumAttempts: Int?
  /// Whether any answer of success will do, also one without the body that the template's servers give. Over plain HTTP
  /// a captive portal's page counts as such an answer.
  public var takesAnySuccess = false
  /// Whether OsmAnd's query goes in the body of a POST rather than in the URL.
  public var usesForm = false

  /// An endpoint with the usual settings.
  public init(name: String, url: String, template: UploadTemplate) {
    self.name = name
    self.url = url
    self.template = template
    // Of the others' servers hardly any takes compressed requests, and some call them malformed.
    compresses = template == .whereabouts
  }

  /// The name.
  public var id: String { name }

  /// ``url`` as it may be shown: without what may be a secret.
  public var shownURL: String { URLText.shown(url) }

  /// Who a device is to the server.
  public func identity(of device: DeviceID) -> UploadIdentity {
    UploadIdentity(device: shownAs ?? device.rawValue, user: user, trackerID: trackerID)
  }

  /// The least and the greatest ``batchSize``.
  public static let batchSizes = 1...1000

  /// Why it can't be used, for a person; `nil` where it can.
  public var problem: String? {
    if name.isEmpty { return "it needs a name" }
    if !url.hasPrefix("https://") && !url.hasPrefix("http://") {
      return "its URL does not begin with https:// or http://"
    }
    // Also what can't be used may have a secret in it, so it is not shown.
    let authority = url.dropFirst(url.hasPrefix("https://") ? 8 : 7).prefix { $0 != "/" && $0 != "?" }
    if authority.isEmpty {
      return "its URL names no host"
    }
    if authority.contains("@") {
      return
        "its URL has a user in it: who may send belongs in a file of its own, which is not kept with the store"
    }
    if url.contains("#") || url.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value > 0x7E }) {
      return "its URL has a '#', a space or something else that must be encoded in a URL"
    }
    if let name = URLText.possibleSecret(in: url) {
      return "its URL has '\(name)' in its query, which may be a secret and is not kept with the store: "
        + "write the line ?\(name)=… into a file that only you can read, and name that (--auth-file)"
    }
    for path in [authorizationFile, authorityFile].compactMap(\.self) where !path.hasPrefix("/") {
      return "the file \(path) is not named from the root on (/…)"
    }
    if let trackerID, !(1...2).contains(trackerID.unicodeScalars.count) {
      return "a tracker id (--tid) has one or two characters"
    }
    if !Self.batchSizes.contains(batchSize) { return "a batch has 1 to 1000 items" }
    if !sendsFixes && !sendsCrossings { return "it would be sent neither fixes nor crossings" }
    if sendsCrossings && !sendsFixes && template.unsaid.contains(.crossing) {
      return "\(template.rawValue) has no words for crossings, and nothing else is to be sent"
    }
    if shownAs != nil && device == nil {
      return "several devices can't be shown under one name: say which device"
    }
    if let problem = identity(of: device ?? "device").problem(in: template) { return "the device \(problem)" }
    return nil
  }

  /// How long is waited after a failure: at random between nothing and a bound that doubles from failure to failure, so
  /// that many who failed together do not come back together. A server that asks for more patience gets that.
  ///
  /// - Source: "full jitter" of Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog (2015).
  public struct Backoff: Hashable, Sendable, Codable {
    /// The bound after the first failure, in seconds.
    public var first: Double
    /// The greatest bound, in seconds.
    public var longest: Double

    /// Bounds. What makes no sense counts as the usual.
    public init(first: Double = 1, longest: Double = 300) {
      self.first = first > 0 && first.isFinite ? first : 1
      self.longest = longest > 0 && longest.isFinite ? max(longest, self.first) : max(300, self.first)
    }

    /// A server that asks for patience gets it for this long at the most, in seconds: a wrong clock there stops nobody
    /// for good.
    static let longestPatience = 86_400.0

    /// No wait is longer.
    package static let longestDelay = Duration.seconds(172_800)

    /// How long to wait.
    ///
    /// - Parameters:
    ///   - attempts: how often it has failed in a row, from 1.
    ///   - patience: how long the server asked to wait, in seconds; `nil` where it did not.
    ///   - random: what the wait is drawn with.
    public func delay(
      after attempts: Int, patience: Double? = nil, using random: inout some RandomNumberGenerator
    ) -> Duration {
      let doublings = Double(min(max(attempts, 1) - 1, 60))
      var bound = first
      for _ in 0..<Int(doublings) where bound < longest { bound *= 2 }
      bound = min(bound, longest)
      let drawn = Double.random(in: 0...bound, using: &random)
      let asked = patience.map { min(max($0, 0), Self.longestPatience) } ?? 0
      // Also those who were asked to wait equally long do not come back together.
      let wait = max(drawn, asked + min(drawn, first))
      return .nanoseconds(Int64((wait * 1e9).rounded()))
    }
  }
}
