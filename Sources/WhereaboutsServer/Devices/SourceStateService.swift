import Logging
import ServiceLifecycle
import Whereabouts
import WhereaboutsModel

/// The service that logs why the source of this machine gives no fixes, and when it gives them.
struct SourceStateService: Service {
  let manager: LocationManager
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var log = SourceStateLog()
      for await status in manager.statuses {
        if let message = log.message(for: status) { logger.log(level: message.level, "\(message.text)") }
      }
      // The end of the device is not that of the server.
      try? await gracefulShutdown()
    }
  }
}

/// The messages about a source's state, one for each change of the cause.
struct SourceStateLog {
  private var reported: SourceProblem.Code?

  /// Returns the message about a status; `nil` where nothing has changed. A position that is not found yet is no fault.
  mutating func message(for status: ServiceStatus) -> (level: Logger.Level, text: String)? {
    if let problem = Self.problem(of: status) {
      guard problem.code != .noPosition, problem.code != reported else { return nil }
      reported = problem.code
      let remedy = problem.remedy.map { ". \($0)" } ?? ""
      return (.warning, "the source of this machine gives no fixes: could not \(problem.message)\(remedy)")
    }
    // A source that only tries again counts as working, too.
    guard reported != nil, status.sources.contains(where: { $0.state == .ok }) else { return nil }
    reported = nil
    return (.notice, "the source of this machine gives fixes")
  }

  private static func problem(of status: ServiceStatus) -> SourceProblem? {
    if status.authorization.isRefused {
      return SourceProblem(.notPermitted, message: "use it", remedy: status.authorization.remedy)
    }
    switch status.source {
    case .working: return nil
    case .unavailable(let problem), .failed(let problem): return problem
    case .ended(let problem): return problem
    }
  }
}
