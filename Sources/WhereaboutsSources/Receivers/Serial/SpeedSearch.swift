import WhereaboutsCore

/// Finds the speed of a serial line: the one at which sentences can be read.
///
/// Each speed is listened at until sentences come, until so much has come that one should have been among it, or for as
/// long as slow receivers take from one cycle to the next. Then it is the next one's turn. Where nothing at all comes at
/// any speed, it is waited for at the first.
struct SpeedSearch: Hashable, Sendable {
  /// What receivers are set to, commonest first: 9600 is most makers' standard, 4800 that of NMEA 0183 itself, 38,400 its
  /// faster form and u-blox's newest, 115,200 what multi-band receivers come with.
  static let usual = [9600, 4800, 38_400, 115_200, 57_600, 19_200, 230_400, 460_800]

  struct Settings: Hashable, Sendable {
    /// How long each speed is listened at: some receivers have a cycle of two seconds.
    var window = Duration.milliseconds(2200)
    /// So many bytes without a sentence say that the speed is wrong: the longest are under a hundred.
    var enough = 300
  }

  private let settings: Settings
  private let speeds: [Int]
  private var index = 0
  private var began: Instant
  private var bytes = 0
  /// Whether every speed has been tried once.
  private(set) var isThrough = false
  /// Whether the speed is known.
  private(set) var isSettled = false

  /// - Parameter present: what the line is set to, which is tried first: it may have been found out before.
  init(present: Int?, at now: Instant, settings: Settings = Settings()) {
    self.settings = settings
    speeds = (present.map { [$0] } ?? []) + Self.usual.filter { $0 != present }
    began = now
  }

  /// The speed that is being tried, or that was found.
  var speed: Int { speeds[index] }

  /// When ``next(at:)`` should be asked again; `nil` where only bytes can bring news.
  var deadline: Instant? {
    isSettled || (isThrough && index == 0 && bytes == 0) ? nil : began.advanced(by: settings.window)
  }

  mutating func hear(_ count: Int, at now: Instant) {
    if bytes == 0, isThrough, index == 0 { began = now }
    bytes += count
  }

  /// What came at this speed can be read.
  mutating func settle() {
    isSettled = true
  }

  /// What came at this speed can't be read any more.
  mutating func begin(at now: Instant) {
    isSettled = false
    isThrough = false
    began = now
    bytes = 0
  }

  /// The speed to try now, if it is time to try another.
  mutating func next(at now: Instant) -> Int? {
    guard !isSettled, bytes >= settings.enough || deadline.map({ now >= $0 }) ?? false else { return nil }
    index = (index + 1) % speeds.count
    if index == 0 { isThrough = true }
    began = now
    bytes = 0
    return speed
  }
}
