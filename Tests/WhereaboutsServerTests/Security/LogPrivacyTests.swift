import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsServer

/// The log of a server, at its most talkative, has no place and no secret.
@Suite struct LogPrivacyTests {
  /// Digits of the places that the phones send, as they could stand in a log.
  private static let places = ["52.52", "13.405", "52,52", "13,405"]

  /// Requests of each app and of readers, the bad ones included.
  private static func requests() -> [(method: String, path: String, body: String)] {
    let seconds = UTCTime.now.nanosecondsSince1970 / 1_000_000_000 - 60
    let line = "{\"time\":\"\(UTCTime.now.iso8601)\",\"lat\":52.5201,\"lon\":13.4051,\"hacc\":5}\n"
    let position = "lat=52.5202&lon=13.4052&accuracy=5"
    return [
      ("POST", "/owntracks", Batches.ownTracks(distance: 3)),
      ("POST", "/pub", "{\"_type\":\"location\",\"lat\":52.52"),
      ("POST", "/overland", Batches.overland([0, 30, 4000])), ("POST", "/ingest", line + "{\"lat\":52.52}\n"),
      ("GET", "/osmand?\(position)&timestamp=\(seconds)", ""),
      ("POST", "/?\(position)&timestamp=\(seconds + 1)", ""),
      ("GET", "/gpslogger?\(position)&time=2024-13-45", ""),
      ("GET", "/osmand?\(position)&timestamp=soon", ""),
      ("POST", "/api/webhook/none", "{\"type\":\"update_location\",\"data\":{\"gps\":[52.52,13.405]}}"),
      ("PUT", "/api/v1/fences", Batches.fence()), ("PUT", "/api/v1/fences", "[52.52,13.405]"),
      ("GET", "/api/v1/fences", ""), ("GET", "/api/v1/devices", ""), ("GET", "/api/v1/devices/anna/fix", ""),
      ("GET", "/api/v1/devices/anna/fixes?newest=5", ""),
      ("GET", "/api/v1/devices/anna/fixes?from=52.52x", ""),
      ("GET", "/api/v1/devices/anna/crossings?after=0", ""), ("GET", "/api/v1/devices/anna/days", ""),
      ("GET", "/api/v1/devices/anna/rejected", ""), ("GET", "/api/v1/devices/anna/decisions?text=yes", ""),
      ("POST", "/api/v1/devices/anna/trial", Batches.fence("trial")), ("GET", "/52.52/13.405", ""),
      ("DELETE", "/api/v1/devices/anna/fixes?from=2020-01-01T00:00:00Z", ""), ("POST", "/api/v1/reload", ""),
    ]
  }

  /// Alerts with a webhook whose path and key are secret, and with a command whose argument is.
  private static func alerts(in place: TemporaryPlace) throws -> String {
    _ = try place.write(
      "whsec_" + Data("0123456789abcdef01234567".utf8).base64EncodedString(), to: "hook.key")
    return try place.write(
      """
      {"channels": {"hook": {"webhook": "http://127.0.0.1:1/hidden-path?x=hidden-query", "secretFile": "hook.key"},
        "program": {"command": ["/bin/true", "hidden-argument"]}},
        "alerts": [{"name": "a", "fences": ["home"], "events": ["enter"], "channels": ["hook", "program"]}]}
      """, to: "alerts.json")
  }

  @Test func logHasNoPlaceAndNoSecret() async throws {
    let place = try TemporaryPlace()
    let store = place.path("store.sqlite")
    let server = try ServerProcess([
      "--listen", "127.0.0.1:0", "--store", store, "--log-level", "debug", "--set", "MAX_BODY=64K",
      "--alerts", Self.alerts(in: place),
    ])
    let port = try await server.ready(), admin = try server.token()
    let made = try await ServerProcess.run(
      ["token", "create", "--device", "anna", "--write", "--store", store], command: nil)
    let writer = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    var statuses: Set<String> = []
    for (method, path, body) in Self.requests() {
      for token in [admin, writer, "wht_wrong52.52"] {
        for isInURL in [false, true] {
          let connection = try RawConnection(port: port)
          let target = isInURL ? path + (path.contains("?") ? "&" : "?") + "token=\(token)&id=anna" : path
          try connection.request(
            method, target, token: isInURL ? "" : token, body: body, fields: "Connection: close\r\n")
          statuses.insert(String(await connection.read().prefix(12)))
        }
      }
    }
    // A body that is too large, and one that ends early.
    for length in [100_000, 500] {
      let connection = try RawConnection(port: port)
      try connection.request(
        "POST", "/ingest", token: writer, body: "{\"lat\":52.52,\"lon\":13.405}", length: length)
      if length > 65_536 { _ = await connection.read(until: "\r\n") }
    }
    server.send(SIGHUP)
    _ = try await server.line(with: "configuration reloaded")
    server.send(SIGTERM)
    #expect(await server.end() == 0)
    await server.readRest()
    // The requests did what they were meant to do.
    #expect(
      statuses.isSuperset(of: ["HTTP/1.1 200", "HTTP/1.1 400", "HTTP/1.1 401", "HTTP/1.1 404"]), "\(statuses)"
    )
    let log = server.seenTexts.joined(separator: "\n")
    #expect(server.seenErrors.count > 3, "\(log)")
    // The key as text, and as the list of its bytes.
    let hidden = ["hidden-", "whsec_", "0123456789abcdef", "48, 49, 50, 51"]
    let tokens = ["wht_", String(admin.dropFirst(4)), String(writer.dropFirst(4)), "token="]
    for secret in Self.places + hidden + tokens {
      #expect(!log.contains(secret), "\(log)")
    }
  }
}
