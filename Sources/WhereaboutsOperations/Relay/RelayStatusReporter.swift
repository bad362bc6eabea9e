import WhereaboutsModel
import WhereaboutsReports
package import WhereaboutsSources

/// A reporter of the changes of a relay's clients and source on standard error.
package actor RelayStatusReporter {
  private var lastStatus = RelayStatus()

  package init() {}

  package func report(_ status: RelayStatus) {
    defer { lastStatus = status }
    if let problem = status.problem, problem != lastStatus.problem {
      StandardError.print("whereabouts: \(CommandError(problem).message)")
    }
    if status.droppedClients > lastStatus.droppedClients {
      StandardError.print("disconnected a client that was too slow")
    }
    if status.refusedClients > lastStatus.refusedClients {
      StandardError.print(
        "refused a client: 64 clients of its kind are connected; \(status.refusedClients) refused so far")
    }
    let isHeardFirst = status.fixCount > 0 && lastStatus.fixCount == 0
    guard
      isHeardFirst || status.gpsdClients != lastStatus.gpsdClients
        || status.nmeaClients != lastStatus.nmeaClients
        || status.isReceiverOn != lastStatus.isReceiverOn
    else { return }
    StandardError.print(text(status))
  }

  package func reportSummary() {
    StandardError.print("relayed \(Quantities.count(lastStatus.fixCount, "fix", "fixes"))")
  }

  private func text(_ status: RelayStatus) -> String {
    let clients = [(status.gpsdClients, "gpsd"), (status.nmeaClients, "NMEA")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let receiver = status.isReceiverOn ? "receiver on" : "receiver off"
    let fixes = status.fixCount > 0 ? "; \(Quantities.count(status.fixCount, "fix", "fixes"))" : ""
    return "clients: \(clients.isEmpty ? "none" : clients); \(receiver)\(fixes)"
  }
}
