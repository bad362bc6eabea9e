package import WhereaboutsEngine
package import WhereaboutsModel
import WhereaboutsFormats

/// A writer of an engine's decisions, input by input, as text or as JSON.
package struct DecisionExplainer {
  private(set) var statistics = RunStatistics()
  private let text: DecisionText
  private let isJSON: Bool
  private var log: DecisionLog
  private var decisions: [Decision] = []
  /// The kind of the last printed line, and the number of identical lines since then.
  private var lastKind: String?
  private var repetitions = 0
  /// The fixes that have not answered the pending requests.
  private var waits: [RequestID: Wait] = [:]
  /// The trips that have ended since a tracker counted them.
  private var endedTrips: Set<TripID> = []

  /// The fixes since a request was made.
  private struct Wait {
    var used = 0
    var refused = 0
    /// The best accuracy of the used fixes, in metres.
    var best: Double?

    mutating func record(_ fix: Fix, isRefused: Bool) {
      guard !isRefused else {
        refused += 1
        return
      }
      used += 1
      guard let accuracy = fix.horizontalAccuracy, accuracy >= 0 else { return }
      best = best.map { min($0, accuracy) } ?? accuracy
    }
  }

  package init(settings: EngineSettings, json: Bool, showingPlaces: Bool) {
    log = DecisionLog(settings: settings)
    isJSON = json
    text = DecisionText(showsPlaces: showingPlaces)
  }

  /// Processes an input with the engine's effects, and appends the lines for both.
  package mutating func process(_ input: Input, at now: Moment, effects: [Effect], to bytes: inout [UInt8]) {
    decisions.removeAll(keepingCapacity: true)
    log.record(input, at: now, effects: effects, into: &decisions)
    statistics.process(input, at: now, effects: effects, decisions: decisions)
    if isJSON {
      for decision in decisions { write(decision, at: now, to: &bytes) }
    } else {
      let isRepeated = isRepeatedEnd(input)
      if !isRepeated, let line = text.line(input) { write(line, kind: nil, at: now, to: &bytes) }
      for decision in decisions {
        write(
          text.line(decision) + waitText(decision), kind: Self.kind(of: decision), at: now, to: &bytes)
      }
      recordWaits(input)
    }
    for case .fence(let record) in effects {
      if isJSON {
        write(record, at: now, to: &bytes)
      } else if let line = FenceText.line(record) {
        write(line, kind: nil, at: now, to: &bytes)
      }
    }
  }

  /// Appends the summary.
  package mutating func finish(to bytes: inout [UInt8]) {
    guard !isJSON else { return }
    writeRepetitions(to: &bytes)
    bytes.appendText("\n")
    for line in statistics.lines { bytes.appendText("\(line)\n") }
  }

  /// Returns whether an input ends a trip that has ended: a tracker and its host may both end it, and the second end has
  /// no effect.
  private mutating func isRepeatedEnd(_ input: Input) -> Bool {
    switch input {
    case .endTrip(let id): return !endedTrips.insert(id).inserted
    case .subscribe(_, .track(let terms)):
      if let trip = terms.trip { endedTrips.remove(trip) }
      return false
    case .restore(let left):
      endedTrips.subtract(left.trips.map(\.id))
      return false
    default: return false
    }
  }

  private mutating func recordWaits(_ input: Input) {
    switch input {
    case .request(let id, _): waits[id] = Wait()
    case .signal(.fix(let fix, _)) where !waits.isEmpty:
      let isRefused = decisions.contains { decision in
        switch decision {
        case .refused, .fixWithheld: true
        default: false
        }
      }
      for id in waits.keys { waits[id]?.record(fix, isRefused: isRefused) }
    default: break
    }
    for case .requestEnded(let id, _, _, _) in decisions { waits[id] = nil }
  }

  /// Returns the reason why an answer took as long as it did: the fixes before it.
  private func waitText(_ decision: Decision) -> String {
    guard case .requestEnded(let id, _, let outcome, let waited) = decision, let wait = waits[id] else {
      return ""
    }
    switch outcome {
    case .reached, .settled: break
    default: return ""
    }
    var parts: [String] = []
    if wait.used > 0 {
      let best = wait.best.map { ", the best \(Quantities.accuracy($0))" } ?? ", without an accuracy"
      parts.append("; \(Quantities.count(wait.used, "fix", "fixes")) before did not meet it\(best)")
    } else if wait.refused == 0, waited >= .seconds(2) {
      parts.append("; no fix came before")
    }
    if wait.refused > 0 { parts.append("; \(wait.refused.grouped) before refused") }
    return parts.joined()
  }

  private func write(_ record: FenceRecord, at now: Moment, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMember("at", now.instant)
      $0.appendJSONMember("wall", now.wall)
      switch record {
      case .event(let event): $0.appendJSONMembers(event, hidingPlace: !text.showsPlaces)
      case .revised(let id, let event?):
        $0.appendJSONMember("fenceRevised", id.number)
        $0.appendJSONMembers(event, hidingPlace: !text.showsPlaces)
      case .revised(_, nil), .removed, .decided: $0.appendJSONMembers(record)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private func write(_ decision: Decision, at now: Moment, to bytes: inout [UInt8]) {
    bytes.appendJSONObject {
      $0.appendJSONMember("at", now.instant)
      $0.appendJSONMember("wall", now.wall)
      if case .fence(let decision) = decision {
        $0.appendJSONMembers(decision, evidenceTime: "time")
      } else {
        $0.appendJSONMembers(decision, hidingPlace: !text.showsPlaces)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes a line, but counts consecutive lines of one kind instead of repeating them. A receiver that repeats
  /// itself or a compass in a car can cause a thousand equal decisions.
  private mutating func write(_ line: String, kind: String?, at now: Moment, to bytes: inout [UInt8]) {
    if let kind, kind == lastKind {
      repetitions += 1
      return
    }
    writeRepetitions(to: &bytes)
    lastKind = kind
    let time = "\(Self.elapsed(now.instant))  \(now.wall?.clockText ?? "   --   ")"
    bytes.appendText("\(time)  \(line.sanitizedToOneLine)\n")
  }

  private mutating func writeRepetitions(to bytes: inout [UInt8]) {
    if repetitions > 0 {
      let margin = String(repeating: " ", count: 24)
      bytes.appendText("\(margin)and \(Quantities.count(repetitions, "time")) more\n")
    }
    repetitions = 0
  }

  private static func kind(of decision: Decision) -> String? {
    switch decision {
    case .refused(_, let refusal): "refused \(refusal.reason.rawValue)"
    case .fixWithheld: "refused \(Refusal.Reason.unauthorized.rawValue)"
    case .notAccepted(let id, _, let why): "\(id.number) does not log the fix: \(AcceptanceText.kind(why))"
    case .headingRefused: "heading refused"
    case .fence(.tooCoarse): "fences too coarse"
    case .fence(.doubted): "fences doubted"
    case .fence(.tooLate): "fences too late"
    case .fence(.timeless): "fences timeless"
    default: nil  // Every such line is printed.
    }
  }

  /// Returns a time as `0:00:12.345`, truncated to milliseconds and padded to the width of ten hours.
  static func elapsed(_ instant: Instant) -> String {
    let milliseconds = Int(instant.nanoseconds / 1_000_000)
    let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    func two(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let fraction = String(repeating: "0", count: 3 - String(rest).count) + String(rest)
    let sign = milliseconds < 0 ? "-" : ""
    let text = "\(sign)\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(fraction)"
    return text.padded(to: 12, onLeft: true)
  }
}
