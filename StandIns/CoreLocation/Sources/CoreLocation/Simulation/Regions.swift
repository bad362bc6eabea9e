// Regions: crossings come 20 s after the device is 200 m beyond the line, or inside.
#if APPLE_IOS || APPLE_MACOS
  public import Foundation

  extension SimulatedDevice {
    func startMonitoring(_ manager: CLLocationManager, _ region: CLRegion) {
      let isRefused = change(manager, "startMonitoring") { state in
        let radius = (region as? CLCircularRegion)?.radius ?? 0
        guard hasRegions, radius <= greatestRegionRadius,
          state.regions[region.identifier] != nil || state.regions.count < 20
        else {
          state.refusedRegions.append(region.identifier)
          return true
        }
        if state.removals[region.identifier] == state.now { state.renewedRegions.append(region.identifier) }
        let side = (region as? CLCircularRegion).flatMap { circle in
          state.location.map { circle.contains($0.coordinate) }
        }
        state[manager].hasStartedRegions = true
        state.regions[region.identifier] = DeviceState.MonitoredRegion(
          region: region, isInside: side, extraDelay: state.nextDelay())
        return false
      }
      notify(manager) {
        if isRefused {
          $1.locationManager($0, monitoringDidFailFor: region, withError: CLError(.regionMonitoringFailure))
        } else {
          $1.locationManager($0, didStartMonitoringFor: region)
        }
      }
    }

    func stopMonitoring(_ manager: CLLocationManager, _ region: CLRegion) {
      change(manager, "stopMonitoring") { state in
        // A launched process first removes what the killed one would have removed. Its first fix may then need one of
        // them again.
        if state[manager].hasStartedRegions { state.removals[region.identifier] = state.now }
        guard let removed = state.regions.removeValue(forKey: region.identifier),
          let circle = removed.region as? CLCircularRegion, let since = removed.crossingSince
        else { return }
        // Only a crossing that would be reported can be lost.
        let isInside = removed.isInside != true
        guard removed.isInside != nil, isInside ? circle.notifyOnEntry : circle.notifyOnExit else { return }
        state.pendingRemovals.append(
          PendingRemoval(
            identifier: region.identifier, latitude: circle.center.latitude,
            longitude: circle.center.longitude, radius: circle.radius, isInside: isInside, noticed: since,
            removed: state.now))
      }
    }

    /// Registers a region of other code in the same process.
    public func addForeignRegion(_ identifier: String) {
      withState {
        $0.regions[identifier] = DeviceState.MonitoredRegion(region: CLRegion(identifier: identifier))
      }
    }

    /// Reports an exit from each region that the device is in, as when Wi-Fi is lost; the next crossing is a real one.
    public func loseWiFi() {
      let left = withState { state in
        state.regions.values.filter { $0.isInside == true && $0.region.notifyOnExit }.map(\.region)
      }
      for region in left { tellOrLaunch { $1.locationManager($0, didExitRegion: region) } }
    }

    func requestState(_ manager: CLLocationManager, _ region: CLRegion) {
      let side = change(manager, "requestState") { $0.regions[region.identifier]?.isInside }
      let state: CLRegionState = side.map { $0 ? .inside : .outside } ?? .unknown
      notify(manager) { $1.locationManager($0, didDetermineState: state, for: region) }
    }

    func tellCrossings() {
      for crossing in withState({ Self.crossings(&$0) }) {
        tellOrLaunch {
          if crossing.isInside {
            $1.locationManager($0, didEnterRegion: crossing.region)
          } else {
            $1.locationManager($0, didExitRegion: crossing.region)
          }
          $1.locationManager(
            $0, didDetermineState: crossing.isInside ? .inside : .outside, for: crossing.region)
        }
      }
    }

    private static func crossings(_ state: inout DeviceState) -> [(region: CLRegion, isInside: Bool)] {
      guard let location = state.location, state.accuracy == .fullAccuracy, state.status == .authorizedAlways
      else { return [] }
      var found: [(region: CLRegion, isInside: Bool)] = []
      for (name, monitored) in state.regions {
        guard let circle = monitored.region as? CLCircularRegion else { continue }
        let distance = location.values.distance(to: circle.center)
        let side =
          distance <= circle.radius ? true : distance >= circle.radius + 200 ? false : monitored.isInside
        guard let side, side != monitored.isInside else {
          state.regions[name]?.crossingSince = nil
          continue
        }
        let since = monitored.crossingSince ?? state.now
        state.regions[name]?.crossingSince = since
        guard state.now.timeIntervalSince(since) >= 20 + monitored.extraDelay else { continue }
        state.regions[name]?.isInside = side
        state.regions[name]?.crossingSince = nil
        let delay = state.nextDelay()
        state.regions[name]?.extraDelay = delay
        let isLost = state.lateness == .badDay && state.nextRandom() < 0.02
        guard !isLost else { continue }
        // The first side is no crossing.
        guard monitored.isInside != nil else { continue }
        if side ? circle.notifyOnEntry : circle.notifyOnExit { found.append((circle, side)) }
      }
      return found
    }

    /// Reports a visit to each manager, if anybody watches visits.
    public func visit(_ location: CLLocation, arrival: Date, departure: Date = .distantFuture) {
      guard withState({ $0.watchesVisits }) else { return }
      tellOrLaunch {
        $1.locationManager(
          $0,
          didVisit: CLVisit(
            arrival: arrival, departure: departure, coordinate: location.coordinate,
            accuracy: location.horizontalAccuracy))
      }
    }
  }
#else
  extension SimulatedDevice {
    func tellCrossings() {}
  }
#endif
