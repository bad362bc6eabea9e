import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsFormats

/// The counts and durations of an engine's run.
struct RunStatistics {
  private(set) var inputs = 0
  private(set) var fixes = 0
  private(set) var refused: [Refusal.Reason: Int] = [:]
  private(set) var headings = 0
  private(set) var headingsRefused = 0
  private(set) var requests = 0
  private(set) var outcomes: [String: Int] = [:]
  private(set) var subscriptions = 0
  private(set) var reportedUpdates = 0
  private(set) var timesOn = 0
  private(set) var timeOn = Duration.zero
  private(set) var first: Moment?
  private(set) var last: Moment?
  private var onSince: Instant?

  mutating func process(_ input: Input, at now: Moment, effects: [Effect], decisions: [Decision]) {
    inputs += 1
    first = first ?? now
    last = now
    switch input {
    case .signal(.fix): fixes += 1
    case .signal(.heading): headings += 1
    case .request: requests += 1
    case .subscribe: subscriptions += 1
    default: break
    }
    for case .notify in effects { reportedUpdates += 1 }
    for decision in decisions {
      switch decision {
      case .refused(_, let refusal): refused[refusal.reason, default: 0] += 1
      case .fixWithheld: refused[.unauthorized, default: 0] += 1
      case .headingRefused: headingsRefused += 1
      case .requestEnded(_, _, let outcome, _): outcomes[Self.outcomeName(outcome), default: 0] += 1
      case .demandChanged(_, let new, _): recordSourceState(on: new != .off, at: now.instant)
      default: break
      }
    }
  }

  private mutating func recordSourceState(on isOn: Bool, at now: Instant) {
    if isOn, onSince == nil {
      onSince = now
      timesOn += 1
    } else if !isOn, let since = onSince {
      timeOn += now.since(since)
      onSince = nil
    }
  }

  /// The duration of the run.
  var duration: Duration {
    guard let first, let last else { return .zero }
    return last.instant.since(first.instant)
  }

  /// The time for which the source was on, up to the last input.
  var sourceTime: Duration {
    guard let onSince, let last else { return timeOn }
    return timeOn + last.instant.since(onSince)
  }

  /// The lines of the summary.
  var lines: [String] {
    var lines = ["\(Quantities.count(inputs, "input")) in \(TermsText.duration(duration))"]
    lines.append("fixes: \(fixText)")
    if headings > 0 {
      lines.append("headings: \(headings.grouped), \(headingsRefused.grouped) of no use")
    }
    lines.append("requests: \(requestText)")
    lines.append(
      "subscriptions: \(subscriptions.grouped), notified \(Quantities.count(reportedUpdates, "time"))")
    lines.append(
      timesOn == 0
        ? "source: never on"
        : "source: on for \(TermsText.duration(sourceTime)), \(Quantities.count(timesOn, "time"))")
    return lines
  }

  private var fixText: String {
    guard fixes > 0 else { return "none" }
    let count = refused.values.reduce(0, +)
    guard count > 0 else { return "\(fixes.grouped), all used" }
    let reasons = refused.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { "\($0.value.grouped) \($0.key.rawValue)" }
    return "\(fixes.grouped), \((fixes - count).grouped) used; refused: \(reasons.joined(separator: ", "))"
  }

  private static func outcomeName(_ outcome: RequestOutcome) -> String {
    switch outcome {
    case .reached: "reached"
    case .settled: "settled"
    case .timedOut: "timed out"
    case .unauthorized: "not permitted"
    case .completedEarly: "ended early"
    case .cancelled: "cancelled"
    case .sourceFailed: "ended by a failure"
    case .sourceEnded: "ended with the source"
    }
  }

  private var requestText: String {
    var parts = outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value.grouped) \($0.key)" }
    let open = requests - outcomes.values.reduce(0, +)
    if open > 0 { parts.append("\(open.grouped) still open") }
    return parts.isEmpty ? "none" : "\(requests.grouped): \(parts.joined(separator: ", "))"
  }
}
