public import WhereaboutsCore

/// The time of a recording, as an engine lives through it.
///
/// It begins with the first fix that has a time and passes as it passed when the fixes were made. It never goes back:
/// where the recording's time does, this stands still until the recording's time moves forward again, from wherever it
/// then is. A fix without a time comes at the time of the one before.
public struct ReplayTimeline: Hashable, Sendable {
  /// Now, counted from the recording's first fix; the wall clock is that of the recording.
  public private(set) var now = Moment(instant: .start, wall: nil)

  /// A timeline at its beginning.
  public init() {}

  /// Moves on to a fix made at this time.
  public mutating func advance(to time: UTCTime?) {
    guard let time else { return }
    if let wall = now.wall, time > wall { now.instant = now.instant.advanced(by: time.since(wall)) }
    now.wall = time
  }
}
