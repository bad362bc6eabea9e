import ArgumentParser
import WhereaboutsModel

/// Hours of the week as typed, as in `Mo-Fr 09:00-17:00; Sa,Su 10:00-24:00 Europe/Berlin`.
struct HoursArgument: Hashable, Sendable {
  var hours: ActiveHours

  /// Parses hours; returns `nil` if the text is invalid.
  init?(_ text: String) {
    guard let hours = ActiveHours(text: text) else { return nil }
    self.hours = hours
  }
}

extension HoursArgument: ExplainedArgument {
  static let form =
    "Write days and times from 00:00 to 24:00, then the time zone if it is not UTC, as in 'Mo-Fr 09:00-17:00; Sa,Su 10:00-24:00 Europe/Berlin' or '22:00-06:00 UTC+2'"

  init?(argument: String) { self.init(argument) }
}
