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

extension HoursArgument: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
