import Foundation
import WhereaboutsModel

/// The latest results of password checks. Right and wrong passwords are kept apart, so that no flood of wrong ones
/// displaces a right one.
struct PasswordResults {
  /// The greatest number of results of each kind.
  static let capacity = 128
  /// The time for which a result is kept.
  static let lifetime = Duration.seconds(600)

  private struct Part {
    var times: [Data: UTCTime] = [:]

    mutating func insert(_ pair: Data, at time: UTCTime) {
      if times.count >= PasswordResults.capacity, times[pair] == nil {
        times = times.filter { PasswordResults.isKept(since: $0.value, at: time) }
        if times.count >= PasswordResults.capacity, let oldest = times.min(by: { $0.value < $1.value }) {
          times[oldest.key] = nil
        }
      }
      times[pair] = time
    }
  }

  private var right = Part()
  private var wrong = Part()

  var count: Int { right.times.count + wrong.times.count }

  func result(of pair: Data, at time: UTCTime) -> Bool? {
    if let since = right.times[pair], Self.isKept(since: since, at: time) { return true }
    if let since = wrong.times[pair], Self.isKept(since: since, at: time) { return false }
    return nil
  }

  mutating func insert(_ isRight: Bool, for pair: Data, at time: UTCTime) {
    if isRight { right.insert(pair, at: time) } else { wrong.insert(pair, at: time) }
  }

  /// Returns a result from the future is dropped: the wall clock was set back.
  private static func isKept(since start: UTCTime, at time: UTCTime) -> Bool {
    start <= time && time.since(start) < lifetime
  }
}
