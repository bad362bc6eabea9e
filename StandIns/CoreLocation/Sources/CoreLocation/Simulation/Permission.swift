import Foundation

// Permission: requests of the app, answers of the person.
extension SimulatedDevice {
  func requestWhenInUse(_ manager: CLLocationManager) {
    change(manager, "requestWhenInUseAuthorization") {
      guard $0.status == .notDetermined, $0.isForeground, $0.dialog == nil,
        declares("NSLocationWhenInUseUsageDescription") || declares("NSLocationUsageDescription")
      else { return }
      $0.dialog = .whenInUse
      $0.dialogCount += 1
    }
  }

  func requestAlways(_ manager: CLLocationManager) {
    change(manager, "requestAlwaysAuthorization") {
      #if APPLE_MACOS
        let isDeclared = declares("NSLocationUsageDescription")
      #else
        let isDeclared =
          declares("NSLocationWhenInUseUsageDescription")
          && declares("NSLocationAlwaysAndWhenInUseUsageDescription")
      #endif
      guard isDeclared, $0.isForeground, $0.dialog == nil else { return }
      if $0.status == .notDetermined {
        $0.dialog = .always
      } else if $0.status == Self.whileUsing, !$0.hasAskedForAlways, !$0.isOnlyOnce {
        $0.dialog = .change
      } else {
        return
      }
      $0.hasAskedForAlways = true
      $0.dialogCount += 1
    }
  }

  /// The status while using; on a Mac always and while using are one.
  public static var whileUsing: CLAuthorizationStatus {
    #if APPLE_MACOS
      .authorizedAlways
    #else
      .authorizedWhenInUse
    #endif
  }

  /// Answers the dialog on the screen.
  public func answer(_ answer: Answer) {
    let isNews = withState { state in
      let dialog = state.dialog
      state.dialog = nil
      let before = state.status
      switch (dialog, answer) {
      case (nil, _): state.violations.append("an answer without a dialog")
      case (.always?, .whileUsing):
        state.status = .authorizedAlways
        state.isProvisional = true
      case (_, .whileUsing), (_, .once):
        state.status = Self.whileUsing
        state.isOnlyOnce = answer == .once
      case (_, .no): state.status = .denied
      case (_, .changeToAlways):
        state.status = .authorizedAlways
        state.isProvisional = false
      case (_, .keepWhileUsing):
        state.status = Self.whileUsing
        state.isProvisional = false
      }
      return state.status != before
    }
    if isNews { authorizationChanged() }
  }

  /// Asks the second question after a provisional always, as when an event that needs always is due.
  public func askToKeepAlways() {
    withState {
      guard $0.isProvisional else { return }
      $0.dialog = .change
      $0.dialogCount += 1
    }
  }

  /// Sets the status, as a person in the settings or an administrator.
  public func setStatus(_ status: CLAuthorizationStatus) {
    let isNews = withState { state in
      defer { state.status = status }
      return state.status != status
    }
    if isNews { authorizationChanged() }
  }

  /// Sets the accuracy that is allowed.
  public func setAccuracy(_ accuracy: CLAccuracyAuthorization) {
    withState { $0.accuracy = accuracy }
    authorizationChanged()
  }

  /// Switches location services on or off for the whole device.
  ///
  /// - Parameter isInStatus: whether the status reads denied meanwhile, as documented; otherwise only errors show it, as
  ///   some devices do.
  public func setServices(_ areOn: Bool, isInStatus: Bool = true) {
    withState {
      $0.servicesAreOn = areOn
      if !areOn, isInStatus {
        $0.statusBeforeSwitch = $0.status
        $0.status = .denied
      } else if areOn, let before = $0.statusBeforeSwitch {
        $0.status = before
        $0.statusBeforeSwitch = nil
      }
    }
    if isInStatus {
      authorizationChanged()
    } else if !areOn {
      fail(CLError(.denied))
    }
  }

  /// Brings the app to the foreground or the background. A permission for once ends in the background.
  public func setForeground(_ isForeground: Bool) {
    let isOver = withState {
      $0.isForeground = isForeground
      guard !isForeground, $0.isOnlyOnce else { return false }
      $0.isOnlyOnce = false
      $0.status = .notDetermined
      return true
    }
    if isOver { authorizationChanged() }
  }

  /// Leaves later questions for full accuracy open on the screen.
  public func leaveAccuracyOpen() { withState { $0.leavesAccuracyOpen = true } }

  func requestFullAccuracy(
    _ manager: CLLocationManager, _ purpose: String, _ completion: (@Sendable ((any Error)?) -> Void)?
  ) {
    let isShown = change(manager, "requestTemporaryFullAccuracyAuthorization") {
      declares(purpose: purpose) && $0.accuracy == .reducedAccuracy && $0.isForeground && $0.isAllowed
    }
    if isShown, withState({ $0.leavesAccuracyOpen }) { return }
    notify(manager) { _, _ in completion?(isShown ? nil : CLError(.promptDeclined)) }
    if isShown { setAccuracy(.fullAccuracy) }
  }

  private func authorizationChanged() {
    // Before anybody is told: a manager that starts on being told gets the cached location from its start.
    let waiting = withState { state in
      state.managers.values.filter { $0.lastDelivered == nil && state.delivers($0) }.compactMap(\.manager)
    }
    tellAll { $1.locationManagerDidChangeAuthorization($0) }
    for manager in waiting { deliverInitial(manager) }
  }
}
