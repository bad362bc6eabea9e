import Whereabouts
import WhereaboutsCore

/// One connection to gpsd: how far it has come, and when to become suspicious.
struct GPSDConnection {
  /// What to do because time has passed.
  enum Verdict {
    /// Whoever answers does not say that it is gpsd.
    case stranger
    /// Nothing comes, not even an answer.
    case dead
    /// Nothing has come for a while: ask for something that gpsd answers at once.
    case probe
    /// The device is there and was not opened: begin anew.
    case inactive
    /// gpsd did not know the device: ask again which it knows.
    case askForDevices
    /// gpsd is there, its receiver says nothing.
    case silent
  }

  /// gpsd says who it is as soon as it is connected to.
  static let greeting = Duration.seconds(5)
  /// How long nothing at all may come before gpsd is asked for a sign of life; receivers report every second.
  static let quiet = Duration.seconds(5)
  /// How long the answer may take.
  static let answer = Duration.seconds(3)
  /// How long the receiver may be silent. Shorter than what ``Whereabouts/FailoverSettings/silence`` bears, which would
  /// begin anew before the reason is known.
  static let longestSilence = Duration.seconds(8)
  /// A connection that holds for so long is no longer one of those that gpsd closes at once.
  static let shortestHold = Duration.seconds(5)
  /// How long nothing but old positions may come.
  static let longestRepetition = Duration.seconds(5)
  /// How long without a heading before there is taken to be no compass.
  static let longestSearch = Duration.seconds(10)
  /// How long a connection is kept that nobody needs: who asks again soon need not wait for a new one.
  static let lingering = Duration.seconds(2)

  let since: Instant
  var isGreeted = false
  var isWatching = false
  /// Whether a receiver was heard on this connection.
  var hasReading = false
  /// Whether it is a relay of this package that answers.
  var isRelay = false
  /// What gpsd has, and whether it is open.
  var devices: [String: Bool] = [:]
  /// When something was last read of a receiver, or watching began.
  var lastReading: Instant
  /// When to begin anew because the device is not open.
  var inactiveAt: Instant?
  /// When to ask again for the device that gpsd did not know.
  var asksForDeviceAt: Instant?
  /// When to close; nothing is needed until then.
  var closesAt: Instant?
  private var lastBytes: Instant
  private var probedAt: Instant?
  private var isSilent = false

  init(at now: Instant) {
    since = now
    lastReading = now
    lastBytes = now
  }

  mutating func heard(at now: Instant) {
    lastBytes = now
    probedAt = nil
  }

  mutating func beginWatching(at now: Instant) {
    asksForDeviceAt = nil
    inactiveAt = nil
    isWatching = false
    lastReading = now
    isSilent = false
  }

  /// When the next verdict may be due.
  var nextWake: Instant {
    if let closesAt { return closesAt }
    if !isGreeted { return since.advanced(by: Self.greeting) }
    let life = probedAt.map { $0.advanced(by: Self.answer) } ?? lastBytes.advanced(by: Self.quiet)
    return [inactiveAt, asksForDeviceAt, silentAt].compactMap { $0 }.min().map { min($0, life) } ?? life
  }

  /// When the receiver has been silent for too long; `nil` where there is none, or that is said already.
  private var silentAt: Instant? {
    guard isWatching, inactiveAt == nil, devices.values.contains(true), !isSilent else { return nil }
    return lastReading.advanced(by: Self.longestSilence)
  }

  /// What is due; one thing at a time.
  mutating func verdict(at now: Instant) -> Verdict? {
    guard isGreeted else { return now >= since.advanced(by: Self.greeting) ? .stranger : nil }
    if let probedAt, now >= probedAt.advanced(by: Self.answer) { return .dead }
    if let inactiveAt, now >= inactiveAt { return .inactive }
    if let silentAt, now >= silentAt {
      isSilent = true
      return .silent
    }
    if let asksAt = asksForDeviceAt, now >= asksAt {
      asksForDeviceAt = now.advanced(by: GPSDRetry.longestAtFirst)
      return .askForDevices
    }
    if probedAt == nil, now >= lastBytes.advanced(by: Self.quiet) {
      probedAt = now
      return .probe
    }
    return nil
  }
}

/// How long to wait before trying again.
///
/// Whoever restarts gpsd or plugs a receiver in expects it to be found at once, so for the first ten minutes it is tried
/// every second at the latest; after that less and less often.
struct GPSDRetry {
  static let longestAtFirst = Duration.seconds(1)
  private static let patience = Duration.seconds(600)
  private static let longest = Duration.seconds(30)

  private var since: Instant?
  private var last = Duration.milliseconds(125)

  /// The next wait, twice the one before.
  mutating func next(at now: Instant) -> Duration {
    last = min(last * 2, pause(at: now))
    return last
  }

  /// The longest wait by now.
  mutating func pause(at now: Instant) -> Duration {
    let since = since ?? now
    self.since = since
    return now.since(since) < Self.patience ? Self.longestAtFirst : Self.longest
  }
}

/// Which of gpsd's devices is listened to, and what it gave last.
struct GPSDReceiver {
  /// How long a receiver must have had no fix before another's is taken.
  private static let loyalty = Duration.seconds(3)

  /// Where fixes come from; `nil` before the first, and where gpsd does not say.
  private(set) var device: String?
  private(set) var lastFix: Instant?
  /// Whether it was gone since the last fix.
  var wasLost = false
  /// Which device went last.
  private(set) var lost: String?
  private var lastSatellites: [SatellitesInView.Satellite]?

  /// Whether what a device says counts.
  func isOurs(_ path: String?, at now: Instant) -> Bool {
    guard let device, let path, path != device, let lastFix else { return true }
    return now.since(lastFix) >= Self.loyalty
  }

  /// Takes a fix where that device's counts.
  mutating func takesFix(from path: String?, at now: Instant) -> Bool {
    guard isOurs(path, at: now) else { return false }
    device = path
    lastFix = now
    return true
  }

  mutating func isGone(_ path: String) {
    guard device == nil || device == path else { return }
    lost = path
    if lastFix != nil { wasLost = true }
    device = nil
  }

  mutating func isNews(_ sky: SatellitesInView) -> Bool {
    defer { lastSatellites = sky.satellites }
    return sky.satellites != lastSatellites
  }
}
