import Foundation
import HTTPTypes
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsServer

/// The history as a file, and the refusal of parameters that a path does not have.
@Suite struct HistoryFileTests {
  private static let fixes = "/api/v1/devices/anna/fixes"

  /// Returns the latitudes of a file of comma-separated values.
  private static func latitudes(csv: String) -> [Double] {
    csv.split(separator: "\n").dropFirst().compactMap { line in
      Double(line.split(separator: ",", omittingEmptySubsequences: false)[1])
    }
  }

  private static func latitudes(_ page: TestServer.Answer) -> [Double] {
    (page["fixes", as: [[String: Any]].self] ?? []).compactMap { $0["lat"] as? Double }
  }

  @Test func fileHasAllPagesOfTheSpan() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let way = Array(0..<2_500).map { Double($0) }
      #expect(try await server.post("/overland", Batches.overland(way), token: token).status == 200)
      let gpx = try await server.get(Self.fixes + "?format=gpx", token: token)
      #expect(gpx.headers["Content-Type"] == ["application/gpx+xml"])
      #expect(gpx.body.components(separatedBy: "<trkpt").count == 2_501)
      #expect(gpx.body.components(separatedBy: "<trkseg").count == 2 && gpx.body.hasSuffix("</gpx>\n"))
      let csv = try await server.get(Self.fixes + "?format=csv", token: token)
      let latitudes = Self.latitudes(csv: csv.body)
      #expect(latitudes.count == 2_500 && latitudes == latitudes.sorted())
      let none = try await server.get(Self.fixes + "?format=csv&to=2001-01-01", token: token)
      #expect(none.status == 200 && none.body.hasPrefix("time,") && Self.latitudes(csv: none.body).isEmpty)
    }
  }

  /// A track that is held for its type would take memory for each request.
  @Test func gpxIsSentWithoutAType() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let batch = Batches.overland([0, 20, 40]).replacingOccurrences(
        of: "\"horizontal_accuracy\":5", with: "\"horizontal_accuracy\":5,\"motion\":[\"walking\"]")
      #expect(try await server.post("/overland", batch, token: token).status == 200)
      let csv = try await server.get(Self.fixes + "?format=csv", token: token)
      #expect(csv.body.components(separatedBy: ",walking,").count == 4, "\(csv.body)")
      let gpx = try await server.get(Self.fixes + "?format=gpx", token: token)
      #expect(gpx.body.components(separatedBy: "<trkpt").count == 4 && !gpx.body.contains("<type>"))
    }
  }

  /// Zones and caps hold for a file as for a page.
  @Test(arguments: [nil, 1_000] as [Double?]) func fileShowsWhatThePagesShow(_ cap: Double?) async throws {
    try await TestServer.run { server in
      var random = SeededGenerator(seed: 1)
      let home = try #require(
        Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
      try ZoneRegistry(server.store).add(
        PrivacyZone(name: "home", center: home, radius: 200, policy: .hide, using: &random))
      try server.core.zones.refresh()
      let owner = try server.token("anna", [.read, .write])
      let way = Array(0..<300).map { Double($0) * 20 }
      #expect(try await server.post("/overland", Batches.overland(way), token: owner).status == 200)
      let reader = try server.token("anna", [.read], cap: cap)
      let file = try await server.get(Self.fixes + "?format=csv", token: reader)
      let shown = Self.latitudes(csv: file.body)
      let pages = Self.latitudes(try await server.get(Self.fixes, token: reader))
      #expect(shown.count == pages.count && zip(shown, pages).allSatisfy { abs($0 - $1) < 1e-6 })
      #expect(!shown.isEmpty && shown.count < 300)
      let own = try await server.get(Self.fixes + "?format=csv", token: owner)
      #expect(Self.latitudes(csv: own.body).count == 300)
    }
  }

  @Test func wrongParametersAreNamed() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland([0]), token: token)
      for (method, query, text) in [
        (HTTPMethod.GET, "?format=fit", "format must be one of json, gpx, csv."),
        (.GET, "?format=gpx&limit=1", "Leave out limit."),
        (.DELETE, "?form=2001-01-01&to=2002-01-01", "form is no parameter of this path."),
        (.DELETE, "?form=2001-01-01&to=2002-01-01", "from, to"),
        (.DELETE, "?52.5200=1&to=2002-01-01", "One of the query is no parameter"),
      ] {
        let answer = try await server.send(method, Self.fixes + query, token: server.admin)
        let detail = answer["detail", as: String.self]
        #expect(answer.status == 400 && detail?.contains(text) == true, "\(answer.body)")
      }
      // A token may stand in the query, and reading ignores what it does not know.
      for query in ["?token=\(token)", "?", "?token=\(token)&limit=1", "?since=1"] {
        #expect(try await server.get(Self.fixes + query, token: token).status == 200, "\(query)")
      }
    }
  }

  /// Every path that the server has is in the table, whose document is that of the programs.
  @Test func tableHasThePathsOfTheDocument() {
    let table = ParameterTable.standard
    #expect(table.names(of: .get, at: "//api/v1/devices/a%20b/trips") == ["from", "to", "limit", "cursor"])
    #expect(table.names(of: .get, at: "/api/v1/devices") == [])
    #expect(table.names(of: .get, at: "/api/v1/nothing") == nil)
  }
}
