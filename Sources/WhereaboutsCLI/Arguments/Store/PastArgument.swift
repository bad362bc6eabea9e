import ArgumentParser
import WhereaboutsModel
import WhereaboutsOperations

/// A past moment as typed: `2024-05-14T17:04:00Z`, `2024-05-14`, `17:04` of today, or `2h` ago. All times are UTC.
enum PastArgument: Hashable, Sendable {
  case moment(MomentArgument)
  case ago(Duration)

  /// Parses a moment; returns `nil` if the text is invalid.
  init?(_ text: String) {
    if let moment = MomentArgument(text) {
      self = .moment(moment)
    } else if text.last?.isLetter == true, let ago = DurationArgument(text) {
      self = .ago(ago.duration)
    } else {
      return nil
    }
  }

  /// Returns the moment as a time.
  func time(asOf now: UTCTime) -> UTCTime {
    switch self {
    case .moment(let moment): moment.time(from: now.startOfDay)
    case .ago(let duration): now.advanced(by: .zero - duration)
    }
  }
}

extension PastArgument: ExplainedArgument {
  static let form =
    "Write a time from 1678 to 2261, as in 2024-05-14T17:04:00Z or 2024-05-14, 17:04 for today, or 2h for two hours ago"

  init?(argument: String) { self.init(argument) }
}

extension UTCTime {
  /// The current time of the wall clock.
  static var now: UTCTime { UTCTime(nanosecondsSince1970: System.wallClock) }

  /// The preceding midnight.
  var startOfDay: UTCTime {
    let day = civil
    return UTCTime(CivilTime(year: day.year, month: day.month, day: day.day)) ?? self
  }
}
