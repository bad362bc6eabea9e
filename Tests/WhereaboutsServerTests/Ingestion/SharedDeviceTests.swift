import Logging
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// Two phones that send as one device.
@Suite struct SharedDeviceTests {
  private static let start = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000)

  /// Returns whether the fixes of some requests show two phones: each a sender, metres north of home and the seconds.
  private static func isShared(
    _ requests: [(sender: String, metres: Double, seconds: Double)]
  ) throws -> Bool {
    var check = SharedDeviceCheck(), isShared = false
    for (sender, metres, seconds) in requests {
      let latitude = Batches.home.latitude + metres / 111_300
      let place = try #require(Coordinate(latitude: latitude, longitude: Batches.home.longitude))
      var fix = Fix(coordinate: place, time: start.advanced(by: .seconds(seconds)), source: .nmea)
      fix.horizontalAccuracy = 10
      if check.process(fix, from: SharedDeviceCheck.Sender(app: sender)) { isShared = true }
    }
    return isShared
  }

  /// Returns the requests of two senders in turn, a minute apart.
  private static func turns(
    _ senders: [String] = ["a", "b"], _ metres: (Int) -> Double
  ) -> [(sender: String, metres: Double, seconds: Double)] {
    (0..<12).map {
      (sender: senders[$0 % senders.count], metres: metres($0), seconds: Double($0) * 60)
    }
  }

  @Test func phonesFarApartAreFound() throws {
    #expect(try Self.isShared(Self.turns { $0.isMultiple(of: 2) ? 0 : 8_000 }))
    // The third jump decides.
    #expect(try !Self.isShared(Array(Self.turns { $0.isMultiple(of: 2) ? 0 : 8_000 }.prefix(4))))
  }

  @Test func appsOfOnePhoneAreOneDevice() throws {
    #expect(try !Self.isShared(Self.turns { _ in 0 }))
    // In an aeroplane.
    #expect(try !Self.isShared(Self.turns { Double($0) * 15_000 }))
    // One of them knows the place within some hundred metres.
    #expect(try !Self.isShared(Self.turns { $0.isMultiple(of: 2) ? 0 : 700 }))
  }

  @Test func outliersOfOnePhoneAreNoOtherPhone() throws {
    #expect(try !Self.isShared(Self.turns(["a"]) { $0.isMultiple(of: 2) ? 0 : 8_000 }))
  }

  /// A request may be sent again, or late.
  @Test func earlierFixesDoNotCount() throws {
    let turns = Self.turns { $0.isMultiple(of: 2) ? 0 : 8_000 }
    #expect(try !Self.isShared(Array(turns.reversed())))
  }

  @Test func sharedDeviceIsLoggedOnce() async throws {
    let lines = UnusableStoreTests.Lines()
    let output = LogOutput(level: .debug, json: false) { lines.append($0) }
    try await TestServer.withStore { store in
      try await TestServer.run(store: store, logger: output.logger) { server in
        let token = try server.token("anna", [.write]), start = UTCTime.now.advanced(by: .seconds(-1000))
        // One of the phones states no name.
        for turn in 0..<12 {
          let isFirst = turn.isMultiple(of: 2), time = start.advanced(by: .seconds(turn * 60))
          let batch = Batches.overland([isFirst ? 0 : 8_000], end: time, device: isFirst ? "a" : nil)
          #expect(try await server.post("/overland", batch, token: token).status == 200)
        }
      }
    }
    #expect(lines.count(of: "two phones send as one device") == 1)
  }
}
