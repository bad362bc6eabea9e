import Logging
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The phones whose OwnTracks messages are read, and their topics.
struct OwnTracksPhones: Sendable {
  /// The levels after a phone's topic whose messages are read. Others' commands to a phone are not read.
  private static let parts = ["event", "waypoint", "waypoints"]

  let all: [OwnTracksPhone]

  /// The topics to subscribe to.
  var topics: [String] {
    all.flatMap { phone in [phone.topic] + Self.parts.map { "\(phone.topic)/\($0)" } }
  }

  /// Returns the phone of a topic; `nil` for a topic of none.
  func phone(of topic: String) -> OwnTracksPhone? {
    all.first { phone in
      guard topic.hasPrefix(phone.topic) else { return false }
      let rest = topic.dropFirst(phone.topic.count)
      return rest.isEmpty || (rest.hasPrefix("/") && Self.parts.contains(String(rest.dropFirst())))
    }
  }
}

/// The reception of OwnTracks' messages from a broker, by the same reading and storing as over HTTP.
///
/// A broker's message proves nothing about its sender, so only phones of the configuration are read, each into its
/// device.
struct OwnTracksReceiver: Sendable {
  let core: ServerCore

  /// Stores a message, unless the broker has retained it from before the subscription: each connection would bring back a
  /// position that was erased here. While the server is away, the broker keeps messages for its session.
  ///
  /// - Returns: a command for the phone, with the fences that it does not have yet; `nil` for none.
  /// - Throws: ``IngestionError`` if the store can't be written. The broker sends the message again later.
  func store(
    _ delivery: BrokerDelivery, of phone: OwnTracksPhone
  ) async throws(IngestionError) -> BrokerMessage? {
    let payload = delivery.payload
    // An empty message removes a retained one.
    guard !delivery.isRetained, !payload.isEmpty, payload.count <= core.limits.bodySize else { return nil }
    let request = PhoneRequest(
      userAgent: "OwnTracks", user: phone.user, device: phone.phone, body: payload, arrival: .now)
    // Over HTTP no phone of another user gets the same device.
    do throws(StoreError) { try claimDevice(of: phone) } catch { throw IngestionError(cause: error) }
    let report = core.phones.report(from: request, as: .ownTracks, of: phone.device)
    let reply = try await ReportIngestion(core).store(report, arrival: request.arrival, of: phone.device)
    // Over HTTP commands are an array, here objects.
    let command = reply.body.dropFirst().dropLast()
    guard command.first == UInt8(ascii: "{") else { return nil }
    return BrokerMessage("\(phone.topic)/cmd", Array(command), isRetained: false)
  }

  /// Claims the device of a phone. A new device beside one with the phone's name is logged: the same phone may have sent
  /// over HTTP before.
  private func claimDevice(of phone: OwnTracksPhone) throws(StoreError) {
    let choice = try core.store.device(
      ofPhone: phone.phone, of: phone.user, among: [phone.device], claims: true)
    let name = DeviceID(phone.phone)
    guard choice?.isNew == true, phone.device == DeviceID("\(phone.user)-\(phone.phone)"),
      (try? core.store.devices().contains(name)) ?? false
    else { return }
    core.logger.notice(
      """
      a phone over MQTT has a device with the name of the user in front, and another device has the phone's name. \
      MQTT_OWNTRACKS=USER/PHONE=DEVICE gives the phone that device
      """, metadata: ["device": "\(phone.device)", "phone": "\(name)"])
  }
}
