import Whereabouts
import WhereaboutsCore

/// Arrivals and departures as lines.
struct VisitWatch: Sendable {
  let isJSON: Bool

  /// Prints visits until they end, enough have come, the task is cancelled or nobody reads them any more.
  func run(_ visits: VisitStream, _ manager: LocationManager, _ lines: inout LiveLines) async throws {
    // A stream of visits passes over what keeps fixes from coming.
    let watching = Task {
      for await authorization in manager.authorizations where authorization.isRefused { visits.end() }
    }
    defer { watching.cancel() }
    for await visit in visits {
      guard try lines.write({ write(visit, to: $0) }) else { return }
    }
    let status = await manager.status
    try LiveLines.reportRefusal(status.authorization)
    switch status.source {
    case .failed(let trouble), .ended(let trouble?): throw CommandFailure(trouble)
    case .working, .unavailable, .ended(nil): break
    }
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
