import Foundation
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsClient
@testable import WhereaboutsServer

@Suite struct ServerSourceTests {
  private static func manager(_ server: TestServer, token: String, _ device: DeviceID) throws
    -> LocationManager
  {
    var address = try ServerAddress(server.url)
    address.setToken(token)
    return LocationManager(
      source: ServerSource(RemoteDevice(client: try ServerClient(address), id: device)), clock: .system)
  }

  /// A fix of now as our JSON lines have it.
  private static func line(_ latitude: Double, at time: UTCTime = .now) -> String {
    "{\"time\":\"\(time.iso8601)\",\"lat\":\(latitude),\"lon\":8.5,\"hacc\":5}\n"
  }

  @Test func healthOfTheSourceOfAServerIsRead() async throws {
    let source = ScriptedSource()
    try await TestServer.run(source: source) { server in
      try await source.emit(
        Fix(coordinate: #require(Coordinate(latitude: 48, longitude: 11)), time: nil, source: .nmea))
      var address = try ServerAddress(server.url)
      address.setToken(server.admin)
      let client = try ServerClient(address)
      #expect(try await client.sources().map(\.state) == [.ok])
      await source.fail(SourceProblem(.noReceiver, message: "find a receiver", remedy: "Plug one in."))
      let failed = try await client.sources()
      #expect(failed.map(\.state) == [.failed] && failed.first?.problem?.remedy == "Plug one in.")
    }
  }

  @Test func sendsTheNewestFixAndTheNextOnes() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let first = UTCTime.now.advanced(by: .seconds(-5))
      _ = try await server.post("/ingest", Self.line(47.1, at: first), token: token)
      let manager = try Self.manager(server, token: token, "anna")
      var latitudes: [Double] = []
      for await fix in manager.fixes(.house) {
        latitudes.append(fix.coordinate.latitude)
        guard latitudes.count == 1 else { break }
        _ = try await server.post("/ingest", Self.line(47.1001), token: token)
      }
      #expect(latitudes == [47.1, 47.1001])
    }
  }

  /// An imported fix has a date far in the future. The current fix is the one that the device has sent.
  @Test func lastFixIsTheCurrentOneAndNotTheNewestDate() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      var address = try ServerAddress(server.url)
      address.setToken(token)
      let device = RemoteDevice(client: try ServerClient(address), id: "anna")
      let now = UTCTime.now.advanced(by: .seconds(-5))
      _ = try await server.post("/ingest", Self.line(47.1, at: now), token: token)
      let place = try #require(Coordinate(latitude: 52, longitude: 13))
      let future = now.advanced(by: .seconds(86_400 * 3_650))
      _ = try server.store.addPast([Fix(coordinate: place, time: future, source: .csv)], to: "anna")
      let newest = try #require(try await device.newestFixes(1).last)
      #expect(newest.fix.coordinate == place)
      let last = try #require(try await device.lastFix())
      #expect(last.fix.coordinate.latitude == 47.1)
    }
  }

  @Test func wrongTokenIsNotPermitted() async throws {
    try await TestServer.run { server in
      let manager = try Self.manager(server, token: "wrong", "anna")
      let request = manager.request(.house, timeout: nil)
      let outcome = await request.outcome
      guard case .sourceFailed(let problem, _) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(problem.code == .notPermitted && !"\(problem)".contains("wrong"))
    }
  }
}
