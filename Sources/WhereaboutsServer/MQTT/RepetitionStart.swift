import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

/// The choice of the record after which crossings are published again to a broker that has forgotten some.
struct RepetitionStart {
  /// The number of the last record that the broker has acknowledged.
  var cursor: UInt64
  /// The number that the broker remembers; `nil` for none.
  var remembered: UInt64?
  /// The number of the last record that was never meant for the broker.
  var oldest: UInt64

  /// Returns the number after which records are published.
  ///
  /// - Parameters:
  ///   - newest: the newest records, the oldest of them first. Earlier ones are not published again.
  ///   - time: the earliest time of a crossing that is published again.
  func number(in newest: [NumberedFenceRecord], since time: UTCTime) -> UInt64 {
    let late = newest.first { $0.record.decided.map { $0 >= time } ?? false }
    // The record before the first one that is young enough.
    let young = late.map { $0.number - 1 } ?? cursor
    return min(cursor, max(young, remembered ?? 0, oldest))
  }
}

extension FenceRecord {
  /// The time of the fix that settled the crossing; `nil` for another record.
  fileprivate var decided: UTCTime? {
    switch self {
    case .event(let event), .revised(_, let event?): event.decided
    case .revised(_, nil), .decided, .removed: nil
    }
  }
}
