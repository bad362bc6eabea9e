import WhereaboutsModel
import WhereaboutsSystem

extension Diagnosis {
  /// Examines every source of this machine, and the machine itself.
  ///
  /// All sources run at once, and are off again on return. A cancelled task ends the examination early.
  ///
  /// - Parameters:
  ///   - wait: the maximum time of listening to each source; `nil` listens until each source has delivered or shown
  ///     why it does not, at most 25 s. Where one has delivered, the others get 5 s.
  ///   - showsPosition: whether the findings may hold the position.
  /// - Returns: the findings.
  public static func examine(listeningFor wait: Duration? = nil, showsPosition: Bool = false) async
    -> Diagnosis
  {
    await examine(.automatic, listeningFor: wait, showsPosition: showsPosition) { _ in }
  }

  /// Examines one or several sources and the clock, or every source and the machine.
  ///
  /// - Parameter progress: called with the names of the sources that are still in progress.
  package static func examine(
    _ source: ExaminedSource, listeningFor wait: Duration?, showsPosition: Bool,
    progress: @Sendable @escaping ([String]) async -> Void
  ) async -> Diagnosis {
    let examiner = SourceExaminer(source: source, wait: wait, showsPosition: showsPosition)
    let results = await examiner.run(progress)
    let now = UTCTime(nanosecondsSince1970: WallClock.nanosecondsSince1970)
    var diagnosis = Diagnosis(sources: results.map(\.finding))
    diagnosis.machine.append(
      MachineChecks.clock(now: now, lead: results.lazy.compactMap { $0.listenResult?.clockLead }.first))
    guard case .automatic = source else { return diagnosis }
    if let power = MachineChecks.power() { diagnosis.machine.append(power) }
    if let compass = MachineChecks.compass() { diagnosis.machine.append(compass) }
    return diagnosis
  }
}
