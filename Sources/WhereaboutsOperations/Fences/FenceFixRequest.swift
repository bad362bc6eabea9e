import Whereabouts
package import WhereaboutsModel
package import WhereaboutsSources
import WhereaboutsReports

/// A request for a fix that is accurate enough for the centre of a new fence.
package struct FenceFixRequest {
  package let source: SourceName
  /// The radius of the fence in metres.
  package let radius: Double
  /// The accuracy that the user requires, if any.
  package let accuracy: AccuracyLevel?
  package let timeout: Duration?

  package init(source: SourceName, radius: Double, accuracy: AccuracyLevel?, timeout: Duration?) {
    self.source = source
    self.radius = radius
    self.accuracy = accuracy
    self.timeout = timeout
  }

  private static let defaultTimeout = Duration.seconds(30)

  /// The required accuracy level: half of the radius, so that the place lies inside, but not coarser than
  /// `AccuracyLevel.house`, which receivers reach outdoors.
  private var level: AccuracyLevel {
    let house = AccuracyLevel.house
    return accuracy
      ?? AccuracyLevel.custom(worstAccuracy: min(radius / 2, house.worstAccuracy), maxAge: house.maxAge)
      ?? house
  }

  /// Waits for the fix. Without a timeout of the user, the wait also ends when no source can deliver a fix.
  ///
  /// - Throws: an error if no fix is accurate enough, with the best accuracy so far or with the problems of the sources.
  package func fix(for id: String) async throws(CommandError) -> Fix {
    let manager =
      if case .replay(let replay) = source {
        LocationManager(source: replay.source(until: nil))
      } else {
        LocationManager(source: try source.makeLiveSource(), clock: .system)
      }
    let wait = timeout ?? Self.defaultTimeout
    let request = manager.request(level, timeout: wait)
    let availability = SourceAvailabilityMonitor(manager: manager)
    let hoping = timeout == nil ? Task { await availability.completeWhenUnavailable(request) } : nil
    let reasons = SourceProblemReporter()
    let noting = Task { for await status in manager.statuses { await reasons.update(with: status.sources) } }
    let outcome = await request.outcome
    noting.cancel()
    hoping?.cancel()
    if case .reached(let answer) = outcome { return answer.fix }
    if let sources = await hoping?.value {
      let failure = SourceAvailabilityMonitor.failure(sources)
      throw CommandError("could not add a fence: \(failure.message)", code: failure.code)
    }
    let text = OutcomeText(outcome: outcome, level: level, timeout: wait, settle: nil)
    let best = outcome.answer?.fix.horizontalAccuracy.map { ": ±\(Quantities.accuracy($0))" } ?? ""
    let sources = text.code == .timedOut ? await reasons.sources(explaining: outcome) : []
    let lines =
      ["could not add a fence: \(text.sentence)\(best). No fence was added."] + SourceText.reasons(sources)
    throw CommandError(lines.joined(separator: "\n"), code: text.code ?? .failed)
  }
}
