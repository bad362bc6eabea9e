import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The state of a device: its place as far as it is shared, and the fences that it is in.
///
/// Home Assistant reads `latitude`, `longitude` and `gps_accuracy`, or `in_zones` where there is no place; the others
/// become attributes. Without a place there is no time either, so that the state changes only where something happens.
///
/// To Home Assistant an empty `in_zones` means "not home". A state that does not know this has none, and
/// ``DeviceDiscovery`` makes the tracker unavailable.
struct StatePayload: Hashable, Sendable {
  /// The device's name.
  var device: String
  /// The fix as the broker may have it; `nil` if there is none, if places are not shared, or if a privacy zone
  /// hides it.
  var fix: Fix?
  /// Whether a state without ``fix`` and ``fences`` states that the device is in no fence. Once there is a fix, the answer
  /// is the same everywhere, so that it does not show a hidden zone.
  var mayBeInNoFence: Bool
  /// The fences that the device is in, as far as they are shared.
  var fences: [DisclosedFence]
  /// The battery as stated last.
  var battery: PhoneBattery?

  var payload: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendJSONObject { body in
      body.appendJSONMember("device", device)
      if let fix { append(fix, to: &body) }
      body.appendJSONMember("fences", fences) { $0.appendJSONString($1.id.name) }
      if fix == nil, mayBeInNoFence || !fences.isEmpty {
        body.appendJSONMember("in_zones", fences) { $0.appendJSONString($1.name ?? $1.id.name) }
      }
      body.appendJSONMember("battery", battery?.level.map { Int(($0 * 100).rounded()) })
      if let isCharging = battery?.isCharging { body.appendJSONMember("charging", isCharging) }
    }
    return bytes
  }

  private func append(_ fix: Fix, to body: inout [UInt8]) {
    body.appendJSONMember("time", fix.time)
    body.appendJSONMember("latitude", (fix.coordinate.latitude * 1e7).rounded() / 1e7)
    body.appendJSONMember("longitude", (fix.coordinate.longitude * 1e7).rounded() / 1e7)
    if let accuracy = fix.horizontalAccuracy, accuracy.isFinite {
      let rounded = (accuracy * 10).rounded() / 10
      body.appendJSONMember("gps_accuracy", rounded)
      body.appendJSONMember("accuracy", rounded)
    }
    body.appendJSONMember("speed", ifFinite: fix.speed)
    body.appendJSONMember("course", ifFinite: fix.course)
  }
}
