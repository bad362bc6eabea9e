import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsServer
import WhereaboutsTesting

/// Responses of a real server against its OpenAPI documents.
@Suite struct ResponseTests {
  /// A request with the documented path and the status of its response.
  struct Example: Sendable, CustomTestStringConvertible {
    var method = "GET"
    var path: String
    var documented: String?
    var token: String? = "admin"
    var headers: [String: String] = [:]
    var body: String?
    var status = 200
    var testDescription: String { "\(method) \(path): \(status)" }
  }

  private static let device = "/api/v1/devices/anna/", template = "/api/v1/devices/{device}/"

  static let examples: [Example] = [
    Example(path: "/health", token: nil), Example(path: "/ready", token: nil),
    Example(path: "/metrics", token: nil), Example(path: "/", token: nil),
    Example(path: "/", token: nil, headers: ["If-None-Match": "*"], status: 304),
    Example(path: "/page/app.js", documented: "/page/{file}", token: nil),
    Example(path: "/page/icon.svg", documented: "/page/{file}", token: nil),
    Example(path: "/page/none", documented: "/page/{file}", token: nil, status: 404),
    Example(path: "/api/v1/token"), Example(path: "/api/v1/token", token: "anna"),
    Example(path: "/api/v1/token", token: "wrong", status: 401),
    Example(path: "/api/v1/map", token: "anna"), Example(path: "/api/v1/map", token: nil, status: 401),
    Example(path: "/api/v1/devices"), Example(path: "/api/v1/devices", token: nil, status: 401),
    Example(path: "/api/v1/devices", token: "wrong", status: 401),
    Example(path: "/api/v1/devices", token: "anna", status: 403),
    Example(path: device + "fix", documented: template + "fix"),
    Example(path: device + "fix?accuracy=1&timeout=0", documented: template + "fix", status: 504),
    Example(path: device + "fix?accuracy=fine", documented: template + "fix", status: 400),
    Example(path: device + "fix?accuracy=1e9", documented: template + "fix", status: 400),
    Example(path: device + "fix?timeout=nan", documented: template + "fix", status: 400),
    Example(path: "/api/v1/devices/nobody/fix", documented: template + "fix", status: 404),
    Example(path: device + "fixes", documented: template + "fixes"),
    Example(path: device + "fixes?limit=1", documented: template + "fixes"),
    Example(
      path: device + "fixes?from=2024-05-14&to=2024-05-14T17:00:00%2B02:00", documented: template + "fixes"),
    Example(path: device + "fixes?from=0001-02-03T04:05:06Z&to=9999-12-31", documented: template + "fixes"),
    Example(path: device + "fixes?from=2024-02-30", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?from=9999-02-30", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?from=0x10", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?from=2&to=1", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?limit=0", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?limit=", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?limit=1&limit=2", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?limit=99999999999999999999", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?cursor=1.2.3", documented: template + "fixes", status: 400),
    Example(path: device + "crossings", documented: template + "crossings"),
    Example(path: device + "crossings?newest=2", documented: template + "crossings"),
    Example(path: device + "crossings?after=1", documented: template + "crossings"),
    Example(path: device + "crossings?after=-1", documented: template + "crossings", status: 400),
    Example(path: device + "fixes?newest=2&used=yes", documented: template + "fixes"),
    Example(path: device + "fixes?newest=0", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?used=maybe", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?format=json&limit=1", documented: template + "fixes"),
    Example(path: device + "fixes?format=gpx&from=2024-05-14", documented: template + "fixes"),
    Example(path: device + "fixes?format=csv&used=yes", documented: template + "fixes"),
    Example(path: device + "fixes?format=fit", documented: template + "fixes", status: 400),
    Example(path: device + "fixes?format=gpx&limit=1", documented: template + "fixes", status: 400),
    Example(path: "/api/v1/devices?device=anna", documented: "/api/v1/devices"),
    Example(path: device + "trips", documented: template + "trips"),
    Example(path: device + "trips?limit=1&cursor=0.1", documented: template + "trips"),
    Example(path: device + "trips?limit=0", documented: template + "trips", status: 400),
    Example(path: device + "trips?cursor=0", documented: template + "trips", status: 400),
    Example(path: device + "trips/none", documented: template + "trips/{trip}", status: 404),
    Example(path: device + "fences", documented: template + "fences"),
    Example(path: device + "fences?fence=none", documented: template + "fences"),
    Example(path: device + "fences", documented: template + "fences", token: "anna", status: 403),
    Example(path: device + "days", documented: template + "days"),
    Example(path: device + "days?from=2024-05-14&zone=Europe/Berlin", documented: template + "days"),
    Example(path: device + "days?from=2024-05-14&zone=stated", documented: template + "days"),
    Example(path: device + "days?zone=../passwd", documented: template + "days", status: 400),
    Example(path: device + "days?from=2024-05-14T00:00:00Z", documented: template + "days", status: 400),
    Example(path: device + "days?from=2024-05-14&to=2024-05-13", documented: template + "days", status: 400),
    Example(path: device + "days?from=2024-01-01&to=2024-12-31", documented: template + "days", status: 400),
    Example(path: device + "days", documented: template + "days", token: "anna", status: 403),
    Example(path: device + "places", documented: template + "places"),
    Example(
      path: device + "visits/none/place", documented: template + "visits/{visit}/place", status: 404),
    Example(
      method: "PUT", path: device + "visits/none/place", documented: template + "visits/{visit}/place",
      body: "{\"name\":\"Home\"}", status: 404),
    Example(
      method: "PUT", path: device + "visits/none/place", documented: template + "visits/{visit}/place",
      body: "Home", status: 400),
    Example(
      method: "PUT", path: device + "visits/none/place", documented: template + "visits/{visit}/place",
      body: "{\"name\":\" \"}", status: 422),
    Example(path: device + "links", documented: template + "links"),
    Example(
      method: "POST", path: device + "links", documented: template + "links",
      body: "{\"seconds\":3600,\"accuracyCap\":500}", status: 201),
    Example(
      method: "POST", path: device + "links", documented: template + "links", body: "{\"seconds\":1}",
      status: 422),
    Example(
      method: "POST", path: device + "links", documented: template + "links",
      body: "{\"seconds\":3600,\"looks\":0}", status: 422),
    Example(
      method: "POST", path: device + "links", documented: template + "links",
      body: "{\"seconds\":3600,\"arrival\":\"home\",\"accuracyCap\":500,\"near\":1000,\"looks\":3}",
      status: 201),
    Example(
      method: "POST", path: device + "links", documented: template + "links",
      body: "{\"seconds\":3600,\"journey\":\"none\"}", status: 422),
    Example(path: device + "journey", documented: template + "journey", status: 404),
    Example(path: device + "journey", documented: template + "journey", token: "anna", status: 403),
    Example(path: device + "journey", documented: template + "journey", token: "wrong", status: 401),
    Example(
      method: "DELETE", path: device + "fixes?to=2001-01-01", documented: template + "fixes"),
    Example(
      method: "DELETE", path: device + "fixes?form=2001-01-01&to=2002-01-01", documented: template + "fixes",
      status: 400),
    Example(method: "DELETE", path: device + "fixes", documented: template + "fixes", status: 400),
    Example(
      method: "DELETE", path: "/api/v1/devices/nobody", documented: "/api/v1/devices/{device}", status: 404),
    Example(path: device + "looks", documented: template + "looks"),
    Example(
      method: "DELETE", path: device + "links/none", documented: template + "links/{link}", status: 404),
    Example(path: device + "readers", documented: template + "readers"),
    Example(path: device + "readers/1/fixes", documented: template + "readers/{reader}/fixes"),
    Example(
      path: device + "readers/1/fixes?newest=2&used=yes", documented: template + "readers/{reader}/fixes"),
    Example(
      path: device + "readers/1/fixes?limit=0", documented: template + "readers/{reader}/fixes", status: 400),
    Example(
      path: device + "readers/none/fixes", documented: template + "readers/{reader}/fixes", status: 404),
    Example(path: device + "receiver", documented: template + "receiver"),
    Example(path: device + "receiver?after=a", documented: template + "receiver", status: 400),
    Example(path: device + "rejected", documented: template + "rejected"),
    Example(path: device + "why?fence=home&at=2024-05-14T15:21:00Z", documented: template + "why"),
    Example(path: device + "why?fence=none", documented: template + "why", status: 404),
    Example(path: device + "why?fence=home&at=1", documented: template + "why", status: 404),
    Example(path: device + "why?at=1", documented: template + "why", status: 400),
    Example(path: device + "decisions?from=2024-05-14", documented: template + "decisions"),
    Example(path: device + "decisions?to=0", documented: template + "decisions"),
    Example(path: device + "decisions?from=9999-12-31", documented: template + "decisions"),
    Example(
      method: "POST", path: device + "trial?from=2024-05-14&to=2024-05-15", documented: template + "trial",
      body: fence("tried")),
    Example(method: "POST", path: device + "trial", documented: template + "trial", body: "{}", status: 422),
    Example(
      method: "POST", path: device + "trial?from=2&to=1", documented: template + "trial", body: fence("x"),
      status: 400),
    Example(path: device + "decisions?from=x", documented: template + "decisions", status: 400),
    Example(path: "/api/v1/fences"),
    Example(path: "/api/v1/fences", headers: ["If-None-Match": "*"], status: 304),
    Example(path: "/api/v1/fences/home", documented: "/api/v1/fences/{fence}"),
    Example(path: "/api/v1/fences/none", documented: "/api/v1/fences/{fence}", status: 404),
    Example(method: "PUT", path: "/api/v1/fences", body: "nothing", status: 422),
    Example(
      method: "POST", path: "/api/v1/fences", headers: ["Content-Encoding": "br"], body: "{}", status: 415),
    Example(
      method: "POST", path: "/api/v1/fences", headers: ["If-Match": "\"1\""], body: fence("b"), status: 412),
    Example(method: "POST", path: "/api/v1/fences", body: fence("home")),
    Example(method: "PATCH", path: "/api/v1/fences", status: 405),
    Example(method: "DELETE", path: "/api/v1/fences/none", documented: "/api/v1/fences/{fence}", status: 404),
    Example(path: "/api/v1/alerts"),
    Example(path: "/api/v1/alerts?limit=0", documented: "/api/v1/alerts", status: 400),
    Example(path: "/api/v1/alerts?alert=none", documented: "/api/v1/alerts", status: 404),
    Example(path: "/api/v1/sources"), Example(path: "/api/v1/stream?for=0&after=0"),
    Example(path: "/api/v1/stream?for=-1", documented: "/api/v1/stream", status: 400),
    Example(path: "/api/v1/stream?after=x", documented: "/api/v1/stream", status: 400),
    Example(
      path: "/api/v1/stream?after=-1&for=0", documented: "/api/v1/stream", headers: ["Last-Event-ID": "1"],
      status: 400),
    Example(path: "/api/v1/openapi.json", token: nil),
    Example(path: "/api/v1/openapi-phones.json", token: nil),
    Example(method: "POST", path: "/owntracks", token: "anna", body: position(at: 200)),
    Example(method: "POST", path: "/pub", token: "anna", body: "no JSON"),
    Example(method: "POST", path: "/owntracks", token: nil, body: "{}", status: 401),
    Example(method: "POST", path: "/owntracks", body: "[]", status: 400),
    Example(method: "POST", path: "/overland", token: "anna", body: #"{"locations":[]}"#),
    Example(method: "POST", path: "/ingest", token: "anna", body: "{}"),
    Example(method: "POST", path: "/?id=anna&lat=48&lon=11&timestamp=1715700201", token: "anna"),
    Example(path: "/osmand?lat=48&lon=11&timestamp=1715700202", token: "anna"),
    Example(method: "POST", path: "/osmand", token: "anna", body: "lat=48&lon=11&timestamp=1715700203"),
    Example(path: "/gpslogger?lat=48&lon=11&time=2024-05-14T15:30:05Z", token: "anna"),
    Example(method: "POST", path: "/gpslogger", token: "anna", body: #"{"lat":48,"lon":11}"#),
    Example(method: "PUT", path: "/gpslogger", token: "anna", status: 405),
    Example(
      method: "POST", path: "/api/webhook/{token}", documented: "/api/webhook/{id}", token: nil,
      body: #"{"type":"update_location","data":{"gps":[48,11]}}"#),
    Example(
      method: "POST", path: "/api/webhook/{token}", documented: "/api/webhook/{id}", token: nil,
      body: #"{"type":"get_zones"}"#),
    Example(
      method: "POST", path: "/api/webhook/{token}", documented: "/api/webhook/{id}", token: nil,
      body: #"{"type":"register_sensor"}"#, status: 201),
    Example(
      method: "POST", path: "/api/webhook/wrong", documented: "/api/webhook/{id}", body: "{}", status: 401),
  ]

  @Test func fitTheDocuments() async throws {
    try await TestServer.run(source: ScriptedSource()) { server in
      try await Self.fill(server)
      let documents = try await OpenAPIDocument.served(by: server)
      for example in Self.examples { try await check(example, on: server, documents) }
    }
  }

  private func check(_ example: Example, on server: TestServer, _ documents: [OpenAPIDocument]) async throws {
    var path = example.path
    if path.hasSuffix("{token}") { path = try "\(path.dropLast(7))\(server.token("anna", [.write]))" }
    let response = try await server.send(
      example.method, path, token: example.token, headers: example.headers.map { ($0.key, $0.value) },
      body: example.body)
    #expect(response.status == example.status, "\(example.testDescription) gave \(response.status)")
    path = example.documented ?? String(example.path.prefix { $0 != "?" })
    let operation = OpenAPIDocument.Operation(
      method: example.status == 405 ? "GET" : example.method, path: path)
    let document = try #require(documents.first { $0.operations.contains(operation) }, "\(operation)")
    let described = try #require(
      try document.response(operation, status: response.status),
      "\(example.testDescription) is not documented")
    for (name, header) in described["headers"]?.members ?? [:] where header["required"] == .bool(true) {
      #expect(!response.headers[name].isEmpty, "\(example.testDescription) has no \(name)")
    }
    guard let content = described["content"]?.members else {
      return #expect(response.body.isEmpty, "\(example.testDescription) has an undocumented body")
    }
    let type = try #require(response.headers["Content-Type"].first)
    let schema = try #require(content[type]?["schema"], "\(example.testDescription) is \(type)")
    guard type.contains("json") else { return }
    let problems = try SchemaValidator(document: document).problems(of: try response.json(), schema)
    #expect(problems == [], "\(example.testDescription)")
  }

  /// Makes a device with fixes, a stated visit, a crossing, rejected rows and a fence.
  static func fill(_ server: TestServer) async throws {
    try #require(try await server.send("PUT", "/api/v1/fences", body: fence("home")).status == 200)
    for second in stride(from: 0, to: 200, by: 10) {
      let response = try await server.send("POST", "/owntracks", token: "anna", body: position(at: second))
      try #require(response.status == 200)
    }
    try #require(try await server.send("POST", "/owntracks", token: "anna", body: "{{").status == 200)
    try server.addStatedVisit(
      "2024-05-14T06:00:00Z", "2024-05-14T08:00:00Z", latitude: 52.6, name: "Café", kind: "UNKNOWN")
  }

  /// A device that leaves the fence at 10 m/s to the north.
  static func position(at second: Int) -> String {
    #"{"_type":"location","lat":\#(48 + Double(second) * 0.0000899),"lon":11,"acc":5,"tst":\#(1_715_700_000 + second)}"#
  }

  static func fence(_ id: String) -> String {
    """
    {"type":"Feature","id":"\(id)","properties":{"radius":100},"geometry":{"type":"Point","coordinates":[11,48]}}
    """
  }
}
