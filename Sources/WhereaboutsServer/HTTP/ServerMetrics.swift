import Atomics
import HTTPTypes
import WhereaboutsStore

/// The counters of a server since its start.
final class ServerMetrics: Sendable {
  let started = ContinuousClock.now
  private let responses = (0..<6).map { _ in ManagedAtomic<Int>(0) }
  private let storedFixes = ManagedAtomic<Int>(0)
  private let repeatedFixes = ManagedAtomic<Int>(0)
  private let rejectedRows = ManagedAtomic<Int>(0)
  private let streams = ManagedAtomic<Int>(0)
  private let refusedRequests = ManagedAtomic<Int>(0)

  func countResponse(_ status: HTTPResponse.Status) {
    responses[min(5, max(0, status.code / 100))].wrappingIncrement(ordering: .relaxed)
  }

  func countFixes(stored: Int, repeated: Int) {
    storedFixes.wrappingIncrement(by: stored, ordering: .relaxed)
    repeatedFixes.wrappingIncrement(by: repeated, ordering: .relaxed)
  }

  func countRejectedRows(_ count: Int) { rejectedRows.wrappingIncrement(by: count, ordering: .relaxed) }

  func countRefusedRequest() { refusedRequests.wrappingIncrement(ordering: .relaxed) }

  func streamOpened() { streams.wrappingIncrement(ordering: .relaxed) }

  func streamClosed() { streams.wrappingDecrement(ordering: .relaxed) }

  /// Returns a label's value in Prometheus' text format.
  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    // A quote under an accent, and a line feed after a carriage return, are no characters of their own in Swift.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": escaped += ["\\", scalar]
      case "\n": escaped += ["\\", "n"]
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  /// Returns the counters in Prometheus' text format.
  ///
  /// - Parameters:
  ///   - devices: the number of loaded devices.
  ///   - syncs: the number of transactions of the store that were synced.
  ///   - notifications: the number of notifications of each channel in each state.
  func text(
    devices: Int, syncs: Int, notifications: [String: [StoredNotification.Status: Int]]
  ) -> String {
    var text = ""
    func add(_ name: String, _ kind: String, _ help: String, _ values: [(labels: String, value: Int)]) {
      text += "# HELP whereabouts_\(name) \(help)\n# TYPE whereabouts_\(name) \(kind)\n"
      for (labels, value) in values { text += "whereabouts_\(name)\(labels) \(value)\n" }
    }
    func add(_ name: String, _ kind: String, _ help: String, _ value: ManagedAtomic<Int>) {
      add(name, kind, help, [("", value.load(ordering: .relaxed))])
    }
    add(
      "responses_total", "counter", "HTTP responses by the first digit of their status.",
      (1...5).map { ("{status=\"\($0)xx\"}", responses[$0].load(ordering: .relaxed)) })
    add("fixes_stored_total", "counter", "Fixes of requests that are on the disk.", storedFixes)
    add("fixes_repeated_total", "counter", "Fixes that the store had already.", repeatedFixes)
    add("rows_rejected_total", "counter", "Rows of requests that were set aside.", rejectedRows)
    add("requests_refused_total", "counter", "Requests refused because too many came.", refusedRequests)
    add("store_syncs_total", "counter", "Transactions of the store that were synced.", [("", syncs)])
    if !notifications.isEmpty {
      let values = notifications.sorted { $0.key < $1.key }.flatMap { channel, counts in
        // Without a token nobody may learn that a crossing was withheld by a privacy zone.
        counts.filter { $0.key != .withdrawn }.sorted { $0.key.rawValue < $1.key.rawValue }
          .map { status, count in
            ("{channel=\"\(Self.escaped(channel))\",status=\"\(status.rawValue)\"}", count)
          }
      }
      add("notifications", "gauge", "Stored notifications of alerts.", values)
    }
    add("streams", "gauge", "Open event streams.", streams)
    add("devices_loaded", "gauge", "Devices whose engine is loaded.", [("", devices)])
    let uptime = (ContinuousClock.now - started).components.seconds
    add("uptime_seconds", "gauge", "Seconds since the start.", [("", Int(uptime))])
    return text
  }
}
