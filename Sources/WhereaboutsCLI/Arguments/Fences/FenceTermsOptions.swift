import ArgumentParser
import WhereaboutsModel

/// The options for a fence's events and confidence. Every command that creates a fence shares these options.
struct FenceTermsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Required confidence that the device is inside, as in 0.95 or 95%. (default: 95%)", valueName: "share"),
    transform: ConfidenceArgument.parse)
  var enterConfidence: ConfidenceArgument?

  @Option(
    help: ArgumentHelp("Required confidence that the device is outside. (default: 95%)", valueName: "share"),
    transform: ConfidenceArgument.parse)
  var exitConfidence: ConfidenceArgument?

  @Option(
    help: ArgumentHelp(
      "Required distance beyond the boundary for an exit, as in 20 or 20m. (default: 0 m)",
      valueName: "metres"),
    transform: LengthArgument.parse)
  var hysteresis: LengthArgument?

  @Option(
    help: ArgumentHelp(
      "Required time inside for an enter event, as in 30s. (default: 0 s)", valueName: "duration"),
    transform: DurationArgument.parse)
  var enterDwell: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Required time outside for an exit event, as in 30s. (default: 0 s)", valueName: "duration"),
    transform: DurationArgument.parse)
  var exitDwell: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Duration of a stay until its dwell event, as in 10min. (default: no dwell event)",
      valueName: "duration"), transform: DurationArgument.parse)
  var dwell: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Kinds of events to report: some of enter, exit, dwell, as in enter,exit. (default: all)",
      valueName: "events"))
  var notify: EventKindsArgument?

  @Flag(help: "Report the initial side of the device once, as a crossing; an outside only near the fence.")
  var initial = false

  @Flag(help: "Remove the fence after its first event.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "Time at which the fence is removed, as in 8h from now or 2026-12-31T18:00:00Z. (default: never)",
      valueName: "time"),
    transform: FenceTermsOptions.time)
  var expires: UTCTime?

  @Option(
    help: ArgumentHelp(
      """
      Hours in which events are reported, as in 'Mo-Fr 09:00-17:00; Sa 10:00-14:00 Europe/Berlin'. Times are in \
      UTC, or in the time zone or UTC+2 at the end. (default: always)
      """,
      valueName: "hours"), transform: HoursArgument.parse)
  var hours: HoursArgument?

  @Option(
    help: ArgumentHelp("Maximum delay of an event report, as in 1min. (default: 0 s)", valueName: "duration"),
    transform: DurationArgument.parse)
  var responsiveness: DurationArgument?

  init() {}

  private static func time(_ text: String) throws -> UTCTime {
    let now = UTCTime.now, time = try ExpiryArgument.parse(text).time(asOf: now)
    guard time > now else { throw ValidationError("'\(text)' lies in the past. Give a later time.") }
    return time
  }

  func validate() throws {
    if let hysteresis, hysteresis.metres > 100_000 {
      throw ValidationError("--hysteresis must be at most 100 km")
    }
    if let notify, notify.kinds.contains(.dwell), dwell == nil {
      throw ValidationError("--notify dwell requires --dwell DURATION")
    }
  }

  /// Returns the terms with every option that was given in place of the old value.
  func terms(from terms: FenceTerms = FenceTerms()) -> FenceTerms {
    FenceTerms(
      enterConfidence: enterConfidence?.confidence ?? terms.enterConfidence,
      exitConfidence: exitConfidence?.confidence ?? terms.exitConfidence,
      hysteresisMargin: hysteresis?.metres ?? terms.hysteresisMargin,
      enterDwell: enterDwell?.duration ?? terms.enterDwell,
      exitDwell: exitDwell?.duration ?? terms.exitDwell, dwell: dwell?.duration ?? terms.dwell,
      notify: notify?.kinds ?? terms.notify, reportsInitialSide: initial || terms.reportsInitialSide,
      once: once || terms.once, expiry: expires ?? terms.expiry,
      activeHours: hours?.hours ?? terms.activeHours,
      responsiveness: responsiveness?.duration ?? terms.responsiveness)
  }
}
