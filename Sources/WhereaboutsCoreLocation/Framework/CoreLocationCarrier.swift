#if CORE_LOCATION
  import CoreLocation
  import Foundation
  import Whereabouts
  import WhereaboutsModel

  /// Carries a session's effects out with a location manager, and forwards the manager's callbacks to the session. It
  /// makes no decisions, and is confined to one thread.
  final class CoreLocationCarrier: NSObject {
    typealias Home = RunLoopThread<CoreLocationCarrier>

    /// The number of carriers in this process.
    private static let carriers = LiveCount()

    private let manager: CLLocationManager
    private var session: CoreLocationSession
    private let signals: AsyncStream<SourceSignal>.Continuation
    private let clock: SessionClock
    private weak var home: Home?
    #if APPLE_IOS || APPLE_MACOS
      /// The regions that were read or started, by identifier.
      private var regions: [String: CLRegion] = [:]
    #endif
    private var background: BackgroundActivity?
    /// The questions for full accuracy that Core Location has not answered yet.
    private var accuracyQuestions: [AccuracyQuestion] = []
    private var timer: Task<Void, Never>?
    private var timerDeadline: Instant?

    init(
      session: CoreLocationSession, manager: CLLocationManager, clock: SessionClock, home: Home,
      signals: AsyncStream<SourceSignal>.Continuation
    ) {
      self.session = session
      self.manager = manager
      self.clock = clock
      self.home = home
      self.signals = signals
      super.init()
      Self.carriers.add(1)
      // At once: callbacks that find no delegate are lost.
      manager.delegate = self
    }

    deinit {
      timer?.cancel()
      // The framework may keep the manager for a while.
      manager.delegate = nil
      // Core Location answers no question of a manager that is gone.
      for question in accuracyQuestions { question.end(with: CancellationError()) }
      Self.carriers.add(-1)
    }

    func handle(_ event: CoreLocationSession.Event) {
      if case .timerFired = event { timerDeadline = nil }
      session.hasSiblings = Self.carriers.value > 1
      for effect in session.handle(event, at: clock.now()) { carryOut(effect) }
      setTimer()
    }

    private func setTimer() {
      guard timerDeadline != session.nextWake else { return }
      timer?.cancel()
      timerDeadline = session.nextWake
      guard let timerDeadline else { return }
      timer = Task { [clock, home] in
        guard (try? await clock.sleep(timerDeadline)) != nil else { return }
        home?.perform { $0.handle(.timerFired) }
      }
    }

    // MARK: Effects

    private func carryOut(_ effect: CoreLocationSession.Effect) {
      switch effect {
      case .configure(let settings): configure(settings)
      case .startUpdates:
        #if !APPLE_TVOS
          manager.startUpdatingLocation()
        #endif
      case .stopUpdates: manager.stopUpdatingLocation()
      case .requestLocation: manager.requestLocation()
      case .startSignificantChanges:
        #if APPLE_IOS || APPLE_MACOS
          manager.startMonitoringSignificantLocationChanges()
        #endif
      case .stopSignificantChanges:
        #if APPLE_IOS || APPLE_MACOS
          manager.stopMonitoringSignificantLocationChanges()
        #endif
      case .startHeadings(let filter): startHeadings(filter)
      case .stopHeadings:
        #if APPLE_IOS || APPLE_WATCHOS
          manager.stopUpdatingHeading()
        #endif
      case .requestAuthorization(let level): requestAuthorization(level)
      case .readAuthorization: handle(.authorizationRead(authorization()))
      case .readRegions, .startRegion, .stopRegion, .requestState, .startVisits, .stopVisits:
        carryOutWatching(effect)
      case .holdBackground: background = BackgroundActivity()
      case .releaseBackground:
        background?.end()
        background = nil
      case .emit(let signal): signals.yield(signal)
      }
    }

    private func carryOutWatching(_ effect: CoreLocationSession.Effect) {
      #if APPLE_IOS || APPLE_MACOS
        switch effect {
        case .readRegions:
          let all = manager.monitoredRegions
          for region in all { regions[region.identifier] = region }
          handle(.region(.read(Set(all.map(\.identifier)))))
        case .startRegion(let region): start(region)
        case .stopRegion(let identifier):
          regions.removeValue(forKey: identifier).map { manager.stopMonitoring(for: $0) }
        case .requestState(let identifier): regions[identifier].map { manager.requestState(for: $0) }
        case .startVisits: manager.startMonitoringVisits()
        case .stopVisits: manager.stopMonitoringVisits()
        default: break
        }
      #endif
    }

    #if APPLE_IOS || APPLE_MACOS
      private func start(_ region: WakeRegion) {
        let center = region.circle.center
        let circle = CLCircularRegion(
          center: CLLocationCoordinate2D(latitude: center.latitude, longitude: center.longitude),
          radius: region.circle.radius, identifier: region.identifier)
        circle.notifyOnEntry = region.crossing == .enter
        circle.notifyOnExit = region.crossing == .exit
        regions[region.identifier] = circle
        manager.startMonitoring(for: circle)
      }
    #endif

    private func configure(_ settings: UpdateSettings) {
      manager.desiredAccuracy =
        switch settings.accuracy {
        case .best: kCLLocationAccuracyBest
        case .tenMeters: kCLLocationAccuracyNearestTenMeters
        case .hundredMeters: kCLLocationAccuracyHundredMeters
        case .kilometer: kCLLocationAccuracyKilometer
        case .threeKilometers: kCLLocationAccuracyThreeKilometers
        }
      manager.distanceFilter = settings.distanceFilter ?? kCLDistanceFilterNone
      #if !APPLE_TVOS
        manager.activityType =
          switch settings.activity {
          case .other: .other
          case .automotiveNavigation: .automotiveNavigation
          case .fitness: .fitness
          case .otherNavigation: .otherNavigation
          case .airborne: .airborne
          }
      #endif
      #if APPLE_IOS || APPLE_MACOS || APPLE_VISIONOS
        manager.pausesLocationUpdatesAutomatically = settings.pausesAutomatically
      #endif
      #if APPLE_IOS || APPLE_WATCHOS
        manager.allowsBackgroundLocationUpdates = settings.allowsBackground
      #endif
      #if APPLE_IOS
        manager.showsBackgroundLocationIndicator = settings.showsIndicator
      #endif
    }

    private func startHeadings(_ filter: Double?) {
      #if APPLE_IOS || APPLE_WATCHOS
        manager.headingFilter = filter ?? kCLHeadingFilterNone
        manager.startUpdatingHeading()
      #endif
    }

    private func requestAuthorization(_ level: Authorization.Level) {
      switch level {
      case .whenInUse: manager.requestWhenInUseAuthorization()
      case .always:
        #if APPLE_IOS || APPLE_MACOS || APPLE_WATCHOS
          manager.requestAlwaysAuthorization()
        #endif
      }
    }

    // MARK: Calls that need no decision

    /// Sets the edge of the device that headings count from.
    func setHeadingOrientation(_ orientation: HeadingOrientation) {
      #if APPLE_IOS || APPLE_WATCHOS
        manager.headingOrientation =
          switch orientation {
          case .portrait: .portrait
          case .portraitUpsideDown: .portraitUpsideDown
          case .landscapeLeft: .landscapeLeft
          case .landscapeRight: .landscapeRight
          }
      #endif
    }

    func requestFullAccuracy(purposeKey: String, _ question: AccuracyQuestion) {
      accuracyQuestions.removeAll(where: \.isAnswered)
      accuracyQuestions.append(question)
      manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { question.end(with: $0) }
    }

    // MARK: Permission

    /// Reads the permission. It waits for another process, so it is read on this thread only.
    private func authorization() -> AuthorizationReading {
      var reading = status()
      reading.isReduced = manager.accuracyAuthorization == .reducedAccuracy
      reading.servicesAreOn = CLLocationManager.locationServicesEnabled()
      return reading
    }

    private func status() -> AuthorizationReading {
      switch manager.authorizationStatus {
      case .notDetermined: return .notDetermined
      case .restricted: return .refused(.restricted)
      case .denied: return .refused(.denied)
      case .authorizedAlways: return .allowed(.always)
      #if !APPLE_MACOS
        case .authorizedWhenInUse: return .allowed(.whenInUse)
      #endif
      @unknown default: return .refused(.restricted)
      }
    }
  }

  /// A question for full accuracy, and the caller who waits for its answer. The first answer counts.
  ///
  /// Unchecked: the continuation is used under the lock.
  final class AccuracyQuestion: @unchecked Sendable {
    private let lock = NSLock()
    private var caller: CheckedContinuation<Void, any Error>?

    init(_ caller: CheckedContinuation<Void, any Error>) { self.caller = caller }

    var isAnswered: Bool { lock.withLock { caller == nil } }

    func end(with error: (any Error)?) {
      let waiting = lock.withLock {
        defer { caller = nil }
        return caller
      }
      if let error { waiting?.resume(throwing: error) } else { waiting?.resume() }
    }
  }

  /// A number that any thread may change.
  ///
  /// Unchecked: the number is used under the lock.
  private final class LiveCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    func add(_ change: Int) { lock.withLock { count += change } }
  }

  // MARK: - Callbacks

  extension CoreLocationCarrier: CLLocationManagerDelegate {
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
      handle(.authorization(authorization()))
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
      handle(.locations(locations.map(LocationReading.init)))
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
      handle(event(for: error))
    }

    private func event(for error: any Error) -> CoreLocationSession.Event {
      guard let code = (error as? CLError)?.code else {
        let error = error as NSError
        return .failed(.unknown("\(error.domain) \(error.code)"))
      }
      switch code {
      case .locationUnknown: return .failed(.noPosition)
      case .network: return .failed(.noNetwork)
      case .denied: return .denied(authorization())
      case .headingFailure: return .failed(.noHeading)
      case .regionMonitoringDenied, .regionMonitoringFailure, .regionMonitoringSetupDelayed,
        .regionMonitoringResponseDelayed, .promptDeclined:
        return .failed(.irrelevant)
      default: return .failed(.unknown("\(CLError.errorDomain) \(code.rawValue)"))
      }
    }

    #if APPLE_IOS || APPLE_WATCHOS
      func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        handle(
          .heading(
            HeadingReading(
              magneticHeading: newHeading.magneticHeading, trueHeading: newHeading.trueHeading,
              accuracy: newHeading.headingAccuracy, time: newHeading.timestamp.timeIntervalSince1970)))
      }
    #endif

    #if APPLE_IOS || APPLE_MACOS
      func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        handle(.region(.crossed(region.identifier, .enter)))
      }

      func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        handle(.region(.crossed(region.identifier, .exit)))
      }

      func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
      ) {
        guard state != .unknown else { return }
        handle(.region(.state(region.identifier, isInside: state == .inside)))
      }

      func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        handle(.region(.started(region.identifier)))
      }

      func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
      ) {
        let failure: CoreLocationSession.RegionFailure =
          switch (error as? CLError)?.code {
          case .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed: .delayed
          case .regionMonitoringDenied, .denied: .denied
          default: .tooMany
          }
        handle(.region(.failed(region?.identifier, failure)))
      }

      func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        handle(.region(.visited))
      }
    #endif

    #if APPLE_IOS || APPLE_MACOS || APPLE_VISIONOS
      func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        handle(.paused)
      }

      func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
        handle(.resumed)
      }
    #endif
  }

  extension LocationReading {
    fileprivate init(_ location: CLLocation) {
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        time: location.timestamp.timeIntervalSince1970, horizontalAccuracy: location.horizontalAccuracy,
        verticalAccuracy: location.verticalAccuracy, altitude: location.altitude,
        ellipsoidalAltitude: location.ellipsoidalAltitude, course: location.course,
        courseAccuracy: location.courseAccuracy, speed: location.speed, speedAccuracy: location.speedAccuracy,
        floor: location.floor?.level,
        isSimulated: location.sourceInformation?.isSimulatedBySoftware ?? false)
    }
  }
#endif
