import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

/// A state machine for Core Location: the running services, their settings, and the signals of their callbacks.
///
/// A value without a framework, a clock or a thread: events with their instants are its input, effects in order its
/// output. The session starts nothing before permission is known, and runs one service of fixes at a time, and
/// significant changes beside it.
struct CoreLocationSession {
  enum Event: Hashable, Sendable {
    /// The behaviour in the background; before the first demand.
    case background(ManagerSettings.Background)
    case demand(Demand)
    /// The app requests a level in context.
    case authorizationRequested(Authorization.Level)
    /// The engine requests a level with the first need.
    case authorizationNeeded(Authorization.Level)
    /// Core Location called back with the permission.
    case authorization(AuthorizationReading)
    /// The permission that ``Effect/readAuthorization`` asked for.
    case authorizationRead(AuthorizationReading)
    /// Core Location refused; with the permission as it reads now.
    case denied(AuthorizationReading)
    case locations([LocationReading])
    case heading(HeadingReading)
    case failed(Failure)
    case paused
    case resumed
    case region(RegionEvent)
    /// The time of ``nextWake`` has passed; only a hint.
    case timerFired
    /// The last listener has ended.
    case ended
  }

  /// An event of Core Location's regions or visits.
  enum RegionEvent: Hashable, Sendable {
    /// The identifiers of all regions of this process, which ``Effect/readRegions`` asked for.
    case read(Set<String>)
    case started(String)
    case crossed(String, WakeRegion.Crossing)
    /// The side of a region: after ``Effect/requestState(_:)``, and with each crossing.
    case state(String, isInside: Bool)
    case failed(String?, RegionFailure)
    /// A visit began or ended. Its place is no fix: it lies back.
    case visited
  }

  enum RegionFailure: Hashable, Sendable {
    /// Not ready yet, or late: Core Location continues by itself.
    case delayed
    case denied
    case tooMany
  }

  enum Failure: Hashable, Sendable {
    case noPosition
    case noNetwork
    /// No heading can be determined for now, as beside iron.
    case noHeading
    /// Of a service that the source does not use: nothing ends.
    case irrelevant
    /// An error that is not Core Location's, or a new one, by domain and code.
    case unknown(String)
  }

  enum Effect: Hashable, Sendable {
    case configure(UpdateSettings)
    case startUpdates
    /// Stops updates, and cancels a single location.
    case stopUpdates
    case requestLocation
    case startSignificantChanges
    case stopSignificantChanges
    /// Starts headings, or changes their filter; `nil` for every heading.
    case startHeadings(filter: Double?)
    case stopHeadings
    case requestAuthorization(Authorization.Level)
    case readAuthorization
    case readRegions
    /// Starts a region; its crossing alone is reported.
    case startRegion(WakeRegion)
    case stopRegion(String)
    case requestState(String)
    case startVisits
    case stopVisits
    /// Asks the system for time in the background, until ``releaseBackground``.
    case holdBackground
    case releaseBackground
    case emit(SourceSignal)
  }

  /// The service that delivers fixes.
  enum Service: Hashable {
    case none
    case updates(UpdateSettings)
    /// Single locations, one after the other, where there are no updates.
    case singles(UpdateSettings)
    case significantChanges
  }

  /// The longest time without a service that leaves no gap, and for which background updates continue without a demand;
  /// also the time after the receiver's last location within which another one is late, not a significant change.
  static let minGap = Duration.seconds(2)

  let platform: CoreLocationPlatform
  let declarations: CoreLocationDeclarations
  let settings: CoreLocationSettings
  private var background = ManagerSettings.Background()
  /// The demand; `nil` before the first one. Fixes that Core Location delivers then, after launching the app, are kept.
  private(set) var demand: Demand?
  var reading: AuthorizationReading?
  /// The permission as it read when Core Location refused; `nil` once it has changed, or where a refusal despite
  /// permission is retried.
  var refusedReading: AuthorizationReading?
  /// The time of the next try after a refusal despite permission.
  var refusalRetry: Instant?
  var refusalPause = firstRefusalPause
  /// The time of the next reading of a switch that nothing calls back about.
  var switchCheck: Instant?
  var reportedAuthorization: Authorization?
  /// The level that was requested last.
  var requestedLevel: Authorization.Level?
  /// Whether ``requestedLevel`` waited for the first reading of the permission.
  var isRequestDeferred = false
  private(set) var service = Service.none
  private var offSince: Instant?
  /// The instant of the last valid location of a running service.
  private var receivedAt: Instant?
  private var isPaused = false
  /// Whether the next fix continues no earlier one.
  var hasGap = true
  private var reportedProblem: SourceProblem?
  private var hasReportedNoSignificantChanges = false
  private var singles = SingleLocationPacing()
  private var deadline: Instant?
  /// The time at which background updates without a demand stop.
  var stopDue: Instant?
  /// Whether the process has other sources. All of them share its regions.
  var hasSiblings = false
  /// Whether any demand had regions.
  var hasHadRegions = false
  var regions = RegionRegistrar()
  var hasAskedForRegions = false
  /// Whether refused regions are started again after the next reading of the regions.
  var retriesRefusedRegions = false
  var hasReportedNoRegions = false
  var reportedCapacity: Int?
  /// Whether an earlier process has left regions, or Core Location called before the first demand.
  var isRelaunched = false
  /// Whether significant changes and visits run as a safety net.
  var isWatchingForWakes = false
  /// Whether significant changes run: for fixes, beside updates or as a safety net.
  var watchesChanges = false
  /// The end of the time in the background; `nil` without a wake.
  var wakeDeadline: Instant?
  /// The region whose crossing was reported last.
  var lastCrossed: String?

  init(
    platform: CoreLocationPlatform, declarations: CoreLocationDeclarations, settings: CoreLocationSettings
  ) {
    self.platform = platform
    self.declarations = declarations
    // Changed settings have not been through the initializer.
    self.settings = CoreLocationSettings(
      highestLevel: settings.highestLevel, firstFixTimeout: settings.firstFixTimeout)
  }

  /// The time at which to send ``Event/timerFired``; `nil` without one.
  var nextWake: Instant? {
    [deadline, stopDue, wakeDeadline, refusalRetry, switchCheck].compactMap { $0 }.min()
  }

  mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    var effects: [Effect] = []
    // The timer of a program that was suspended is late, and another event may come first.
    if let due = stopDue, now >= due { stop(at: due, into: &effects) }
    switch event {
    case .background(let settings): background = settings
    case .demand(let new): process(new, at: now, into: &effects)
    case .authorizationRequested(let level): request(level, into: &effects)
    case .authorizationNeeded(let level): requestIfUndetermined(level, into: &effects)
    case .authorization(let new):
      refusalPause = Self.firstRefusalPause
      process(new, into: &effects)
      // Core Location calls back also when the person opens the app again, which ends a pause.
      updateService(at: now, restarts: isPaused, into: &effects)
      updateWakesAfterCallback(into: &effects)
    case .authorizationRead(let new):
      guard processRead(new, into: &effects) else { break }
      updateService(at: now, into: &effects)
      updateWakes(into: &effects)
    case .denied(let new):
      processDenial(new, at: now, into: &effects)
      updateService(at: now, into: &effects)
      updateWakes(into: &effects)
    case .locations(let readings): process(readings, at: now, into: &effects)
    case .heading(let reading):
      guard demand?.headings != nil, let heading = reading.heading else { break }
      effects.append(.emit(.heading(heading)))
    case .failed(let failure): process(failure, at: now, into: &effects)
    case .paused: handlePause(into: &effects)
    case .resumed: isPaused = false
    case .region(let event): process(event, at: now, into: &effects)
    case .timerFired: handleTimer(at: now, into: &effects)
    case .ended:
      // Stored fences are watched on: the system launches the program for them.
      if var rest = demand {
        rest.fixes = .off
        rest.headings = nil
        process(rest, at: now, into: &effects)
        if stopDue != nil { stop(at: now, into: &effects) }
      }
      endWake(into: &effects)
    }
    updateChangesBesideUpdates(into: &effects)
    scheduleSwitchCheck(at: now)
    return effects
  }

  // MARK: Demand

  private mutating func process(_ new: Demand, at now: Instant, into effects: inout [Effect]) {
    let before = demand
    let intervalBefore = interval
    // A change of the regions alone changes nothing of the receiver.
    let isAgain = new == before
    let isSameReceiver = new.fixes == before?.fixes && new.headings == before?.headings
    demand = new
    updateHeadings(from: before?.headings, isAgain: isAgain, into: &effects)
    if isAgain || new.fixes == .off { reportedProblem = nil }
    if new.fixes == .off { refusalRetry = nil }
    if isAgain || !isSameReceiver {
      let mayHaveChanged = refusedReading != nil || reading?.isSwitchUnnoticed == true
      if mayHaveChanged, new.fixes != .off || new.headings != nil { effects.append(.readAuthorization) }
      if new.fixes != .off { requestAgain(into: &effects) }
    }
    // The next single location may be far off.
    let isSooner = !platform.hasUpdates && interval < intervalBefore
    if new.fixes == .off, mayContinueWithoutDemand {
      deadline = nil
      stopDue = stopDue ?? now.advanced(by: Self.minGap)
    } else {
      let isBack = stopDue != nil
      stopDue = nil
      updateService(at: now, restarts: isAgain || isPaused || isSooner || isBack, into: &effects)
    }
    updateWakes(into: &effects)
    // Last: the system may suspend the program from then on, and the next wake needs the new regions.
    // Significant changes need no time in the background: each of them wakes.
    if case .continuous = new.fixes {} else { endWake(into: &effects) }
  }

  private mutating func updateHeadings(
    from before: Demand.Headings?, isAgain: Bool, into effects: inout [Effect]
  ) {
    guard let headings = demand?.headings else {
      if before != nil, platform.hasHeadings { effects.append(.stopHeadings) }
      return
    }
    guard platform.hasHeadings else {
      if before == nil || isAgain {
        effects.append(.emit(.headingsUnavailable(CoreLocationProblems.noCompass)))
      }
      return
    }
    guard headings != before || isAgain else { return }
    let hasFilter = headings.filter > 0 && headings.filter.isFinite
    effects.append(.startHeadings(filter: hasFilter ? headings.filter : nil))
  }

  // MARK: Services

  /// Whether updates continue for ``minGap`` without a demand. The engine turns a silent source off and on, and one
  /// subscription may follow another. In the background, updates that were stopped may not start again.
  private var mayContinueWithoutDemand: Bool {
    guard case .updates(let settings) = service else { return false }
    // After a wake, the system may suspend the program before the time is over.
    return settings.allowsBackground && !isPaused && wakeDeadline == nil
  }

  /// The service that the demand needs, as far as it is allowed.
  var neededService: Service {
    guard let continuousDemand, refusedReading == nil, reading?.isAllowed == true else { return .none }
    if platform.hasSignificantChanges, demand?.fixes == .significantChanges { return .significantChanges }
    return continuousService(for: continuousDemand)
  }

  private func continuousService(for continuous: Demand.Continuous) -> Service {
    var settings = UpdateSettings(
      continuous, background: background,
      hasBackgroundMode: platform.hasBackgroundMode && declarations.hasBackgroundMode)
    if platform.hasSignificantChanges { settings.preventSuspension() }
    return platform.hasUpdates ? .updates(settings) : .singles(settings)
  }

  /// Starts, stops or changes the service of fixes.
  private mutating func updateService(
    at now: Instant, restarts: Bool = false, into effects: inout [Effect]
  ) {
    let needed = neededService
    if demand?.fixes == .significantChanges, needed != .none {
      reportMissingSignificantChanges(into: &effects)
    }
    switch (service, needed) {
    case (.updates(let old), .updates(let new)) where !restarts,
      (.singles(let old), .singles(let new)) where !restarts:
      if old != new { effects.append(.configure(new)) }
      service = needed
    case (.updates(let old), .updates(let new)) where old.allowsBackground && !isPaused:
      // Updates that are stopped in the background can't be started there with the permission while in use. A start
      // alone restarts updates that the platform has ended, and has no effect on running ones. Running ones deliver no
      // fix to a device at rest within their filter, so the filter follows with the first fix.
      var first = new
      first.distanceFilter = nil
      service = .updates(first)
      startUpdates(first, at: now, into: &effects)
    case _ where service == needed && !restarts: break
    default:
      stop(at: now, into: &effects)
      start(needed, at: now, into: &effects)
    }
  }

  private mutating func stop(at now: Instant, into effects: inout [Effect]) {
    switch service {
    case .none: return
    case .updates, .singles: effects.append(.stopUpdates)
    case .significantChanges:
      if !needsWakes, !needsChangesBesideUpdates {
        effects.append(.stopSignificantChanges)
        watchesChanges = false
      }
    }
    service = .none
    offSince = now
    deadline = nil
    stopDue = nil
    isPaused = false
  }

  private mutating func start(_ new: Service, at now: Instant, into effects: inout [Effect]) {
    guard new != .none else { return }
    // A receiver that was only stopped and started was not off.
    if let offSince, now.since(offSince) > Self.minGap { hasGap = true }
    offSince = nil
    service = new
    switch new {
    case .none: break
    case .updates(let settings): startUpdates(settings, at: now, into: &effects)
    case .singles(let settings):
      effects.append(.configure(settings))
      requestSingle(at: now, into: &effects)
    case .significantChanges:
      if !watchesChanges { effects.append(.startSignificantChanges) }
      watchesChanges = true
    }
  }

  private mutating func startUpdates(
    _ settings: UpdateSettings, at now: Instant, into effects: inout [Effect]
  ) {
    effects += [.configure(settings), .startUpdates]
    deadline = now.advanced(by: self.settings.firstFixTimeout)
  }

  private mutating func requestSingle(at now: Instant, into effects: inout [Effect]) {
    effects.append(.requestLocation)
    deadline = singles.requested(at: now)
  }

  private mutating func reportMissingSignificantChanges(into effects: inout [Effect]) {
    guard !platform.hasSignificantChanges, !hasReportedNoSignificantChanges else { return }
    hasReportedNoSignificantChanges = true
    effects.append(.emit(.unavailable(CoreLocationProblems.noSignificantChanges)))
  }

  // MARK: Callbacks

  private mutating func process(
    _ readings: [LocationReading], at now: Instant, into effects: inout [Effect]
  ) {
    // A result that arrives after the service stopped, or while it has no demand, is discarded.
    guard demand == nil || service != .none && stopDue == nil || needsWakes else { return }
    let hasReceiver = service != .none && service != .significantChanges
    if !hasReceiver, demand == nil ? reading?.status == .always : needsWakes, !isLate(at: now) {
      wake(.significantChange, at: now, into: &effects)
    }
    // A location that was on its way at the pause belongs to the fixes before it. While updates are paused, only
    // significant changes bring later ones: the device moves again.
    let staysPaused = isPaused && isLate(at: now)
    let endsPause = isPaused && !staysPaused
    for reading in readings {
      guard let fix = reading.fix else {
        reportProblem(CoreLocationProblems.noPlace, into: &effects)
        continue
      }
      if reading.horizontalAccuracy >= 0 {
        if !staysPaused {
          if hasGap { effects.append(.emit(.segmentBegan)) }
          hasGap = false
        }
        reportedProblem = nil
        refusalPause = Self.firstRefusalPause
        deadline = nil
        if service != .none, !isPaused { receivedAt = now }
      }
      // The first fix after a start is often a cached one: its time determines its age.
      effects.append(.emit(.fix(fix, age: .sinceFixTime)))
    }
    // A fix shows a working source.
    if staysPaused { reportProblem(CoreLocationProblems.paused, into: &effects) }
    if endsPause { updateService(at: now, restarts: true, into: &effects) }
    // Updates that were started again without a stop have their filter from now on.
    if deadline == nil, stopDue == nil, !isPaused, case .updates = service {
      updateService(at: now, into: &effects)
    }
    if case .singles = service { deadline = singles.answered(at: now, interval: interval) }
  }

  /// Returns whether a location is one of the receiver that was on its way when the receiver was stopped or paused. To
  /// take it for a significant change would turn the receiver on again.
  private func isLate(at now: Instant) -> Bool {
    receivedAt.map { now.since($0) <= Self.minGap } ?? false
  }

  /// The interval of single locations.
  private var interval: Duration { continuousDemand?.interval ?? .zero }

  private mutating func process(_ failure: Failure, at now: Instant, into effects: inout [Effect]) {
    guard failure != .noHeading else { return reportUnusableHeading(into: &effects) }
    guard service != .none, stopDue == nil else { return }
    switch failure {
    case .irrelevant, .noHeading: return
    case .noPosition: reportProblem(CoreLocationProblems.noPosition, into: &effects)
    case .noNetwork: reportProblem(CoreLocationProblems.noNetwork, into: &effects)
    case .unknown(let name): reportProblem(CoreLocationProblems.unknown(name), into: &effects)
    }
    if case .singles = service { deadline = singles.failed(at: now) }
  }

  /// Reports an unusable heading from each north: subscribers may have asked for one of them. Headings go on as soon as
  /// Core Location determines them again.
  private func reportUnusableHeading(into effects: inout [Effect]) {
    guard demand?.headings != nil, platform.hasHeadings else { return }
    for reference in [Heading.Reference.trueNorth, .magneticNorth] {
      guard let heading = Heading(degrees: 0, reference: reference, accuracy: -1) else { continue }
      effects.append(.emit(.heading(heading)))
    }
  }

  /// Handles a pause. Core Location does not resume by itself, so the next demand, a significant change or the opening
  /// of the app stops and starts.
  private mutating func handlePause(into effects: inout [Effect]) {
    guard case .updates = service else { return }
    isPaused = true
    hasGap = true
    reportProblem(CoreLocationProblems.paused, into: &effects)
  }

  private mutating func handleTimer(at now: Instant, into effects: inout [Effect]) {
    if let end = wakeDeadline, now >= end { endWake(into: &effects) }
    if let retry = refusalRetry, now >= retry {
      refusalRetry = nil
      refusedReading = nil
      updateService(at: now, into: &effects)
    }
    if let check = switchCheck, now >= check {
      switchCheck = nil
      effects.append(.readAuthorization)
    }
    guard let due = deadline, now >= due else { return }
    deadline = nil
    switch service {
    case .none, .significantChanges: break
    case .updates: reportProblem(CoreLocationProblems.noPosition, into: &effects)
    case .singles: requestSingle(at: now, into: &effects)
    }
  }

  /// Reports a problem, once until fixes arrive again.
  mutating func reportProblem(_ problem: SourceProblem, into effects: inout [Effect]) {
    guard reportedProblem != problem else { return }
    reportedProblem = problem
    effects.append(.emit(.unavailable(problem)))
  }
}
