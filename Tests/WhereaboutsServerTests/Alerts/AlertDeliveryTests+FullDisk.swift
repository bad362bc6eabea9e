import Logging
import GRDB
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// Alerts with a store that can't be written.
extension AlertDeliveryTests {
  /// Neither a delivery nor the wait that a receiver asks for depends on the store.
  @Test(arguments: [
    (HTTPResponseStatus.serviceUnavailable, HTTPResponseStatus.ok, "waiting", 1),
    (HTTPResponseStatus.ok, HTTPResponseStatus.serviceUnavailable, "delivered", 0),
  ])
  func attemptWhoseResultIsNotStoredIsNotRepeated(
    first: HTTPResponseStatus, next: HTTPResponseStatus, status: String, attempts: Int
  ) async throws {
    let receiver = try await WebhookReceiver(fields: ["Retry-After": "3600"]) { $0 == 1 ? first : next }
    let lines = UnusableStoreTests.Lines(), chosen = try settings(#"{"webhook": "\#(receiver.url)"}"#)
    let output = LogOutput(level: .debug, json: false) { lines.append($0) }
    try await TestServer.withStore { store in
      try await TestServer.run(chosen, store: store, logger: output.logger) { server in
        try store.write {
          try $0.execute(
            sql: """
              CREATE TRIGGER full BEFORE UPDATE ON notification BEGIN SELECT RAISE(ABORT, 'full'); END
              """)
        }
        try await send(legs: 0..<1, server, since: UTCTime.now.advanced(by: .seconds(-3000)))
        while lines.count(of: "notification not stored") == 0 { await Task.yield() }
        try store.write { try $0.execute(sql: "DROP TRIGGER full") }
        let overview = try await Self.wait(server) { overview in
          overview.notifications.contains { $0.attempts > 0 || $0.status != "waiting" }
        }
        #expect(overview.notifications.map(\.status) == [status])
        #expect(overview.notifications.map(\.attempts) == [attempts])
      }
    }
    await receiver.stop()
  }
}
