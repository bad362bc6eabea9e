import ArgumentParser
import WhereaboutsModel

/// A moment as typed: `2024-05-14T17:04:00Z`, or `17:04` and `17:04:30` for a time of day.
enum MomentArgument: Hashable, Sendable {
  case time(UTCTime)
  /// A time of day in seconds since midnight, UTC.
  case timeOfDay(Int)

  /// Parses a moment; returns `nil` if the text is invalid.
  init?(_ text: String) {
    if let seconds = Self.seconds(text) {
      self = .timeOfDay(seconds)
    } else if let time = UTCTime(iso8601: text) {
      self = .time(time)
    } else {
      return nil
    }
  }

  private static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3,
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == parts.count, numbers[0] < 24, numbers[1] < 60 else { return nil }
    let second = numbers.count == 3 ? numbers[2] : 0
    return second < 60 ? numbers[0] * 3600 + numbers[1] * 60 + second : nil
  }

  /// Returns the moment as a time. A time of day resolves to its first occurrence not before the beginning.
  func time(from beginning: UTCTime) -> UTCTime {
    let time = time(onDayOf: beginning)
    // Allows a minute: 17:04 must match a beginning at 17:04:20.
    guard case .timeOfDay = self, time.seconds(since: beginning) <= -60 else { return time }
    return time.advanced(by: .seconds(86_400))
  }

  /// Returns the moment as a time. A time of day is one of the day of the beginning, also if it is before.
  func time(onDayOf beginning: UTCTime) -> UTCTime {
    switch self {
    case .time(let time): time
    case .timeOfDay(let seconds): beginning.startOfDay.advanced(by: .seconds(seconds))
    }
  }
}

extension MomentArgument: ExplainedArgument {
  static let form =
    "Write a time, as in 2024-05-14T17:04:00Z, or a time of day, as in 17:04 or 17:04:30"

  init?(argument: String) { self.init(argument) }
}
