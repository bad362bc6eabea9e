import WhereaboutsEngine
public import WhereaboutsModel

/// The time of a recording, as an engine experiences it.
///
/// Time begins with the first fix that has a time, and passes as recorded. Time never goes back: a late fix gets the
/// latest time so far, and does not stretch the following steps. If the recording goes back by five seconds or more,
/// three fixes in a row must agree, as in the engine. Meanwhile this timeline stands still, and then resumes. A fix
/// without a time gets the time of the fix before.
public struct ReplayTimeline: Hashable, Sendable {
  /// The number of consecutive fixes that must agree that time went back.
  private static let restartAfter = 3

  /// The present time, counted from the recording's first fix; the wall clock is that of the recording.
  public private(set) var now = Moment(instant: .start, wall: nil)

  /// The last fix that was behind, and the number of such fixes in a row, each later than the one before.
  private var lastOutOfOrder: UTCTime?
  private var outOfOrderCount = 0

  /// Creates a timeline at its beginning.
  public init() {}

  /// Advances to the time of a fix.
  public mutating func advance(to time: UTCTime?) {
    guard let time else { return }
    guard let latest = now.wall, time < latest else {
      if let latest = now.wall { now.instant = now.instant.advanced(by: time.since(latest)) }
      restart(at: time)
      return
    }
    outOfOrderCount = lastOutOfOrder.map { time > $0 } == true ? outOfOrderCount + 1 : 1
    lastOutOfOrder = time
    if outOfOrderCount >= Self.restartAfter, latest.since(time) >= ValidityGate.reorderTolerance {
      restart(at: time)
    }
  }

  private mutating func restart(at time: UTCTime) {
    now.wall = time
    lastOutOfOrder = nil
    outOfOrderCount = 0
  }
}
