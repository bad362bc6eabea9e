import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import Testing
import Whereabouts
import WhereaboutsCompression
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

@Suite struct PhoneSettingsTests {
  private let folder: TemporaryPlace

  init() throws { folder = try TemporaryPlace() }

  private func settings(_ text: String) throws -> PhonesSettings {
    try PhoneFile.settings(atPath: try folder.write(text, to: "phones.json"))
  }

  private func server(_ text: String) throws -> ServerSettings {
    var settings = ServerSettings.test
    settings.phones = try self.settings(text)
    return settings
  }

  /// A location of 1,700,000,000 at 36 km/h, sealed by PyNaCl with the passphrase "correct horse".
  private static let sealed =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXqkY8CRiTuTnX1PH+XTYYuawP6tI472fOl80/VsQLiPPXCvF8EeAIh/mSZ07Ed/NLKurThIn3"
    + "qjHLJcvk53RO6Px8O0Gajo+O5ITlWyrDe1Z3eg4grS/rV1+1c5RU66/Qlv0SQdw0"
  private static let message = "{\"_type\":\"encrypted\",\"data\":\"\(sealed)\"}"

  private func fixes(_ server: TestServer) async throws -> [[String: Any]] {
    let answer = try await server.get("/api/v1/devices/anna/fixes", token: server.admin)
    return answer["fixes", as: [[String: Any]].self] ?? []
  }

  private func reasons(_ server: TestServer) async throws -> [String] {
    let answer = try await server.get("/api/v1/devices/anna/rejected", token: server.admin)
    return (answer["rejected", as: [[String: Any]].self] ?? []).compactMap { $0["reason"] as? String }
  }

  // MARK: The file

  @Test func everyMemberIsRead() throws {
    _ = try folder.write("correct horse\n", to: "anna.key")
    let phones = try settings(
      #"{"phones": {"anna": {"passphraseFile": "anna.key"}, "ben": {"speedUnit": "m/s"}}}"#
    ).phones
    #expect(phones.count == 2 && phones["anna"]?.reading.speedUnit == nil)
    #expect(phones["anna"]?.key?.count == 32 && phones["anna"]?.key?.last == 0)
    #expect(phones["ben"]?.reading.speedUnit == .metresPerSecond && phones["ben"]?.key == nil)
  }

  @Test(arguments: [
    (#"{"phones": {"anna": {"speedUnit": "mph"}}}"#, "phones.anna.speedUnit"),
    (#"{"phones": {"anna": {"speed": "m/s"}}}"#, "speed"),
    (
      #"{"phones": {"anna": {"passphraseFile": "none"}}}"#,
      "phones.anna.passphraseFile: The file can't be read"
    ),
    (#"{"phones": {"anna": {"passphraseFile": "long"}}}"#, "40 bytes"),
    (#"{"phone": {}}"#, "phone"),
    ("[]", "line 1"),
  ])
  func mistakeIsReported(text: String, part: String) throws {
    _ = try folder.write(String(repeating: "x", count: 40), to: "long")
    let error = #expect(throws: SettingsFile.ParseError.self) { try settings(text) }
    #expect(error?.message.contains(part) == true, "\(String(describing: error))")
  }

  // MARK: Encryption

  @Test func secretBoxOpensOnlyWithItsKey() throws {
    let bytes = Array(try #require(Data(base64Encoded: Self.sealed)))
    let key = Array("correct horse".utf8) + [UInt8](repeating: 0, count: 19)
    let plain = try #require(SecretBox.opened(bytes, key: key))
    #expect(String(decoding: plain, as: UTF8.self).hasPrefix(#"{"_type":"location""#))
    #expect(SecretBox.opened(bytes, key: Array(key.reversed())) == nil)
    #expect(SecretBox.opened(bytes, key: Array("correct horse".utf8)) == nil)
    for length in [0, 23, 24, 39, bytes.count - 1] {
      #expect(SecretBox.opened(Array(bytes.prefix(length)), key: key) == nil)
    }
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1
      #expect(SecretBox.opened(changed, key: key) == nil)
    }
  }

  @Test func encryptedLocationIsStored() async throws {
    _ = try folder.write("correct horse", to: "anna.key")
    let settings = try server(#"{"phones": {"anna": {"passphraseFile": "anna.key"}}}"#)
    try await TestServer.run(settings) { server in
      let token = try server.token("anna", [.write])
      let answer = try await server.post("/owntracks", Self.message, token: token)
      #expect(answer.status == 200 && answer.body == "[]")
      let fix = try #require(try await fixes(server).first)
      #expect(fix["lat"] as? Double == 52.5 && fix["speed"] as? Double == 10)
      let reasons = try await reasons(server)
      #expect(reasons.isEmpty, "\(reasons)")
    }
  }

  /// A message that can't be opened is kept among the rejected rows, and is never just answered with "taken".
  @Test(arguments: [
    ("{}", "no passphrase"), (#"{"anna": {"passphraseFile": "wrong"}}"#, "another passphrase"),
  ])
  func unopenedMessageIsSetAside(phones: String, part: String) async throws {
    _ = try folder.write("incorrect horse", to: "wrong")
    try await TestServer.run(try server("{\"phones\": \(phones)}")) { server in
      let token = try server.token("anna", [.write])
      let answer = try await server.post("/owntracks", Self.message, token: token)
      #expect(answer.status == 200 && answer.body == "[]")
      let stored = try await fixes(server).count
      let reasons = try await reasons(server)
      #expect(stored == 0 && reasons.count == 1 && reasons[0].contains(part), "\(reasons)")
    }
  }

  /// A row that could not be opened can be opened later, so its bytes are readable without loss.
  @Test func unopenedMessageIsReadableAsBase64() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      _ = try await server.post("/owntracks", Self.message, token: token)
      _ = try await server.post("/owntracks", "garbage", token: token)
      let answer = try await server.get("/api/v1/devices/anna/rejected", token: token)
      let rows = try #require(answer["rejected", as: [[String: Any]].self])
      try #require(rows.count == 2)
      #expect(rows[0]["bytes"] as? String == "garbage" && rows[0]["base64"] == nil)
      #expect(rows[1]["base64"] as? String == Self.sealed)
    }
  }

  // MARK: Units

  @Test func speedUnitOfOsmAndIsThatOfThePhone() async throws {
    try await TestServer.run(try server(#"{"phones": {"anna": {"speedUnit": "m/s"}}}"#)) { server in
      let all = try server.token(nil, [.write])
      let query = "lat=52.5&lon=13.4&timestamp=1700000000&accuracy=5&speed=10"
      let own = try server.token("anna", [.write])
      _ = try await server.get("/osmand?\(query)&token=\(own)")
      // The name of the request decides where the token is for every device.
      let next = query.replacingOccurrences(of: "0000000&", with: "0000060&")
      _ = try await server.get("/osmand?\(next)&id=anna&token=\(all)")
      let speeds = try await fixes(server).compactMap { $0["speed"] as? Double }
      #expect(speeds == [10, 10])
    }
  }

  /// With a token for every device, each row of a batch is read with the settings of its own device.
  @Test func speedUnitOfOsmAndIsThatOfEachRow() async throws {
    let file = #"{"phones": {"anna": {"speedUnit": "m/s"}, "carl": {"speedUnit": "km/h"}}}"#
    try await TestServer.run(try server(file)) { server in
      let rows = ["anna", "ben", "carl"].map { device in
        #"{"id":"\#(device)","lat":52.5,"lon":13.4,"timestamp":1700000000,"speed":36}"#
      }
      let token = try server.token(nil, [.write])
      let answer = try await server.post("/osmand", "[\(rows.joined(separator: ","))]", token: token)
      #expect(answer.status == 200, "\(answer.body)")
      for (device, expected) in [("anna", 36.0), ("ben", 18.52), ("carl", 10.0)] {
        let answer = try await server.get("/api/v1/devices/\(device)/fixes", token: server.admin)
        let fixes = answer["fixes", as: [[String: Any]].self] ?? []
        #expect(fixes.compactMap { $0["speed"] as? Double } == [expected], "\(device)")
      }
    }
  }

  /// OsmAnd sends m/s and other trackers km/h, where the protocol has knots. Without a setting, crossings are found in
  /// each unit.
  @Test(arguments: [1, 1 / 0.514444, 3.6])
  func crossingsAreFoundInEachUnitOfSpeed(factor: Double) async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(radius: 150), token: server.admin)
      let token = try server.token("anna", [.write])
      let start = UTCTime.now.nanosecondsSince1970 / 1_000_000_000 - 300
      // South through the fence at 22 m/s, a position every 5 s.
      for index in 0..<56 {
        let latitude = Batches.home.latitude - Double(index - 28) * 110 / 111_300
        let query =
          "lat=\(latitude)&lon=\(Batches.home.longitude)&timestamp=\(start + Int64(index) * 5)&accuracy=5"
        _ = try await server.get("/osmand?\(query)&speed=\(22 * factor)&bearing=180&token=\(token)")
      }
      let answer = try await server.get("/api/v1/devices/anna/crossings", token: server.admin)
      let crossings = answer["crossings", as: [[String: Any]].self] ?? []
      #expect(crossings.compactMap { $0["event"] as? String } == ["enter", "exit"])
    }
  }

  /// A ride at 15 m/s, whose speeds an app writes in one unit and the server reads in another.
  @Test(arguments: [
    (PhoneSettings.SpeedUnit.metresPerSecond, PhoneSettings.SpeedUnit.kilometresPerHour, true),
    (.metresPerSecond, .knots, true), (.kilometresPerHour, .knots, true),
    (.kilometresPerHour, .kilometresPerHour, false), (.knots, .knots, false),
  ])
  func distancesShowTheUnitOfSpeed(
    written: PhoneSettings.SpeedUnit, read: PhoneSettings.SpeedUnit, isWrong: Bool
  ) throws {
    var check = SpeedUnitCheck(unit: read)
    var found: [PhoneSettings.SpeedUnit] = []
    for index in 0..<100 {
      let latitude = 52.5 + Double(index) * 150 / 111_300
      var fix = Fix(
        coordinate: try #require(Coordinate(latitude: latitude, longitude: 13.4)),
        time: UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000).advanced(by: .seconds(10 * index)),
        source: .phone)
      fix.horizontalAccuracy = 5
      fix.speed = 15 / written.inMetresPerSecond(1) * read.inMetresPerSecond(1)
      if let unit = check.process(fix) { found.append(unit) }
    }
    #expect(found == (isWrong ? [written] : []))
  }

  /// Colota writes m/s where OwnTracks writes km/h, and nothing in its message says so.
  @Test func logNamesAPhoneWhoseSpeedsAreInAnotherUnit() async throws {
    let lines = Mutex<[String]>([])
    let log = LogOutput(level: .notice, json: false) { line in
      lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
    let ride = (0..<40).map { index in
      """
      {"_type":"location","lat":\(52 + Double(index) / 1000),"lon":13.4,"acc":5,"vel":11,\
      "tst":\(1_700_000_000 + index * 10)}
      """
    }
    try await TestServer.withStore { store in
      try await TestServer.run(store: store, logger: log.logger) { server in
        let token = try server.token("anna", [.write])
        // The phone has used a form with another unit before.
        let earlier = "/osmand?lat=51&lon=13.4&timestamp=1699990000&speed=11"
        #expect(try await server.get(earlier, token: token).status == 200)
        for location in ride {
          #expect(try await server.post("/owntracks", location, token: token).status == 200)
        }
      }
    }
    let warnings = lines.withLock { $0 }.filter { $0.contains("speedUnit=m/s") }
    #expect(warnings.count == 1 && warnings.first?.contains("device=anna") == true, "\(warnings)")
  }

  // MARK: The webhook

  @Test func webhookAcceptsALocation() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      let message =
        #"{"type":"update_location","data":{"gps":[52.5,13.4],"gps_accuracy":8,"battery":50}}"#
      let answer = try await server.post("/api/webhook/\(token)", message)
      #expect(answer.status == 200 && answer.body == "{}")
      let fix = try #require(try await fixes(server).first)
      #expect(fix["lat"] as? Double == 52.5)
      _ = try await server.send("PUT", "/api/v1/fences", body: ResponseTests.fence("home"))
      let zones = try await server.post("/api/webhook/\(token)", #"{"type":"get_zones"}"#)
      #expect(zones.body.contains(#""entity_id":"zone.home""#), "\(zones.body)")
      let wrong = try await server.post("/api/webhook/\(token)x", message, token: server.admin)
      #expect(wrong.status == 401)
      let encrypted = #"{"type":"encrypted","encrypted_data":"\#(Self.sealed)"}"#
      let unread = try await server.post("/api/webhook/\(token)", encrypted)
      let reasons = try await reasons(server)
      #expect(unread.status == 200 && reasons.first?.contains("encrypted") == true)
    }
  }

  // MARK: Compression

  private func post(_ server: TestServer, _ body: [UInt8], _ coding: String, _ token: String) async throws
    -> Int
  {
    var request = HTTPClientRequest(url: server.url + "/ingest")
    request.method = .POST
    request.headers.add(name: "Authorization", value: "Bearer \(token)")
    request.headers.add(name: "Content-Encoding", value: coding)
    request.body = .bytes(ByteBuffer(bytes: body))
    let response = try await HTTPClient.shared.execute(request, timeout: .minutes(10))
    _ = try await response.body.collect(upTo: 1 << 20)
    return Int(response.status.code)
  }

  @Test func compressedBodyIsRead() async throws {
    var limits = ServerLimits()
    limits.bodySize = 1 << 20
    try await TestServer.run(limits: limits) { server in
      let token = try server.token("anna", [.write])
      let line = Array("{\"time\":\"2024-05-14T08:00:00Z\",\"lat\":52.5,\"lon\":13.4}\n".utf8)
      let small = try #require(Gzip.compressed(line))
      let taken = try await post(server, small, "gzip", token)
      // Two members in a row are one content.
      let next = try #require(Gzip.compressed(Array(line.map { $0 == 0x38 ? 0x39 : $0 })))
      let rows = try await post(server, small + next, "x-gzip", token)
      let stored = try await fixes(server).count
      #expect(taken == 200 && rows == 200 && stored == 2)
      // A megabyte and one byte of blanks in a kilobyte.
      let bomb = try #require(Gzip.compressed([UInt8](repeating: 0x20, count: 1 << 20 + 1)))
      let tooLarge = try await post(server, bomb, "gzip", token)
      let cut = try await post(server, Array(small.dropLast(9)), "gzip", token)
      let garbage = try await post(server, Array("garbage".utf8), "gzip", token)
      let empty = try await post(server, [], "gzip", token)
      let unknown = try await post(server, line, "br", token)
      #expect(tooLarge == 413 && cut == 400 && garbage == 400 && empty == 400 && unknown == 415)
    }
  }

  /// Many programs send deflate without zlib's header.
  @Test func deflateIsReadWithAndWithoutAHeader() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      func line(_ second: Int) -> [UInt8] {
        Array("{\"time\":\"2024-05-14T08:00:0\(second)Z\",\"lat\":52.5,\"lon\":13.4}\n".utf8)
      }
      // Gzip is the same stream between a header of 10 bytes and a trailer of 8.
      func raw(_ bytes: [UInt8]) throws -> [UInt8] {
        Array(try #require(Gzip.compressed(bytes)).dropFirst(10).dropLast(8))
      }
      var (low, high) = (1, 0)
      for byte in line(1) {
        low = (low + Int(byte)) % 65_521
        high = (high + low) % 65_521
      }
      let checksum = [high >> 8, high & 0xFF, low >> 8, low & 0xFF].map { UInt8($0) }
      let zlib: [UInt8] = try [0x78, 0x9C] + raw(line(1)) + checksum
      let withHeader = try await post(server, zlib, "deflate", token)
      let without = try await post(server, try raw(line(2)), "deflate", token)
      let plain = try await post(server, line(3), "identity", token)
      let empty = try await post(server, line(4), "", token)
      let garbage = try await post(server, Array("garbage".utf8), "deflate", token)
      let stored = try await fixes(server).count
      #expect(withHeader == 200 && without == 200 && plain == 200 && empty == 200 && garbage == 400)
      #expect(stored == 4)
    }
  }
}
