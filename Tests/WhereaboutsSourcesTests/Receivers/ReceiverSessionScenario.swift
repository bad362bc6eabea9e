import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsSources

/// A session, and the signals that it gives in short.
struct ReceiverSessionScenario {
  var session: ReceiverSession
  var now = Instant.start
  /// The wall clock's time at the start; `nil` where it is unknown.
  var wallStart: UTCTime?
  private(set) var reported: [String] = []
  private(set) var problems: [SourceProblem] = []
  private(set) var fixTimes: [String] = []

  init(
    _ port: ReceiverPort = .tcp(host: "boat", port: 10110), isSearched: Bool = false,
    change: (inout ReceiverSession.Settings) -> Void = { _ in }
  ) {
    var settings = ReceiverSession.Settings()
    change(&settings)
    session = ReceiverSession(
      port, at: now, settings: settings, search: isSearched ? SpeedSearch(present: 9600, at: now) : nil)
  }

  mutating func receive(_ bytes: [UInt8]) {
    let wall = wallStart?.advanced(by: now.since(.start))
    bytes.withUnsafeBytes { session.process($0, at: now, wall: wall) }
    recordSignals()
  }

  /// Lets time pass, waking the session whenever it wants to be.
  mutating func advance(_ seconds: Double) {
    let end = now.advanced(by: .seconds(seconds))
    while let wake = session.nextWake, wake <= end {
      guard wake >= now else {
        Issue.record("it wants to be woken in the past, again and again")
        break
      }
      now = max(now, wake)
      session.handleTimer(at: now)
      recordSignals()
    }
    now = end
  }

  private mutating func recordSignals() {
    for signal in session.signals {
      switch signal {
      case .fix(let fix, _):
        reported.append("fix")
        fixTimes.append(fix.time?.iso8601 ?? "no time")
      case .unavailable(let problem):
        reported.append(problem.code.rawValue)
        problems.append(problem)
      case .headingsUnavailable: reported.append("no heading")
      case .heading: reported.append("heading")
      case .satellites(let view): reported.append("\(view.satellites.count) satellites")
      default: reported.append("\(signal)")
      }
    }
    session.signals.removeAll()
    if let speed = session.requestedSpeed { reported.append("\(speed) baud") }
    session.requestedSpeed = nil
  }
}
