import Whereabouts

/// The topics of a server. docs/mqtt.md lists them.
struct MQTTTopics: Hashable, Sendable {
  let prefix: String
  let discoveryPrefix: String?

  init(_ settings: MQTTSettings) {
    prefix = settings.prefix
    discoveryPrefix = settings.discovery
  }

  /// Whether the server is connected: `online` or `offline`, retained.
  var status: String { "\(prefix)/status" }
  /// The topic of the server's echo to itself: its return shows that all retained messages before it have arrived.
  var echo: String { "\(prefix)/status/echo" }
  /// The topic of Home Assistant's start message; `nil` without discovery.
  var birth: String? { discoveryPrefix.map { "\($0)/status" } }
  /// The topics of the last published numbers of every device.
  var everyNumber: String { "\(prefix)/+/number" }

  /// The OwnTracks topics under which the broker has devices.
  var everyOwnTracks: String { "\(prefix)/+/owntracks" }

  /// Returns the topic that retains the name of a device's OwnTracks topic, so that a later setting can empty the
  /// latter.
  func ownTracks(of device: TopicName) -> String { "\(prefix)/\(device.text)/owntracks" }
  /// Returns the topic of a device's state, retained.
  func state(of device: TopicName) -> String { "\(prefix)/\(device.text)/state" }
  /// Returns the topic of a device's crossings.
  func crossing(of device: TopicName) -> String { "\(prefix)/\(device.text)/crossing" }
  /// Returns the topic of a device's last crossing, retained.
  func lastCrossing(of device: TopicName) -> String { "\(prefix)/\(device.text)/last_crossing" }
  /// Returns the topic of the number of the last published record, retained.
  func number(of device: TopicName) -> String { "\(prefix)/\(device.text)/number" }
  /// Returns the topic of a device's description for Home Assistant, retained; `nil` without discovery.
  func discovery(of device: TopicName) -> String? {
    discoveryPrefix.map { "\($0)/device/\(uniqueID(of: device))/config" }
  }
  /// Returns the id of a device in Home Assistant.
  func uniqueID(of device: TopicName) -> String { "\(TopicName(prefix).text)_\(device.text)" }

  /// Returns the device of a topic of ``everyNumber``; `nil` for another topic.
  func deviceOfNumber(_ topic: String) -> String? { device(of: topic, suffix: "/number") }

  /// Returns the device of a topic of ``everyOwnTracks``; `nil` for another topic.
  func deviceOfOwnTracks(_ topic: String) -> String? { device(of: topic, suffix: "/owntracks") }

  private func device(of topic: String, suffix: String) -> String? {
    guard topic.hasPrefix("\(prefix)/"), topic.hasSuffix(suffix) else { return nil }
    let level = topic.utf8.dropFirst(prefix.utf8.count + 1).dropLast(suffix.utf8.count)
    let device = String(decoding: level, as: UTF8.self)
    // Only a level that this server writes, however long.
    return TopicName(device).text == device ? device : nil
  }
}
