import Foundation

/// Everything that a simulated device knows, and each manager's settings.
struct DeviceState {
  /// A manager's settings, with the defaults that are documented.
  struct Manager {
    weak var manager: CLLocationManager?
    var isTold = false
    /// Whether a region was registered by this manager.
    var hasStartedRegions = false
    #if APPLE_IOS || APPLE_VISIONOS
      var desiredAccuracy = kCLLocationAccuracyBest
    #else
      var desiredAccuracy = kCLLocationAccuracyHundredMeters
    #endif
    var distanceFilter = kCLDistanceFilterNone
    var activity = 1
    var pauses = true
    var allowsBackground = false
    var showsIndicator = false
    var headingFilter = 1.0
    var headingOrientation: Int32 = 1
    var isUpdating = false
    var isPaused = false
    /// Whether the updates were started in the foreground, or with permission for any time.
    var startedInUse = false
    var lastDelivered: CLLocation?
    /// When a single location is given up.
    var requestDeadline: Date?
    var watchesChanges = false
    var lastChange: CLLocation?
    var lastChangeAt = Date.distantPast
    var updatesHeading = false
    var lastHeading: Double?
  }

  struct MonitoredRegion {
    #if !APPLE_VISIONOS
      var region: CLRegion
    #endif
    var isInside: Bool?
    var crossingSince: Date?
    /// The delay of the report of the next crossing beyond the documented one, in seconds.
    var extraDelay = 0.0
  }

  struct HeadingValues {
    var magnetic: Double
    var north: Double
    var accuracy: Double
    var timestamp: Date

    #if APPLE_IOS || APPLE_MACOS || APPLE_WATCHOS
      var value: CLHeading { CLHeading(magnetic: magnetic, true: north, accuracy: accuracy, at: timestamp) }
    #endif
  }

  var now: Date
  var status = CLAuthorizationStatus.notDetermined
  var accuracy = CLAccuracyAuthorization.fullAccuracy
  var servicesAreOn = true
  /// The status to return to when services are switched on again.
  var statusBeforeSwitch: CLAuthorizationStatus?
  var isForeground = true
  var isSuspended = false
  var isOnlyOnce = false
  var isProvisional = false
  var hasAskedForAlways = false
  var dialog: SimulatedDevice.Dialog?
  var dialogCount = 0
  /// Whether questions for full accuracy stay open on the screen.
  var leavesAccuracyOpen = false
  var location: CLLocation?
  var heading: HeadingValues?
  var watchesVisits = false
  var regions: [String: MonitoredRegion] = [:]
  var managers: [Int: Manager] = [:]
  var calls: [String] = []
  var violations: [String] = []
  /// The managers up to this number belong to processes that are over.
  var lastOfEndedProcess = 0
  var isRunning = true
  /// The events that launched the process, for the first manager with a delegate.
  var launchEvents: [(CLLocationManager, any CLLocationManagerDelegate) -> Void] = []
  /// The significant changes that outlive their process.
  var watchesChangesAfterEnd = false
  var lastChangeAfterEnd: (location: CLLocation, time: Date)?
  var lateness = SimulatedDevice.Lateness.documented
  var noise: UInt64 = 0x9E37_79B9_7F4A_7C15
  /// The times in the background that are held.
  var heldActivities = 0
  /// The regions that were removed while their crossing was noticed and not reported.
  var pendingRemovals: [SimulatedDevice.PendingRemoval] = []
  /// The regions that were refused because there were 20.
  var refusedRegions: [String] = []
  /// When each region was removed last, by a manager that had registered some.
  var removals: [String: Date] = [:]
  /// The regions that were registered again at once after their removal, which loses what was noticed of them.
  var renewedRegions: [String] = []

  /// A number in 0..<1 that is the same in each run.
  mutating func nextRandom() -> Double {
    noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(noise >> 11) / Double(UInt64(1) << 53)
  }

  mutating func nextDelay() -> Double { lateness == .badDay ? nextRandom() * 300 : 0 }

  subscript(manager: CLLocationManager) -> Manager {
    get { managers[manager.number] ?? Manager() }
    set { managers[manager.number] = newValue }
  }

  var isAllowed: Bool {
    guard servicesAreOn else { return false }
    #if APPLE_MACOS
      return status == .authorizedAlways
    #else
      return status == .authorizedAlways || status == .authorizedWhenInUse
    #endif
  }

  /// Whether updates of this manager are delivered now.
  func delivers(_ manager: Manager) -> Bool {
    guard isAllowed, manager.isUpdating, !manager.isPaused else { return false }
    guard !isForeground else { return true }
    return status == .authorizedAlways || manager.allowsBackground && manager.startedInUse
  }
}
