#if APPLE_IOS
  public import Foundation
#else
  import Foundation
#endif

// The life of the process: it is killed, and launched for what the system watches.
extension SimulatedDevice {
  /// The delay of reports of crossings.
  public enum Lateness: Sendable {
    /// As documented: 20 s after the device is 200 m past the line, or inside.
    case documented
    /// Up to 5 min later, and one in fifty is lost.
    case badDay
  }

  /// Sets how late the crossings of regions are, from the next crossing on.
  public func setLateness(_ lateness: Lateness) {
    withState { state in
      state.lateness = lateness
      for name in state.regions.keys.sorted() {
        let delay = state.nextDelay()
        state.regions[name]?.extraDelay = delay
      }
    }
  }

  /// Sets what launches the process in the background. The app makes its source there, at once.
  public func whenLaunching(_ launch: @escaping @Sendable () -> Void) { setLaunch(launch) }

  /// Kills the process: its managers and everything on its way to them are gone. Regions, visits and significant
  /// changes stay.
  public func kill() {
    withState { state in
      let managers = state.managers.values
      state.watchesChangesAfterEnd = managers.contains(where: \.watchesChanges)
      state.lastChangeAfterEnd = managers.compactMap { manager in
        manager.lastChange.map { ($0, manager.lastChangeAt) }
      }.max { $0.1 < $1.1 }.map { (location: $0.0, time: $0.1) }
      state.managers = [:]
      state.lastOfEndedProcess = lastManagerNumber
      state.isRunning = false
      state.isForeground = false
      state.heldActivities = 0
    }
  }

  /// Delivers what the system watches to each manager; without a process, launches one for it.
  func tellOrLaunch(_ body: @escaping (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
    let (isRunning, mustLaunch) = withState { state -> (Bool, Bool) in
      guard !state.isRunning else { return (true, false) }
      state.launchEvents.append(body)
      return (false, state.launchEvents.count == 1)
    }
    if isRunning { tellAll(body) } else if mustLaunch { launch() }
  }

  /// Delivers the launch's events to the first manager that has a delegate.
  func deliverLaunchEvents(_ manager: CLLocationManager) {
    let events = withState { state in
      defer { state.launchEvents = [] }
      state.isRunning = true
      return state.launchEvents
    }
    for event in events { notify(manager, event) }
  }

  /// Reports a significant change to a process that is not running, if the last one watched them.
  func tellSignificantChangeAfterEnd(_ location: CLLocation) {
    let isDue = withState { state -> Bool in
      guard !state.isRunning, state.watchesChangesAfterEnd, state.isAllowed else { return false }
      if let last = state.lastChangeAfterEnd {
        guard location.distance(from: last.location) >= 500, state.now.timeIntervalSince(last.time) >= 300
        else { return false }
      }
      state.lastChangeAfterEnd = (location, state.now)
      return true
    }
    if isDue { tellOrLaunch { $1.locationManager($0, didUpdateLocations: [location]) } }
  }
}

#if APPLE_IOS
  extension ProcessInfo {
    /// Foundation's own, which Linux lacks: runs the block, and keeps the process alive for as long.
    public func performExpiringActivity(
      withReason reason: String, using block: @escaping @Sendable (_ expired: Bool) -> Void
    ) {
      let device = SimulatedDevice.ofThisThread
      let ended = device.withState { state -> Int in
        state.heldActivities += 1
        return state.lastOfEndedProcess
      }
      Thread.detachNewThread {
        block(false)
        device.withState { state in
          // The activities of a killed process ended with it; the held one is another process's.
          if state.lastOfEndedProcess == ended { state.heldActivities = max(0, state.heldActivities - 1) }
        }
      }
    }
  }
#endif
