import Whereabouts
import WhereaboutsModel

extension MQTTSettings {
  /// The settings that mean nothing without a broker.
  private static let dependent: [ServerSetting] = [
    .mqttPasswordFile, .mqttCAFile, .mqttPrefix, .mqttDiscovery, .mqttDevices, .mqttFences, .mqttPlaces,
    .mqttOwnTracks, .mqttOwnTracksPublish, .mqttRepetition,
  ]

  /// Reads the settings.
  ///
  /// - Returns: `nil` without a broker, and with one that can't be used, which is then a problem.
  init?(_ reader: inout SettingReader) {
    guard let broker = reader.read(.mqttBroker, { BrokerAddress($0.text) }) else {
      if !reader.isSet(.mqttBroker), let first = Self.dependent.first(where: { reader.isSet($0) }) {
        reader.report(first, "MQTT_BROKER is missing. Without a broker \(first.rawValue) means nothing.")
      }
      return nil
    }
    self.init(broker: broker)
    #if !MQTT
      reader.report(.mqttBroker, "This program was built without MQTT. Build it with the package trait MQTT.")
    #endif
    readFiles(&reader)
    readTopics(&reader)
    readSharing(&reader)
    if !reader.isSet(.mqttDevices), !reader.isSet(.mqttOwnTracks) {
      reader.report(
        .mqttBroker,
        "The broker would get nothing. Name devices in MQTT_DEVICES, or phones in MQTT_OWNTRACKS.")
    }
  }

  private mutating func readFiles(_ reader: inout SettingReader) {
    if let file = reader.read(.mqttPasswordFile, { $0.text.isEmpty ? nil : $0.text }) {
      do throws(SecretFile.ReadError) { password = try SecretFile.firstLine(of: file) } catch {
        reader.report(.mqttPasswordFile, error.text)
      }
      if let warning = SecretFile.warning(of: file) { reader.warn(.mqttPasswordFile, warning) }
      if broker.user == nil {
        reader.report(.mqttPasswordFile, "A password needs a user: MQTT_BROKER=mqtt://USER@HOST.")
      }
    }
    authorities = reader.read(.mqttCAFile) { $0.text.isEmpty ? nil : $0.text }
    guard let authorities else { return }
    guard broker.usesTLS else {
      return reader.report(.mqttCAFile, "The broker's address has no TLS. Write MQTT_BROKER=mqtts://….")
    }
    do throws(FileReadError) { _ = try readFile(authorities, upTo: 1) } catch {
      reader.report(
        .mqttCAFile, "The file can't be read: \(error.reason). Check the path and who may read it.")
    }
  }

  private mutating func readTopics(_ reader: inout SettingReader) {
    prefix = reader.read(.mqttPrefix) { TopicName.isPrefix($0.text) ? $0.text : nil } ?? prefix
    if let text = reader.read(.mqttDiscovery, { TopicName.isPrefix($0.text) ? $0.text : nil }) {
      discovery = SettingText(text: text).bool == false ? nil : text
    }
  }

  private mutating func readSharing(_ reader: inout SettingReader) {
    devices = reader.read(.mqttDevices) { Selection($0.text) { DeviceID($0) } } ?? devices
    fences = reader.read(.mqttFences) { Selection($0.text) { FenceID($0) } } ?? fences
    places = reader.read(.mqttPlaces) { PlaceSharing($0) } ?? places
    ownTracks = reader.read(.mqttOwnTracks) { Self.phones($0.text) { OwnTracksPhone($0) } } ?? []
    ownTracksPublished =
      reader.read(.mqttOwnTracksPublish) { Self.phones($0.text) { OwnTracksPhone(published: $0) } } ?? []
    checkPublished(&reader)
    repetition =
      reader.read(.mqttRepetition) { $0.duration(in: .zero...(.seconds(30 * 86_400))) } ?? repetition
  }

  private func checkPublished(_ reader: inout SettingReader) {
    guard !ownTracksPublished.isEmpty else { return }
    let read = Set(ownTracks.map(\.topic))
    if let phone = ownTracksPublished.first(where: { read.contains($0.topic) }) {
      reader.report(
        .mqttOwnTracksPublish,
        "The server reads \(phone.topic) by MQTT_OWNTRACKS and would get its own messages. Choose another topic."
      )
    }
    if let phone = ownTracksPublished.first(where: { !publishes($0.device) }) {
      reader.report(
        .mqttOwnTracksPublish, "MQTT_DEVICES does not have \(phone.device.rawValue). Add it there too.")
    }
    if Set(ownTracksPublished.map(\.device)).count < ownTracksPublished.count {
      reader.report(.mqttOwnTracksPublish, "A device stands twice. Each has one topic.")
    }
    if places == .zones {
      reader.report(
        .mqttOwnTracksPublish,
        "OwnTracks' messages are places, and MQTT_PLACES shares none. Set it to exact or to a grid such as 500m."
      )
    }
  }

  /// Returns the phones of a list; `nil` if one can't be read, or if a topic stands twice.
  private static func phones(_ text: String, _ read: (Substring) -> OwnTracksPhone?) -> [OwnTracksPhone]? {
    let phones = names(text).map(read)
    let known = phones.compactMap(\.self)
    guard !known.isEmpty, known.count == phones.count, Set(known.map(\.topic)).count == known.count else {
      return nil
    }
    return known
  }

  fileprivate static func names(_ text: String) -> [Substring] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
  }
}

extension MQTTSettings.Selection {
  /// Reads `*` or names with commas between.
  fileprivate init?(_ text: String, _ name: (String) -> Name) {
    guard text != "*" else {
      self = .all
      return
    }
    let names = MQTTSettings.names(text)
    guard !names.contains("") else { return nil }
    self = .some(Set(names.map { name(String($0)) }))
  }
}

extension Substring {
  var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
