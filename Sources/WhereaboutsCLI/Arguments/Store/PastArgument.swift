import ArgumentParser
import WhereaboutsCore

/// A moment that is past, as typed: `2024-05-14T17:04:00Z`, `2024-05-14`, `17:04` of today, or `2h` ago. All in UTC.
enum PastArgument: Hashable, Sendable {
  case moment(MomentArgument)
  case ago(Duration)

  /// Reads a moment, or `nil`.
  init?(_ text: String) {
    if let moment = MomentArgument(text) {
      self = .moment(moment)
    } else if text.last?.isLetter == true, let ago = DurationArgument(text) {
      self = .ago(ago.duration)
    } else {
      return nil
    }
  }

  /// The moment itself.
  func time(asOf now: UTCTime) -> UTCTime {
    switch self {
    case .moment(let moment): moment.time(from: now.startOfDay)
    case .ago(let duration): now.advanced(by: .zero - duration)
    }
  }
}

extension PastArgument: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}

extension UTCTime {
  /// Now, by the wall clock.
  static var now: UTCTime { UTCTime(nanosecondsSince1970: System.wallClock) }

  /// The midnight that its day began with.
  var startOfDay: UTCTime {
    let day = civil
    return UTCTime(CivilTime(year: day.year, month: day.month, day: day.day)) ?? self
  }
}
