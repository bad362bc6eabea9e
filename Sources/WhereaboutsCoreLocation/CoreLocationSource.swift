#if CORE_LOCATION
  import CoreLocation
  import Foundation
  public import Whereabouts
  public import WhereaboutsModel

  /// A source over Core Location, on every platform of Apple's.
  ///
  /// The source makes its location manager when it is created, on a thread of its own; nothing runs on the main
  /// thread. An app that Core Location launches in the background creates the source before the launch is over, and
  /// what arrives before the manager runs is kept.
  ///
  /// The demand sets accuracy, distance filter and activity. The accuracy is the coarsest constant of Core Location
  /// that is enough. iOS suspends an app in the background for a filter or a coarse accuracy. So background updates
  /// without the indicator have no filter, and an accuracy of 100 m or better. Without a demand no service runs;
  /// background updates continue for 2 s. Significant changes use the service of that name; watchOS, tvOS and visionOS
  /// have none, and fixes within a kilometre replace them. On tvOS fixes are single locations, one after the other:
  /// 10 s or the demand's interval apart, and 5 min where they replace significant changes. macOS, visionOS and tvOS have
  /// no headings. Headings count from true north while fixes are demanded and permitted, otherwise from magnetic north.
  ///
  /// Fixes may be older than their arrival, so their time gives their age. Heights are above mean sea level and above
  /// the ellipsoid. Horizontal accuracies state no confidence and count as 68 %.
  ///
  /// An app may have several sources, one for each manager: a source serves no second manager, also after the end of
  /// the first. Only one of the managers may have fences: the app has 20 regions in all, and each manager would end
  /// those of another. Create its source before the others: an only source without fences ends the regions of an
  /// earlier launch.
  ///
  /// The engine requests permission with the first need, up to ``CoreLocationSettings/highestLevel``, if the person
  /// has not answered yet. ``requestAuthorization(_:)`` alone asks whether "while using" becomes always. Info.plist
  /// must say why: see ``setupProblems(for:fullAccuracyPurposes:)``.
  public struct CoreLocationSource: LocationSource {
    private let thread: CoreLocationCarrier.Home
    private let lifetime: Lifetime
    private let signals: AsyncStream<SourceSignal>
    private let declarations: CoreLocationDeclarations
    private let platform: CoreLocationPlatform
    private let settings: CoreLocationSettings

    /// Creates a source and its location manager.
    public init(_ settings: CoreLocationSettings = CoreLocationSettings()) {
      self.init(
        settings, declarations: .ofMainBundle, platform: .current.ofProgram(at: Bundle.main.bundlePath),
        clock: SessionClock(ContinuousClock())
      ) {
        CLLocationManager()
      }
    }

    /// - Parameter makeManager: called once, on the source's own thread.
    init(
      _ settings: CoreLocationSettings, declarations: CoreLocationDeclarations,
      platform: CoreLocationPlatform,
      clock: SessionClock, makeManager: @escaping @Sendable () -> CLLocationManager
    ) {
      let (signals, mail) = AsyncStream.makeStream(of: SourceSignal.self)
      thread = RunLoopThread(name: "Core Location") { home in
        let manager = makeManager()
        let session = CoreLocationSession(
          platform: platform.onThisDevice(manager), declarations: declarations, settings: settings)
        return CoreLocationCarrier(
          session: session, manager: manager, clock: clock, home: home, signals: mail)
      }
      lifetime = Lifetime(thread)
      self.signals = signals
      self.declarations = declarations
      self.platform = platform
      self.settings = settings
    }

    /// The levels that Info.plist gives reasons for, up to ``CoreLocationSettings/highestLevel``.
    public var authorizationNeeds: Authorization.Needs {
      .userConsent(
        requestable: declarations.requestableLevels(upTo: settings.highestLevel, on: platform))
    }

    /// Returns the missing entries of Info.plist, each with its remedy.
    ///
    /// - Parameters:
    ///   - background: the background settings of the manager. Geofences and significant changes need no background
    ///     mode.
    ///   - fullAccuracyPurposes: the purpose keys that the app passes to ``requestFullAccuracy(purposeKey:)``.
    public func setupProblems(
      for background: ManagerSettings.Background = ManagerSettings.Background(),
      fullAccuracyPurposes: [String] = []
    ) -> [SourceProblem] {
      declarations.problems(
        highest: settings.highestLevel, allowsBackgroundUpdates: background.allowsUpdates,
        purposes: fullAccuracyPurposes, on: platform)
    }

    /// Runs until the task is cancelled. A second run fails at once, also after the end of the first.
    public func run(_ link: SourceLink) async {
      guard lifetime.beginRun() else {
        await link.send(.failed(CoreLocationProblems.usedBefore))
        return
      }
      send(.background(link.background))
      await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
          for await level in link.authorizationRequests { send(.authorizationNeeded(level)) }
        }
        tasks.addTask {
          for await signal in signals { await link.send(signal) }
        }
        // The demands alone end with the manager. A relay has no authorization requests, and ends them at once.
        for await demand in link.demands { send(.demand(demand)) }
        tasks.cancelAll()
      }
      send(.ended)
      thread.stop()
    }

    private func send(_ event: CoreLocationSession.Event) {
      thread.perform { $0.handle(event) }
    }

    // MARK: Permission

    /// Requests an authorization level in context, such as always when the person adds a first geofence.
    ///
    /// Core Location shows each question once at most, and only in the foreground. Nothing reports that the person
    /// keeps only "while using": the authorization then stays as it is.
    ///
    /// tvOS and visionOS have no always: the person is asked for "while using" in its place.
    ///
    /// - Parameter level: the level. Info.plist must give the reasons for it.
    public func requestAuthorization(_ level: Authorization.Level) {
      send(.authorizationRequested(level))
    }

    /// Requests the full accuracy for a while, where the person allows the reduced one only.
    ///
    /// Returning means that the question was shown, not that the person agreed: see
    /// ``Whereabouts/LocationManager/authorizations``.
    ///
    /// - Parameter purposeKey: a key of `NSLocationTemporaryUsageDescriptionDictionary` in Info.plist, which
    ///   ``setupProblems(for:fullAccuracyPurposes:)`` looks for.
    /// - Throws: Core Location's `promptDeclined` if the key is missing, the accuracy is full already, or the app is in
    ///   the background; `CancellationError` if the source has ended, or ends before the answer.
    public func requestFullAccuracy(purposeKey: String) async throws {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let question = AccuracyQuestion(continuation)
        let isPassedOn = thread.perform { $0.requestFullAccuracy(purposeKey: purposeKey, question) }
        if !isPassedOn { question.end(with: CancellationError()) }
      }
    }

    // MARK: Headings

    /// Sets the edge of the device that headings count from; the top of the device unless set.
    ///
    /// - Parameter orientation: the orientation of the app's screen.
    public func setHeadingOrientation(_ orientation: HeadingOrientation) {
      thread.perform { $0.setHeadingOrientation(orientation) }
    }
  }

  /// The one run of a source. Ends the thread of a source that never ran.
  ///
  /// Unchecked: the flag is used under the lock.
  private final class Lifetime: @unchecked Sendable {
    private let thread: CoreLocationCarrier.Home
    private let lock = NSLock()
    private var hasRun = false

    init(_ thread: CoreLocationCarrier.Home) { self.thread = thread }

    deinit { thread.stop() }

    /// Returns whether the source runs for the first time.
    func beginRun() -> Bool {
      lock.withLock {
        defer { hasRun = true }
        return !hasRun
      }
    }
  }

  extension CoreLocationDeclarations {
    fileprivate static var ofMainBundle: CoreLocationDeclarations {
      let bundle = Bundle.main
      return CoreLocationDeclarations(
        text: { bundle.object(forInfoDictionaryKey: $0) as? String },
        list: { bundle.object(forInfoDictionaryKey: $0) as? [String] },
        texts: { bundle.object(forInfoDictionaryKey: $0) as? [String: String] })
    }
  }

  extension CoreLocationPlatform {
    static var current: CoreLocationPlatform {
      #if APPLE_IOS
        .iOS
      #elseif APPLE_MACOS
        .macOS
      #elseif APPLE_WATCHOS
        .watchOS
      #elseif APPLE_TVOS
        .tvOS
      #else
        .visionOS
      #endif
    }

    /// The abilities of this very device. Core Location is asked, on the source's own thread.
    fileprivate func onThisDevice(_ manager: CLLocationManager) -> CoreLocationPlatform {
      var platform = self
      #if APPLE_IOS || APPLE_WATCHOS
        platform.hasHeadings = CLLocationManager.headingAvailable()
      #endif
      #if APPLE_IOS || APPLE_MACOS
        platform.hasSignificantChanges = CLLocationManager.significantLocationChangeMonitoringAvailable()
        platform.watchesRegions = CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self)
        let greatest = manager.maximumRegionMonitoringDistance
        // Negative where regions are not watched.
        platform.greatestRegionRadius = greatest > 0 ? greatest : nil
      #endif
      return platform
    }
  }
#endif
