import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsServer

/// Days as visits and journeys, and the names of places.
@Suite struct DaysTests {
  /// Two visits of ten minutes, 800 m apart, and the way between them; the last fix at noon of a past day.
  private static let noon = UTCTime(iso8601: "2024-05-14T12:00:00Z")!
  private static let distances =
    Array(repeating: 0.0, count: 30) + (1...20).map { Double($0) * 40 } + Array(repeating: 800.0, count: 30)

  private struct Days: Decodable {
    var days: [Day]

    struct Day: Decodable {
      var day: String
      var segments: [Segment]
    }

    struct Segment: Decodable {
      var type: String
      var id: String
      var start: String
      var name: String?
      var distance: Double?
    }
  }

  private struct Places: Decodable {
    var places: [Place]

    struct Place: Decodable { var name: String? }
  }

  private static func segments(_ server: TestServer, _ token: String) async throws -> [Days.Segment] {
    let path = "/api/v1/devices/anna/days?from=2024-05-14&to=2024-05-14&zone=Europe/Berlin"
    let answer = try await server.get(path, token: token)
    #expect(answer.status == 200, "\(answer.body)")
    let days = try JSONDecoder().decode(Days.self, from: Data(answer.body.utf8)).days
    #expect(days.map(\.day) == ["2024-05-14"])
    return days.first?.segments ?? []
  }

  private static func name(
    _ visit: String, _ name: String, _ server: TestServer, _ token: String
  ) async throws -> Int {
    try await server.send(
      .PUT, "/api/v1/devices/anna/visits/\(visit)/place", "{\"name\":\"\(name)\"}", token: token
    ).status
  }

  @Test func daysHaveVisitsWhosePlacesCanBeNamed() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let batch = Batches.overland(Self.distances, end: Self.noon)
      _ = try await server.post("/overland", batch, token: token)
      let segments = try await Self.segments(server, token)
      #expect(segments.map(\.type) == ["visit", "journey", "visit"])
      try #require(segments.count == 3)
      #expect(segments[0].start.hasSuffix("+02:00"))
      let distance = try #require(segments[1].distance)
      #expect(abs(distance - 800) < 80, "\(distance)")

      #expect(try await Self.name(segments[0].id, " Home ", server, token) == 200)
      #expect(try await Self.name(segments[2].id, "Home", server, token) == 409)
      #expect(try await Self.name(segments[2].id, "Work", server, token) == 200)
      let named = try await Self.segments(server, token)
      #expect(named.map(\.name) == ["Home", nil, "Work"])
      #expect(named.map(\.id) == segments.map(\.id))
      let places = try await server.get("/api/v1/devices/anna/places", token: token)
      let names = try JSONDecoder().decode(Places.self, from: Data(places.body.utf8)).places.map(\.name)
      #expect(Set(names) == ["Home", "Work"])
    }
  }

  /// A visit shows where somebody lives: a capped reader and one who only reads get none.
  @Test func daysAreTheOwnersAlone() async throws {
    try await TestServer.run { server in
      let writer = try server.token("anna", [.write])
      _ = try await server.post("/overland", Batches.overland(Self.distances, end: Self.noon), token: writer)
      for token in [try server.token("anna", [.read]), try server.token("anna", [.read, .write], cap: 500)] {
        for path in ["days", "places"] {
          let answer = try await server.get("/api/v1/devices/anna/\(path)", token: token)
          #expect(answer.status == 403 && !answer.body.contains("52.5"), "\(answer.body)")
        }
      }
    }
  }
}
