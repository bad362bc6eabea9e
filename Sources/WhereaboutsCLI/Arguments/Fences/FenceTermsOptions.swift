import ArgumentParser
import WhereaboutsModel

/// The options for a fence's events and confidence. Every command that creates a fence shares these options.
struct FenceTermsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How sure it must be that the device is inside, as in 0.95 or 95% (the standard).", valueName: "share"))
  var enterConfidence: ConfidenceArgument?

  @Option(help: ArgumentHelp("The same for that it is outside.", valueName: "share"))
  var exitConfidence: ConfidenceArgument?

  @Option(
    help: ArgumentHelp("How far beyond the boundary it must be to have left.", valueName: "metres"))
  var hysteresis: LengthArgument?

  @Option(
    help: ArgumentHelp("How long it must be inside to have entered, as in 30s.", valueName: "duration"))
  var enterDwell: DurationArgument?

  @Option(help: ArgumentHelp("How long it must be outside to have left.", valueName: "duration"))
  var exitDwell: DurationArgument?

  @Option(help: ArgumentHelp("Tell of a stay once it has lasted so long.", valueName: "duration"))
  var dwell: DurationArgument?

  @Option(
    help: ArgumentHelp("What to notify: some of enter, exit, dwell, as in enter,exit.", valueName: "events"))
  var notify: EventKindsArgument?

  @Flag(help: "Tell once on which side it is at first, as if it had crossed.")
  var initial = false

  @Flag(help: "Remove the fence with its first event.")
  var once = false

  @Option(
    help: ArgumentHelp("Remove the fence then, as in 2026-12-31T18:00:00Z.", valueName: "time"),
    transform: FenceTermsOptions.time)
  var expires: UTCTime?

  @Option(
    help: ArgumentHelp(
      "When to tell, as in 'Mo-Fr 09:00-17:00; Sa 10:00-14:00 Europe/Berlin': in UTC, or by the time zone or UTC+2 at the end.",
      valueName: "hours"))
  var hours: HoursArgument?

  @Option(
    help: ArgumentHelp("How long an event may wait to be told; 0s is the standard.", valueName: "duration"))
  var responsiveness: DurationArgument?

  init() {}

  private static func time(_ text: String) throws -> UTCTime {
    guard let time = UTCTime(iso8601: text) else {
      throw ValidationError("'\(text)' is no time, as in 2026-12-31T18:00:00Z")
    }
    return time
  }

  func validate() throws {
    if let hysteresis, hysteresis.metres > 100_000 { throw ValidationError("--hysteresis is at most 100 km") }
    if let notify, notify.kinds.contains(.dwell), dwell == nil {
      throw ValidationError("--notify dwell needs --dwell: how long a stay is to be told of")
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
