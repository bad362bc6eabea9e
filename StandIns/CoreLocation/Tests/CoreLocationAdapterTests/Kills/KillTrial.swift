#if APPLE_IOS
  @_spi(Simulation) import CoreLocation
  import Foundation
  import Whereabouts
  import WhereaboutsTesting

  @testable import CoreLocationAdapter

  /// A day of a device whose app is killed after every wake, or during it, compared with the true places.
  struct KillTrial {
    enum KillTime: CaseIterable, Sendable {
      /// Once the app has nothing to do any more, or the 10 s are over that the system leaves it.
      case afterWake
      /// At any second of the wake, in the middle of what the app does.
      case duringWake
    }

    struct Report {
      var launches = 0
      var launchesWithFix = 0
      /// The enters and exits of stays, and those reported.
      var stays = 0, reportedStays = 0
      var missedStays: [String] = []
      /// The events of a device that was on the other side all the time.
      var falseEvents: [String] = []
      /// The events of a fence that do not follow each other as enter and exit.
      var disorder: [String] = []
      /// The records that came again after their acknowledgement.
      var repetitions: [String] = []
      /// Whether every stored record was reported to the app, and no other.
      var isReportedAsStored = false
      /// The sides that were wrong at the end of a wake with fixes, more than 100 m off the boundary.
      var wrongSides: [String] = []
      var checkedSides = 0
      var greatestRegionCount = 0
      var refusedRegions: [String] = []
      /// The regions that were removed and registered again at once.
      var renewedRegions: [String] = []
      /// The regions that were removed with a pending crossing that no fix had reported.
      var lostCrossings: [String] = []
      /// The sides that the app knew when it was killed, and that no event tells.
      var unreportedSides: [String] = []
      var violations: [String] = []
      var errors: [String] = []
      /// The seconds in which the app did not answer in real time.
      var unanswered = 0
    }

    /// The time that the system leaves to a launched app, and the time to the first new fix, in seconds.
    private static let window = 10.0, warmUp = 3.0

    private let day: TestDay
    private let lateness: SimulatedDevice.Lateness
    private let killTime: KillTime
    private var random: SeededGenerator
    private let app: KillableApp
    private var report = Report()
    /// The second of the running process in which it is killed.
    private var killAge = 0.0
    private var updatingSince: Date?
    private var fixCount = 0
    /// The fixes that the app was given.
    private var givenFixes: [Fix] = []
    /// The sides that the app knew at the end of each wake with a fix.
    private var knownSides: [FenceID: [(isInside: Bool, time: UTCTime)]] = [:]

    static func run(
      _ day: TestDay, _ lateness: SimulatedDevice.Lateness, _ killTime: KillTime, seed: UInt64
    ) async throws -> Report {
      var trial = try KillTrial(day, lateness, killTime, seed: seed)
      return try await trial.run()
    }

    private init(
      _ day: TestDay, _ lateness: SimulatedDevice.Lateness, _ killTime: KillTime, seed: UInt64
    ) throws {
      self.day = day
      self.lateness = lateness
      self.killTime = killTime
      random = SeededGenerator(seed: seed)
      app = try KillableApp()
    }

    private var device: SimulatedDevice { app.device }

    private mutating func run() async throws -> Report {
      device.setLateness(lateness)
      device.move(to: location(of: day.places[0], accuracy: 65))
      app.launch()
      guard let first = app.process else { throw app.errors.first ?? CancellationError() }
      try await first.manager.fences.add(contentsOf: day.fences)
      killAge = 60
      for place in day.places { try await advance(to: place) }
      killAge = 0
      try await kill()
      let stored = try await app.storedRecords()
      // The person opens the app.
      app.launch()
      let last = stored.last { $0.isUpdate }?.number ?? 0
      if await !wait(until: { app.memory.lastNumber >= last }) { report.unanswered += 1 }
      try await kill()
      summarize(try await app.storedRecords())
      return report
    }

    // MARK: Seconds

    private mutating func advance(to place: Coordinate) async throws {
      let before = app.process?.number
      let isFresh = updatingSince.map { device.now.timeIntervalSince($0) >= Self.warmUp } ?? false
      device.advance(by: 1)
      device.move(to: location(of: place, accuracy: isFresh ? 8 : 65))
      guard let process = app.process else { return }
      if process.number != before { await begin(process) }
      await process.clock.advance(by: .seconds(1))
      let age = device.now.timeIntervalSince(process.launched)
      if killTime == .duringWake, process.number > 1, age >= killAge { return try await kill() }
      if isFresh { fixCount += 1 }
      await settle(process)
      let regionCount = device.snapshot.regions.count
      report.greatestRegionCount = max(report.greatestRegionCount, regionCount)
      let isIdle = age >= 2 && device.snapshot.heldActivities == 0 && !device.snapshot.isUpdating
      let isOver = process.number == 1 ? age >= killAge : isIdle || age >= Self.window
      guard isOver else { return }
      if fixCount > 0 { await checkSides(process, at: place) }
      try await kill()
    }

    private mutating func begin(_ process: KillableApp.Process) async {
      report.launches += 1
      killAge = Double(Int.random(in: 0...8, using: &random))
      if await !wait(until: { await process.source.hasWoken }) { report.unanswered += 1 }
    }

    /// Waits until the app has done what the last second brought.
    private mutating func settle(_ process: KillableApp.Process) async {
      let device = device
      if updatingSince != nil {
        let time = UTCTime(secondsSince1970: device.now.timeIntervalSince1970)
        let hasAnswered = await wait {
          if await process.source.fixes.last?.time == time { return true }
          return !device.snapshot.isUpdating
        }
        if !hasAnswered { report.unanswered += 1 }
      }
      // However slow the machine is, the source has done what the manager demands now.
      let hasFollowed = await wait {
        guard let demand = await process.source.demand else { return false }
        let snapshot = device.snapshot
        guard case .continuous = demand.fixes else {
          return !snapshot.isUpdating && snapshot.heldActivities == 0
        }
        return snapshot.isUpdating
      }
      if !hasFollowed { report.unanswered += 1 }
      for _ in 0..<2 {
        await device.settle()
        await process.manager.waitUntilProcessed()
      }
      updatingSince = device.snapshot.isUpdating ? updatingSince ?? device.now : nil
    }

    private mutating func kill() async throws {
      guard let process = app.process else { return }
      if fixCount > 0 { report.launchesWithFix += 1 }
      (updatingSince, fixCount) = (nil, 0)
      try app.kill()
      givenFixes += await process.source.fixes
    }

    /// Waits for another thread. Time does not pass meanwhile; the limit is for an app that never answers, which is waited
    /// for only once.
    private func wait(until condition: () async -> Bool) async -> Bool {
      let clock = ContinuousClock(), limit = clock.now + .seconds(report.unanswered == 0 ? 600 : 1)
      while await !condition() {
        guard clock.now < limit else { return false }
        await Task.yield()
      }
      return true
    }

    /// A fix near a place: 8 m is a receiver's, 65 m a network's.
    private mutating func location(of place: Coordinate, accuracy: Double) -> CLLocation {
      let spread = abs(Double.random(in: -1...1, using: &random) + .random(in: -1...1, using: &random)) * 6
      let seen =
        accuracy < 20
        ? place.destination(azimuth: .random(in: 0..<360, using: &random), distance: spread) ?? place : place
      return CLLocation(
        latitude: seen.latitude, longitude: seen.longitude, at: device.now, horizontalAccuracy: accuracy)
    }

    /// Notes the known sides of the fences near the device, and checks those well off the boundaries.
    private mutating func checkSides(_ process: KillableApp.Process, at place: Coordinate) async {
      let second = Int(device.now.timeIntervalSince(start))
      for fence in day.near {
        let distance = fence.area.signedDistance(to: place).metres
        guard let side = await process.manager.fences.state(of: fence.id)?.side,
          side != .unknown, let time = UTCTime(secondsSince1970: device.now.timeIntervalSince1970)
        else { continue }
        knownSides[fence.id, default: []].append((isInside: side == .inside, time: time))
        guard abs(distance) > 100 else { continue }
        report.checkedSides += 1
        if (side == .inside) != (distance < 0) {
          report.wrongSides.append("\(fence.id) after \(second) s, \(Int(distance)) m, \(fixCount) fixes")
        }
      }
    }

    // MARK: The end

    private mutating func summarize(_ stored: [NumberedFenceRecord]) {
      let snapshot = device.snapshot
      report.refusedRegions = snapshot.refusedRegions
      report.renewedRegions = snapshot.renewedRegions
      report.lostCrossings = snapshot.pendingRemovals.filter { !isKnown($0) }.map { "\($0)" }
      report.violations = snapshot.violations
      report.repetitions = app.memory.repetitions
      report.errors = app.errors.map { "\($0)" }
      let notes = app.memory.notes
      report.isReportedAsStored = notes.map(\.record) == stored.filter(\.isUpdate)
      let events = notes.compactMap { note -> ReportedEvent? in
        guard case .event(let event) = note.record.record else { return nil }
        return ReportedEvent(
          event: event, time: event.time.secondsSince1970 - start.timeIntervalSince1970,
          reported: note.reported.timeIntervalSince(start))
      }
      for entry in events where !isTrue(entry) {
        report.falseEvents.append(
          "\(entry.event.kind) \(entry.event.fence) reported at \(Int(entry.reported)) s")
      }
      for (fence, ofFence) in Dictionary(grouping: events, by: \.event.fence) {
        let kinds = ofFence.map(\.event.kind)
        guard zip(kinds, kinds.dropFirst()).contains(where: ==) else { continue }
        report.disorder.append("\(fence): \(kinds)")
      }
      findUnreportedSides(events.map(\.event))
      let crossings = TrueCrossings(of: day.near, along: day.places)
      for (edge, event) in zip(crossings.edges, crossings.match(events)) where edge.isStay {
        report.stays += 1
        if event == nil { report.missedStays.append("\(edge)") } else { report.reportedStays += 1 }
      }
    }

    /// Compares the sides that the app knew when it was killed with the events that were reported to it in the end.
    private mutating func findUnreportedSides(_ events: [FenceEvent]) {
      for (fence, sides) in knownSides {
        let ofFence = events.filter { $0.fence == fence && $0.kind != .dwell }
        for side in sides {
          // Before the first event the side is the first one.
          let last = ofFence.last { $0.decided <= side.time }.map { $0.kind == .enter }
          if (last ?? sides[0].isInside) != side.isInside {
            report.unreportedSides.append(
              "\(fence) is \(side.isInside ? "inside" : "outside") at \(side.time)")
          }
        }
      }
    }

    /// Whether the app was given a fix of then or later that tells that a removed region's crossing is over.
    private func isKnown(_ removal: SimulatedDevice.PendingRemoval) -> Bool {
      guard let center = Coordinate(latitude: removal.latitude, longitude: removal.longitude) else {
        return false
      }
      let noticed = UTCTime(secondsSince1970: removal.noticed.timeIntervalSince1970)
      let removed = UTCTime(secondsSince1970: removal.removed.timeIntervalSince1970)
      guard let noticed, let removed else { return false }
      return givenFixes.contains { fix in
        guard let time = fix.time, time >= noticed, time <= removed else { return false }
        let distance = center.distance(to: fix.coordinate) - removal.radius
        return (distance <= 0) == removal.isInside && abs(distance) > fix.horizontalAccuracy ?? .infinity
      }
    }

    /// Whether the device was on the event's side of the fence, or within 40 m of it, since the fix before.
    private func isTrue(_ entry: ReportedEvent) -> Bool {
      guard let fence = day.fences.first(where: { $0.id == entry.event.fence }) else { return false }
      let before = entry.event.lastBefore.map { $0.secondsSince1970 - start.timeIntervalSince1970 } ?? 0
      let first = max(0, Int(before) - 1), last = min(day.places.count - 1, Int(entry.reported))
      guard first <= last else { return false }
      return day.places[first...last].contains { place in
        let distance = fence.area.signedDistance(to: place).metres
        return entry.event.kind == .exit ? distance > -40 : distance < 40
      }
    }
  }

  extension NumberedFenceRecord {
    /// Whether the record is reported, and not a decision only.
    fileprivate var isUpdate: Bool { if case .decided = record { false } else { true } }
  }
#endif
