public import WhereaboutsCore

/// The time of a recording, as an engine lives through it.
///
/// It begins with the first fix that has a time and passes as it passed when the fixes were made. It never goes back: a
/// late fix comes at the latest time there was, and does not stretch what follows. Where the recording's time goes back
/// for good, by five seconds or more, which three fixes in a row must agree on as the engine asks too, this stands still
/// meanwhile and then goes on from there. A fix without a time comes at the time of the one before.
public struct ReplayTimeline: Hashable, Sendable {
  /// How many fixes in a row must agree that time went back.
  private static let restartAfter = 3

  /// Now, counted from the recording's first fix; the wall clock is that of the recording.
  public private(set) var now = Moment(instant: .start, wall: nil)

  /// The last fix that was behind, and how many there were in a row, each later than the one before.
  private var lastBehind: UTCTime?
  private var behind = 0

  /// A timeline at its beginning.
  public init() {}

  /// Moves on to a fix made at this time.
  public mutating func advance(to time: UTCTime?) {
    guard let time else { return }
    guard let latest = now.wall, time < latest else {
      if let latest = now.wall { now.instant = now.instant.advanced(by: time.since(latest)) }
      begin(at: time)
      return
    }
    behind = lastBehind.map { time > $0 } == true ? behind + 1 : 1
    lastBehind = time
    if behind >= Self.restartAfter, latest.since(time) >= ValidityGate.disorder { begin(at: time) }
  }

  private mutating func begin(at time: UTCTime) {
    now.wall = time
    lastBehind = nil
    behind = 0
  }
}
