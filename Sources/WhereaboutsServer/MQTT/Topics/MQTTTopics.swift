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
  /// The server's question to itself: its return shows that all retained messages before it have come.
  var echo: String { "\(prefix)/status/echo" }
  /// The message of Home Assistant's start; `nil` without discovery.
  var birth: String? { discoveryPrefix.map { "\($0)/status" } }
  /// The numbers that the broker remembers of every device.
  var everyNumber: String { "\(prefix)/+/number" }

  /// The topics of OwnTracks under which the broker has devices.
  var everyOwnTracks: String { "\(prefix)/+/owntracks" }

  /// The topic of OwnTracks under which a device is published, retained: so that a later setting can empty it.
  func ownTracks(of device: TopicName) -> String { "\(prefix)/\(device.text)/owntracks" }
  /// The state of a device, retained.
  func state(of device: TopicName) -> String { "\(prefix)/\(device.text)/state" }
  /// The crossings of a device.
  func crossing(of device: TopicName) -> String { "\(prefix)/\(device.text)/crossing" }
  /// The last crossing of a device, retained.
  func lastCrossing(of device: TopicName) -> String { "\(prefix)/\(device.text)/last_crossing" }
  /// The number of the last record that was published, retained.
  func number(of device: TopicName) -> String { "\(prefix)/\(device.text)/number" }
  /// The description of a device for Home Assistant, retained; `nil` without discovery.
  func discovery(of device: TopicName) -> String? {
    discoveryPrefix.map { "\($0)/device/\(uniqueID(of: device))/config" }
  }
  /// The id of a device in Home Assistant.
  func uniqueID(of device: TopicName) -> String { "\(TopicName(prefix).text)_\(device.text)" }

  /// Returns the device of a topic of ``everyNumber``; `nil` for another topic.
  func deviceOfNumber(_ topic: String) -> String? { device(of: topic, suffix: "/number") }

  /// Returns the device of a topic of ``everyOwnTracks``; `nil` for another topic.
  func deviceOfOwnTracks(_ topic: String) -> String? { device(of: topic, suffix: "/owntracks") }

  private func device(of topic: String, suffix: String) -> String? {
    guard topic.hasPrefix("\(prefix)/"), topic.hasSuffix(suffix) else { return nil }
    let device = topic.dropFirst(prefix.utf8.count + 1).dropLast(suffix.utf8.count)
    return TopicName.isLevel(device) ? String(device) : nil
  }
}
