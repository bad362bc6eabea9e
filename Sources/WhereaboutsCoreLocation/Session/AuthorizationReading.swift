import WhereaboutsModel

/// Core Location's permission as it was read, all members at once.
struct AuthorizationReading: Hashable, Sendable {
  var status: Authorization.Level?
  /// The reason without permission; meaningless with one.
  var refusal = Refusal.notDetermined
  var isReduced = false
  /// Whether location services are on for the whole device.
  var servicesAreOn = true

  enum Refusal: Hashable, Sendable {
    case notDetermined, restricted, denied
  }

  var isAllowed: Bool { servicesAreOn && status != nil }
  /// Whether services are off and the status does not follow the switch. Nothing may call back when services are on
  /// again.
  var isSwitchUnnoticed: Bool { !servicesAreOn && status != nil }
  var isUndetermined: Bool { servicesAreOn && status == nil && refusal == .notDetermined }

  static func allowed(_ level: Authorization.Level, isReduced: Bool = false) -> AuthorizationReading {
    AuthorizationReading(status: level, isReduced: isReduced)
  }

  static func refused(_ refusal: Refusal) -> AuthorizationReading {
    AuthorizationReading(status: nil, refusal: refusal)
  }

  static let notDetermined = refused(.notDetermined)

  /// Returns the permission in the terms of the engine.
  ///
  /// Some systems do not change an app's status while services are off, so the switch counts before the status. A
  /// restriction counts before the switch, because the person can't lift it.
  func authorization(on platform: CoreLocationPlatform) -> Authorization {
    if status == nil, refusal == .restricted {
      return Authorization(.restricted, remedy: "Ask who manages this device to allow location.")
    }
    guard servicesAreOn else {
      return Self.servicesDisabled(on: platform, noticesChanges: !isSwitchUnnoticed)
    }
    let accuracy: Authorization.Accuracy = isReduced ? .reduced : .full
    let precision =
      isReduced ? "Switch precise location on for this app in \(platform.settingsPath)." : nil
    switch status {
    case .always?: return Authorization(.always, accuracy: accuracy, remedy: precision)
    case .whenInUse?: return Authorization(.whenInUse, accuracy: accuracy, remedy: precision)
    case nil where refusal == .notDetermined: return Authorization(.notDetermined)
    case nil:
      return Authorization(.denied, remedy: "Allow location for this app in \(platform.settingsPath).")
    }
  }

  static func servicesDisabled(
    on platform: CoreLocationPlatform, noticesChanges: Bool = true
  ) -> Authorization {
    Authorization(
      .servicesDisabled, noticesChanges: noticesChanges,
      remedy: "Switch location services on in \(platform.settingsPath).")
  }
}
