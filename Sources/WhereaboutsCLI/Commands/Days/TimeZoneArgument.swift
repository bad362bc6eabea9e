import ArgumentParser
import Whereabouts
import WhereaboutsModel

/// A time zone as typed: a name of the IANA database, as in `Europe/Berlin`, an offset, as in `UTC+2`, or `stated`.
struct TimeZoneArgument: ExplainedArgument {
  static let form =
    "Write a name of the time zone database, as in Europe/Berlin, or an offset, as in UTC+2 or UTC-03:30, or stated"

  /// The rules; `nil` for the offsets that recordings state.
  var rules: TimeZoneRules?

  init?(argument: String) {
    if argument == "stated" { return }
    if argument.lowercased().hasPrefix("utc"), let ahead = ActiveHours.offset(argument.dropFirst(3)) {
      rules = TimeZoneRules(name: argument, firstOffset: Int(ahead.components.seconds))
      return
    }
    guard let rules = try? TimeZoneRules(named: argument) else { return nil }
    self.rules = rules
  }
}
