#if MQTT
  import Foundation
  import NIOHTTP1
  import Testing
  import Whereabouts
  import WhereaboutsModel
  import WhereaboutsStore
  import WhereaboutsTesting

  @testable import WhereaboutsServer

  /// A server against a real mosquitto.
  @Suite(.serialized, .enabled(if: MosquittoBroker.isInstalled, "mosquitto is not installed"))
  struct MQTTLiveTests {
    private let broker: MosquittoBroker

    init() throws { broker = try MosquittoBroker(in: TemporaryPlace()) }

    private func settings(_ change: (inout MQTTSettings) -> Void = { _ in }) throws -> ServerSettings {
      var mqtt = MQTTSettings(broker: try #require(BrokerAddress("mqtt://127.0.0.1:\(broker.port)")))
      mqtt.devices = .all
      mqtt.places = .exact
      change(&mqtt)
      var settings = ServerSettings.test
      settings.mqtt = mqtt
      return settings
    }

    /// The way out of the fence around home, and the way back, in turns of ten minutes. Each is one crossing.
    private static func leg(_ number: Int, since start: UTCTime) -> String {
      let out =
        Array(repeating: 0.0, count: 5) + (1...20).map { Double($0) * 40 } + Array(repeating: 800, count: 5)
      return Batches.overland(
        number.isMultiple(of: 2) ? out : out.reversed(),
        end: start.advanced(by: .seconds(600 * (number + 1))))
    }

    private struct Crossings: Decodable {
      struct Crossing: Decodable, Hashable { var id: Int?, event: String? }
      var crossings: [Crossing]
    }

    /// Returns the crossings of anna's as the store has them.
    private static func crossings(_ server: TestServer) async throws -> [Crossings.Crossing] {
      let answer = try await server.get("/api/v1/devices/anna/crossings", token: server.admin)
      return try JSONDecoder().decode(Crossings.self, from: Data(answer.body.utf8)).crossings
    }

    private struct Published: Decodable, Hashable {
      var id: Int, event_type: String, fence: String?, time: String?
    }

    private static func published(_ message: BrokerDelivery) throws -> Published {
      try JSONDecoder().decode(Published.self, from: Data(message.payload))
    }

    // MARK: Topics

    @Test func deviceIsDescribedAndFollowed() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      try await TestServer.run(settings()) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        let token = try server.token("anna", [.read, .write])
        _ = try await observer.message("whereabouts/status", with: "online")
        let start = UTCTime.now.advanced(by: .seconds(-3000))
        #expect(try await server.post("/overland", Self.leg(0, since: start), token: token).status == 200)
        let crossing = try await observer.message("whereabouts/anna/crossing")
        let stored = try #require(try await Self.crossings(server).first)
        #expect(try Self.published(crossing).id == stored.id && !crossing.isRetained)
        #expect(try Self.published(crossing).event_type == "exit")
        _ = try await observer.message("whereabouts/anna/state", with: "latitude")
        // Home Assistant must know the device before its crossing.
        let topics = observer.seen.map(\.topic)
        let described = try #require(topics.firstIndex(of: "homeassistant/device/whereabouts_anna/config"))
        #expect(described < (topics.firstIndex(of: "whereabouts/anna/crossing") ?? 0))
        // A later subscriber gets what is retained; a start of Home Assistant gets the description again.
        let count = topics.count
        try observer.publish("online", to: "homeassistant/status")
        _ = try await observer.next { $0.topic == "homeassistant/device/whereabouts_anna/config" }
        #expect(observer.seen.count > count)
        let later = try await BrokerObserver(broker)
        for topic in ["status", "anna/state", "anna/number", "anna/last_crossing"] {
          _ = try await later.retainedMessage("whereabouts/\(topic)")
        }
      }
      // The connection ends without a farewell, so this is the last will.
      let last = try await BrokerObserver(broker)
      _ = try await last.message("whereabouts/status", with: "offline")
    }

    /// A phone at rest sends its battery for hours, and no position.
    @Test func batteryWithoutPositionIsPublished() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      try await TestServer.run(settings()) { server in
        let token = try server.token("anna", [.write])
        let position = try await server.get("/osmand?lat=52.5&lon=13.4&batt=80", token: token)
        #expect(position.status == 200)
        _ = try await observer.message("whereabouts/anna/state", with: #""battery":80"#)
        #expect(try await server.get("/osmand?batt=9", token: token).status == 200)
        let state = try await observer.message("whereabouts/anna/state", with: #""battery":9"#)
        #expect(state.text.contains(#""latitude":52.5"#), "\(state.text)")
      }
    }

    /// At a new connection the newest fix of each device is published while an older one may still wait.
    @Test func olderFixIsNotPublishedAfterANewerOne() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      try await TestServer.run(settings()) { server in
        let token = try server.token("anna", [.write]), start = UTCTime.now.advanced(by: .seconds(-3000))
        let before = Batches.overland(Array(repeating: 0, count: 3), end: start)
        #expect(try await server.post("/overland", before, token: token).status == 200)
        _ = try await observer.message("whereabouts/anna/state", with: #""latitude":52.52,"#)
        let older = try #require(try await server.core.lastFix(of: "anna"))
        let after = Batches.overland(Array(repeating: 800, count: 3), end: start.advanced(by: .seconds(600)))
        #expect(try await server.post("/overland", after, token: token).status == 200)
        _ = try await observer.message("whereabouts/anna/state", with: #""latitude":52.527"#)
        server.core.hub.publish(older, of: "anna")
        #expect(try await server.get("/osmand?batt=9", token: token).status == 200)
        _ = try await observer.message("whereabouts/anna/state", with: #""battery":9"#)
        let states = observer.seen.filter { $0.topic == "whereabouts/anna/state" }
        let newer = try #require(states.firstIndex { $0.text.contains(#""latitude":52.527"#) })
        #expect(states[newer...].allSatisfy { $0.text.contains(#""latitude":52.527"#) })
      }
    }

    @Test func ownTracksIsStoredAndGetsTheFences() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      let phone = OwnTracksPhone(user: "anna", phone: "phone", device: "anna")
      try await TestServer.run(settings { $0.ownTracks = [phone] }) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        _ = try await observer.message("whereabouts/status", with: "online")
        try observer.publish("garbage", to: phone.topic)
        try observer.publish(Batches.ownTracks(distance: 0), to: "owntracks/ben/phone")
        try observer.publish(Batches.ownTracks(distance: 0), to: phone.topic)
        let command = try await observer.message("\(phone.topic)/cmd", with: "setWaypoints")
        #expect(command.text.contains(#""_type":"cmd""#) && command.text.contains("home"), "\(command.text)")
        #expect(try await server.get("/api/v1/devices/anna/fix", token: server.admin).status == 200)
        // Another topic belongs to no device.
        #expect(try server.store.devices().map(\.rawValue) == ["anna"])
      }
    }

    /// Others see the devices as they see each other's apps, and a topic that changes leaves nothing behind.
    @Test func devicesArePublishedAsOwnTracks() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      let read = OwnTracksPhone(user: "anna", phone: "phone", device: "anna")
      func settings(_ level: String?) throws -> ServerSettings {
        try self.settings {
          $0.ownTracks = [read]
          $0.ownTracksPublished =
            level.map { [OwnTracksPhone(user: "home", phone: $0, device: "anna")] } ?? []
        }
      }
      try await TestServer.withStore { store in
        try await TestServer.run(settings("an"), store: store) { server in
          _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
          _ = try await observer.message("whereabouts/status", with: "online")
          // From the phone's topic into the device, and from the device to its own topic. Before the leg, since late
          // fixes cross nothing.
          let start = UTCTime.now.advanced(by: .seconds(-3000))
          try observer.publish(
            Batches.ownTracks(distance: 0, at: start.advanced(by: .seconds(-60))), to: read.topic)
          _ = try await observer.message("owntracks/home/an/info", with: #""_type":"card""#)
          let location = try await observer.message("owntracks/home/an", with: #""_type":"location""#)
          #expect(
            location.text.contains(#""tid":"an""#) && location.text.contains(#""acc":5"#), "\(location.text)")
          let token = try server.token("anna", [.read, .write])
          #expect(try await server.post("/overland", Self.leg(0, since: start), token: token).status == 200)
          let transition = try await observer.message("owntracks/home/an/event")
          #expect(
            transition.text.contains(#""event":"leave""#) && !transition.isRetained, "\(transition.text)")
          // Nothing is echoed: of the phone's topics the observer has seen its own message alone, and commands.
          let ofPhone = observer.seen.filter { $0.topic.hasPrefix(read.topic) && !$0.topic.hasSuffix("/cmd") }
          #expect(ofPhone.map(\.topic) == [read.topic], "\(ofPhone.map(\.topic))")
        }
        let later = try await BrokerObserver(broker)
        _ = try await later.retainedMessage("owntracks/home/an")
        try await TestServer.run(settings("two"), store: store) { _ in
          _ = try await later.message("owntracks/home/two", with: "location")
        }
        try await TestServer.run(settings(nil), store: store) { _ in
          _ = try await later.next { $0.topic == "whereabouts/anna/owntracks" && $0.payload.isEmpty }
        }
      }
      let last = try await BrokerObserver(broker)
      _ = try await last.retainedMessage("whereabouts/anna/state")
      #expect(last.seen.filter { $0.topic.hasPrefix("owntracks/home") }.isEmpty, "\(last.seen.map(\.topic))")
    }

    /// The broker keeps no place and no crossing that a new zone hides.
    @Test func newZoneClearsRetainedMessages() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      let published = OwnTracksPhone(user: "home", phone: "an", device: "anna")
      try await TestServer.run(settings { $0.ownTracksPublished = [published] }) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        let token = try server.token("anna", [.read, .write])
        let start = UTCTime.now.advanced(by: .seconds(-3000))
        for number in 0...1 {
          let leg = Self.leg(number, since: start)
          #expect(try await server.post("/overland", leg, token: token).status == 200)
        }
        _ = try await observer.message("whereabouts/anna/last_crossing", with: "\"enter\"")
        _ = try await observer.message("owntracks/home/an", with: "\"lat\"")
        var random = SeededGenerator(seed: 1)
        let home = try #require(
          Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
        let zone = try PrivacyZone(name: "home", center: home, radius: 200, policy: .hide, using: &random)
        try ZoneRegistry(server.store).add(zone)
        _ = try await observer.next {
          $0.topic == "whereabouts/anna/last_crossing" && $0.payload.isEmpty
        }
        let state = try await observer.next { $0.topic == "whereabouts/anna/state" }
        #expect(!state.text.contains("latitude") && !state.text.contains("home"), "\(state.text)")
        _ = try await observer.next { $0.topic == "owntracks/home/an" && $0.payload.isEmpty }
      }
    }

    /// A number that rises would show when the device left the private place.
    @Test func withheldCrossingChangesNoNumber() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      try await TestServer.run(settings()) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        var random = SeededGenerator(seed: 1)
        let home = try #require(
          Coordinate(latitude: Batches.home.latitude, longitude: Batches.home.longitude))
        let zones = try ZoneRegistry(server.store)
        try zones.add(PrivacyZone(name: "home", center: home, radius: 200, policy: .hide, using: &random))
        try server.core.zones.refresh()
        let token = try server.token("anna", [.write]), start = UTCTime.now.advanced(by: .seconds(-3000))
        #expect(try await server.post("/overland", Self.leg(0, since: start), token: token).status == 200)
        // The state is published after the crossings before it.
        _ = try await observer.message("whereabouts/anna/state", with: "latitude")
        #expect(try await Self.crossings(server).count == 1)
        let numbers = observer.seen.filter { $0.topic == "whereabouts/anna/number" }.map(\.text)
        #expect(numbers.allSatisfy { $0 == "0" }, "\(numbers)")
        try zones.remove("home")
        _ = try await observer.next { $0.topic == "whereabouts/anna/number" && $0.text == "1" }
        // It was withheld when it happened.
        #expect(try observer.crossings(Self.published).isEmpty)
      }
    }

    /// A phone at rest sends no further fix.
    @Test func changedFenceChangesTheRetainedState() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      try await TestServer.run(settings { $0.places = .zones }) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        let token = try server.token("anna", [.read, .write])
        let rest = Batches.overland(Array(repeating: 0, count: 5))
        #expect(try await server.post("/overland", rest, token: token).status == 200)
        _ = try await observer.message("whereabouts/anna/state", with: #""in_zones":["home"]"#)
        // Its side is unknown until the next fix.
        let larger = Batches.fence(radius: 150)
        _ = try await server.send(.PUT, "/api/v1/fences", larger, token: server.admin)
        try await Task.sleep(for: .milliseconds(1_500))
        #expect(try await server.send(.DELETE, "/api/v1/fences/home", token: server.admin).status == 204)
        // The state of an earlier fix may come first.
        _ = try await observer.next {
          $0.topic == "whereabouts/anna/state" && $0.text.contains(#""in_zones":[]"#)
        }
      }
    }

    /// Nothing that stays is published again.
    @Test func changedFencePublishesOnlyWhatChanges() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      try await TestServer.run(settings { $0.places = .zones }) { server in
        func put(_ name: String) async throws {
          let fence = Batches.fence().replacing("\"radius\"", with: "\"name\":\"\(name)\",\"radius\"")
          _ = try await server.send(.PUT, "/api/v1/fences", fence, token: server.admin)
        }
        try await put("A")
        let end = UTCTime.now.advanced(by: .seconds(-3600))
        for (device, distance) in [("anna", 0.0), ("ben", 5_000)] {
          let rest = Batches.overland(Array(repeating: distance, count: 5), end: end)
          let token = try server.token(DeviceID(device), [.write])
          #expect(try await server.post("/overland", rest, token: token).status == 200)
        }
        _ = try await observer.message("whereabouts/anna/state", with: #""in_zones":["A"]"#)
        _ = try await observer.message("whereabouts/ben/state", with: #""in_zones":[]"#)
        // Also the messages from before are seen.
        try observer.publish("", to: "marker")
        _ = try await observer.message("marker")
        let before = observer.seen.count
        // The second change comes behind every message of the first one.
        for name in ["B", "C"] {
          try await put(name)
          _ = try await observer.message("whereabouts/anna/state", with: "\"in_zones\":[\"\(name)\"]")
        }
        let topics = observer.seen[before...].map(\.topic)
        #expect(topics == ["whereabouts/anna/state", "whereabouts/anna/state"], "\(topics)")
      }
    }

    /// The broker keeps no place that is erased.
    @Test func erasureChangesTheRetainedMessages() async throws {
      try await broker.start()
      let observer = try await BrokerObserver(broker)
      let published = OwnTracksPhone(user: "home", phone: "an", device: "anna")
      try await TestServer.run(settings { $0.ownTracksPublished = [published] }) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        let token = try server.token("anna", [.write]), start = UTCTime.now.advanced(by: .seconds(-3000))
        for number in 0...1 {
          let leg = Self.leg(number, since: start)
          #expect(try await server.post("/overland", leg, token: token).status == 200)
        }
        _ = try await observer.message("whereabouts/anna/last_crossing", with: "\"enter\"")
        func time(_ second: Int) -> String { start.advanced(by: .seconds(second)).iso8601 }
        _ = try await observer.message("whereabouts/anna/state", with: "\"time\":\"\(time(1200).prefix(19))")
        // A part of the past: the broker has the last place that is left, and the crossing of that time.
        let span = "/api/v1/devices/anna/fixes?from=\(time(620))"
        #expect(try await server.send(.DELETE, span, token: server.admin).status == 200)
        _ = try await observer.next {
          $0.topic == "whereabouts/anna/last_crossing" && $0.text.contains("\"exit\"")
        }
        _ = try await observer.next {
          $0.topic == "whereabouts/anna/state" && $0.text.contains("\"time\":\"\(time(600).prefix(19))")
        }
        // All of it: the topics are emptied, and a device that begins anew is described anew.
        #expect(try await server.send(.DELETE, "/api/v1/devices/anna", token: server.admin).status == 200)
        var emptied: Set<String> = [
          "whereabouts/anna/state", "whereabouts/anna/last_crossing", "whereabouts/anna/number",
          "homeassistant/device/whereabouts_anna/config", "whereabouts/anna/owntracks", "owntracks/home/an",
        ]
        while !emptied.isEmpty {
          let message = try await observer.next { emptied.contains($0.topic) && $0.payload.isEmpty }
          emptied.remove(message.topic)
        }
        let again = try server.token("anna", [.write])
        #expect(try await server.post("/overland", Self.leg(0, since: start), token: again).status == 200)
        let crossing = try await observer.next { $0.topic == "whereabouts/anna/crossing" }
        #expect(crossing.text.contains("\"exit\""), "\(crossing.text)")
      }
    }

    // MARK: Delivery

    /// A broker that is killed in each round, sometimes before the crossing and sometimes in the middle of its way, and that
    /// once loses all of its memory. A subscriber that reads what is retained and what comes knows every crossing under
    /// one id.
    @Test(.enabled(if: PropertyCases.runsAll, "takes minutes: one of the long tests"))
    func brokerKilledTwentyTimesAndWipedOnceHasEveryCrossing() async throws {
      let kills = 20, wiped = 11, seed = UInt64.random(in: 0 ... .max)
      let start = UTCTime.now.advanced(by: .seconds(-600 * (kills + 1) - 3000))
      var random = SeededGenerator(seed: seed), received: Set<Published> = [], ids: Set<Int> = []
      try await broker.start()
      // The crossings of the test span hours, and a broker without a memory gets all of them again.
      try await TestServer.run(settings { $0.repetition = .seconds(86_400) }) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        let token = try server.token("anna", [.read, .write])
        func collect(_ observer: BrokerObserver) throws {
          for message in observer.seen where !message.payload.isEmpty {
            guard ["whereabouts/anna/crossing", "whereabouts/anna/last_crossing"].contains(message.topic)
            else { continue }
            received.insert(try Self.published(message))
          }
        }
        for round in 0..<kills {
          let isBefore = Bool.random(using: &random), before = try await BrokerObserver(broker)
          if isBefore { await broker.kill() }
          #expect(
            try await server.post("/overland", Self.leg(round, since: start), token: token).status == 200)
          if !isBefore {
            for _ in 0..<Int.random(in: 0..<300, using: &random) { await Task.yield() }
            await broker.kill()
          }
          if round == wiped { try? broker.wipe() }
          try await broker.start()
          let after = try await BrokerObserver(broker)
          _ = try await after.message("whereabouts/anna/number", with: "\(round + 1)")
          try collect(before)
          try collect(after)
          if round == wiped {
            // All of them come again, in their order.
            let again = try after.crossings(Self.published).map(\.id)
            #expect(again == again.sorted() && Set(again).count == round + 1, "seed \(seed): \(again)")
          }
        }
        ids = Set(try await Self.crossings(server).compactMap(\.id))
      }
      #expect(ids.count == kills && Set(received.map(\.id)) == ids, "seed \(seed): \(received)")
      // Each crossing has one content: the same id always has the same payload.
      #expect(received.count == kills, "seed \(seed): \(received)")
    }

    @Test func killedBrokerLosesNoCrossing() async throws {
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      var published: [Published] = []
      try await broker.start()
      try await TestServer.run(settings()) { server in
        _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
        let token = try server.token("anna", [.read, .write])
        for leg in 0..<4 {
          let observer = try await BrokerObserver(broker)
          if leg.isMultiple(of: 2) { await broker.kill() }
          #expect(try await server.post("/overland", Self.leg(leg, since: start), token: token).status == 200)
          let stored = try #require(try await Self.crossings(server).last?.id)
          let current: BrokerObserver
          if leg.isMultiple(of: 2) {
            try await broker.start()
            current = try await BrokerObserver(broker)
          } else {
            current = observer
          }
          _ = try await current.message("whereabouts/anna/number", with: "\(leg + 1)")
          for message in observer.seen + current.seen where message.topic == "whereabouts/anna/crossing" {
            published.append(try Self.published(message))
          }
          // The last crossing is retained, so it shows even to an observer who came late.
          let last = try await current.message("whereabouts/anna/last_crossing", with: "\"id\":\(stored),")
          published.append(try Self.published(last))
        }
        // Each crossing under its own id, however often.
        let ids = try await Self.crossings(server).compactMap(\.id)
        #expect(ids.count == 4 && Set(published.map(\.id)) == Set(ids), "\(published)")
        #expect(Set(published).count == 4, "\(Set(published))")
      }
    }

    @Test func wipedBrokerGetsTheCrossingsAgainUnderTheirIds() async throws {
      let start = UTCTime.now.advanced(by: .seconds(-3000))
      try await TestServer.withStore { store in
        try await broker.start()
        let settings = try settings()
        var before: [Published] = []
        let observer = try await BrokerObserver(broker)
        try await TestServer.run(settings, store: store) { server in
          _ = try await server.send(.PUT, "/api/v1/fences", Batches.fence(), token: server.admin)
          let token = try server.token("anna", [.read, .write])
          _ = try await observer.message("whereabouts/status", with: "online")
          for leg in 0..<3 {
            let answer = try await server.post("/overland", Self.leg(leg, since: start), token: token)
            #expect(answer.status == 200)
          }
          _ = try await observer.message("whereabouts/anna/number", with: "3")
        }
        before = try observer.crossings(Self.published)
        await broker.kill()
        try broker.wipe()
        try await broker.start()
        let again = try await BrokerObserver(broker)
        try await TestServer.run(settings, store: store) { _ in
          _ = try await again.message("whereabouts/anna/number", with: "3")
        }
        #expect(before.count == 3 && Set(before.map(\.id)).count == 3, "\(before)")
        #expect(try again.crossings(Self.published) == before)
      }
    }
  }

  extension BrokerObserver {
    fileprivate func crossings<Value>(_ read: (BrokerDelivery) throws -> Value) rethrows -> [Value] {
      try seen.filter { $0.topic == "whereabouts/anna/crossing" }.map(read)
    }
  }
#endif
