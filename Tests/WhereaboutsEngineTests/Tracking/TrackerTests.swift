import Foundation
import Testing
import WhereaboutsEngine
import WhereaboutsModel

/// Trackers of an engine.
@Suite struct TrackerTests {
  /// A tracker that reports its points.
  static let terms = TrackTerms(reportsPoints: true)

  @Test func subscribingPreparesTheTracker() {
    var engine = Engine()
    let effects = engine.handle(.subscribe(s, .track(Self.terms)), at: t(0))
    #expect(effects.notifications.first == .trackPhase(.prepared, because: .asked(.prepare)))
    #expect(effects.contains(demandEffect(5)))
    for second in 1...20 {
      let effects = engine.handle(
        live(fix(4, at: Double(second), north: Double(second) * 10)), at: t(Double(second)))
      #expect(effects.notifications.allSatisfy { $0.points.isEmpty })
    }
    #expect(engine.trackUpdate(of: s)?.totals == TrackTotals())
    #expect(engine.trackUpdate(of: s)?.signal == .strong)
  }

  @Test func distanceBetweenStopAndStartIsNotCounted() throws {
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .track(Self.terms)), at: t(0))
    _ = engine.handle(.track(s, .start), at: t(0))
    for second in 0...60 {
      _ = engine.handle(live(fix(4, at: Double(second), north: Double(second) * 10)), at: t(Double(second)))
    }
    let stop = engine.handle(.track(s, .stop), at: t(60))
    let first = try #require(stop.notifications.compactMap(\.update).last)
    #expect(first.phase == .stopped && abs(first.totals.distance - 600) < 10)
    #expect(stop.contains(.demand(.off)))
    let start = engine.handle(.track(s, .start), at: t(1000))
    #expect(start.contains(demandEffect(5)))
    for second in 1000...1060 {
      let metres = Double(second) * 10
      _ = engine.handle(live(fix(4, at: Double(second), north: metres)), at: t(Double(second)))
    }
    let last = try #require(
      engine.handle(.track(s, .stop), at: t(1060)).notifications.compactMap(\.update).last)
    #expect(abs(last.totals.distance - 1200) < 20)
  }

  /// A receiver is unplugged for 15 s, with and without a new process meanwhile.
  @Test(arguments: [false, true])
  func interruptionIsAGapOfTheTripThatCountsNothing(isRestarted: Bool) throws {
    var engine = Engine(), gaps: [Trip.Gap] = []
    func send(_ input: Input, at second: Double) {
      _ = engine.handle(input, at: t(second))
      gaps += engine.drainPendingPersistence().gaps
    }
    func drive(_ seconds: ClosedRange<Int>) {
      for second in seconds {
        let made = Double(second)
        send(live(fix(4, at: made, north: made * 15)), at: made)
      }
    }
    func start(at second: Double) {
      send(.subscribe(s, .track(TrackTerms(trip: "way"))), at: second)
      send(.track(s, .start), at: second)
    }
    start(at: 0)
    drive(0...60)
    if isRestarted {
      send(.track(s, .stop), at: 61)
      let stored = try JSONDecoder().decode(EngineSnapshot.self, from: JSONEncoder().encode(engine.snapshot))
      engine = Engine()
      send(.restore(Restoration(trips: stored.trips)), at: 75)
      start(at: 75)
    } else {
      send(.signal(.segmentBegan), at: 61)
    }
    drive(76...136)
    send(.track(s, .stop), at: 137)
    let gap = try #require(gaps.first)
    #expect(gaps.count == 1 && gap.trip == "way" && gap.end == utc(76))
    #expect(gap.gap.duration == 16 && abs(gap.gap.geodesic - 240) < 15, "\(gap)")
    #expect(gap.gap.counted == 0 && gap.gap.uncertainty == 0)
    let totals = try #require(engine.trips.first).totals
    #expect(totals.segments == 2 && totals.gaps == 0 && abs(totals.distance - 1800) < 30)
  }

  /// Places must not be known after fixes were refused, so nothing is measured from one.
  @Test func interruptionByARefusalIsNotMeasured() {
    var engine = Engine(), gaps: [Trip.Gap] = []
    _ = engine.handle(.subscribe(s, .track(TrackTerms(trip: "way"))), at: t(0))
    for (begin, end) in [(0, 60), (100, 160)] {
      _ = engine.handle(.signal(.authorization(Authorization(.always))), at: t(Double(begin)))
      _ = engine.handle(.track(s, .start), at: t(Double(begin)))
      for second in begin...end {
        let made = Double(second)
        _ = engine.handle(live(fix(4, at: made, north: made * 15)), at: t(made))
      }
      _ = engine.handle(.signal(.authorization(Authorization(.denied))), at: t(Double(end)))
      gaps += engine.drainPendingPersistence().gaps
    }
    #expect(gaps.isEmpty)
  }

  // MARK: Start of the track

  @Test func fixFromBeforeTheStartDoesNotCountAfterARestartEither() throws {
    var engine = Engine(), snapshot = EngineSnapshot(), logged: [LoggedFix] = []
    func send(_ input: Input, at second: Double) {
      _ = engine.handle(input, at: t(second))
      let pending = engine.drainPendingPersistence()
      if pending.isSnapshotStale {
        snapshot = engine.snapshot
        logged = []
      } else if let fix = pending.fix {
        logged.append(fix)
      }
    }
    send(.subscribe(s, .track(TrackTerms(trip: "way"))), at: 100)
    send(.track(s, .start), at: 100)
    // The platform had stored a fix a minute ago, 620 m before the first of the track.
    send(cached(fix(4, at: 40, north: 400)), at: 101)
    var killed = Engine()
    _ = killed.handle(.restore(Restoration(trips: snapshot.trips, since: logged)), at: t(102))
    #expect(killed.trips == engine.trips && engine.trips.map(\.began) == [nil])
    for second in 102...260 {
      send(live(fix(4, at: Double(second), north: Double(second) * 10)), at: Double(second))
    }
    var next = Engine()
    _ = next.handle(.restore(Restoration(trips: snapshot.trips, since: logged)), at: t(261))
    let trip = try #require(engine.trips.first)
    #expect(trip.began == utc(102) && trip.totals.distance > 100)
    #expect(next.trips == [trip])
  }

  /// A recording of the last minutes is played fast.
  @Test func oneSnapshotCoversAllFixesFromBeforeTheStart() {
    var engine = Engine(), snapshots = 0
    _ = engine.handle(.subscribe(s, .track(TrackTerms(trip: "way"))), at: t(1000))
    _ = engine.handle(.track(s, .start), at: t(1000))
    _ = engine.drainPendingPersistence()
    for second in 700...1060 {
      let made = Double(second)
      _ = engine.handle(live(fix(4, at: made, north: made * 10)), at: t(1000 + (made - 700) / 60))
      if engine.drainPendingPersistence().isSnapshotStale { snapshots += 1 }
    }
    #expect(snapshots == 1 && engine.trips.map(\.began) == [utc(1000)])
  }

  /// The totals of an open trip are stored apart from the state, which an erasure removes.
  @Test(arguments: [TrackTerms.Method.estimated(OdometerSettings()), .candidates(CandidateSettings())])
  func tripWithoutStateContinuesItsStoredTotals(method: TrackTerms.Method) throws {
    var stored = Trip(id: "way", began: utc(1), settledTo: utc(60), lateFixes: 2)
    stored.totals.distance = 5_000
    stored.totals.uncertainty = 30
    stored.totals.elapsed = 59
    stored.totals.segments = 1
    var engine = Engine()
    _ = engine.handle(.restore(Restoration(trips: [TripSnapshot(resuming: stored)])), at: t(99))
    #expect(engine.trips == [stored])
    _ = engine.handle(.subscribe(s, .track(TrackTerms(method: method, trip: "way"))), at: t(100))
    _ = engine.handle(.track(s, .start), at: t(100))
    for second in 100...300 {
      let metres = 9_000 + Double(second) * 10
      _ = engine.handle(live(fix(4, at: Double(second), north: metres)), at: t(Double(second)))
    }
    _ = engine.handle(.track(s, .stop), at: t(301))
    let trip = try #require(engine.trips.first)
    #expect(engine.trips.count == 1 && trip.began == utc(1) && trip.lateFixes == 2)
    #expect(abs(trip.totals.distance - 7_000) < 120, "\(trip.totals.distance)")
    #expect(trip.totals.uncertainty >= 30 && trip.totals.segments == 2 && trip.totals.gaps == 0)
  }

  /// Drives north at 10 m/s from a start at 100 s, with fixes whose clock differs from the host's.
  private func driven(clockAhead: Double, latency: Double = 0) -> Double? {
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .track(Self.terms)), at: t(100, wallOff: clockAhead))
    _ = engine.handle(.track(s, .start), at: t(100, wallOff: clockAhead))
    for second in 100...200 {
      let made = Double(second)
      let moment = t(made + latency, wallOff: clockAhead)
      _ = engine.handle(live(fix(4, at: made, north: made * 10)), at: moment)
    }
    return engine.handle(.track(s, .stop), at: t(201, wallOff: clockAhead)).notifications.compactMap(\.update)
      .last?
      .totals.distance
  }

  @Test(arguments: [-1e9, -3600, -60, 0, 1.5, 60, 3000, 86_400, 1e9])
  func wrongHostClockLosesLittleDistance(ahead: Double) throws {
    let distance = try #require(driven(clockAhead: ahead))
    #expect(distance > 950 && distance < 1020)
  }

  @Test func delayedSourceCountsFromItsOwnStart() throws {
    let distance = try #require(driven(clockAhead: 0, latency: 0.8))
    #expect(distance > 950 && distance < 1020)
  }

  /// The clock of the fixes is set back by an hour after half of the way.
  @Test(arguments: [TrackTerms.Method.estimated(OdometerSettings()), .candidates(CandidateSettings())])
  func clockThatIsSetBackLosesLittleDistance(method: TrackTerms.Method) throws {
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .track(TrackTerms(method: method))), at: t(4000))
    _ = engine.handle(.track(s, .start), at: t(4000))
    for second in 4000...4200 {
      let made = Double(second) - (second < 4100 ? 0 : 3600)
      let north = Double(second - 4000) * 10
      _ = engine.handle(live(fix(4, at: made, north: north)), at: t(Double(second)))
    }
    let stop = engine.handle(.track(s, .stop), at: t(4201))
    let distance = try #require(stop.notifications.compactMap(\.update).last?.totals.distance)
    #expect(distance > 1900 && distance < 2020, "\(distance)")
  }

  /// A recording that was paused without a demand continues where it was: its clock is behind by the pause.
  @Test func pausedRecordingContinuesCounting() throws {
    var engine = Engine()
    _ = engine.handle(live(fix(4, at: 0)), at: t(0, wallOff: 1e8))
    _ = engine.handle(.subscribe(s, .track(Self.terms)), at: t(60, wallOff: 1e8))
    _ = engine.handle(.track(s, .start), at: t(60, wallOff: 1e8))
    for second in 1...101 {
      let made = Double(second)
      _ = engine.handle(live(fix(4, at: made, north: made * 10)), at: t(60 + made, wallOff: 1e8))
    }
    let stop = engine.handle(.track(s, .stop), at: t(162, wallOff: 1e8))
    let distance = try #require(stop.notifications.compactMap(\.update).last?.totals.distance)
    #expect(distance > 950 && distance < 1020)
  }

  // MARK: Causes

  @Test func trackerDecisionsAreReported() {
    var engine = Engine()
    var log = DecisionLog(settings: engine.settings)
    func decisions(_ input: Input, at seconds: Double) -> [Decision] {
      log.decisions(after: input, at: t(seconds), effects: engine.handle(input, at: t(seconds)))
    }
    let asked = Demand.continuous(Demand.Continuous(accuracy: 5))
    #expect(
      decisions(.subscribe(s, .track(TrackTerms())), at: 0) == [
        .trackPhase(s, .prepared, because: .asked(.prepare)),
        .demandChanged(from: .off, to: asked, because: Decision.DemandCause(came: .subscription(s))),
      ])
    #expect(decisions(live(fix(4, at: 1)), at: 1) == [.signalChanged(s, from: .invalid, to: .strong)])
    #expect(
      decisions(.wake, at: 11) == [
        .signalChanged(s, from: .strong, to: .invalid),
        .sourceRestarted(silentFor: .seconds(10), demand: asked),
      ])
    #expect(
      decisions(.track(s, .stop), at: 12) == [
        .trackPhase(s, .stopped, because: .asked(.stop)),
        .demandChanged(from: asked, to: .off, because: Decision.DemandCause(left: [.subscription(s)])),
      ])
    #expect(
      decisions(.track(s, .start), at: 13) == [
        .trackPhase(s, .counting, because: .asked(.start)),
        .demandChanged(from: .off, to: asked, because: Decision.DemandCause(came: .subscription(s))),
      ])
    let gone = SourceProblem(.unreachable, message: "reach it")
    #expect(
      decisions(.signal(.failed(gone)), at: 14) == [
        .trackPhase(s, .stopped, because: .sourceFailed(gone)),
        .sourceChanged(from: .working, to: .failed(gone)),
        .demandChanged(from: asked, to: .off, because: Decision.DemandCause(left: [.subscription(s)])),
      ])
  }

  /// In the background, the source gets no demand for fixes, and its silence says nothing.
  @Test func sourceIsNotRestartedSoonAfterTheReturnToTheForeground() throws {
    var engine = Engine()
    func isRestarted(at instant: Instant) -> Bool {
      engine.handle(.wake, at: Moment(instant: instant, wall: nil)).contains {
        if case .decided(.sourceRestarted) = $0 { true } else { false }
      }
    }
    _ = engine.handle(.subscribe(s, .track(TrackTerms())), at: t(0))
    _ = engine.handle(.track(s, .start), at: t(0))
    _ = engine.handle(.power(PowerState(isForeground: false, isCharging: false)), at: t(1))
    for _ in 0..<6 { #expect(!isRestarted(at: try #require(engine.nextWake))) }
    let check = try #require(engine.nextWake), back = check.advanced(by: .seconds(-1))
    _ = engine.handle(.power(PowerState(isForeground: true)), at: Moment(instant: back, wall: nil))
    #expect(engine.demand == .continuous(Demand.Continuous(accuracy: 5)))
    #expect(!isRestarted(at: check), "one second after the demand")
    #expect(isRestarted(at: back.advanced(by: .seconds(10))))
  }

  /// A source reports the first pause of its receiver as a silence, and knows its interval then.
  @Test func slowSourceIsNotRestartedBetweenItsFixes() {
    var engine = Engine(), restarts = 0
    _ = engine.handle(.subscribe(s, .track(TrackTerms())), at: t(0))
    _ = engine.handle(.track(s, .start), at: t(0))
    for second in 1...300 {
      let now = Double(second)
      if second % 30 == 1 { _ = engine.handle(live(fix(4, at: now, north: now * 15)), at: t(now)) }
      if second == 6 {
        let problem = SourceProblem(.silent, message: "hear more yet: it has sent once")
        _ = engine.handle(.signal(.unavailable(problem)), at: t(now))
      }
      restarts += engine.handle(.wake, at: t(now)).count {
        if case .decided(.sourceRestarted) = $0 { true } else { false }
      }
    }
    #expect(restarts == 0)
  }

  /// An outage of an hour after the first fix is no interval of the source.
  @Test func sourceIsRestartedSoonAfterALongReportedSilence() {
    var engine = Engine(), restarts = 0
    _ = engine.handle(.subscribe(s, .track(TrackTerms())), at: t(0))
    _ = engine.handle(.track(s, .start), at: t(0))
    _ = engine.handle(live(fix(4, at: 1, north: 15)), at: t(1))
    _ = engine.handle(.signal(.unavailable(SourceProblem(.silent, message: "hear more yet"))), at: t(6))
    for second in 3_601...3_700 {
      let now = Double(second)
      if second <= 3_660 { _ = engine.handle(live(fix(4, at: now, north: now * 15)), at: t(now)) }
      restarts += engine.handle(.wake, at: t(now)).count {
        if case .decided(.sourceRestarted) = $0 { true } else { false }
      }
    }
    #expect(restarts > 0)
  }

  @Test func commandsToNonTrackersAreIgnored() {
    var engine = Engine()
    _ = engine.handle(.subscribe(s, .fixes(FixTerms(level: .block))), at: t(0))
    for command in TrackPhase.Command.allCases {
      #expect(engine.handle(.track(s, command), at: t(1)).isEmpty)
      #expect(engine.handle(.track(u, command), at: t(1)).isEmpty)
    }
  }
}

extension [Effect] {
  /// The events reported to any subscription.
  var notifications: [SubscriptionEvent] {
    compactMap { if case .notify(_, let event) = $0 { event } else { nil } }
  }
}

extension SubscriptionEvent {
  var update: TrackUpdate? { if case .track(let update) = self { update } else { nil } }
  var points: [TrackPoint] { if case .trackPoint(let point) = self { [point] } else { [] } }
}
