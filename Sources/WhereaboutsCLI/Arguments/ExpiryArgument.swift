import ArgumentParser
import WhereaboutsModel

/// A time in the future as typed: `90d` or `12h` from now, `2027-01-31`, or `2027-01-31T12:00:00Z`. Dates are UTC.
enum ExpiryArgument: Hashable, Sendable {
  case after(Duration)
  case at(UTCTime)

  /// Parses a time; returns `nil` if the text is invalid.
  init?(_ text: String) {
    if let time = UTCTime(iso8601: text) {
      self = .at(time)
    } else if text.last?.isLetter == true, let duration = DurationArgument(text) {
      self = .after(duration.duration)
    } else {
      return nil
    }
  }

  /// Returns the time.
  func time(asOf now: UTCTime) -> UTCTime {
    switch self {
    case .after(let duration): now.advanced(by: duration)
    case .at(let time): time
    }
  }
}

extension ExpiryArgument: ExplainedArgument {
  static let form =
    "Write a duration from now, as in 90d or 12h, or a time from 1678 to 2261, as in 2027-01-31 or 2027-01-31T12:00:00Z"

  init?(argument: String) { self.init(argument) }
}
