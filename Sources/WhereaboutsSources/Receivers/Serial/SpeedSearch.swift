import WhereaboutsModel

/// A search for the speed of a serial line: the speed at which sentences can be read.
///
/// The search listens at each speed until sentences arrive, or enough bytes that should have contained one, or a slow
/// receiver's cycle has passed. Then it tries the next speed. If nothing arrives at any speed, the search waits at
/// the first.
struct SpeedSearch: Hashable, Sendable {
  /// The usual speeds, commonest first: 9600 is most makers' default, 4800 that of NMEA 0183 itself. 38,400 is NMEA's
  /// faster form and u-blox's newest default; multi-band receivers use 115,200.
  static let commonSpeeds = [9600, 4800, 38_400, 115_200, 57_600, 19_200, 230_400, 460_800]

  struct Settings: Hashable, Sendable {
    /// The time at each speed: some receivers have a cycle of two seconds.
    var listenDuration = Duration.milliseconds(2200)
    /// The number of bytes without a sentence after which a speed is wrong: the longest sentences have under a
    /// hundred bytes.
    var byteLimit = 300
  }

  private let settings: Settings
  private let speeds: [Int]
  private var index = 0
  private var startedAt: Instant
  private var byteCount = 0
  /// Whether every speed has been tried once.
  private(set) var hasTriedAllSpeeds = false
  /// Whether the speed is known.
  private(set) var hasFoundSpeed = false

  /// - Parameter present: the line's present speed, which is tried first: an earlier search may have found it.
  init(present: Int?, at now: Instant, settings: Settings = Settings()) {
    self.settings = settings
    speeds = (present.map { [$0] } ?? []) + Self.commonSpeeds.filter { $0 != present }
    startedAt = now
  }

  /// The speed that is tried, or was found.
  var speed: Int { speeds[index] }

  /// The time to call ``nextSpeed(at:)`` again; `nil` if only bytes can change the state.
  var deadline: Instant? {
    hasFoundSpeed || (hasTriedAllSpeeds && index == 0 && byteCount == 0)
      ? nil : startedAt.advanced(by: settings.listenDuration)
  }

  mutating func recordBytes(_ count: Int, at now: Instant) {
    if byteCount == 0, hasTriedAllSpeeds, index == 0 { startedAt = now }
    byteCount += count
  }

  /// Marks the speed as found: the bytes are readable.
  mutating func markFound() {
    hasFoundSpeed = true
  }

  /// Restarts the search: the bytes are no longer readable.
  mutating func restart(at now: Instant) {
    hasFoundSpeed = false
    hasTriedAllSpeeds = false
    startedAt = now
    byteCount = 0
  }

  /// Returns the speed to try now, if the present one's time is over.
  mutating func nextSpeed(at now: Instant) -> Int? {
    guard !hasFoundSpeed, byteCount >= settings.byteLimit || deadline.map({ now >= $0 }) ?? false else {
      return nil
    }
    index = (index + 1) % speeds.count
    if index == 0 { hasTriedAllSpeeds = true }
    startedAt = now
    byteCount = 0
    return speed
  }
}
