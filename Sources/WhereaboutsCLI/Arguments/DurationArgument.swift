import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats

/// A duration as typed: `10s`, `500ms`, `2m`, `1h`, `1m30s`, or plain seconds.
struct DurationArgument: Hashable, Sendable {
  var duration: Duration

  init(_ duration: Duration) { self.duration = duration }

  /// Parses a duration of 0 s to 100 years; returns `nil` for any other text.
  init?(_ text: String) {
    guard let duration = DurationText.parse(text, as: .argument) else { return nil }
    self.duration = duration
  }
}

extension DurationArgument: ExplainedArgument {
  static let form =
    "Write a duration, as in 90s, 5min, 2h or 1h30m, up to 100 years"

  init?(argument: String) { self.init(argument) }
}
