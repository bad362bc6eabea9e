public import Foundation

// Standard updates, single locations, significant changes and headings.
extension SimulatedDevice {
  func setAllowsBackground(_ manager: CLLocationManager, _ isAllowed: Bool) {
    change(manager, "allowsBackgroundLocationUpdates") {
      if isAllowed, !declares(mode: "location") {
        $0.violations.append("allowsBackgroundLocationUpdates without the background mode ends the app")
      }
      $0[manager].allowsBackground = isAllowed
    }
  }

  func startUpdates(_ manager: CLLocationManager) {
    let wasUpdating = change(manager, "startUpdatingLocation") { state in
      defer {
        state[manager].isUpdating = true
        state[manager].requestDeadline = nil
      }
      guard !state[manager].isUpdating else { return true }
      state[manager].isPaused = false
      state[manager].startedInUse = state.isForeground || state.status == .authorizedAlways
      return false
    }
    if !wasUpdating { deliverInitial(manager) }
  }

  /// Delivers what a start brings: the cached location, or an error where nothing is allowed.
  func deliverInitial(_ manager: CLLocationManager) {
    let (isRefused, cached) = withState { state -> (Bool, CLLocation?) in
      let isRefused = !state.servicesAreOn || state.status == .denied || state.status == .restricted
      guard state.delivers(state[manager]), let cached = state.location else { return (isRefused, nil) }
      state[manager].lastDelivered = cached
      return (isRefused, cached)
    }
    if isRefused { return notify(manager) { $1.locationManager($0, didFailWithError: CLError(.denied)) } }
    if let cached { notify(manager) { $1.locationManager($0, didUpdateLocations: [cached]) } }
  }

  func stopUpdates(_ manager: CLLocationManager) {
    change(manager, "stopUpdatingLocation") {
      $0[manager].isUpdating = false
      $0[manager].requestDeadline = nil
      $0[manager].lastDelivered = nil
    }
  }

  func requestLocation(_ manager: CLLocationManager) {
    let isRefused = change(manager, "requestLocation") { state in
      if manager.delegate == nil { state.violations.append("requestLocation without a delegate") }
      guard !state[manager].isUpdating else { return false }
      guard state.isAllowed else { return true }
      state[manager].requestDeadline = state.now.addingTimeInterval(10)
      return false
    }
    if isRefused { notify(manager) { $1.locationManager($0, didFailWithError: CLError(.denied)) } }
  }

  func startSignificantChanges(_ manager: CLLocationManager) {
    let initial = change(manager, "startMonitoringSignificantLocationChanges") { state -> CLLocation? in
      state[manager].watchesChanges = true
      guard state.isAllowed, let location = state.location else { return nil }
      state[manager].lastChange = location
      state[manager].lastChangeAt = state.now
      return location
    }
    if let initial { notify(manager) { $1.locationManager($0, didUpdateLocations: [initial]) } }
  }

  func startHeading(_ manager: CLLocationManager) {
    change(manager, "startUpdatingHeading") {
      $0[manager].updatesHeading = hasCompass
      $0[manager].lastHeading = nil
    }
    deliverHeading()
  }

  // MARK: The script

  /// Lets time pass. Single locations that nothing answered end, and crossings come due.
  public func advance(by seconds: TimeInterval) {
    let (late, place) = withState { state -> ([CLLocationManager], CLLocation?) in
      state.now.addTimeInterval(seconds)
      var late: [CLLocationManager] = []
      for (number, manager) in state.managers {
        guard let deadline = manager.requestDeadline, deadline <= state.now else { continue }
        state.managers[number]?.requestDeadline = nil
        manager.manager.map { late.append($0) }
      }
      return (late, state.location)
    }
    for manager in late {
      if let place {
        notify(manager) { $1.locationManager($0, didUpdateLocations: [place]) }
      } else {
        notify(manager) { $1.locationManager($0, didFailWithError: CLError(.locationUnknown)) }
      }
    }
    tellCrossings()
  }

  /// The virtual time.
  public var now: Date { withState { $0.now } }

  /// Moves the device. Each service delivers the location by its own rules.
  public func move(to location: CLLocation) {
    let receivers = withState { state in
      state.location = location
      var receivers: [CLLocationManager] = []
      for (number, manager) in state.managers {
        guard let receiver = manager.manager else { continue }
        let isStandard = state.delivers(manager) && Self.passes(location, manager)
        let isSingle = manager.requestDeadline != nil && state.isAllowed
        let isChange = state.isAllowed && isSignificant(location, manager, at: state.now)
        if isStandard { state.managers[number]?.lastDelivered = location }
        if isSingle { state.managers[number]?.requestDeadline = nil }
        if isChange {
          state.managers[number]?.lastChange = location
          state.managers[number]?.lastChangeAt = state.now
        }
        if isStandard || isSingle || isChange { receivers.append(receiver) }
      }
      return receivers
    }
    for manager in receivers { notify(manager) { $1.locationManager($0, didUpdateLocations: [location]) } }
    tellSignificantChangeAfterEnd(location)
    tellCrossings()
  }

  private static func passes(_ location: CLLocation, _ manager: DeviceState.Manager) -> Bool {
    guard manager.distanceFilter > 0, let last = manager.lastDelivered else { return true }
    return location.distance(from: last) >= manager.distanceFilter
      || location.horizontalAccuracy < last.horizontalAccuracy
  }

  private func isSignificant(_ location: CLLocation, _ manager: DeviceState.Manager, at now: Date) -> Bool {
    guard manager.watchesChanges else { return false }
    guard let last = manager.lastChange else { return true }
    return location.distance(from: last) >= 500 && now.timeIntervalSince(manager.lastChangeAt) >= 300
  }

  /// Delivers locations as they are to each manager that updates: a batch, cached ones, invalid ones.
  public func deliver(_ locations: [CLLocation]) {
    let receivers = withState { state in
      state.managers.values.filter { state.delivers($0) }.compactMap(\.manager)
    }
    for manager in receivers { notify(manager) { $1.locationManager($0, didUpdateLocations: locations) } }
  }

  /// Reports an error to each manager.
  public func fail(_ error: any Error & Sendable) {
    tellAll { $1.locationManager($0, didFailWithError: error) }
  }

  /// Turns the device.
  public func turn(magnetic: Double, north: Double = -1, accuracy: Double = 5) {
    withState {
      $0.heading = DeviceState.HeadingValues(
        magnetic: magnetic, north: north, accuracy: accuracy, timestamp: $0.now)
    }
    deliverHeading()
  }

  private func deliverHeading() {
    #if APPLE_IOS || APPLE_MACOS || APPLE_WATCHOS
      let (heading, receivers) = withState { state -> (CLHeading?, [CLLocationManager]) in
        guard let heading = state.heading else { return (nil, []) }
        let due = state.managers.filter {
          $0.value.updatesHeading
            && abs(heading.magnetic - ($0.value.lastHeading ?? .infinity)) >= $0.value.headingFilter
        }
        for number in due.keys { state.managers[number]?.lastHeading = heading.magnetic }
        return (heading.value, due.values.compactMap(\.manager))
      }
      guard let heading else { return }
      for manager in receivers { notify(manager) { $1.locationManager($0, didUpdateHeading: heading) } }
    #endif
  }

  /// Pauses the updates, as the platform does by itself; returns whether it may.
  @discardableResult
  public func pause(despiteSettings isForced: Bool = false) -> Bool {
    #if APPLE_IOS || APPLE_MACOS || APPLE_VISIONOS
      let paused = withState { state in
        var paused: [CLLocationManager] = []
        for (number, manager) in state.managers where manager.isUpdating && (manager.pauses || isForced) {
          state.managers[number]?.isPaused = true
          manager.manager.map { paused.append($0) }
        }
        return paused
      }
      for manager in paused { notify(manager) { $1.locationManagerDidPauseLocationUpdates($0) } }
      return !paused.isEmpty
    #else
      return false
    #endif
  }

  /// Ends a pause, as when the app is opened.
  public func endPause() {
    #if APPLE_IOS || APPLE_MACOS || APPLE_VISIONOS
      let resumed = withState { state in
        var resumed: [CLLocationManager] = []
        for (number, manager) in state.managers where manager.isPaused {
          state.managers[number]?.isPaused = false
          manager.manager.map { resumed.append($0) }
        }
        return resumed
      }
      for manager in resumed { notify(manager) { $1.locationManagerDidResumeLocationUpdates($0) } }
    #endif
  }
}
