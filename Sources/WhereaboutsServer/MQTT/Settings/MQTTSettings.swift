package import WhereaboutsModel

/// The settings of a server that reports to an MQTT broker.
package struct MQTTSettings: Hashable, Sendable {
  /// A selection of names.
  package enum Selection<Name: Hashable & Sendable>: Hashable, Sendable {
    case all
    case some(Set<Name>)

    /// Returns whether a name is selected.
    package func contains(_ name: Name) -> Bool {
      switch self {
      case .all: true
      case .some(let names): names.contains(name)
      }
    }
  }

  /// The broker.
  package var broker: BrokerAddress
  /// The password; `nil` for none.
  package var password: String?
  /// The file of the authorities that may sign the broker's certificate, in PEM; `nil` for the system's.
  package var authorities: String?
  /// The first levels of the server's topics.
  package var prefix = "whereabouts"
  /// The first level of Home Assistant's discovery topics; `nil` for no discovery.
  package var discovery: String? = "homeassistant"
  /// The devices that are published.
  package var devices = Selection<DeviceID>.some([])
  /// The fences that are published, by their ids.
  package var fences = Selection<FenceID>.all
  /// The part of a place that the broker receives.
  package var places = PlaceSharing.zones
  /// The phones whose OwnTracks messages are read.
  package var ownTracks: [OwnTracksPhone] = []
  /// The devices that are published as OwnTracks does, with their topics.
  package var ownTracksPublished: [OwnTracksPhone] = []
  /// The age up to which crossings are published again after the broker has forgotten them.
  package var repetition = Duration.seconds(3600)

  /// Creates the standard settings for a broker.
  package init(broker: BrokerAddress) { self.broker = broker }

  /// The name under which the store counts deliveries.
  static let consumer = "mqtt"

  /// Returns whether a device is published.
  package func publishes(_ device: DeviceID) -> Bool { devices.contains(device) }

  /// A name of the selection of devices, the same in every process. It holds no device's name, which would stay in the
  /// store after the device is forgotten.
  var selectionKey: String {
    guard case .some(let devices) = devices else { return Self.consumer }
    let names = devices.sorted().map(\.rawValue).joined(separator: ",")
    return "\(Self.consumer) \(StableHash.digits(of: names))"
  }

  /// The id of the session at the broker. Two servers at one broker need prefixes of their own.
  var clientID: String { "whereabouts-\(TopicName(prefix).text)" }
}

/// A phone that publishes as OwnTracks does, and the device that receives its positions.
package struct OwnTracksPhone: Hashable, Sendable {
  /// The user's level of the topic.
  package var user: String
  /// The device's level of the topic.
  package var phone: String
  /// The device.
  package var device: DeviceID

  /// Creates a phone.
  package init(user: String, phone: String, device: DeviceID) {
    self.user = user
    self.phone = phone
    self.device = device
  }

  /// The topic of the phone's positions.
  package var topic: String { "owntracks/\(user)/\(phone)" }

  /// Reads `USER/DEVICE=NAME` or `USER/DEVICE`, whose name is then `USER-DEVICE`.
  init?(_ text: Substring) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let levels = sides[0].split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 2, levels.allSatisfy({ TopicName.isLevel($0) }), sides.last?.isEmpty == false else {
      return nil
    }
    user = String(levels[0])
    phone = String(levels[1])
    device = DeviceID(sides.count == 2 ? String(sides[1]) : "\(user)-\(phone)")
    guard device.isValid else { return nil }
  }

  /// Reads `NAME=USER/DEVICE`.
  init?(published text: Substring) {
    guard let mark = text.lastIndex(of: "=") else { return nil }
    self.init("\(text[text.index(after: mark)...])=\(text[..<mark])")
  }
}
