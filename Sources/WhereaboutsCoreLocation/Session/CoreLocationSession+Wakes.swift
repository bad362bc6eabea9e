import Whereabouts
import WhereaboutsModel

/// The session's regions and the other services that wake a program that is not running.
///
/// A wake only asks the engine for fixes: it is never an event, and never a fix.
extension CoreLocationSession {
  /// The time that the system leaves to a program that it has woken.
  static let wakeWindow = Duration.seconds(8)

  /// Whether Core Location may wake the program at all: that needs the permission for any time.
  private var mayWake: Bool {
    guard platform.hasRegions, let reading else { return false }
    return reading.servicesAreOn && reading.status == .always
  }

  /// Whether regions are watched: reduced accuracy switches them off.
  var mayStartRegions: Bool { mayWake && platform.watchesRegions && reading?.isReduced == false }

  /// Whether significant changes and visits must wake the program, as a safety net beside the regions.
  var needsWakes: Bool {
    guard mayWake, let demand else { return false }
    return demand.keepsWakeRegions ? regions.registered?.isEmpty == false : !demand.wakeRegions.isEmpty
  }

  /// Updates everything that wakes, after a new permission, demand or list of regions.
  mutating func updateWakes(into effects: inout [Effect]) {
    guard platform.hasRegions else { return }
    if mayWake, regions.registered == nil, !hasAskedForRegions {
      hasAskedForRegions = true
      effects.append(.readRegions)
    }
    reportCapacity(into: &effects)
    guard let demand else { return }
    hasHadRegions = hasHadRegions || !demand.wakeRegions.isEmpty
    // The regions that are registered may be those of another source.
    guard hasHadRegions || !hasSiblings else { return }
    if !demand.keepsWakeRegions {
      let changes = regions.update(to: demand.wakeRegions, mayStart: mayStartRegions)
      effects += changes.stops.map { .stopRegion($0) } + changes.starts.map { .startRegion($0) }
    }
    updateSafetyNet(into: &effects)
    if needsWakes, !platform.watchesRegions, !hasReportedNoRegions {
      hasReportedNoRegions = true
      effects.append(.emit(.unavailable(CoreLocationProblems.noRegions)))
    }
  }

  /// Updates everything that wakes, after a callback of the permission.
  ///
  /// Core Location calls back also when the person opens the app again. Other code of the app may have started and
  /// stopped regions since, so they are read again; the reading makes the update.
  mutating func updateWakesAfterCallback(into effects: inout [Effect]) {
    guard mayStartRegions, regions.registered != nil else { return updateWakes(into: &effects) }
    retriesRefusedRegions = true
    effects.append(.readRegions)
  }

  /// Reports the number of regions to plan with. Without room for any region, one is still planned: significant changes
  /// alone wake the program then.
  private mutating func reportCapacity(into effects: inout [Effect]) {
    guard reading != nil, !mayWake || regions.registered != nil else { return }
    let capacity = mayWake ? max(1, mayStartRegions ? regions.room : 1) : 0
    let known = reportedCapacity ?? (demand?.wakeRegions.isEmpty ?? true ? 0 : -1)
    guard capacity != known else { return }
    reportedCapacity = capacity
    effects.append(.emit(.wakeCapacity(capacity, greatestRadius: platform.greatestRegionRadius)))
    if mayStartRegions, regions.room == 0 {
      effects.append(.emit(.unavailable(CoreLocationProblems.noRegionLeft)))
    }
  }

  private mutating func updateSafetyNet(into effects: inout [Effect]) {
    // Regions that an earlier process has left show that it has started these services too.
    guard reading != nil, !mayWake || regions.registered != nil else { return }
    guard needsWakes || demand?.keepsWakeRegions == false else { return }
    let mayRun = isWatchingForWakes || isRelaunched
    isRelaunched = false
    if needsWakes {
      if platform.hasSignificantChanges, !watchesChanges { effects.append(.startSignificantChanges) }
      watchesChanges = platform.hasSignificantChanges
      if !isWatchingForWakes { effects.append(.startVisits) }
    } else if mayRun {
      if service != .significantChanges, !needsChangesBesideUpdates {
        effects.append(.stopSignificantChanges)
        watchesChanges = false
      }
      effects.append(.stopVisits)
    }
    isWatchingForWakes = needsWakes
  }

  /// Whether significant changes are needed beside updates.
  var needsChangesBesideUpdates: Bool {
    guard platform.hasSignificantChanges, case .updates = neededService else { return false }
    return demand?.watchesSignificantChanges == true
  }

  /// Starts or stops significant changes beside updates. Those of the safety net continue, and so do those of updates
  /// that are about to stop: a start would send an old location again.
  mutating func updateChangesBesideUpdates(into effects: inout [Effect]) {
    guard service != .significantChanges, stopDue == nil else { return }
    if needsChangesBesideUpdates {
      if !watchesChanges { effects.append(.startSignificantChanges) }
      watchesChanges = true
    } else if watchesChanges, !needsWakes, !isWatchingForWakes {
      effects.append(.stopSignificantChanges)
      watchesChanges = false
    }
  }

  // MARK: Callbacks

  mutating func process(_ event: RegionEvent, at now: Instant, into effects: inout [Effect]) {
    switch event {
    case .read(let identifiers):
      if regions.read(identifiers) { isRelaunched = true }
      if retriesRefusedRegions { regions.retryRefused() }
      retriesRefusedRegions = false
      updateWakes(into: &effects)
    case .crossed(let identifier, let crossing):
      guard RegionRegistrar.isOwn(identifier) else { return }
      lastCrossed = identifier
      wake(crossing == .enter ? .entered : .left, at: now, into: &effects)
    case .state(let identifier, let isInside):
      // Core Location reports the state with each crossing too.
      guard lastCrossed != identifier,
        let region = demand?.wakeRegions.first(where: { $0.identifier == identifier }),
        isInside == (region.crossing == .enter)
      else { return }
      lastCrossed = identifier
      wake(isInside ? .entered : .left, at: now, into: &effects)
    case .started(let identifier):
      // Core Location reports crossings only: the device may have crossed before the region was watched.
      if RegionRegistrar.isOwn(identifier) { effects.append(.requestState(identifier)) }
    case .failed(let identifier, let failure):
      guard identifier.map(RegionRegistrar.isOwn) ?? true else { return }
      process(failure, of: identifier, into: &effects)
    case .visited: wake(.visit, at: now, into: &effects)
    }
  }

  private mutating func process(
    _ failure: RegionFailure, of identifier: String?, into effects: inout [Effect]
  ) {
    switch failure {
    case .delayed: break
    case .denied:
      regions.recordDenial(of: identifier)
      effects.append(.readAuthorization)
    case .tooMany:
      // The side of a region may be asked for while the region is stopped, and the question then fails.
      guard regions.mayFail(identifier) else { return }
      regions.recordFailure(of: identifier)
      effects.append(.readRegions)
    }
  }

  /// Forwards a wake, and reserves the time that the system allows for it.
  mutating func wake(_ reason: SourceSignal.WakeReason, at now: Instant, into effects: inout [Effect]) {
    if demand == nil { isRelaunched = true }
    // Once the time is over, the system may have taken it back: the timer of a suspended program is late.
    if wakeDeadline.map({ now >= $0 }) ?? true { effects.append(.holdBackground) }
    wakeDeadline = now.advanced(by: Self.wakeWindow)
    effects.append(.emit(.woke(reason)))
  }

  /// Gives the time back, once the engine is done with the wake or the time is over.
  mutating func endWake(into effects: inout [Effect]) {
    guard wakeDeadline != nil else { return }
    wakeDeadline = nil
    lastCrossed = nil
    effects.append(.releaseBackground)
  }
}
