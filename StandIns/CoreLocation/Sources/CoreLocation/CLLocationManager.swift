public import Foundation

open class CLLocationManager: NSObject {
  let device: SimulatedDevice
  let loop: CFRunLoop
  let number: Int

  public override init() {
    let device = SimulatedDevice.ofThisThread
    self.device = device
    loop = .current
    number = device.nextNumber()
    super.init()
    device.add(self)
  }

  open weak var delegate: (any CLLocationManagerDelegate)? {
    didSet { if delegate != nil { device.delegateWasSet(self) } }
  }

  open class func locationServicesEnabled() -> Bool { SimulatedDevice.ofThisThread.readsServices() }

  open var authorizationStatus: CLAuthorizationStatus { device.read(self) { $0.status } }
  open var accuracyAuthorization: CLAccuracyAuthorization { device.read(self) { $0.accuracy } }
  open func requestWhenInUseAuthorization() { device.requestWhenInUse(self) }
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    device.requestFullAccuracy(self, purposeKey, completion)
  }

  open var desiredAccuracy: CLLocationAccuracy {
    get { device.read(self) { $0[self].desiredAccuracy } }
    set { device.change(self, "desiredAccuracy") { $0[self].desiredAccuracy = newValue } }
  }
  open var distanceFilter: CLLocationDistance {
    get { device.read(self) { $0[self].distanceFilter } }
    set { device.change(self, "distanceFilter") { $0[self].distanceFilter = newValue } }
  }
  open var location: CLLocation? { device.read(self) { $0.location } }
  #if !APPLE_TVOS
    open func startUpdatingLocation() { device.startUpdates(self) }
  #endif
  open func stopUpdatingLocation() { device.stopUpdates(self) }
  open func requestLocation() { device.requestLocation(self) }

  #if APPLE_IOS || APPLE_MACOS || APPLE_WATCHOS
    open func requestAlwaysAuthorization() { device.requestAlways(self) }
    open var allowsBackgroundLocationUpdates: Bool {
      get { device.read(self) { $0[self].allowsBackground } }
      set { device.setAllowsBackground(self, newValue) }
    }
    open var heading: CLHeading? { device.read(self) { $0.heading?.value } }
    open var headingFilter: CLLocationDegrees {
      get { device.read(self) { $0[self].headingFilter } }
      set { device.change(self, "headingFilter") { $0[self].headingFilter = newValue } }
    }
    open var headingOrientation: CLDeviceOrientation {
      get { CLDeviceOrientation(rawValue: device.read(self) { $0[self].headingOrientation }) ?? .unknown }
      set { device.change(self, "headingOrientation") { $0[self].headingOrientation = newValue.rawValue } }
    }
    open func startUpdatingHeading() { device.startHeading(self) }
  #endif

  // A Mac can start headings, but not stop them.
  #if APPLE_IOS || APPLE_WATCHOS
    open func stopUpdatingHeading() {
      device.change(self, "stopUpdatingHeading") { $0[self].updatesHeading = false }
    }
  #endif

  #if APPLE_IOS || APPLE_MACOS
    open func dismissHeadingCalibrationDisplay() {}
  #endif

  #if !APPLE_TVOS
    open class func headingAvailable() -> Bool { SimulatedDevice.ofThisThread.hasCompass }
    open var activityType: CLActivityType {
      get { CLActivityType(rawValue: device.read(self) { $0[self].activity }) ?? .other }
      set { device.change(self, "activityType") { $0[self].activity = newValue.rawValue } }
    }
  #endif

  #if APPLE_IOS || APPLE_MACOS || APPLE_VISIONOS
    open class func significantLocationChangeMonitoringAvailable() -> Bool {
      SimulatedDevice.ofThisThread.hasSignificantChanges
    }
    open var pausesLocationUpdatesAutomatically: Bool {
      get { device.read(self) { $0[self].pauses } }
      set { device.change(self, "pausesLocationUpdatesAutomatically") { $0[self].pauses = newValue } }
    }
  #endif

  #if APPLE_IOS || APPLE_VISIONOS
    open var showsBackgroundLocationIndicator: Bool {
      get { device.read(self) { $0[self].showsIndicator } }
      set { device.change(self, "showsBackgroundLocationIndicator") { $0[self].showsIndicator = newValue } }
    }
  #endif

  #if APPLE_IOS || APPLE_MACOS
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
      regionClass == CLCircularRegion.self && SimulatedDevice.ofThisThread.hasRegions
    }
    open func startMonitoringSignificantLocationChanges() { device.startSignificantChanges(self) }
    open func stopMonitoringSignificantLocationChanges() {
      device.change(self, "stopMonitoringSignificantLocationChanges") { $0[self].watchesChanges = false }
    }
    open func startMonitoringVisits() {
      device.change(self, "startMonitoringVisits") { $0.watchesVisits = true }
    }
    open func stopMonitoringVisits() {
      device.change(self, "stopMonitoringVisits") { $0.watchesVisits = false }
    }
    open func startMonitoring(for region: CLRegion) { device.startMonitoring(self, region) }
    open func stopMonitoring(for region: CLRegion) { device.stopMonitoring(self, region) }
    open func requestState(for region: CLRegion) { device.requestState(self, region) }
    open var monitoredRegions: Set<CLRegion> { device.read(self) { Set($0.regions.values.map(\.region)) } }
    open var maximumRegionMonitoringDistance: CLLocationDistance {
      device.hasRegions ? device.greatestRegionRadius : -1
    }
  #endif
}
