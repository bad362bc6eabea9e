package import WhereaboutsModel

extension AlertOutcome {
  /// Returns the decision in words.
  ///
  /// - Parameter clock: returns a time as a person reads it.
  package func text(clock: (UTCTime) -> String) -> String {
    switch self {
    case .notified(nil): "notified"
    case .notified(let start?): "quiet hours: notified at \(clock(start))"
    case .reached(let step, let count, nil): "step \(step) of \(count) reached"
    case .reached(let step, let count, let limit?):
      "step \(step) of \(count) reached; the next one must follow until \(clock(limit))"
    case .late(let step, let delay): "step \(step) came \(Self.span(delay)) too late"
    case .unchanged(let place): "\(place) was and is occupied"
    case .outsideHours: "outside the hours of the alert"
    case .tooOld(let age): "known only after \(Self.span(age))"
    case .coolingDown(let until): "cool-down until \(clock(until))"
    case .quiet(let until?): "quiet hours until \(clock(until))"
    case .quiet(nil): "quiet hours without an end"
    }
  }

  private static func span(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7200 { return "\(seconds / 60) min" }
    return "\(seconds / 3600) h"
  }
}
