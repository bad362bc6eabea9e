import FoundationEssentials
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting
@testable import WhereaboutsEngine

/// Properties of random tracks past random fences with every receiver, one for each seed.
struct FenceWatchPropertyTests {
  /// A device that wanders in a square kilometre, stays at edges and is silent for a while, with fences there.
  struct RandomFenceScenario {
    let seed: UInt64
    /// Whether fences report events only in hours that begin and end during the track.
    let hasHours: Bool
    var random: SeededGenerator
    let center: Coordinate
    private(set) var fixes: [Fix] = []
    private(set) var fences: [Fence] = []

    /// Places at the limits of plane maps, among others.
    private static let centers = [
      (48.2, 16.37), (0, 180), (-16.8, 179.999), (89.998, 10), (-90, 0), (0, 0), (71, -179.9995),
    ].map { Coordinate(latitude: $0.0, longitude: $0.1)! }

    init(seed: UInt64, fences count: Int = 25, legs: Int = 18, hasHours: Bool = false) {
      self.seed = seed
      self.hasHours = hasHours
      random = SeededGenerator(seed: seed)
      center = Self.centers[Int(seed) % Self.centers.count]
      for number in 0..<count { fences.append(fence(number)) }
      fixes = track(legs: legs)
    }

    mutating func randomPlace(within radius: Double) -> Coordinate {
      center.destination(
        azimuth: .random(in: 0..<360, using: &random),
        distance: radius * Double.random(in: 0..<1, using: &random).squareRoot())!
    }

    mutating func fence(_ number: Int) -> Fence {
      let place = randomPlace(within: 900)
      let terms = FenceTerms(
        enterDwell: .seconds(Int.random(in: 0...4, using: &random) == 0 ? 30 : 0),
        exitDwell: .seconds(Int.random(in: 0...4, using: &random) == 0 ? 20 : 0),
        dwell: Bool.random(using: &random) ? .seconds(40) : nil,
        reportsInitialSide: Bool.random(using: &random), activeHours: hasHours ? Self.hours(number) : nil)
      let radius = Double.random(in: 15..<250, using: &random)
      return Fence(id: FenceID("f\(number)"), area: area(at: place, radius: radius), terms: terms)
    }

    /// Returns two of every four minutes, from the start of the track: Monday, 08:00.
    static func hours(_ number: Int) -> ActiveHours {
      ActiveHours(stride(from: number % 4, to: 60, by: 4).map { .init(start: 8 * 60 + $0, minutes: 2) })
    }

    private mutating func area(at place: Coordinate, radius: Double) -> Area {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let corners = stride(from: 0.0, to: 360, by: 40).map { azimuth in
          place.destination(
            azimuth: azimuth, distance: radius * .random(in: 0.5..<1, using: &random))!
        }
        return (try? Area.Polygon(exterior: corners)).map { .polygon($0) } ?? circle(place, radius)
      case 1:
        let end = place.destination(azimuth: .random(in: 0..<360, using: &random), distance: 300)!
        return (try? Area.Corridor(line: [place, end], width: radius / 2)).map { .corridor($0) }
          ?? circle(place, radius)
      default: return circle(place, radius)
      }
    }

    private func circle(_ place: Coordinate, _ radius: Double) -> Area {
      FenceTestHarness.circle(at: place, radius: radius)
    }

    private mutating func track(legs: Int) -> [Fix] {
      var track = TrackBuilder(from: randomPlace(within: 300), at: FenceTestHarness.start)
      var here = 0.0
      for _ in 0..<legs {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: track.rest(for: .seconds(Int.random(in: 5..<90, using: &random)))
        default:
          here += .random(in: -120..<120, using: &random)
          track.move(
            azimuth: here.truncatingRemainder(dividingBy: 360) + (here < 0 ? 360 : 0),
            distance: .random(in: 20..<300, using: &random), speed: .random(in: 1..<15, using: &random))
        }
      }
      var noise = seed % 2 == 0 ? ReceiverNoise.goodReceiver : .cityPhone
      if seed % 5 == 0 { noise.speedDeviation = nil }
      if seed % 7 == 0 { noise.gaps = [.seconds(100)..<(.seconds(190))] }
      let interval = seed % 3 == 0 ? 5 : 1
      return track.fixes(every: .seconds(interval), noise: noise, seed: seed)
    }
  }

  private func records(
    _ fixes: [Fix], _ fences: [Fence], settings: FenceSettings = FenceSettings(lateness: .zero)
  ) -> [FenceRecord] {
    var walk = FenceTestHarness(fences, settings: settings)
    walk.process(fixes)
    walk.settle()
    return walk.records
  }

  private func events(_ records: [FenceRecord]) -> [FenceEvent] {
    records.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  /// The spatial index omits no relevant fence while fences are added and removed.
  @Test(arguments: PropertyCases.seeds(3, of: 0...24 as ClosedRange<UInt64>))
  func indexedSearchEqualsExhaustiveSearch(block: UInt64) throws {
    for seed in (block * 20 + 1)...(block * 20 + 20) {
      var world = RandomFenceScenario(seed: seed, legs: 5)
      var quick = FenceRegistry(), slow = FenceRegistry(scanningAll: true)
      quick.add(contentsOf: world.fences)
      for fence in world.fences { try slow.add(fence) }
      var one = FenceWatch(FenceSettings(lateness: .zero)), other = one
      var number = world.fences.count
      for fix in world.fixes {
        if Int.random(in: 0..<6, using: &world.random) == 0 {
          let fence = world.fence(number)
          number += 1
          try quick.add(fence)
          try slow.add(fence)
          if let id = quick.ids.sorted().randomElement(using: &world.random) {
            #expect(quick.remove(id) == slow.remove(id))
          }
        }
        var quickNotes: [FenceRecord] = [], slowNotes: [FenceRecord] = []
        one.process(fix, in: quick, into: &quickNotes)
        other.process(fix, in: slow, into: &slowNotes)
        #expect(quickNotes == slowNotes, "seed \(seed)")
      }
      #expect(one == other, "seed \(seed)")
    }
  }

  /// A watch encoded and decoded at any step continues unchanged.
  @Test(arguments: PropertyCases.seeds(3, of: 1...24 as ClosedRange<UInt64>))
  func restoringAfterAKillChangesNoEvents(seed: UInt64) throws {
    var world = RandomFenceScenario(seed: seed)
    let settings = FenceSettings(lateness: seed % 2 == 0 ? .seconds(5) : .zero)
    var calm = FenceTestHarness(world.fences, settings: settings), killed = calm
    for fix in world.fixes {
      if Int.random(in: 0..<5, using: &world.random) == 0 {
        let registry = try JSONEncoder().encode(killed.registry),
          watch = try JSONEncoder().encode(killed.watch)
        killed.registry = try JSONDecoder().decode(FenceRegistry.self, from: registry)
        killed.watch = try JSONDecoder().decode(FenceWatch.self, from: watch)
      }
      calm.process([fix])
      killed.process([fix])
    }
    #expect(killed.records == calm.records, "seed \(seed)")
    #expect(!calm.events.isEmpty, "seed \(seed) has no events")
  }

  /// Late, repeated and shuffled fixes within the lateness bound lead to the same events.
  @Test(arguments: PropertyCases.seeds(3, of: 1...24 as ClosedRange<UInt64>))
  func arrivalOrderWithinTheLatenessBoundChangesNothing(seed: UInt64) {
    var world = RandomFenceScenario(seed: seed)
    var settings = FenceSettings(lateness: .seconds(20), waitsForLate: true)
    let arrivals = shuffled(&world)
    let plain = events(records(world.fixes, world.fences, settings: settings))
    #expect(events(records(arrivals, world.fences, settings: settings)) == plain, "seed \(seed)")
    // With immediate reports, revisions lead to the same final events.
    settings.waitsForLate = false
    let reported = records(arrivals, world.fences, settings: settings)
    var last: [FenceEvent.ID: FenceEvent] = [:]
    for record in reported {
      switch record {
      case .event(let event): last[event.id] = event
      case .revised(let id, let event): last[id] = event
      default: break
      }
    }
    #expect(withoutIDs(Array(last.values)) == withoutIDs(plain), "seed \(seed)")
  }

  /// A watch with checkpoints is at each step equal to one that processes every fix twice, also where events are held
  /// back for the hours of their fences.
  @Test(arguments: PropertyCases.seeds(6, of: 1...60 as ClosedRange<UInt64>), [false, true])
  func checkpointsChangeNoState(seed: UInt64, hasHours: Bool) throws {
    var world = RandomFenceScenario(seed: seed, hasHours: hasHours)
    let settings = [
      FenceSettings(), FenceSettings(lateness: .seconds(20), waitsForLate: true),
      FenceSettings(latePolicy: .revise),
    ][Int(seed % 3)]
    var once = FenceTestHarness(world.fences, settings: settings), twice = once
    var number = world.fences.count, skippedSteps = 0
    for (step, fix) in shuffled(&world, lateOneIn: seed % 2 == 0 ? 3 : 30).enumerated() {
      let change = Int.random(in: 0..<150, using: &world.random), fence = world.fence(number)
      let chosen = once.registry.ids.sorted().randomElement(using: &world.random)
      number += 1
      func apply(to walk: inout FenceTestHarness) {
        walk.process([fix])
        switch change {
        case 0:
          walk.watch.discardCheckpoint(in: walk.registry)
          walk.registry.update(fence)
          walk.watch.evaluateNewFences(fix, in: walk.registry, into: &walk.records)
        case 1:
          walk.watch.discardCheckpoint(in: walk.registry)
          if let chosen { walk.registry.remove(chosen) }
        case 2:
          walk.watch.endSegment(restartsTimeline: step % 2 == 0, in: walk.registry, into: &walk.records)
        case 3...5: if let due = walk.watch.nextDeadline(in: walk.registry) { walk.advanceTime(to: due) }
        case 7 where hasHours:
          guard let chosen, var changed = walk.registry.fence(chosen) else { break }
          walk.watch.discardCheckpoint(in: walk.registry)
          let isAlways = changed.terms.activeHours == nil
          changed.terms.activeHours = isAlways ? RandomFenceScenario.hours(number) : nil
          walk.registry.update(changed)
        default: break
        }
      }
      apply(to: &once)
      apply(to: &twice)
      twice.watch.discardCheckpoint(in: twice.registry)
      if once.watch != twice.watch { skippedSteps += 1 }
      var settled = once.watch
      settled.discardCheckpoint(in: once.registry)
      if change == 6 {
        settled = try JSONDecoder().decode(FenceWatch.self, from: JSONEncoder().encode(settled))
        once.watch = settled
      }
      try #require(settled == twice.watch, "seed \(seed), step \(step)")
      try #require(once.records.count == twice.records.count, "seed \(seed), step \(step)")
    }
    #expect(once.records == twice.records, "seed \(seed)")
    // A track is shorter than the ten minutes of revisions.
    #expect(skippedSteps > 0 || settings.latePolicy == .revise, "seed \(seed)")
  }

  /// Returns the fixes, some of them up to 19 s late, and some of them twice.
  ///
  /// - Parameter count: one of this many fixes is late.
  private func shuffled(_ world: inout RandomFenceScenario, lateOneIn count: Int = 1) -> [Fix] {
    var arrivals: [(at: Double, fix: Fix)] = []
    for fix in world.fixes {
      let time = FenceTestHarness.second(fix.time!)
      let isLate = count == 1 || Int.random(in: 0..<count, using: &world.random) == 0
      arrivals.append((time + (isLate ? .random(in: 0..<19, using: &world.random) : 0), fix))
      if Int.random(in: 0..<10, using: &world.random) == 0 {
        arrivals.append((time + .random(in: 0..<19, using: &world.random), fix))
      }
    }
    return arrivals.sorted { $0.at < $1.at }.map(\.fix)
  }

  private func withoutIDs(_ events: [FenceEvent]) -> [FenceEvent] {
    events.map { event in
      var event = event
      event.id = FenceEvent.ID(0)
      return event
    }.sorted { ($0.decided, $0.fence, $0.time) < ($1.decided, $1.fence, $1.time) }
  }

  /// Later fixes do not change earlier events.
  @Test(arguments: PropertyCases.seeds(4, of: 1...12 as ClosedRange<UInt64>))
  func decisionsDoNotDependOnLaterFixes(seed: UInt64) {
    var world = RandomFenceScenario(seed: seed)
    let whole = events(records(world.fixes, world.fences))
    let end = Int.random(in: 1..<world.fixes.count, using: &world.random)
    let part = events(records(Array(world.fixes.prefix(end)), world.fences))
    #expect(part == whole.filter { $0.decided <= world.fixes[end - 1].time! }, "seed \(seed)")
  }

  /// Enter and exit alternate, times increase, and each decision is consistent with its fixes.
  @Test(arguments: PropertyCases.seeds(8, of: 1...24 as ClosedRange<UInt64>))
  func crossingsAlternateAndTimesAgree(seed: UInt64) {
    let world = RandomFenceScenario(seed: seed)
    let all = events(records(world.fixes, world.fences))
    #expect(all.map(\.id) == all.map(\.id).sorted() && Set(all.map(\.id)).count == all.count)
    for (fence, events) in Dictionary(grouping: all.filter { $0.kind != .dwell }, by: \.fence) {
      for (one, next) in zip(events, events.dropFirst()) {
        #expect(one.kind != next.kind, "seed \(seed), \(fence)")
        #expect(one.time <= next.time, "seed \(seed), \(fence)")
      }
      for event in events {
        #expect(event.time <= event.decided && event.firstAfter <= event.decided, "seed \(seed), \(fence)")
        #expect(event.lastBefore.map { $0 <= event.decided } ?? true)
        #expect((0.5...1).contains(event.confidence) && event.timeUncertainty >= 0)
        #expect(event.decidedBy.time == event.decided)
      }
    }
  }
}
