import WhereaboutsModel
import WhereaboutsGeodesy

/// A filter of the positions that Traccar's server stores for messages without one.
///
/// The server repeats the last position with its time. Before the first position it stores one on the equator, of the
/// beginning of 1970.
struct TraccarRepetitions: Sendable {
  private var lastPlace: Coordinate?
  private var lastTime: UTCTime?

  /// Returns whether a fix of the next position was not measured. Such a fix is counted.
  mutating func skip(_ fix: Fix, in batch: inout RecordingBatch) -> Bool {
    guard let time = fix.time else { return false }
    // In tables, the local time of the user.
    if time.secondsSince1970.magnitude < 86_400 {
      batch.skippedElements.count("position without a fix")
      return true
    }
    if time == lastTime, fix.coordinate == lastPlace {
      batch.skippedElements.count("repeated position")
      return true
    }
    lastPlace = fix.coordinate
    lastTime = time
    return false
  }
}
