import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy

/// Three sources with their signals, the demands on them, and the forwarded signals.
struct FailoverScenario {
  var failover: Failover
  private(set) var now = Instant.start
  private(set) var effects: [Failover.Effect] = []
  private(set) var wake: Instant?

  static let names = ["gpsd", "nmea", "geoclue"]
  static let demand = Demand.continuous(Demand.Continuous(accuracy: 10))

  init(_ settings: FailoverSettings = FailoverSettings(), standIns: [FallbackCondition] = []) {
    failover = Failover(
      Self.names.enumerated().map { place, name in
        Failover.Member(
          name: name, isSteady: place < 2,
          fallbackCondition: place < standIns.count ? standIns[place] : .withoutFix)
      }, settings: settings)
  }

  mutating func process(_ input: Failover.Input) {
    effects.removeAll()
    failover.handle(input, at: now, into: &effects)
    for case .wake(let instant) in effects { wake = instant }
  }

  mutating func sendSignal(_ place: Int, _ signal: SourceSignal) { process(.signal(place, signal)) }

  mutating func sendFix(_ place: Int, north: Double = 0, accuracy: Double = 5) throws {
    var fix = Fix(
      coordinate: try #require(Coordinate(latitude: 1 + north / 110_574, longitude: 2)), time: nil,
      source: .scripted)
    fix.horizontalAccuracy = accuracy
    sendSignal(place, .fix(fix, age: .sinceArrival))
  }

  /// Advances the time; each deadline is processed at its own instant.
  ///
  /// - Returns: all effects.
  @discardableResult
  mutating func advance(by seconds: Double) -> [Failover.Effect] {
    let end = now.advanced(by: .seconds(seconds))
    var all: [Failover.Effect] = []
    while let due = wake, due <= end {
      now = max(now, due)
      wake = nil
      process(.wake)
      all += effects
    }
    now = end
    return all
  }

  var startedSources: [Int] {
    effects.compactMap { if case .demand(let place, let demand) = $0, demand != .off { place } else { nil } }
  }
  var stoppedSources: [Int] {
    effects.compactMap { if case .demand(let place, .off) = $0 { place } else { nil } }
  }
  var isFixForwarded: Bool { effects.contains { if case .forward(.fix) = $0 { true } else { false } } }
  var forwardedFixesAndGaps: [String] {
    effects.compactMap {
      switch $0 {
      case .forward(.segmentBegan): "gap"
      case .forward(.fix): "fix"
      default: nil
      }
    }
  }
  var forwardedProblems: [SourceProblem] {
    effects.compactMap { if case .forward(.unavailable(let problem)) = $0 { problem } else { nil } }
  }
  func health(_ effects: [Failover.Effect]) -> [SourceHealth]? {
    effects.reversed().lazy.compactMap {
      if case .forward(.sources(let sources)) = $0 { sources } else { nil }
    }
    .first
  }
}

extension SourceProblem {
  static let unreachable = SourceProblem(.unreachable, message: "reach gpsd", remedy: "Start gpsd.")
  static let noSky = SourceProblem(.noPosition, message: "see enough satellites")
  static let noCompass = SourceProblem(.noCompass, message: "find a compass")
}
