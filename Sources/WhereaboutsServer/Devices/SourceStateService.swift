import Logging
import ServiceLifecycle
import Whereabouts
import WhereaboutsModel
import WhereaboutsSystem

/// The service that logs why the source of this machine gives no fixes, when it gives them, and that it has ended.
actor SourceStateService: Service {
  private let manager: LocationManager
  private let logger: Logger
  private var log = SourceStateLog()
  private var status: ServiceStatus?

  init(manager: LocationManager, logger: Logger) {
    self.manager = manager
    self.logger = logger
  }

  nonisolated func run() async throws {
    await cancelWhenGracefulShutdown {
      for await status in self.manager.statuses { await self.process(status) }
      // The end of the device is not that of the server.
      try? await gracefulShutdown()
    }
  }

  /// Logs a cause that was too soon after its last message and still holds.
  func processLastStatus() {
    if let status { process(status) }
  }

  private func process(_ status: ServiceStatus) {
    self.status = status
    let now = Instant(nanoseconds: MonotonicClock.nanoseconds)
    guard let message = log.message(for: status, at: now) else { return }
    logger.log(level: message.level, "\(message.text)")
  }
}

/// The messages about a source's state, one for each change of the cause.
///
/// A source that fails again and again would fill the log. A cause is therefore logged again only after
/// ``repetitionInterval``, and new fixes only after a logged cause.
struct SourceStateLog {
  /// The least time between two messages about one cause.
  static let repetitionInterval = Duration.seconds(600)

  /// The reason why there are no fixes.
  private enum Cause: Hashable {
    case problem(SourceProblem.Code)
    case end
  }

  /// The cause of the last message; `nil` if that message was about fixes.
  private var reported: Cause?
  /// The time of the last message about each cause.
  private var messageTimes: [Cause: Instant] = [:]

  /// Returns the message about a status; `nil` where nothing has changed. A position that is not found yet is no fault.
  ///
  /// - Parameter now: the present time. A later call with the same status returns a message that was too soon before.
  mutating func message(
    for status: ServiceStatus, at now: Instant
  ) -> (level: Logger.Level, text: String)? {
    if let problem = Self.problem(of: status) {
      guard problem.code != .noPosition, report(.problem(problem.code), at: now) else { return nil }
      let remedy = problem.remedy.map { ". \($0)" } ?? ""
      return (.warning, "the source of this machine gives no fixes: could not \(problem.message)\(remedy)")
    }
    if case .ended = status.source {
      return report(.end, at: now) ? (.notice, "the source of this machine has ended") : nil
    }
    // A source that only tries again counts as working, too.
    guard reported != nil, status.sources.contains(where: { $0.state == .ok }) else { return nil }
    reported = nil
    return (.notice, "the source of this machine gives fixes")
  }

  /// Returns whether a cause is to be logged now, and records that it is.
  private mutating func report(_ cause: Cause, at now: Instant) -> Bool {
    guard cause != reported else { return false }
    if let last = messageTimes[cause], now.since(last) < Self.repetitionInterval { return false }
    reported = cause
    messageTimes[cause] = now
    return true
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
