import Foundation
import Logging
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// Messages of OwnTracks: devices, topics and fences.
@Suite struct OwnTracksIngestionTests {
  private static func ownTracks(secondsAgo: Int) -> String {
    Batches.ownTracks(distance: 0, at: UTCTime.now.advanced(by: .seconds(-secondsAgo)))
  }

  /// A device with another name than the phone's surprises, and the phone shows nothing.
  @Test func deviceWithItsUserInFrontIsLoggedOnce() async throws {
    let lines = UnusableStoreTests.Lines()
    let log = LogOutput(level: .notice, json: false) { lines.append($0) }
    try await TestServer.withStore { store in
      try await TestServer.run(store: store, logger: log.logger) { server in
        let token = try server.token(nil, [.write])
        for (secondsAgo, user) in [(90, "ann"), (80, "bob"), (70, "ann"), (60, "bob")] {
          let headers = [("X-Limit-D", "phone"), ("X-Limit-U", user)]
          _ = try await server.post(
            "/owntracks", Self.ownTracks(secondsAgo: secondsAgo), token: token, headers: headers)
        }
      }
    }
    #expect(lines.count(of: "phone's device has the name of the user") == 1)
    #expect(lines.count(of: "device=bob-phone") == 1)
  }

  /// Over MQTT the user is always in front, unless the setting names the device otherwise.
  @Test func deviceWithItsUserInFrontIsLoggedOnceOverMQTT() async throws {
    let lines = UnusableStoreTests.Lines()
    let log = LogOutput(level: .notice, json: false) { lines.append($0) }
    let phones = [
      OwnTracksPhone(user: "bob", phone: "tablet", device: "bob-tablet"),
      OwnTracksPhone(user: "bob", phone: "phone", device: "bob-phone"),
      OwnTracksPhone(user: "cem", phone: "phone", device: "cem"),
    ]
    try await TestServer.withStore { store in
      try await TestServer.run(store: store, logger: log.logger) { server in
        let headers = [("X-Limit-D", "phone"), ("X-Limit-U", "ann")], token = try server.token(nil, [.write])
        let first = try await server.post(
          "/owntracks", Self.ownTracks(secondsAgo: 90), token: token, headers: headers)
        #expect(first.status == 200)
        for secondsAgo in [80, 70] {
          for phone in phones {
            let payload = Array(Self.ownTracks(secondsAgo: secondsAgo).utf8)
            let delivery = BrokerDelivery(topic: phone.topic, payload: payload, isRetained: false)
            _ = try await OwnTracksReceiver(core: server.core).store(delivery, of: phone)
          }
        }
      }
    }
    #expect(lines.count(of: "another device has the phone's name") == 1)
    #expect(lines.count(of: "device=bob-phone") == 1)
  }

  /// Two users may name their phones alike. Their positions are never one device's, also after a restart.
  @Test func phonesOfTwoUsersStayApart() async throws {
    try await TestServer.withStore { store in
      func post(
        _ server: TestServer, _ user: String?, _ phone: String, secondsAgo: Int, path: String = "/owntracks"
      ) async throws -> Int {
        let headers = [("X-Limit-D", phone)] + (user.map { [("X-Limit-U", $0)] } ?? [])
        let token = try server.token(nil, [.write])
        return try await server.post(
          path, Self.ownTracks(secondsAgo: secondsAgo), token: token, headers: headers
        ).status
      }
      func fixCount(_ device: String, _ server: TestServer) async throws -> Int? {
        let answer = try await server.get("/api/v1/devices/\(device)/fixes", token: server.admin)
        return answer["fixes", as: [Any].self]?.count
      }
      try await TestServer.run(store: store) { server in
        let first = try await post(server, "ann", "phone", secondsAgo: 90)
        #expect(first == 200)
        #expect(try await post(server, "bob", "phone", secondsAgo: 80) == 200)
        // A request without a user can only be told by its device.
        #expect(try await post(server, nil, "phone", secondsAgo: 70) == 200)
        #expect(try await fixCount("phone", server) == 2)
        #expect(try await fixCount("bob-phone", server) == 1)
        // Another phone with the name of Bob's device, and one whose names are both taken.
        #expect(try await post(server, "x", "bob-phone", secondsAgo: 60) == 200)
        #expect(try await fixCount("x-bob-phone", server) == 1)
        #expect(try await post(server, "x-bob", "phone", secondsAgo: 60) == 409)
      }
      try await TestServer.run(store: store) { server in
        let token = try server.token(nil, [.write])
        let message = #"{"topic":"owntracks/bob/phone","# + Self.ownTracks(secondsAgo: 50).dropFirst()
        #expect(try await server.post("/owntracks", message, token: token).status == 200)
        _ = try await server.post("/pub?u=ann&d=phone", Self.ownTracks(secondsAgo: 40), token: token)
        #expect(try await fixCount("phone", server) == 3)
        #expect(try await fixCount("bob-phone", server) == 2)
        // The name is free after an erasure, and Bob's device keeps its own.
        _ = try await server.send(.DELETE, "/api/v1/devices/phone", token: server.admin)
        #expect(try await post(server, "bob", "phone", secondsAgo: 30) == 200)
        #expect(try await post(server, "cem", "phone", secondsAgo: 20) == 200)
        #expect(try await fixCount("bob-phone", server) == 3)
        #expect(try await fixCount("phone", server) == 1)
        #expect(try await post(server, "ann", "phone", secondsAgo: 10) == 200)
        #expect(try await fixCount("ann-phone", server) == 1)
      }
    }
  }

  /// The phones of a household may send with one token and one name of HTTP Basic.
  @Test func userOfTheURLIsBeforeTheNameOfBasic() async throws {
    try await TestServer.run { server in
      let token = try server.token(nil, [.write])
      let basic = Data("family:\(token)".utf8).base64EncodedString()
      for (secondsAgo, user) in [(90, "anna"), (80, "ben"), (70, "anna")] {
        let answer = try await server.post(
          "/pub?u=\(user)&d=phone", Self.ownTracks(secondsAgo: secondsAgo),
          headers: [("Authorization", "Basic \(basic)")])
        #expect(answer.status == 200, "\(answer.body)")
      }
      for (device, count) in [("phone", 2), ("ben-phone", 1)] {
        let fixes = try await server.get("/api/v1/devices/\(device)/fixes", token: server.admin)
        #expect(fixes["fixes", as: [Any].self]?.count == count, "\(device): \(fixes.body)")
      }
    }
  }

  /// A token decides about the device of its phone. Another user's phone of that name has no part in the device.
  @Test func phoneIsApartFromADeviceWithATokenOfItsOwn() async throws {
    try await TestServer.run { server in
      let one = try server.token("phone", [.write]), every = try server.token(nil, [.write])
      func post(_ token: String, _ query: String, _ secondsAgo: Int) async throws -> Int {
        let message = Self.ownTracks(secondsAgo: secondsAgo)
        return try await server.post("/pub?\(query)", message, token: token).status
      }
      #expect(try await post(one, "u=bob&d=phone", 90) == 200)
      #expect(try await post(every, "u=ann&d=phone", 80) == 200)
      #expect(try await post(one, "u=bob&d=phone", 70) == 200)
      for (device, count) in [("phone", 2), ("ann-phone", 1)] {
        let fixes = try await server.get("/api/v1/devices/\(device)/fixes", token: server.admin)
        #expect(fixes["fixes", as: [Any].self]?.count == count, "\(device): \(fixes.body)")
      }
      // A token that only reads is nobody's phone.
      _ = try server.token("tablet", [.read])
      #expect(try await post(every, "u=ann&d=tablet", 60) == 200)
      #expect(try await server.get("/api/v1/devices/tablet/fix", token: server.admin).status == 200)
      // A token that comes later moves no phone.
      _ = try server.token("tablet", [.write])
      #expect(try await post(every, "u=ann&d=tablet", 50) == 200)
      #expect(try await server.get("/api/v1/devices/ann-tablet/fix", token: server.admin).status == 404)
      // Both names are those of other tokens.
      for device in ["car", "ann-car"] as [DeviceID] { _ = try server.token(device, [.write]) }
      #expect(try await post(every, "u=ann&d=car", 40) == 409)
    }
  }

  /// An import of the Recorder's files names a device by its user and its phone. The phone continues that device.
  @Test func phoneContinuesTheDeviceOfItsImportedPast() async throws {
    try await TestServer.run { server in
      let place = try #require(
        Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
      let past = [Fix(coordinate: place, time: UTCTime.now.advanced(by: .seconds(-3600)), source: .phone)]
      for device in ["ann-phone", "bob-phone"] as [DeviceID] {
        _ = try server.store.addPast(past, to: device)
      }
      let token = try server.token(nil, [.write])
      for user in ["ann", "bob", "cem"] {
        for secondsAgo in [60, 30] {
          let message = Self.ownTracks(secondsAgo: secondsAgo)
          #expect(try await server.post("/pub?u=\(user)&d=phone", message, token: token).status == 200)
        }
      }
      for (device, count) in [("ann-phone", 3), ("bob-phone", 3), ("phone", 2)] {
        let fixes = try await server.get("/api/v1/devices/\(device)/fixes", token: server.admin)
        #expect(fixes["fixes", as: [Any].self]?.count == count, "\(device): \(fixes.body)")
      }
    }
  }

  /// An app that repeats a position did not get the response, and the fences in it.
  @Test func repeatedPositionGetsTheFencesAgain() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let first = Self.ownTracks(secondsAgo: 60)
      for _ in 0..<2 {
        let answer = try await server.post("/owntracks", first, token: token)
        #expect(answer.body.contains("setWaypoints"), "\(answer.body)")
      }
      let next = try await server.post("/owntracks", Self.ownTracks(secondsAgo: 30), token: token)
      #expect(next.status == 200 && next.body == "[]", "\(next.body)")
    }
  }

  /// A message without a topic belongs to the device of the message before.
  @Test func messagesOfAnArrayBelongToTheirTopics() async throws {
    try await TestServer.run { server in
      let token = try server.token(nil, [.write])
      func message(_ topic: String, secondsAgo: Int) -> String {
        #"{"topic":"owntracks/\#(topic)","# + Self.ownTracks(secondsAgo: secondsAgo).dropFirst()
      }
      let batch = [
        Self.ownTracks(secondsAgo: 90), message("ann/phone", secondsAgo: 80),
        message("bob/tablet", secondsAgo: 70), "7", message("ann/phone/event", secondsAgo: 60),
        message("bob/phone", secondsAgo: 50),
      ]
      for _ in 0..<2 {
        let answer = try await server.post("/owntracks", "[\(batch.joined(separator: ","))]", token: token)
        #expect(answer.status == 200, "\(answer.body)")
      }
      for (device, count) in [("phone", 3), ("tablet", 1), ("bob-phone", 1)] {
        let fixes = try await server.get("/api/v1/devices/\(device)/fixes", token: server.admin)
        #expect(fixes["fixes", as: [Any].self]?.count == count, "\(device): \(fixes.body)")
      }
      let rejected = try await server.get("/api/v1/devices/tablet/rejected", token: server.admin)
      #expect(rejected["rejected", as: [Any].self]?.isEmpty == false, "\(rejected.body)")
    }
  }

  /// A topic that names no device must not refuse the messages of the others for ever.
  @Test func arrayWithATopicWithoutADeviceIsStored() async throws {
    try await TestServer.run { server in
      func message(_ topic: String, secondsAgo: Int) -> String {
        #"{"topic":"\#(topic)","# + Self.ownTracks(secondsAgo: secondsAgo).dropFirst()
      }
      let batch = [
        message("phones", secondsAgo: 90), message("owntracks/ann/phone", secondsAgo: 80),
        message("owntracks/bob/tablet", secondsAgo: 70), message("phones", secondsAgo: 60),
      ]
      let answer = try await server.post(
        "/owntracks", "[\(batch.joined(separator: ","))]", token: server.token(nil, [.write]))
      #expect(answer.status == 200, "\(answer.body)")
      for device in ["phone", "tablet"] {
        let fixes = try await server.get("/api/v1/devices/\(device)/fixes", token: server.admin)
        #expect(fixes["fixes", as: [Any].self]?.count == 2, "\(device): \(fixes.body)")
      }
    }
  }

  /// The app sends a refused array again and again, so a device that is refused each time must not hold up the others.
  @Test func refusedDeviceOfAnArrayHoldsUpNoOther() async throws {
    try await TestServer.run { server in
      let token = try server.token(nil, [.write])
      func status(_ topics: String..., secondsAgo: Int) async throws -> Int {
        let batch: [String] = topics.map {
          #"{"topic":"owntracks/\#($0)","# + Self.ownTracks(secondsAgo: secondsAgo).dropFirst()
        }
        return try await server.post("/owntracks", "[\(batch.joined(separator: ","))]", token: token).status
      }
      #expect(try await status("ann/phone", secondsAgo: 90) == 200)
      #expect(try await status("x/bob-phone", secondsAgo: 80) == 200)
      // Both names of Bob's phone are those of others.
      #expect(try await status("bob/phone", secondsAgo: 70) == 409)
      #expect(try await status("bob/phone", "cem/tablet", secondsAgo: 60) == 409)
      let fixes = try await server.get("/api/v1/devices/tablet/fixes", token: server.admin)
      #expect(fixes["fixes", as: [Any].self]?.count == 1, "\(fixes.body)")
      // The rows of the others that can't be read are kept once, however often the app repeats them.
      let refused = #"{"topic":"owntracks/bob/phone","# + Self.ownTracks(secondsAgo: 50).dropFirst()
      let unreadable = #"[\#(refused),{"_type":"location","topic":"owntracks/cem/tablet"}]"#
      for _ in 0..<3 {
        #expect(try await server.post("/owntracks", unreadable, token: token).status == 409)
      }
      let rejected = try server.store.rejectedRows(of: "tablet", limit: 10)
      #expect(rejected.count == 1, "\(rejected.map(\.reason))")
    }
  }

  /// A broker retains the last position of a phone, and sends it at each subscription.
  @Test func retainedMessageBringsNoErasedPositionBack() async throws {
    try await TestServer.run { server in
      let phone = OwnTracksPhone(user: "ann", phone: "phone", device: "ann")
      let receiver = OwnTracksReceiver(core: server.core)
      let payload = Array(Self.ownTracks(secondsAgo: 60).utf8)
      func receive(isRetained: Bool) async throws -> [DeviceID] {
        let delivery = BrokerDelivery(topic: phone.topic, payload: payload, isRetained: isRetained)
        _ = try await receiver.store(delivery, of: phone)
        return try server.store.devices()
      }
      #expect(try await receive(isRetained: false) == ["ann"])
      let erased = try await server.send(.DELETE, "/api/v1/devices/ann", token: server.admin)
      #expect(erased.status == 200, "\(erased.body)")
      #expect(try await receive(isRetained: true).isEmpty)
    }
  }

  /// The fences count as delivered to each device of the array.
  @Test func arrayGetsTheFencesThatOneOfItsDevicesLacks() async throws {
    try await TestServer.run { server in
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let token = try server.token(nil, [.write])
      func message(_ topic: String, secondsAgo: Int) -> String {
        #"{"topic":"owntracks/\#(topic)","# + Self.ownTracks(secondsAgo: secondsAgo).dropFirst()
      }
      let first = try await server.post("/owntracks", message("bob/tablet", secondsAgo: 90), token: token)
      #expect(first.body.contains("setWaypoints"), "\(first.body)")
      let batch = [message("ann/phone", secondsAgo: 60), message("bob/tablet", secondsAgo: 50)]
      let answer = try await server.post("/owntracks", "[\(batch.joined(separator: ","))]", token: token)
      #expect(answer.body.contains("setWaypoints"), "\(answer.body)")
    }
  }

  /// A refusal would make the app send the message for ever.
  @Test func topicWithItsOwnBaseNamesTheDevice() async throws {
    try await TestServer.run { server in
      let message = #"{"topic":"home/x/carl/ph9","# + Self.ownTracks(secondsAgo: 5).dropFirst()
      let answer = try await server.post("/owntracks", message, token: server.token(nil, [.write]))
      #expect(answer.status == 200, "\(answer.body)")
      let fixes = try await server.get("/api/v1/devices/ph9/fixes", token: server.admin)
      #expect(fixes["fixes", as: [Any].self]?.count == 1)
    }
  }

  /// A ping's place may be hours old, so it is no fix of now. Its response has the fences.
  @Test func pingIsNotStored() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      _ = try await server.post("/owntracks", Self.ownTracks(secondsAgo: 3600), token: token)
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let ping = #"{"t":"p","# + Self.ownTracks(secondsAgo: 5).dropFirst()
      let answer = try await server.post("/owntracks", ping, token: token)
      #expect(answer.status == 200 && answer.body.contains("setWaypoints"), "\(answer.body)")
      let fixes = try await server.get("/api/v1/devices/anna/fixes", token: server.admin)
      #expect(fixes["fixes", as: [Any].self]?.count == 1)
    }
  }

  /// A region at an impossible place is one that OwnTracks shall remove.
  @Test func removedFenceIsRemovedFromThePhone() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let first = try await server.post("/owntracks", Self.ownTracks(secondsAgo: 90), token: token)
      #expect(first.body.contains(#""rid":"home""#) && !first.body.contains("-1000000"), "\(first.body)")
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence("work"), token: server.admin)
      let second = try await server.post("/owntracks", Self.ownTracks(secondsAgo: 60), token: token)
      #expect(
        second.body.contains(#""lat":-1000000,"lon":-1000000,"rad":0"#)
          && second.body.contains(#""rid":"home""#) && second.body.contains(#""rid":"work""#),
        "\(second.body)")
      // A fence that is there again is no removed one.
      _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
      let third = try await server.post("/owntracks", Self.ownTracks(secondsAgo: 30), token: token)
      #expect(
        third.body.contains(#""lat":52.52,"lon":13.405,"rad":100"#)
          && third.body.contains(#""desc":"work","lat":-1000000"#), "\(third.body)")
    }
  }
}
