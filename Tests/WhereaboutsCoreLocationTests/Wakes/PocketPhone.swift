import Foundation
import Whereabouts
import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsCoreLocation

/// The state that outlives a program, as a store keeps it.
struct StoredProgram {
  var registry = FenceRegistry()
  var snapshot: Data?
  var since: [LoggedFix] = []
  var lastFix: Fix?
  var lastEvent: FenceEvent.ID?

  var restoration: Restoration {
    get throws {
      let snapshot = try self.snapshot.map { try JSONDecoder().decode(EngineSnapshot.self, from: $0) }
      return Restoration(
        fences: FenceSnapshot(
          registry, snapshot?.watch ?? FenceWatch(FenceSettings()), wakePlanner: snapshot?.wakePlanner),
        since: since, lastEvent: lastEvent, lastFix: lastFix)
    }
  }
}

/// A phone with a program that only fences need: an engine and a session, wired as the manager and the carrier wire
/// them, and killed at any time.
struct PocketPhone {
  /// The time that the system leaves to a program that it has launched, in seconds.
  static let window = 10.0
  /// The time from a start to the first new fix, in seconds.
  static let warmUp = 3.0

  private struct Program {
    var engine: Engine
    var session: CoreLocationSession
    var launchedAt: Double
    var updatingSince: Double?
    var isHeld = false
    /// The number of new fixes.
    var fixCount = 0
    /// The signals until the engine runs.
    var earlySignals: [SourceSignal]? = []
  }

  var watching: SimulatedWatching
  var store = StoredProgram()
  private var program: Program?
  private var cached: LocationReading?
  /// The last fix delivered to the program.
  private(set) var lastFix: SimulatedWatching.KnownFix?
  private(set) var now = 0.0
  private(set) var place: Coordinate
  private(set) var events: [(event: FenceEvent, reported: Double)] = []
  private(set) var launches = 0
  private(set) var launchesWithFix = 0
  private(set) var receiverSeconds = 0.0
  private(set) var demands: [Demand] = []
  /// The fences that some region covers.
  private(set) var watchedFences: Set<FenceID> = []
  /// The wall clock at time 0.
  let epoch: Double
  var accuracy = 8.0
  /// The permission as read by the program.
  var reading = AuthorizationReading.allowed(.always)

  static let defaultEpoch = 1_795_282_170.0

  init(_ watching: SimulatedWatching, at place: Coordinate, epoch: Double = defaultEpoch) {
    self.watching = watching
    self.place = place
    self.epoch = epoch
  }

  var isRunning: Bool { program != nil }
  var isUpdating: Bool { program?.updatingSince != nil }
  var hasFix: Bool { fixCount > 0 }
  /// The number of new fixes that the running program was given.
  var fixCount: Int { program?.fixCount ?? 0 }
  /// The seconds since the running program was launched.
  var age: Double { now - (program?.launchedAt ?? now) }
  var plan: [WakeRegion] { demands.last?.wakeRegions ?? [] }
  private var instant: Instant { Instant.start.advanced(by: .seconds(now)) }
  private var moment: Moment {
    Moment(instant: instant, wall: UTCTime(secondsSince1970: epoch + now))
  }

  // MARK: The program's life

  /// Launches the program, as by the person or for what the system has to report.
  mutating func launch(for occurrences: [SimulatedWatching.Occurrence] = []) throws {
    launches += 1
    program = Program(
      engine: Engine(settings: EngineSettings(authorization: .needed(asking: nil))),
      session: CoreLocationSession(
        platform: .iOS,
        declarations: CoreLocationDeclarations(hasWhenInUseText: true, hasAlwaysText: true),
        settings: CoreLocationSettings(highestLevel: .always)),
      launchedAt: now)
    send(.background(ManagerSettings.Background()))
    send(.authorization(reading))
    report(occurrences)
    // The store is read in the meantime; earlier signals wait for the engine.
    process(.restore(try store.restoration))
    let early = program?.earlySignals ?? []
    program?.earlySignals = nil
    for signal in early { process(.signal(signal)) }
  }

  mutating func kill() {
    if hasFix { launchesWithFix += 1 }
    program = nil
  }

  mutating func process(_ input: Input) {
    guard var engine = program?.engine else { return }
    let effects = engine.handle(input, at: moment)
    program?.engine = engine
    store(engine.drainPendingPersistence(), of: engine, input)
    program?.engine = engine
    for effect in effects {
      switch effect {
      case .fence(.event(let event)):
        events.append((event, now))
        store.lastEvent = event.id
      case .demand(let demand):
        demands.append(demand)
        let places = engine.fenceSnapshot.wakePlanner?.plan.places ?? []
        watchedFences = Set(places.flatMap(\.members).map(\.fence))
        send(.demand(demand))
      default: break
      }
    }
  }

  private mutating func store(_ pending: PendingPersistence, of engine: Engine, _ input: Input) {
    if case .fences = input { store.registry = engine.fenceRegistry }
    if let fix = pending.fix, fix.use == .used { store.lastFix = fix.fix }
    if pending.isSnapshotStale || store.snapshot == nil {
      store.snapshot = try? JSONEncoder().encode(engine.snapshot)
      store.since = []
    } else if let fix = pending.fix {
      store.since.append(fix)
    }
  }

  // MARK: Time

  /// Moves the device, and lets everything happen that is due.
  ///
  /// - Parameter fix: the fix that a running receiver has at this time, if any.
  mutating func move(to place: Coordinate, at time: Double, fix: LocationReading?) throws {
    now = time
    self.place = place
    let occurrences = watching.advance(to: place, time: time)
    if !occurrences.isEmpty {
      if program == nil { try launch(for: occurrences) } else { report(occurrences) }
    }
    guard program != nil else { return }
    if let due = program?.session.nextWake, due <= instant { send(.timerFired) }
    if let due = program?.engine.nextWake, due <= instant { process(.wake) }
    if let since = program?.updatingSince {
      receiverSeconds += 1
      if let fix, now >= since + Self.warmUp {
        cached = fix
        program?.fixCount += 1
        send(.locations([fix]))
      }
    }
  }

  /// Whether the program has nothing to do any more, or has used up its window.
  var isDone: Bool {
    guard let program else { return false }
    let isIdle = !program.isHeld && program.updatingSince == nil && now > program.launchedAt
    return isIdle || now >= program.launchedAt + Self.window
  }

  private mutating func report(_ occurrences: [SimulatedWatching.Occurrence]) {
    for occurrence in occurrences {
      switch occurrence {
      case .crossed(let identifier, let crossing):
        send(.region(.crossed(identifier, crossing)))
        send(.region(.state(identifier, isInside: crossing == .enter)))
      case .significantChange: send(.locations([coarse]))
      }
    }
  }

  /// The position of a network, as significant changes have.
  private var coarse: LocationReading {
    LocationReading(
      latitude: place.latitude, longitude: place.longitude, time: epoch + now - 5, horizontalAccuracy: 500)
  }

  // MARK: The session's effects

  mutating func send(_ event: CoreLocationSession.Event) {
    let instant = instant
    guard let effects = program?.session.handle(event, at: instant) else { return }
    for effect in effects { carryOut(effect) }
  }

  private mutating func carryOut(_ effect: CoreLocationSession.Effect) {
    switch effect {
    case .startUpdates:
      program?.updatingSince = now
      // A start begins with a cached location.
      if let cached { send(.locations([cached])) }
    case .stopUpdates: program?.updatingSince = nil
    case .startSignificantChanges: watching.startChanges(at: place, time: now)
    case .stopSignificantChanges: watching.watchesChanges = false
    case .readRegions: send(.region(.read(watching.identifiers)))
    case .startRegion(let region):
      let hasRoom = watching.start(region, at: place)
      send(.region(hasRoom ? .started(region.identifier) : .failed(region.identifier, .tooMany)))
    case .stopRegion(let identifier): watching.stop(identifier, lastFix: lastFix, at: now)
    case .requestState(let identifier):
      if let isInside = watching.isInside(identifier) {
        send(.region(.state(identifier, isInside: isInside)))
      }
    case .holdBackground: program?.isHeld = true
    case .releaseBackground: program?.isHeld = false
    case .readAuthorization: send(.authorizationRead(reading))
    case .emit(let signal):
      if case .fix(let fix, _) = signal { note(fix) }
      if program?.earlySignals != nil {
        program?.earlySignals?.append(signal)
      } else {
        process(.signal(signal))
      }
    case .configure, .requestLocation, .startHeadings, .stopHeadings, .requestAuthorization, .startVisits,
      .stopVisits:
      break
    }
  }

  private mutating func note(_ fix: Fix) {
    guard let time = fix.time.map({ $0.secondsSince1970 - epoch }), time > lastFix?.time ?? -.infinity else {
      return
    }
    lastFix = SimulatedWatching.KnownFix(
      place: fix.coordinate, accuracy: fix.horizontalAccuracy ?? .infinity, time: time)
  }

  /// The reason of the running program's fences for their demand.
  var reason: FencePower.Reason? { program?.engine.fencePower?.reason }

  /// The side of a fence that the running program knows.
  func side(of fence: FenceID) -> FenceState.Side? { program?.engine.fenceState(of: fence)?.side }
}
