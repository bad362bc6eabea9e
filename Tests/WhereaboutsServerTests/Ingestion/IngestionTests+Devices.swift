import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// The devices of positions that a request states.
extension IngestionTests {
  /// A phone that says who it is decides the device only where the token leaves it open.
  @Test func tokenDecidesTheDevice() async throws {
    try await TestServer.run { server in
      let anna = try server.token("anna", [.write])
      _ = try await server.post("/overland", Batches.overland([0], device: "bob"), token: anna)
      _ = try await server.post("/overland", Batches.overland([0], device: "carl"), token: server.admin)
      let list = try await server.get("/api/v1/devices", token: server.admin)
      let names = (list["devices", as: [[String: Any]].self] ?? []).compactMap { $0["id"] as? String }
      #expect(names == ["anna", "carl"])
      #expect(try await server.post("/overland", Batches.overland([0]), token: server.admin).status == 400)
    }
  }

  /// Rows that can't be read state no name either. A refusal would make the app send them for ever.
  @Test(arguments: ["/overland", "/owntracks", "/osmand", "/gpslogger", "/ingest"])
  func unreadableRequestIsSetAsideWithoutADevice(_ path: String) async throws {
    try await TestServer.run { server in
      let answer = try await server.post(path, #"{"lat":"#, token: server.token(nil, [.write]))
      #expect(answer.status == 200, "\(answer.body)")
      let rows = try server.store.rejectedRows(of: nil, limit: 10)
      #expect(rows.count == 1 && rows.first?.device == nil, "\(rows.map(\.reason))")
      #expect(try server.store.devices().isEmpty)
    }
  }

  /// Positions of several devices in one request, as a relay or a renamed phone sends them.
  @Test(arguments: ["/ingest", "/osmand", "/overland"])
  func positionsBelongToTheDevicesThatTheyState(_ path: String) async throws {
    let time = UTCTime.now.iso8601
    func row(_ device: String, _ latitude: Double) -> String {
      switch path {
      case "/ingest": #"{"device":"\#(device)","time":"\#(time)","lat":\#(latitude),"lon":13.5}"#
      case "/osmand":
        #"{"device_id":"\#(device)","location":{"timestamp":"\#(time)","coords":{"latitude":\#(latitude),"longitude":13.5}}}"#
      default:
        #"{"geometry":{"coordinates":[13.5,\#(latitude)]},"properties":{"timestamp":"\#(time)","device_id":"\#(device)"}}"#
      }
    }
    // The row of the device that is named first can't be read.
    let rows = [
      row("dora", 95), row("ann", 52.5), row("bob", 48.5), row("ann", 52.5001), row("bob", 95),
    ]
    let body =
      switch path {
      case "/ingest": rows.joined(separator: "\n")
      case "/osmand": "[\(rows.joined(separator: ","))]"
      default: #"{"locations":[\#(rows.joined(separator: ","))]}"#
      }
    try await TestServer.run { server in
      let answer = try await server.post(path, body, token: server.token(nil, [.write]))
      #expect(answer.status == 200, "\(answer.body)")
      if path == "/ingest" { #expect(answer.body == #"{"result":"ok","fixes":3,"rejected":2}"#) }
      // A token of one device decides.
      _ = try await server.post(path, body, token: server.token("carl", [.write]))
      let stored: [(String, [Double])] = [
        ("ann", [52.5, 52.5001]), ("bob", [48.5]), ("carl", [48.5, 52.5, 52.5001]), ("dora", []),
      ]
      for (device, expected) in stored {
        let fixes = try await server.get("/api/v1/devices/\(device)/fixes", token: server.admin)
        let latitudes = (fixes["fixes", as: [[String: Any]].self] ?? []).compactMap { $0["lat"] as? Double }
        #expect(latitudes.sorted() == expected, "\(device)")
      }
      // A rejected row is listed for the device that it states, too.
      for (device, count) in [("ann", 0), ("bob", 1), ("carl", 2), ("dora", 1)] {
        let answer = try await server.get("/api/v1/devices/\(device)/rejected", token: server.admin)
        #expect(answer["rejected", as: [Any].self]?.count == count, "\(device)")
      }
    }
  }

  /// The request is of the device of its first position, and the first row is of another device.
  @Test func positionAfterABadRowOfItsDeviceIsItsOwn() async throws {
    try await TestServer.run { server in
      func row(_ device: String, _ latitude: Double) -> String {
        #"{"id":"\#(device)","lat":\#(latitude),"lon":13.4,"timestamp":1700000000}"#
      }
      let body = "[\(row("ann", 95)),\(row("bob", 48.5)),\(row("ann", 52.5))]"
      let answer = try await server.post("/osmand", body, token: server.token(nil, [.write]))
      #expect(answer.status == 200, "\(answer.body)")
      for (device, latitude) in [("ann", 52.5), ("bob", 48.5)] {
        let fixes = try await server.get("/api/v1/devices/\(device)/fixes", token: server.admin)
        let latitudes = (fixes["fixes", as: [[String: Any]].self] ?? []).compactMap { $0["lat"] as? Double }
        #expect(latitudes == [latitude], "\(device)")
      }
    }
  }

  /// A bad row and a heartbeat say nothing about the positions of other devices after them.
  @Test(
    arguments: [
      (#"{"id":"ann","lat":95,"lon":13.4}"#, ["ann", "bob"]), (#"{"id":"ann","batt":20}"#, ["bob"]),
    ] as [(String, [String])])
  func rowWithoutAPositionGetsNoneOfAnotherDevice(_ first: String, _ expected: [String]) async throws {
    try await TestServer.run { server in
      let body = #"[\#(first),{"id":"bob","lat":52.5,"lon":13.4,"timestamp":1700000000}]"#
      let answer = try await server.post("/osmand", body, token: server.token(nil, [.write]))
      #expect(answer.status == 200, "\(answer.body)")
      let devices = try await server.get("/api/v1/devices", token: server.admin)
      let names = (devices["devices", as: [[String: Any]].self] ?? []).compactMap { $0["id"] as? String }
      // A rejected row is listed for its own device.
      #expect(names == expected)
      let fixes = try await server.get("/api/v1/devices/ann/fixes", token: server.admin)
      #expect(fixes["fixes", as: [Any].self]?.isEmpty ?? true)
    }
  }

  /// Clients remove `.` and `..` from a path, so that nobody could read or erase such a device.
  @Test func positionsOfADeviceThatNoURLCanHoldAreSetAside() async throws {
    try await TestServer.run { server in
      let token = try server.token(nil, [.write]), time = UTCTime.now.iso8601
      let rows = ["..", "ann", "."].map { #"{"device":"\#($0)","time":"\#(time)","lat":52.5,"lon":13.5}"# }
      let answer = try await server.post("/ingest", rows.joined(separator: "\n"), token: token)
      #expect(answer.body == #"{"result":"ok","fixes":1,"rejected":2}"#, "\(answer.body)")
      let alone = try await server.post("/overland", Batches.overland([0], device: "."), token: token)
      #expect(alone.status == 200, "\(alone.body)")
      // A phone of a user can have the name of both.
      for headers in [[("X-Limit-D", "..")], [("X-Limit-D", ".."), ("X-Limit-U", "bob")]] {
        let message = Batches.ownTracks(distance: 0)
        let answer = try await server.post("/owntracks", message, token: token, headers: headers)
        #expect(answer.status == 200, "\(answer.body)")
      }
      #expect(try server.store.devices() == ["ann", "bob-.."])
      let reasons = try server.store.rejectedRows(of: nil, limit: 10).map(\.reason)
      #expect(reasons.count == 4 && reasons.allSatisfy { $0.contains("no URL can hold") }, "\(reasons)")
    }
  }
}
