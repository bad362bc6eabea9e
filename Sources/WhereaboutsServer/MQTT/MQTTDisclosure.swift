import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The parts of devices, fences and crossings that the broker gets: those of a reader without a token of its own, by the
/// same ``Disclosure`` as every answer over HTTP.
struct MQTTDisclosure: Sendable {
  private let disclosure: Disclosure
  private let settings: MQTTSettings

  /// - Parameter zones: the privacy zones now.
  init(_ settings: MQTTSettings, zones: [PrivacyZone]) {
    self.settings = settings
    var cap: Double?
    if case .grid(let size) = settings.places { cap = size }
    // Never an owner: zones apply to everybody who reads the broker.
    let terms = TokenTerms(label: "MQTT", device: nil, scopes: [.read], accuracyCap: cap)
    let reader = AccessToken(id: 0, terms: terms, created: .now, credential: .secret(hint: ""))
    disclosure = Disclosure(reader: reader, zones: zones)
  }

  private var sharesPlaces: Bool { settings.places != .zones }

  /// Returns the state of a device.
  ///
  /// - Parameters:
  ///   - fix: the last fix; `nil` for none.
  ///   - inside: the fences that the device is in.
  func state(of device: DeviceID, fix: Fix?, inside: [Fence], battery: PhoneBattery?) -> StatePayload {
    StatePayload(
      device: device.rawValue, fix: sharesPlaces ? fix.flatMap { disclosure.fix($0, of: device) } : nil,
      fences: inside.filter { settings.fences.contains($0.id.name) }
        .compactMap { disclosure.fence($0, of: device) },
      battery: battery)
  }

  /// Returns a fence record as the broker gets it; `nil` if the broker gets nothing.
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
    guard settings.fences.contains(event.fence.name) else { return nil }
    let fence = fence(event.fence)
    guard var shown = disclosure.event(event, at: fence, of: device) else { return nil }
    if !sharesPlaces { shown = shown.withoutPlaces }
    return CrossingPayload(
      device: device.rawValue, type: type, id: id, event: shown,
      fenceName: fence.flatMap { disclosure.fence($0, of: device)?.name })
  }
}
