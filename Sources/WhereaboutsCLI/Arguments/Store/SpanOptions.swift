import ArgumentParser
import WhereaboutsModel

/// The options for the time span of a history.
struct SpanOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Start of the time range, as in 2024-05-14T17:04:00Z, 2024-05-14, 17:04 for today, or 2h for two hours ago, \
      in UTC. (default: no limit)
      """,
      valueName: "time"), transform: PastArgument.parse)
  var since: PastArgument?

  @Option(
    help: ArgumentHelp(
      "End of the time range, exclusive, in the same forms. (default: no limit)", valueName: "time"),
    transform: PastArgument.parse)
  var until: PastArgument?

  @Flag(help: "Use the time range since midnight, in UTC.")
  var today = false

  init() {}

  func validate() throws {
    if today, since != nil || until != nil {
      throw ValidationError("--today and --\(since == nil ? "until" : "since") can't be combined")
    }
    let now = UTCTime.now
    if let since = since?.time(asOf: now), let until = until?.time(asOf: now), since >= until {
      throw ValidationError("--since must be before --until")
    }
  }

  /// Whether a span option was given.
  var isGiven: Bool { today || since != nil || until != nil }

  /// The span of time; `nil` for the whole history or for an empty span.
  var span: Range<UTCTime>? {
    guard isGiven else { return nil }
    let now = UTCTime.now
    let from = today ? now.startOfDay : since?.time(asOf: now) ?? UTCTime(nanosecondsSince1970: .min)
    let to = until?.time(asOf: now) ?? UTCTime(nanosecondsSince1970: .max)
    return from < to ? from..<to : nil
  }
}
