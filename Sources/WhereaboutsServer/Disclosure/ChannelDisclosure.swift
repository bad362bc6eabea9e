import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The parts of devices, fences and crossings that a channel receives, such as an MQTT broker or a webhook: those of a
/// reader without a token of its own, by the same ``Disclosure`` as every answer over HTTP.
struct ChannelDisclosure: Sendable {
  private let disclosure: Disclosure
  private let places: PlaceSharing
  private let fences: MQTTSettings.Selection<FenceID>

  /// - Parameters:
  ///   - label: the kind of channel.
  ///   - places: the part of a place that the channel receives.
  ///   - fences: the fences that the channel receives.
  ///   - zones: the privacy zones now.
  init(
    _ label: String, places: PlaceSharing, fences: MQTTSettings.Selection<FenceID> = .all,
    zones: [PrivacyZone]
  ) {
    self.places = places
    self.fences = fences
    var cap: Double?
    if case .grid(let size) = places { cap = size }
    // Never an owner: zones apply to everybody behind the channel.
    let terms = TokenTerms(label: label, device: nil, scopes: [.read], accuracyCap: cap)
    let reader = AccessToken(id: 0, terms: terms, created: .now, credential: .secret(hint: ""))
    disclosure = Disclosure(reader: reader, zones: zones)
  }

  init(_ settings: MQTTSettings, zones: [PrivacyZone]) {
    self.init("MQTT", places: settings.places, fences: settings.fences, zones: zones)
  }

  private var sharesPlaces: Bool { places != .zones }

  /// Returns the state of a device.
  ///
  /// - Parameters:
  ///   - fix: the last fix; `nil` for none.
  ///   - inside: the fences that the device is in.
  ///   - nearest: returns the fence whose boundary is nearest to a place; `nil` without fences.
  func state(
    of device: DeviceID, fix: Fix?, inside: [Fence], battery: PhoneBattery?,
    nearest: (Coordinate) -> Fence?
  ) -> StatePayload {
    StatePayload(
      device: device.rawValue, fix: sharesPlaces ? fix.flatMap { disclosure.fix($0, of: device) } : nil,
      mayBeInNoFence: !sharesPlaces && fix != nil
        && !disclosure.withholdsFences(of: device, nearest: nearest),
      // No message has an area: a fence with another one would make an equal message a new state.
      fences: inside.filter { fences.contains($0.id) }
        .compactMap { disclosure.fence($0, of: device) }
        .map { DisclosedFence(id: $0.id, name: $0.name, area: nil, properties: [:]) },
      battery: battery)
  }

  /// Returns a fence record in the form for the channel; `nil` if it is withheld.
  ///
  /// - Parameters:
  ///   - revoked: the crossing that the record revokes; `nil` for another record. A revocation of a withheld or unknown
  ///     crossing is withheld too.
  ///   - fence: finds a fence of the present; a removed one is unknown.
  func crossing(
    _ record: FenceRecord, of device: DeviceID, revoked: FenceEvent? = nil, _ fence: (FenceID) -> Fence?
  ) -> CrossingPayload? {
    switch record {
    case .event(let event): crossing(event.kind.rawValue, event, event.id, of: device, fence)
    case .revised(let id, let event?): crossing("revised", event, id, of: device, fence)
    case .revised(let id, nil):
      revoked.flatMap { crossing("", $0, id, of: device, fence) }
        .map { _ in CrossingPayload(device: device.rawValue, type: "revoked", id: id) }
    case .decided, .removed: nil
    }
  }

  private func crossing(
    _ type: String, _ event: FenceEvent, _ id: FenceEvent.ID, of device: DeviceID,
    _ fence: (FenceID) -> Fence?
  ) -> CrossingPayload? {
    guard fences.contains(event.fence) else { return nil }
    let fence = fence(event.fence)
    guard var shown = disclosure.event(event, at: fence, of: device) else { return nil }
    if !sharesPlaces { shown = shown.withoutPlaces }
    return CrossingPayload(
      device: device.rawValue, type: type, id: id, event: shown,
      fenceName: fence.flatMap { disclosure.fence($0, of: device)?.name })
  }
}
