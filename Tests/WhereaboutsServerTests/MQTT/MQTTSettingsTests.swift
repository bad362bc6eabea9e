import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsServer

@Suite struct MQTTSettingsTests {
  private let folder: TemporaryPlace

  init() throws { folder = try TemporaryPlace() }

  private func read(_ lines: [String]) throws -> (settings: MQTTSettings?, problems: [String]) {
    var input = ServerConfiguration.Input()
    input.file = try folder.write(lines.joined(separator: "\n"), to: "conf")
    do throws(ConfigurationProblems) {
      return (try ServerConfiguration(input).settings.mqtt, [])
    } catch {
      return (nil, error.all.map { "\($0)".replacing(folder.path(""), with: "") })
    }
  }

  /// The lines of a broker to which devices are published as OwnTracks.
  private static func published(_ devices: String, _ line: String = "") -> [String] {
    let lines = ["MQTT_BROKER=mqtt://host", "MQTT_OWNTRACKS_PUBLISH=\(devices)", line]
    return lines + ["MQTT_DEVICES=*", "MQTT_PLACES=exact"].filter { !line.hasPrefix($0.prefix(12)) }
  }

  @Test func devicesArePublishedUnderTopicsOfTheirOwn() throws {
    let (settings, problems) = try read(
      Self.published("anna=home/an, a=b=home/ab", "MQTT_OWNTRACKS=anna/phone=anna"))
    #expect(problems.isEmpty, "\(problems)")
    #expect(settings?.ownTracksPublished.map(\.device) == ["anna", "a=b"])
    #expect(settings?.ownTracksPublished.map(\.topic) == ["owntracks/home/an", "owntracks/home/ab"])
  }

  /// The letter with an accent is one character in the first name and two in the second.
  @Test func deviceWithANameThatLooksLikeAPublishedOneIsNotPublished() throws {
    let settings = try #require(
      try read(["MQTT_BROKER=mqtt://host", "MQTT_DEVICES=ren\u{E9}e"]).settings)
    #expect(settings.publishes("ren\u{E9}e") && !settings.publishes("rene\u{301}e"))
  }

  @Test func noClientRunsWithoutABroker() throws {
    #expect(try read([]).settings == nil)
  }

  @Test func everySettingIsRead() throws {
    let password = try folder.write("secret\n", to: "password")
    let (settings, problems) = try read([
      "MQTT_BROKER=mqtts://anna%40home@[::1]:9000/", "MQTT_PASSWORD_FILE=\(password)",
      "MQTT_CA_FILE=\(password)",
      "MQTT_PREFIX=home/wa", "MQTT_DISCOVERY=no", "MQTT_DEVICES=anna, ben", "MQTT_FENCES=home",
      "MQTT_PLACES=2km", "MQTT_OWNTRACKS=anna/phone=anna, ben/pixel", "MQTT_REPEAT=0s",
    ])
    #expect(problems.isEmpty, "\(problems)")
    let read = try #require(settings)
    #expect(read.broker.host == "::1" && read.broker.port == 9000 && read.broker.usesTLS)
    #expect(read.broker.user == "anna@home" && read.password == "secret" && read.authorities == password)
    #expect(read.prefix == "home/wa" && read.discovery == nil && read.devices == .some(["anna", "ben"]))
    #expect(read.fences == .some(["home"]) && read.places == .grid(2000) && read.repetition == .zero)
    #expect(read.ownTracks.map(\.device) == ["anna", "ben-pixel"])
    #expect(!"\(read.broker)".contains("anna"))
  }

  @Test(arguments: [
    (["MQTT_DEVICES=*"], "MQTT_BROKER is missing"),
    (["MQTT_BROKER=mqtt://localhost"], "The broker would get nothing"),
    (["MQTT_BROKER=http://localhost", "MQTT_DEVICES=*"], "MQTT_BROKER must be"),
    (["MQTT_BROKER=mqtt://anna:geheim@localhost", "MQTT_DEVICES=*"], "without a password"),
    (["MQTT_BROKER=mqtt://", "MQTT_DEVICES=*"], "MQTT_BROKER must be"),
    (["MQTT_BROKER=mqtt://host:0", "MQTT_DEVICES=*"], "MQTT_BROKER must be"),
    (["MQTT_BROKER=mqtt://host", "MQTT_DEVICES=a,,b"], "MQTT_DEVICES must be"),
    (["MQTT_BROKER=mqtt://host", "MQTT_DEVICES=*", "MQTT_PREFIX=a/#"], "MQTT_PREFIX must be"),
    (["MQTT_BROKER=mqtt://host", "MQTT_DEVICES=*", "MQTT_PLACES=5m"], "MQTT_PLACES must be"),
    (["MQTT_BROKER=mqtt://host", "MQTT_DEVICES=*", "MQTT_CA_FILE=/tmp"], "The broker's address has no TLS"),
    (["MQTT_BROKER=mqtt://u@host", "MQTT_DEVICES=*", "MQTT_PASSWORD_FILE=/missing"], "can't be read"),
    (["MQTT_BROKER=mqtt://host", "MQTT_OWNTRACKS=anna"], "MQTT_OWNTRACKS must be"),
    (["MQTT_BROKER=mqtt://host", "MQTT_OWNTRACKS=anna/phone=.."], "MQTT_OWNTRACKS must be"),
    (["MQTT_BROKER=mqtt://host", "MQTT_OWNTRACKS=a/b=x,a/b=y"], "MQTT_OWNTRACKS must be"),
    (published("a/b"), "MQTT_OWNTRACKS_PUBLISH must be"),
    (published("=a/b"), "MQTT_OWNTRACKS_PUBLISH must be"),
    (published("a=b/c,d=b/c"), "MQTT_OWNTRACKS_PUBLISH must be"),
    (published("a=b/#"), "MQTT_OWNTRACKS_PUBLISH must be"),
    (published("a=b/c,a=b/d"), "stands twice"),
    (published("a=b/c", "MQTT_DEVICES=ben"), "MQTT_DEVICES does not have a"),
    (published("a=b/c", "MQTT_PLACES=zones"), "MQTT_PLACES shares none"),
    (published("a=b/c", "MQTT_OWNTRACKS=b/c=a"), "would get its own messages"),
    (["MQTT_OWNTRACKS_PUBLISH=a=b/c"], "MQTT_BROKER is missing"),
  ]) func mistakeIsReportedWithoutSecrets(lines: [String], text: String) throws {
    let problems = try read(lines).problems
    #expect(problems.count == 1 && problems.first?.contains(text) == true, "\(problems)")
    #expect(problems.allSatisfy { !$0.contains("geheim") })
  }

  @Test func namesOfTopicsAreSafeAndDistinct() {
    #expect(TopicName("anna-2").text == "anna-2")
    // A topic has at most 65,535 bytes, and such a name would end the connection to the broker each time.
    let long = ["a", "b"].map { String(repeating: "a", count: 70_000) + $0 }
    let names = (["a/b", "a+b", "a#b", "a b", "ä", "", "x y", "x_y"] + long).map { TopicName($0).text }
    #expect(Set(names).count == names.count && names.allSatisfy { $0.utf8.count < 100 })
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-zA-Z0-9_-]+/) != nil }, "\(names)")
  }

  /// A device whose topics the server did not know again would stay at the broker after its erasure.
  @Test func deviceOfEachTopicIsKnownAgain() throws {
    let lines = ["MQTT_BROKER=mqtt://host", "MQTT_DEVICES=*", "MQTT_PREFIX=ä/b"]
    let topics = MQTTTopics(try #require(try read(lines).settings))
    for name in [String(repeating: "a", count: 500), "anna-2", "a/b", "ä", ""].map({ TopicName($0) }) {
      #expect(topics.deviceOfNumber(topics.number(of: name)) == name.text)
      #expect(topics.deviceOfOwnTracks(topics.ownTracks(of: name)) == name.text)
    }
    for other in ["ä/b//number", "ä/b/x/y/number", "ä/b/ä/number", "ä/b/anna/state", "c/anna/number"] {
      #expect(topics.deviceOfNumber(other) == nil)
    }
  }

  @Test func onlyConfiguredTopicsAreOfAPhone() {
    let phone = OwnTracksPhone(user: "anna", phone: "phone", device: "anna")
    let phones = OwnTracksPhones(all: [phone])
    for topic in ["owntracks/anna/phone", "owntracks/anna/phone/event", "owntracks/anna/phone/waypoints"] {
      #expect(phones.phone(of: topic) == phone && phones.topics.contains(topic), "\(topic)")
    }
    for topic in [
      "owntracks/anna/phone/cmd", "owntracks/anna/phone2", "owntracks/ben/phone", "owntracks/anna/phone/",
      "owntracks/anna/phone/event/x",
    ] {
      #expect(phones.phone(of: topic) == nil && !phones.topics.contains(topic), "\(topic)")
    }
  }

  @Test func waitsDoubleAndAreSpread() {
    var backoff = BrokerBackoff(), random = SeededGenerator(seed: 7)
    let waits = (0..<12).map { _ in backoff.next(using: &random) }
    var limit = BrokerBackoff.shortest
    for wait in waits {
      #expect(wait >= limit * 0.5 && wait <= limit)
      limit = min(limit * 2, BrokerBackoff.longest)
    }
    #expect(Set(waits).count == waits.count)
    backoff.reset()
    #expect(backoff.next(using: &random) <= BrokerBackoff.shortest)
  }
}

/// The record after which crossings are published again.
@Suite struct RepetitionStartTests {
  private static func record(_ number: UInt64, decided: Int64) -> NumberedFenceRecord {
    var event = DisclosureFixture.event(.exit, at: DisclosureFixture.home)
    event.decided = t(decided)
    return NumberedFenceRecord(number: number, record: .event(event))
  }

  /// The cursor, the remembered number, the number before the settings, and the expected number. Records 1 to 9 were
  /// decided at 10 to 90 s; those from 50 s on are young enough.
  @Test(
    arguments: [
      (9, 7, 0, 7),
      // A broker without memory gets what is young enough.
      (9, nil, 0, 4), (9, 1, 0, 4), (9, nil, 6, 6),
      // Nothing that was never acknowledged is skipped.
      (2, nil, 0, 2), (2, 9, 0, 2), (0, nil, 0, 0),
    ] as [(UInt64, UInt64?, UInt64, UInt64)])
  func forgottenCrossingsAreRepeated(cursor: UInt64, remembered: UInt64?, oldest: UInt64, expected: UInt64) {
    let records = (1...9).map { Self.record($0, decided: Int64($0) * 10) }
    let start = RepetitionStart(cursor: cursor, remembered: remembered, oldest: oldest)
    #expect(start.number(in: records, since: t(50)) == expected)
  }

  @Test func oldCrossingsAreNotRepeated() {
    let records = (1...9).map { Self.record($0, decided: Int64($0) * 10) }
    #expect(RepetitionStart(cursor: 9, remembered: nil, oldest: 0).number(in: records, since: t(500)) == 9)
  }
}
