import ArgumentParser
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsSources
import WhereaboutsStore

/// The options of the commands about days, visits and places.
struct DaysOptions: ParsableArguments {
  @OptionGroup var store: StoreOptions

  @Option(
    help: ArgumentHelp(
      """
      Time zone of days and times, as in Europe/Berlin or UTC+2, or `stated` for the offsets that the imported \
      recordings state. (default: the system's)
      """, valueName: "zone"
    ), transform: TimeZoneArgument.parse)
  var timeZone: TimeZoneArgument?

  @Option(
    help: ArgumentHelp(
      "Minimum duration of a visit, at least 1m. (default: \(Quantities.duration(VisitTerms.standard.minimumStay.inSeconds)))",
      valueName: "duration"), transform: DurationArgument.parse)
  var stay = DurationArgument(VisitTerms.standard.minimumStay)

  init() {}

  func validate() throws {
    if stay.duration < .seconds(60) { throw ValidationError("--stay must be at least 1m") }
  }

  /// The reader of the past with these options.
  var reader: DaysReader {
    let zone = timeZone.map { $0.rules.map(DaysReader.Zone.rules) ?? .stated }
    return DaysReader(
      store: store.selection, zone: zone ?? .system,
      settings: SegmenterSettings(visits: VisitTerms(minimumStay: stay.duration)))
  }
}

/// The days that a command reports.
struct DayRangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("First day, as in 2024-05-14. (default: no limit)", valueName: "yyyy-mm-dd"),
    transform: DateArgument.parse)
  var from: DateArgument?

  @Option(
    help: ArgumentHelp("Last day, as in 2024-05-14. (default: no limit)", valueName: "yyyy-mm-dd"),
    transform: DateArgument.parse)
  var to: DateArgument?

  init() {}

  func validate() throws {
    if let from, let to, to.day < from.day { throw ValidationError("--to is before --from") }
  }

  /// Whether a day was given.
  var isGiven: Bool { from != nil || to != nil }

  /// The numbers of the days; `nil` for all.
  var range: ClosedRange<Int>? {
    guard isGiven else { return nil }
    func number(_ date: DateArgument) -> Int { Int(date.day.nanosecondsSince1970 / 86_400_000_000_000) }
    return (from.map(number) ?? .min)...(to.map(number) ?? .max)
  }
}
