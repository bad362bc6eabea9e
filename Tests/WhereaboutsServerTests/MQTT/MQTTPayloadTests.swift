import Foundation
import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

@testable import WhereaboutsServer

/// The payloads, against Home Assistant's documentation of MQTT discovery, trackers, sensors and events.
@Suite struct MQTTPayloadTests {
  private static func settings(_ places: PlaceSharing = .zones) throws -> MQTTSettings {
    var settings = MQTTSettings(broker: try #require(BrokerAddress("mqtt://localhost")))
    settings.places = places
    settings.devices = .all
    return settings
  }

  private static func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private static func discovery(_ places: PlaceSharing = .exact) throws -> DeviceDiscovery {
    DeviceDiscovery(
      topics: MQTTTopics(try settings()), device: TopicName("Anna's phone"), name: "Anna's phone",
      sharesPlaces: places != .zones)
  }

  // MARK: Discovery

  @Test func discoveryHasTheFieldsThatHomeAssistantRequires() throws {
    let discovery = try Self.discovery()
    let payload = try Self.object(discovery.payload)
    let topic = try #require(discovery.topics.discovery(of: discovery.device))
    #expect(topic.wholeMatch(of: /homeassistant\/device\/[a-zA-Z0-9_-]+\/config/) != nil, "\(topic)")
    let device = try #require(payload["device"] as? [String: Any])
    #expect((device["identifiers"] as? [String])?.count == 1 && device["name"] as? String == "Anna's phone")
    #expect((payload["origin"] as? [String: Any])?["name"] as? String == "whereabouts")
    let availability = try #require(payload["availability"] as? [[String: Any]])
    #expect(availability.compactMap { $0["topic"] as? String } == ["whereabouts/status"])
    let components = try #require(payload["components"] as? [String: [String: Any]])
    #expect(Set(components.keys) == ["place", "accuracy", "battery", "last_crossing", "crossing"])
    let ids = components.values.compactMap { $0["unique_id"] as? String }
    #expect(ids.count == components.count && Set(ids).count == ids.count)
    for component in components.values {
      let platform = try #require(component["platform"] as? String)
      let entity = try #require(component["default_entity_id"] as? String)
      #expect(
        entity.wholeMatch(of: /[a-z_]+\.[a-z0-9_]+/) != nil && entity.hasPrefix("\(platform)."), "\(entity)")
      // Gone since 2026.4.
      #expect(component["object_id"] == nil)
    }
  }

  /// An empty message, after a revoked crossing, makes the sensor unknown without attributes and is no error.
  @Test func lastCrossingMayBeEmpty() throws {
    let components = try #require(
      try Self.object(Self.discovery().payload)["components"] as? [String: [String: Any]])
    let sensor = try #require(components["last_crossing"])
    #expect(sensor["value_template"] as? String == "{{ value_json.time if value_json is defined else none }}")
    #expect(sensor["json_attributes_template"] as? String == "{{ value or '{}' }}")
  }

  @Test func trackerHasNoDeprecatedKey() throws {
    let components = try #require(
      try Self.object(Self.discovery().payload)["components"] as? [String: [String: Any]])
    let tracker = try #require(components["place"])
    #expect(tracker["platform"] as? String == "device_tracker")
    #expect((tracker["json_attributes_topic"] as? String)?.hasSuffix("/state") == true)
    #expect(tracker["source_type"] as? String == "gps")
    for key in ["state_topic", "value_template", "payload_home", "payload_not_home", "payload_reset"] {
      #expect(tracker[key] == nil, "\(key)")
    }
    let event = try #require(components["crossing"])
    #expect(event["event_types"] as? [String] == ["enter", "exit", "dwell", "revised", "revoked"])
    #expect((event["state_topic"] as? String)?.hasSuffix("/crossing") == true)
    #expect(components["last_crossing"]?["device_class"] as? String == "timestamp")
  }

  @Test func withoutPlacesThereIsNoAccuracy() throws {
    let components = try #require(
      try Self.object(Self.discovery(.zones).payload)["components"] as? [String: Any])
    #expect(components["accuracy"] == nil && components["place"] != nil)
  }

  // MARK: States

  private static func state(
    _ places: PlaceSharing, zones: [PrivacyZone] = []
  ) throws -> [String: Any] {
    let fence = try DisclosureFixture.fence(radius: 3_000)
    let payload = ChannelDisclosure(try settings(places), zones: zones).state(
      of: "phone", fix: DisclosureFixture.fix(at: DisclosureFixture.east(30)), inside: [fence],
      battery: PhoneBattery(level: 0.734, isCharging: false)
    ) { _ in fence }
    return try object(payload.payload)
  }

  @Test func exactStateHasPlaceAndAccuracy() throws {
    let state = try Self.state(.exact)
    #expect(state["latitude"] as? Double != nil && state["longitude"] as? Double != nil)
    #expect(state["gps_accuracy"] as? Double == 5 && state["in_zones"] == nil)
    #expect(state["battery"] as? Int == 73 && state["charging"] as? Bool == false)
    #expect(state["fences"] as? [String] == ["fence"])
  }

  @Test func stateOfZonesHasNoPlace() throws {
    let state = try Self.state(.zones)
    #expect(state["in_zones"] as? [String] == ["The fence"])
    for key in ["latitude", "longitude", "gps_accuracy", "accuracy", "speed", "course"] {
      #expect(state[key] == nil, "\(key)")
    }
  }

  @Test func stateOnGridHasNoExactPlace() throws {
    let exact = try Self.state(.exact), coarse = try Self.state(.grid(1000))
    #expect(coarse["latitude"] as? Double != exact["latitude"] as? Double)
    #expect((coarse["gps_accuracy"] as? Double ?? 0) > 300 && coarse["speed"] == nil)
  }

  @Test func hiddenPlaceIsInNoState() throws {
    let state = try Self.state(.exact, zones: [DisclosureFixture.zone(.hide)])
    #expect(state["latitude"] == nil && state["time"] == nil)
    #expect(state["in_zones"] as? [String] == ["The fence"])
  }

  /// The broker would get the same message again.
  @Test func anotherAreaOfAFenceIsNoNewState() throws {
    let disclosure = ChannelDisclosure(try Self.settings(), zones: [])
    let states = try [100.0, 150].map { radius in
      let fence = try DisclosureFixture.fence(radius: radius)
      return disclosure.state(of: "phone", fix: nil, inside: [fence], battery: nil) { _ in nil }
    }
    #expect(states[0] == states[1] && states[0].fences.map(\.name) == ["The fence"])
  }

  /// An empty `in_zones` means "not home" to Home Assistant, which nobody knows in a hidden zone or before a fix.
  @Test func stateWithoutKnownPlaceNamesNoZones() throws {
    let fix = DisclosureFixture.fix(at: DisclosureFixture.east(30))
    func state(
      _ fix: Fix?, _ places: PlaceSharing, _ zones: [PrivacyZone], nearest: Fence? = nil
    ) throws -> [String: Any] {
      let disclosure = ChannelDisclosure(try Self.settings(places), zones: zones)
      return try Self.object(
        disclosure.state(of: "phone", fix: fix, inside: [], battery: nil) { _ in nearest }.payload)
    }
    for places in [PlaceSharing.exact, .grid(1000)] {
      let hidden = try state(fix, places, [DisclosureFixture.zone(.hide)])
      #expect(hidden["in_zones"] == nil && hidden["latitude"] == nil)
      #expect(hidden["fences"] as? [String] == [])
      #expect(try state(nil, places, [])["in_zones"] == nil)
    }
    // Without places the zones are all that a state has, and their absence must not show the hidden zone: with a fence
    // that it withholds there are none anywhere, and otherwise there are some in it, too.
    let hiding = try DisclosureFixture.zone(.hide)
    let far = DisclosureFixture.fix(at: DisclosureFixture.east(5_000))
    let withheld = try DisclosureFixture.fence(radius: 100)
    let around = try DisclosureFixture.fence(radius: 3_000)
    for fix in [fix, far] {
      #expect(try state(fix, .zones, [hiding], nearest: withheld)["in_zones"] == nil)
      for nearest in [around, nil] {
        #expect(try state(fix, .zones, [hiding], nearest: nearest)["in_zones"] as? [String] == [])
      }
      #expect(try state(fix, .zones, [], nearest: withheld)["in_zones"] as? [String] == [])
    }
    #expect(try state(nil, .zones, [])["in_zones"] == nil)
  }

  /// Home Assistant keeps the last place of a tracker whose state has neither a place nor zones.
  @Test func trackerWithoutPlaceIsUnavailable() throws {
    func availability(_ places: PlaceSharing) throws -> [[String: Any]]? {
      let components = try #require(
        try Self.object(Self.discovery(places).payload)["components"] as? [String: [String: Any]])
      #expect(components["place"]?["availability_mode"] as? String == "all")
      return components["place"]?["availability"] as? [[String: Any]]
    }
    for places in [PlaceSharing.exact, .zones] {
      let topics = try #require(try availability(places))
      #expect(topics.count == 2 && topics.first?["topic"] as? String == "whereabouts/status")
      #expect((topics.last?["topic"] as? String)?.hasSuffix("/state") == true)
      #expect((topics.last?["value_template"] as? String)?.contains("'latitude' in value_json") == true)
    }
  }

  // MARK: Crossings

  @Test func crossingRetainsItsIdAndOmitsThePlace() throws {
    let fence = try DisclosureFixture.fence(radius: 100)
    let event = DisclosureFixture.event(.exit, at: DisclosureFixture.east(100))
    for (places, hasPlace) in [(PlaceSharing.zones, false), (.exact, true)] {
      let disclosure = ChannelDisclosure(try Self.settings(places), zones: [])
      let crossing = try #require(disclosure.crossing(.event(event), of: "phone") { _ in fence })
      let payload = try Self.object(crossing.payload)
      #expect(payload["event_type"] as? String == "exit" && payload["id"] as? Int == 3)
      #expect(payload["name"] as? String == "The fence" && (payload["latitude"] != nil) == hasPlace)
      #expect((payload["time"] as? String)?.hasSuffix("Z") == true)
    }
  }

  @Test func crossingOfHiddenFenceIsWithheld() throws {
    let fence = try DisclosureFixture.fence(radius: 100)
    let event = DisclosureFixture.event(.exit, at: DisclosureFixture.east(100))
    let disclosure = ChannelDisclosure(try Self.settings(.exact), zones: [try DisclosureFixture.zone(.hide)])
    #expect(disclosure.crossing(.event(event), of: "phone") { _ in fence } == nil)
    var selected = try Self.settings(.exact)
    selected.fences = .some(["other"])
    #expect(ChannelDisclosure(selected, zones: []).crossing(.event(event), of: "phone") { _ in fence } == nil)
  }

  @Test func revocationHasTheIdOfTheFirstReport() throws {
    let fence = try DisclosureFixture.fence(radius: 100)
    let event = DisclosureFixture.event(.exit, at: DisclosureFixture.east(100))
    let disclosure = ChannelDisclosure(try Self.settings(), zones: [])
    let record = FenceRecord.revised(event.id, nil)
    let crossing = try #require(disclosure.crossing(record, of: "phone", revoked: event) { _ in fence })
    let payload = try Self.object(crossing.payload)
    #expect(payload["event_type"] as? String == "revoked" && payload["id"] as? Int == 3)
    #expect(Set(payload.keys) == ["device", "event_type", "id"])
  }

  #if MQTT
    /// The code of libmosquitto for a broker that is silent for the time of a keep-alive.
    @Test func silentBrokerIsReportedAsSuch() {
      #expect(BrokerConnection.error(19).description.contains("did not answer for 30 s"))
    }

    /// The last crossing of a device is the last one that stands.
    @Test func lastCrossingIsTheLastThatStands() throws {
      func event(_ id: UInt64) -> FenceEvent {
        var event = DisclosureFixture.event(.enter, at: DisclosureFixture.home)
        event.id = FenceEvent.ID(id)
        return event
      }
      let records: [FenceRecord] = [
        .event(event(1)), .event(event(2)), .revised(FenceEvent.ID(1), event(1)), .event(event(3)),
        .revised(FenceEvent.ID(2), nil), .revised(FenceEvent.ID(3), nil),
      ]
      func standing(_ count: Int) -> [UInt64] {
        CrossingDelivery.standing(
          records.prefix(count).enumerated().map {
            NumberedFenceRecord(number: UInt64($0.offset + 1), record: $0.element)
          }
        ).map(\.number)
      }
      #expect(standing(1) == [1] && standing(2) == [2, 1] && standing(4) == [4, 3, 2, 1])
      #expect(standing(5) == [4, 3, 1] && standing(6) == [3, 1] && standing(0).isEmpty)
    }
  #endif

  /// A broker that did not get a crossing does not learn its id from the revocation either.
  @Test func revocationOfWithheldCrossingIsWithheld() throws {
    let fence = try DisclosureFixture.fence(radius: 100)
    let event = DisclosureFixture.event(.exit, at: DisclosureFixture.east(100))
    let record = FenceRecord.revised(event.id, nil)
    let hiding = ChannelDisclosure(try Self.settings(.exact), zones: [try DisclosureFixture.zone(.hide)])
    #expect(hiding.crossing(record, of: "phone", revoked: event) { _ in fence } == nil)
    var selected = try Self.settings(.exact)
    selected.fences = .some(["other"])
    let selecting = ChannelDisclosure(selected, zones: [])
    #expect(selecting.crossing(record, of: "phone", revoked: event) { _ in fence } == nil)
    let open = ChannelDisclosure(try Self.settings(), zones: [])
    #expect(open.crossing(record, of: "phone", revoked: nil) { _ in fence } == nil)
  }

  // MARK: OwnTracks

  private static func ownTracks(
    _ places: PlaceSharing = .exact, read: [OwnTracksPhone] = []
  ) throws -> (topics: OwnTracksTopics, settings: MQTTSettings) {
    var settings = try settings(places)
    settings.ownTracksPublished = [OwnTracksPhone(user: "home", phone: "anna", device: "phone")]
    settings.ownTracks = read
    return (OwnTracksTopics(settings), settings)
  }

  private static func ownTracksState(
    _ places: PlaceSharing, zones: [PrivacyZone] = []
  ) throws -> [BrokerMessage] {
    let (topics, settings) = try ownTracks(places)
    let state = ChannelDisclosure(settings, zones: zones).state(
      of: "phone", fix: DisclosureFixture.fix(at: DisclosureFixture.east(30)),
      inside: [try DisclosureFixture.fence(radius: 3_000)],
      battery: PhoneBattery(level: 0.734, isCharging: true)
    ) { _ in nil }
    #expect(topics.messages(state, of: "other").isEmpty)
    return topics.messages(state, of: "phone")
  }

  /// The values of the booklet: whole numbers, seconds, metres and km/h.
  @Test func ownTracksLocationIsAsInTheBooklet() throws {
    let message = try #require(try Self.ownTracksState(.exact).first)
    #expect(message.topic == "owntracks/home/anna" && message.isRetained)
    let fix = DisclosureFixture.fix(at: DisclosureFixture.east(30)),
      location = try Self.object(message.payload)
    #expect(location["_type"] as? String == "location" && location["tid"] as? String == "na")
    #expect(location["tst"] as? Int == Int((fix.time?.nanosecondsSince1970 ?? 0) / 1_000_000_000))
    #expect(location["acc"] as? Int == 5 && location["alt"] as? Int == 30 && location["vac"] as? Int == 4)
    // 8 m/s.
    #expect(location["vel"] as? Int == 29 && location["cog"] as? Int == 93)
    #expect(location["batt"] as? Int == 73 && location["bs"] as? Int == 2)
    #expect(
      location["inregions"] as? [String] == ["The fence"] && location["inrids"] as? [String] == ["fence"])
    let longitude = try #require(location["lon"] as? Double)
    #expect(abs(longitude - fix.coordinate.longitude) < 1e-7)
    // The server's own reader takes it for what it was.
    let request = PhoneRequest(
      userAgent: "OwnTracks", user: "home", device: "anna", body: message.payload, arrival: .now)
    let report = PhoneRegistry(PhonesSettings()).report(from: request, as: .ownTracks, of: "anna")
    let read = try #require(report.fixes.first?.fix)
    #expect(read.horizontalAccuracy == 5 && abs((read.speed ?? 0) - 29 / 3.6) < 1e-9)
  }

  @Test func ownTracksGetsNoMoreThanTheChannel() throws {
    let exact = try Self.object(try #require(try Self.ownTracksState(.exact).first).payload)
    let coarse = try Self.object(try #require(try Self.ownTracksState(.grid(1000)).first).payload)
    #expect(
      coarse["lon"] as? Double != exact["lon"] as? Double && coarse["vel"] == nil && coarse["alt"] == nil)
    #expect((coarse["acc"] as? Int ?? 0) > 300)
    // A hidden place leaves nothing, also of the last one.
    let hidden = try #require(try Self.ownTracksState(.exact, zones: [DisclosureFixture.zone(.hide)]).first)
    #expect(hidden.payload.isEmpty && hidden.isRetained)
  }

  @Test func ownTracksTransitionRetainsItsId() throws {
    let (topics, settings) = try Self.ownTracks()
    let fence = try DisclosureFixture.fence(radius: 100), disclosure = ChannelDisclosure(settings, zones: [])
    let event = DisclosureFixture.event(.exit, at: DisclosureFixture.east(100))
    func messages(_ record: FenceRecord) throws -> [BrokerMessage] {
      let crossing = disclosure.crossing(record, of: "phone", revoked: event) { _ in fence }
      return topics.messages(try #require(crossing), of: "phone")
    }
    let message = try #require(try messages(.event(event)).first)
    #expect(message.topic == "owntracks/home/anna/event" && !message.isRetained)
    let transition = try Self.object(message.payload)
    #expect(transition["_type"] as? String == "transition" && transition["event"] as? String == "leave")
    #expect(transition["desc"] as? String == "The fence" && transition["rid"] as? String == "fence")
    #expect(transition["_id"] as? String == "crossing-3" && transition["wtst"] as? Int != nil)
    #expect(transition["acc"] as? Int != nil && transition["lat"] as? Double != nil)
    #expect(try messages(.event(event)) == [message])
    // OwnTracks has no word for a correction or a stay.
    #expect(try messages(.revised(event.id, event)).isEmpty && messages(.revised(event.id, nil)).isEmpty)
    var stay = event
    stay.kind = .dwell
    #expect(try messages(.event(stay)).isEmpty)
    let card = try Self.object(try #require(topics.description(of: "phone").first).payload)
    #expect(card["_type"] as? String == "card" && card["name"] as? String == "phone")
  }

  /// Any client can write to the broker's retained messages: these can't make the server clear other topics.
  @Test func onlyTopicsOfOwnTracksAreEmptied() throws {
    let phone = OwnTracksPhone(user: "anna", phone: "phone", device: "anna")
    let (topics, _) = try Self.ownTracks(read: [phone])
    #expect(
      topics.removal(of: "owntracks/home/old", keeping: []).map(\.topic) == [
        "owntracks/home/old", "owntracks/home/old/info",
      ])
    for topic in [
      "owntracks/home/anna", "owntracks/anna/phone", "homeassistant/a/b", "owntracks/#/a", "owntracks/a", "",
    ] {
      #expect(topics.removal(of: topic, keeping: ["owntracks/home/anna"]).isEmpty, "\(topic)")
    }
  }
}
