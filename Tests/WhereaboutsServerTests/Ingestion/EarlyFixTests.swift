import Logging
import Testing
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// Fixes that are ahead of the server's clock.
@Suite struct EarlyFixTests {
  /// The app has erased the fixes by then, and only rows that nobody looks at show the cause.
  @Test func fixesAheadOfTheClockAreLoggedOnceForEachDevice() async throws {
    let lines = UnusableStoreTests.Lines()
    let log = LogOutput(level: .warning, json: false) { lines.append($0) }
    try await TestServer.withStore { store in
      try await TestServer.run(store: store, logger: log.logger) { server in
        let anna = try server.token("anna", [.write]), every = try server.token(nil, [.write])
        let past = Batches.overland([0, 10])
        #expect(try await server.post("/overland", past, token: anna).status == 200)
        #expect(lines.count(of: "ahead of this machine's clock") == 0)
        for hours in [2, 3] {
          let end = UTCTime.now.advanced(by: .seconds(hours * 3600))
          for (token, device) in [(anna, nil), (every, "bus"), (every, "car")] as [(String, String?)] {
            let batch = Batches.overland([0, 10], end: end, device: device)
            #expect(try await server.post("/overland", batch, token: token).status == 200)
          }
        }
      }
    }
    #expect(lines.count(of: "ahead of this machine's clock") == 3)
    for device in ["anna", "bus", "car"] { #expect(lines.count(of: "device=\(device)") == 1) }
  }

  @Test func logLineIsRepeatedAfterAnHour() {
    let limit = HourlyLogLimit<String>(), start = ContinuousClock.now
    func claim(_ key: String, _ seconds: Int) -> Bool {
      limit.claimLine(about: key, at: start.advanced(by: .seconds(seconds)))
    }
    #expect(claim("a", 0) && !claim("a", 3599) && claim("b", 3599))
    #expect(claim("a", 3600) && !claim("b", 7198) && !claim("a", 7199) && claim("b", 7199))
  }
}
