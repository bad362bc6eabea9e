import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The topics for publishing devices as OwnTracks does, and their messages.
struct OwnTracksTopics: Hashable, Sendable {
  /// The levels after a topic under which something retained may be.
  private static let retainedParts = ["", "/info"]

  private let published: [OwnTracksPhone]
  private let read: Set<String>

  init(_ settings: MQTTSettings) {
    published = settings.ownTracksPublished
    read = Set(settings.ownTracks.map(\.topic))
  }

  /// Returns the topic of a device; `nil` for one that is not published.
  func topic(of device: DeviceID) -> String? { phone(of: device)?.topic }

  /// Returns the messages that describe a device.
  func description(of device: DeviceID) -> [BrokerMessage] {
    guard let phone = phone(of: device) else { return [] }
    return [BrokerMessage("\(phone.topic)/info", publication(phone).card, isRetained: true)]
  }

  /// Returns the messages of a state. Without a place the broker forgets the last one.
  func messages(_ state: StatePayload, of device: DeviceID) -> [BrokerMessage] {
    guard let phone = phone(of: device) else { return [] }
    let regions = state.fences.map { OwnTracksPublication.Region(id: $0.id, name: $0.name) }
    let payload = state.fix.flatMap {
      publication(phone).location($0, regions: regions, battery: state.battery)
    }
    return [BrokerMessage(phone.topic, payload ?? [], isRetained: true)]
  }

  /// Returns the messages of a crossing; none without a place, or if the format can't express the crossing.
  func messages(_ crossing: CrossingPayload, of device: DeviceID) -> [BrokerMessage] {
    guard let phone = phone(of: device), let event = crossing.event, let place = event.place,
      crossing.type == event.kind.rawValue, event.kind != .dwell
    else { return [] }
    let payload = publication(phone).transition(
      OwnTracksPublication.Crossing(
        id: crossing.id, isEntering: event.kind == .enter,
        region: OwnTracksPublication.Region(id: event.fence, name: crossing.fenceName), time: event.time,
        place: place.coordinate, accuracy: place.accuracy))
    return [BrokerMessage("\(phone.topic)/event", payload, isRetained: false)]
  }

  /// Returns the messages by which the broker forgets an earlier topic of this server's; none for a topic that phones
  /// have now. A broker's memory proves nothing: only a topic of OwnTracks is ever emptied.
  ///
  /// - Parameter kept: the topics of the devices of now, which are not emptied.
  func removal(of topic: String, keeping kept: some Collection<String>) -> [BrokerMessage] {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 3, levels[0] == "owntracks", levels.allSatisfy({ TopicName.isLevel($0) }),
      !read.contains(topic), !kept.contains(topic)
    else { return [] }
    return Self.retainedParts.map { BrokerMessage("\(topic)\($0)", [], isRetained: true) }
  }

  private func phone(of device: DeviceID) -> OwnTracksPhone? { published.first { $0.device == device } }

  private func publication(_ phone: OwnTracksPhone) -> OwnTracksPublication {
    OwnTracksPublication(name: phone.device.rawValue, level: phone.phone)
  }
}
