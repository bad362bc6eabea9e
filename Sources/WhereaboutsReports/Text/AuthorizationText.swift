package import WhereaboutsModel

/// The authorization as text.
package enum AuthorizationText {
  /// Returns the state of the authorization, and the remedy if there is one.
  package static func sentence(_ authorization: Authorization) -> String {
    let state =
      switch authorization.status {
      case .notDetermined: "permission to know the location is not decided yet"
      case .denied: "not permitted: access is denied"
      case .restricted: "not permitted: something on this device forbids it"
      case .servicesDisabled: "not permitted: location is switched off for the whole device"
      case .whenInUse: "permitted while the program is in use"
      case .always: "permitted"
      }
    let accuracy =
      authorization.isAllowed && authorization.accuracy == .reduced ? ", to some kilometres only" : ""
    return "\(state)\(accuracy)\(authorization.remedy.map { ". \($0)" } ?? "")"
  }
}
