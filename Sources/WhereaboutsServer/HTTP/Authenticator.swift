import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The check of a request's token, and the disclosure rules for its holder.
final class Authenticator: Sendable {
  private let tokens: TokenRegistry
  private let zones: ZoneRegistry
  private let store: SQLiteStore
  /// The looks at links.
  let looks: LookRegister
  private let limiter = Mutex(AttemptLimiter())
  /// The wrong passwords that were compared with a known one.
  private let comparisons = Mutex(AttemptLimiter())
  private let started = ContinuousClock.now
  /// The proxies that are trusted now: a reload of the configuration changes them.
  private let proxies: Mutex<TrustedProxies>

  init(tokens: TokenRegistry, zones: ZoneRegistry, store: SQLiteStore, proxies: TrustedProxies) {
    self.proxies = Mutex(proxies)
    self.tokens = tokens
    self.zones = zones
    self.store = store
    looks = LookRegister(store)
  }

  /// Takes over other trusted proxies.
  func set(_ new: TrustedProxies) { proxies.withLock { $0 = new } }

  /// Returns the address of a request's client; `nil` for a Unix socket of this machine.
  private func address(of request: Request, _ context: ServerContext) -> String? {
    proxies.withLock { $0 }.client(of: context.address, forwarded: request.headers[.xForwardedFor])
  }

  /// Returns the disclosure rules for a token's holder.
  func disclosure(for token: AccessToken) -> Disclosure {
    Disclosure(reader: token, zones: zones.zones)
  }

  /// Returns whether a token that was verified earlier has neither been revoked nor expired since.
  func isValid(_ token: AccessToken) -> Bool { tokens.isValid(token, at: .now) }

  /// Returns the token of a request if it has a scope for any device.
  ///
  /// - Throws: ``Problem``: 401 without a valid token, 403 without the scope, 429 after many failures.
  func token(
    of request: Request, _ context: ServerContext, for scope: AccessToken.Scope
  ) async throws(Problem) -> AccessToken {
    let token = try await token(of: request, context)
    guard token.terms.scopes.contains(scope) || token.terms.scopes.contains(.admin) else {
      throw Problem(.forbidden, "The token may not \(scope == .admin ? "administrate" : scope.rawValue).")
    }
    return token
  }

  /// Returns the rules for a request that reads a device.
  ///
  /// - Throws: ``Problem``: also 404 if the token is for another device.
  func disclosure(
    of request: Request, _ context: ServerContext, for device: DeviceID
  ) async throws(Problem) -> Disclosure {
    let disclosure = disclosure(for: try await token(of: request, context, for: .read))
    guard disclosure.mayRead(device) else { throw Problem.noSuchDevice }
    return disclosure
  }

  // MARK: Credentials

  /// The proof that a request holds.
  private enum Credential {
    case secret(String)
    case password(user: String, password: String)
  }

  /// Returns the token of a request, with any rights. A request with a link is a look at it.
  ///
  /// - Throws: ``Problem``: 401 without a valid token, 429 after many failures.
  func token(of request: Request, _ context: ServerContext) async throws(Problem) -> AccessToken {
    let token = try await verifiedToken(of: request, context)
    guard token.terms.isLink else { return token }
    let reader = ReaderName(address: address(of: request, context), userAgent: request.headers[.userAgent])
    let refusal: Problem?
    do throws(StoreError) { refusal = try self.refusal(of: token, to: reader.text) } catch {
      throw Problem(error)
    }
    if let refusal { throw refusal }
    return token
  }

  /// Returns the reason for which a link shows nothing to a reader; `nil` if it shows something.
  private func refusal(of link: AccessToken, to reader: String) throws(StoreError) -> Problem? {
    if try isErased(link) {
      try end(link)
      return Self.unauthorized()
    }
    if try looks.admit(link, reader, at: .now) { return nil }
    return Self.unauthorized("This link has been opened as often as it may be.")
  }

  /// Ends a link. One that has ended meanwhile is no error.
  func end(_ link: AccessToken) throws(StoreError) {
    do throws(StoreError) { try tokens.revoke(link.id) } catch {
      // Its owner, or another request, was faster.
      guard error.code == .missing else { throw error }
    }
  }

  /// Returns whether no fix is left of the journey that a link shows.
  private func isErased(_ link: AccessToken) throws(StoreError) -> Bool {
    guard let device = link.device, let span = Disclosure(reader: link, zones: []).journeySpan else {
      return false
    }
    return try !StoredPast(of: device, in: store).hasFix(within: span)
  }

  private func verifiedToken(
    of request: Request, _ context: ServerContext
  ) async throws(Problem) -> AccessToken {
    guard let credential = Self.credential(of: request) else {
      // A proxy at the socket would lend the owner's rights to everybody.
      if context.isOwner, request.headers[.xForwardedFor] == nil { return .owner }
      throw Self.unauthorized()
    }
    switch credential {
    case .secret(let secret):
      // A secret can't be guessed. A right one never waits for failures of others at the same address, and a phone with
      // a revoked one does not delay the passwords of its network.
      if let token = verifiedToken(of: secret) { return token }
      throw Self.unauthorized()
    case .password(let user, let password):
      if let token = verifiedToken(of: password) { return token }
      guard TokenSecret(password) == nil else { throw Self.unauthorized() }
      let address = ReaderName.network(of: self.address(of: request, context), (32, 64))
      // A longer name is no user's, and a character may have any number of bytes.
      let name = String(decoding: user.utf8.prefix(TokenTerms.maximumLabelLength), as: UTF8.self)
      let origin = AttemptLimiter.Origin(address: address, user: "\(address) \(name)")
      do throws(Problem) { try begin(password, of: origin) } catch {
        // A password that needs no check does not wait for the wrong ones of others.
        guard let token = await knownToken(of: user, password, from: address) else { throw error }
        return token
      }
      let holder: AccessToken?
      do throws(PasswordCheckBusyError) {
        holder = try await checkedToken(of: user, password)
      } catch {
        limiter.withLock { $0.end(password, of: origin) }
        throw Problem(.serviceUnavailable, "Too many passwords are checked at present.", retryAfter: 2)
      }
      guard let token = holder else { throw failure(of: origin, password) }
      limiter.withLock { limiter in
        limiter.end(password, of: origin)
        // The failures of other users at the address stay: behind a proxy, a user's success is no proof for them.
        limiter.recordSuccess(of: origin.user)
      }
      return token
    }
  }

  /// Returns the token of a secret; `nil` for an unknown, revoked or expired one.
  ///
  /// A script creates a token with a command and uses it at once.
  private func verifiedToken(of secret: String) -> AccessToken? {
    if let token = tokens.verify(secret, at: .now) { return token }
    // Otherwise a phone with an expired token would make the server read all tokens again and again.
    guard tokens.hasUnreadToken(of: secret) else { return nil }
    // A zone that is older than the token applies to it.
    guard (try? tokens.refresh(with: zones)) != nil else { return nil }
    return tokens.verify(secret, at: .now)
  }

  /// Returns the token of a user by a check of the password; `nil` for a wrong pair.
  ///
  /// A script creates a password with a command and uses it at once. The tokens are read again after each wrong pair, so
  /// that the duration does not tell whether a user exists. A second check needs a new password of the user.
  private func checkedToken(
    of user: String, _ password: String
  ) async throws(PasswordCheckBusyError) -> AccessToken? {
    let id = tokens.passwordID(of: user)
    if let token = try await tokens.verify(user: user, password: password, at: .now) { return token }
    // A zone that is older than the token applies to it.
    guard (try? tokens.refresh(with: zones)) != nil, let newID = tokens.passwordID(of: user), newID != id
    else { return nil }
    return try await tokens.verify(user: user, password: password, at: .now)
  }

  /// Returns the token of a user whose password was checked in the last minutes and is right.
  ///
  /// A password that must wait and is compared so is a guess: wrong ones delay the comparisons of the user and of the
  /// address, as those of checks do. A success forgets no failure, since a guesser at the same address would begin anew
  /// after each.
  private func knownToken(
    of user: String, _ password: String, from address: String
  ) async -> AccessToken? {
    // Names that nobody has must not displace the failures of users.
    guard let id = tokens.passwordID(of: user) else { return nil }
    let now = now
    let origin = AttemptLimiter.Origin(address: address, user: "\(address) \(id)")
    let isAdmitted = comparisons.withLock { limiter -> Bool in
      guard limiter.delay(for: origin, at: now) == .zero else { return false }
      return limiter.begin(password, of: origin, at: now)
    }
    guard isAdmitted else { return nil }
    let token = await tokens.knownToken(of: user, password: password, at: .now)
    comparisons.withLock { limiter in
      limiter.end(password, of: origin)
      if token == nil { limiter.recordFailure(of: origin, at: now) }
    }
    return token
  }

  private static func credential(of request: Request) -> Credential? {
    // The id of a webhook is its secret.
    let webhook = "/api/webhook/"
    let path = request.uri.path.withOneLeadingSlash
    if path.hasPrefix(webhook) { return .secret(String(path.dropFirst(webhook.count))) }
    guard let (scheme, text) = authorization(of: request) else {
      return request.headers[.authorization] == nil ? statedSecret(of: request) : nil
    }
    switch scheme {
    case "bearer": return .secret(text)
    case "basic":
      guard let (user, password) = basicCredentials(of: request) else { return nil }
      // A user's name alone proves nothing. Apps with a token in the URL may send one.
      if password.isEmpty, let stated = statedSecret(of: request) { return stated }
      let trimmed = password.trimmed(of: .whitespacesAndNewlines)
      return .password(user: user, password: TokenSecret(trimmed) == nil ? password : trimmed)
    default: return nil
    }
  }

  /// Returns the secret in the URL of a request.
  private static func statedSecret(of request: Request) -> Credential? {
    request.uri.queryParameters["token"].map { stated in
      // The keyboard of a phone may add a space to a token.
      let secret = stated.trimmed(of: .whitespacesAndNewlines)
      // Traccar Client ends a URL without a path by a slash, after its query.
      return .secret(secret.hasSuffix("/") ? String(secret.dropLast()) : secret)
    }
  }

  /// Returns the scheme of the field `Authorization`, in small letters, and the text after it.
  private static func authorization(of request: Request) -> (scheme: String, text: String)? {
    let parts = request.headers[.authorization]?
      .split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "\t" })
    guard let parts, parts.count == 2 else { return nil }
    return (parts[0].lowercased(), parts[1].trimmed(of: .whitespaces))
  }

  /// Returns whether the browser states that a page of another site made the request.
  ///
  /// A browser states the site only to a server with TLS, or of its own machine. To others it states the page's origin
  /// where a request may change something.
  private static func isOfAnotherSite(_ request: Request) -> Bool {
    if let site = request.headers[.secFetchSite] { return site == "cross-site" || site == "same-site" }
    guard let origin = request.headers[.origin]?.lowercased(), let host = request.head.authority,
      // Apps and the extensions of a browser have other schemes, such as `tauri://localhost`.
      origin == "null" || origin.hasPrefix("http")
    else { return false }
    // A proxy that changes the host may state the first one. A page can't: its browser would ask the server before.
    let hosts = "\(host),\(request.headers[.xForwardedHost] ?? "")".lowercased().split { ", ".contains($0) }
    return !hosts.contains { origin.hasSuffix("://\($0)") }
  }

  /// Returns the user's name of HTTP Basic.
  static func user(of request: Request) -> String? {
    basicCredentials(of: request)?.user
  }

  /// Returns the name and the password of HTTP Basic.
  private static func basicCredentials(of request: Request) -> (user: String, password: String)? {
    // A browser adds a password that it has also to requests of other sites' pages.
    guard let (scheme, text) = authorization(of: request), scheme == "basic", !isOfAnotherSite(request),
      let data = Data(base64Encoded: text)
    else { return nil }
    // OkHttp, the library of many Android apps, writes Latin-1.
    guard let plain = String(data: data, encoding: .utf8) ?? String(data: data, encoding: .isoLatin1),
      let colon = plain.firstIndex(of: ":")
    else { return nil }
    return (String(plain[..<colon]), String(plain[plain.index(after: colon)...]))
  }

  // MARK: Failures

  /// Returns the answer without a valid token, and for a link that has ended.
  static func unauthorized(
    _ reason: String =
      "A valid token is needed: as Bearer, as the password of HTTP Basic, or as token= in the URL."
  ) -> Problem {
    var problem = Problem(.unauthorized, reason)
    problem.challenge = "Bearer, Basic realm=\"whereabouts\", charset=\"UTF-8\""
    return problem
  }

  private var now: Instant { .start.advanced(by: ContinuousClock.now - started) }

  /// Begins the check of a password. Checks at the same time, none of which has failed yet, must not evade the delays.
  private func begin(_ password: String, of origin: AttemptLimiter.Origin) throws(Problem) {
    let now = now
    let (delay, isAdmitted) = limiter.withLock { limiter -> (Duration, Bool) in
      let delay = limiter.delay(for: origin, at: now)
      guard delay == .zero else { return (delay, false) }
      return (delay, limiter.begin(password, of: origin, at: now))
    }
    guard !isAdmitted else { return }
    guard delay > .zero else {
      throw Problem(.tooManyRequests, "Other passwords are checked at present.", retryAfter: 1)
    }
    throw Problem(
      .tooManyRequests, "Too many wrong passwords came from this address.",
      retryAfter: Int(delay.components.seconds) + 1)
  }

  /// Records a failure.
  private func failure(of origin: AttemptLimiter.Origin, _ password: String) -> Problem {
    let now = now
    limiter.withLock { limiter in
      limiter.end(password, of: origin)
      limiter.recordFailure(of: origin, at: now)
    }
    return Self.unauthorized()
  }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
  /// Returns the text without characters of a set of white space at its ends.
  ///
  /// Foundation's method converts the whole text, which would take a thirtieth of a request.
  fileprivate func trimmed(of space: CharacterSet) -> String {
    func isPlain(_ byte: UInt8?) -> Bool { byte.map { $0 > 0x20 && $0 < 0x7F } ?? true }
    return isPlain(utf8.first) && isPlain(utf8.last) ? String(self) : trimmingCharacters(in: space)
  }
}
