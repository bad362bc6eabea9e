import GRDB
import Testing
import WhereaboutsStore

@testable import WhereaboutsServer

/// The stored progress of alerts.
@Suite struct AlertProgressTests {
  /// Nothing else would replace a progress that can't be read.
  @Test func progressOfARemovedAlertIsErased() async throws {
    let folder = try TemporaryPlace()
    let text = """
      {"channels": {"c": {"webhook": "http://127.0.0.1:1/"}}, "alerts": [{"name": "way", "fences": ["home"],
        "events": ["enter", "exit"], "channels": ["c"]}]}
      """
    var settings = ServerSettings.test
    settings.alerts = try AlertFile.settings(atPath: try folder.write(text, to: "alerts.json"))
    try await TestServer.withStore { store in
      try store.write {
        try $0.execute(sql: "INSERT INTO alert_progress (alert, device, progress) VALUES ('gone', 0, '{')")
        try $0.execute(sql: "INSERT INTO alert_progress (alert, device, progress) VALUES ('way', 0, '{')")
      }
      try await TestServer.run(settings, store: store) { server in
        while try server.store.serverFaults().count > 1 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(try server.store.serverFaults().first?.message.contains("alert way") == true)
      }
    }
  }
}
