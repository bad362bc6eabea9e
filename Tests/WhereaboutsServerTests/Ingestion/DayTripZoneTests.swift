import Foundation
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsServer

/// The trips of days after a change of the server's time zone.
@Suite struct DayTripZoneTests {
  private static let noon = UTCTime(
    nanosecondsSince1970: UTCTime.now.nanosecondsSince1970 / 86_400_000_000_000 * 86_400_000_000_000
  ).advanced(by: .seconds(-43_200))

  /// Runs a server whose zone is a number of hours ahead of UTC.
  private static func run(
    _ hours: Int, _ store: SQLiteStore, _ body: (TestServer, String) async throws -> Void
  ) async throws {
    var settings = ServerSettings.test
    settings.timeZone = try #require(TimeZone(secondsFromGMT: hours * 3600))
    try await TestServer.run(settings, store: store) { server in
      try await body(server, try server.token("anna", [.read, .write]))
    }
  }

  /// Sends a walk of 500 m that ends so many hours after noon in UTC.
  private static func walk(_ part: Int, endingAt hours: Int, _ server: TestServer, _ token: String)
    async throws
  {
    let distances = (part * 25..<part * 25 + 25).map { Double($0) * 20 }
    let leg = Batches.overland(distances, end: noon.advanced(by: .seconds(hours * 3600)))
    #expect(try await server.post("/overland", leg, token: token).status == 200)
  }

  private static func distances(_ server: TestServer, _ token: String) async throws -> [String: Double] {
    let trips = try await server.get("/api/v1/devices/anna/trips", token: token)
    let all = try #require(trips["trips", as: [[String: Any]].self])
    let pairs = all.compactMap { trip -> (String, Double)? in
      guard let name = trip["trip"] as? String, let distance = trip["distance"] as? Double else { return nil }
      return (name, distance + (trip["ahead"] as? Double ?? 0))
    }
    return Dictionary(pairs, uniquingKeysWith: +)
  }

  /// In a zone farther west, the day that has ended comes again.
  @Test func fixesOfADayThatComesAgainCountInTheOpenTrip() async throws {
    let days = (-1...1).map { CalendarDay(of: Self.noon.advanced(by: .seconds($0 * 86_400)), in: .gmt).name }
    try await TestServer.withStore { store in
      // Noon in UTC is 2 o'clock of the next day in the first zone.
      try await Self.run(14, store) { server, token in
        try await Self.walk(0, endingAt: -4, server, token)
        try await Self.walk(1, endingAt: 0, server, token)
        #expect(try await Self.distances(server, token).keys.sorted() == [days[1], days[2]])
      }
      try await Self.run(-8, store) { server, token in
        try await Self.walk(2, endingAt: 1, server, token)
        let trips = try await Self.distances(server, token)
        #expect(trips.keys.sorted() == [days[1], days[2]])
        #expect(abs(trips.values.reduce(0, +) - 1_460) < 80, "\(trips)")
      }
      // Again, with the first fix after the start late.
      try await Self.run(-9, store) { server, token in
        let late = Batches.overland([9_000], end: Self.noon.advanced(by: .seconds(-7200)))
        #expect(try await server.post("/overland", late, token: token).status == 200)
        try await Self.walk(3, endingAt: 2, server, token)
        let trips = try await Self.distances(server, token)
        #expect(abs(trips.values.reduce(0, +) - 1_960) < 80, "\(trips)")
      }
    }
  }
}
