package import Whereabouts
package import WhereaboutsModel
import WhereaboutsReports

/// A printer of arrivals and departures, one line each.
package struct VisitPrinter: Sendable {
  package let isJSON: Bool

  package init(isJSON: Bool) {
    self.isJSON = isJSON
  }

  /// Prints visits until the stream ends, the line limit is reached, the task is cancelled or the reader closes the
  /// output.
  package func run(_ visits: EventStream<Visit>, _ manager: LocationManager, _ lines: inout LiveLineWriter)
    async throws
  {
    // A stream of visits does not report the problems of the source.
    let watching = Task {
      for await authorization in manager.authorizations where authorization.isRefused { visits.end() }
    }
    let reporting = Task { await Self.reportProblems(of: manager, ending: visits) }
    defer {
      watching.cancel()
      reporting.cancel()
    }
    for await visit in visits {
      guard try lines.write({ write(visit, to: $0) }) else { return }
    }
    reporting.cancel()
    if let failure = await reporting.value { throw failure }
    let status = await manager.status
    try LiveLineWriter.reportRefusal(status.authorization)
    switch status.source {
    case .failed(let problem), .ended(let problem?): throw CommandError(problem)
    case .working, .unavailable, .ended(nil): break
    }
  }

  /// Reports each problem of the source, and ends the visits if waiting cannot help.
  ///
  /// - Returns: the problem that ended the visits, if any.
  private static func reportProblems(
    of manager: LocationManager, ending visits: EventStream<Visit>
  ) async -> CommandError? {
    var reported: SourceProblem?
    for await status in manager.statuses {
      switch status.source {
      case .unavailable(let problem), .failed(let problem):
        guard problem != reported else { continue }
        reported = problem
        do throws(CommandError) { try LiveLineWriter.report(problem) } catch {
          visits.end()
          return error
        }
      case .working, .ended: reported = nil
      }
    }
    return nil
  }

  private func write(_ visit: Visit, to output: OutputFile) {
    if isJSON {
      output.bytes += VisitText.json(visit)
      output.bytes.append(UInt8(ascii: "\n"))
    } else {
      output.bytes.appendText("\(VisitText.line(visit))\n")
    }
  }
}
