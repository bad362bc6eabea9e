import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

@Suite struct AcceptanceGateTests {
  /// The decisions of a gate on a track with rests from a poor receiver; the gate is woken at its requested times.
  private static func acceptedFixes(_ terms: AcceptanceTerms, seed: UInt64) -> [(
    kept: AcceptedFix, at: Instant
  )] {
    var random = SeededGenerator(seed: seed)
    guard let home = Coordinate(latitude: 47, longitude: 179.99) else { return [] }
    var track = TrackBuilder(from: home, at: utc(0))
    for _ in 0..<6 {
      let speed = Double.random(in: 1...33, using: &random)
      track.move(azimuth: .random(in: 0..<360, using: &random), distance: speed * 120, speed: speed)
      track.rest(for: .seconds(.random(in: 10...200, using: &random)))
    }
    var noise = ReceiverNoise.cityPhone
    noise.deviation = 12
    var gate = AcceptanceGate(terms)
    var kept: [(AcceptedFix, Instant)] = []
    for var fix in track.fixes(every: .seconds(3), noise: noise, seed: seed) {
      guard let time = fix.time else { continue }
      fix.horizontalAccuracy = Double.random(in: 4...60, using: &random)
      let now = Instant(time.since(utc(0)))
      if let deadline = gate.deadline, deadline <= now, let due = gate.acceptDue(at: deadline) {
        kept.append((due, deadline))
      }
      if case .accepted(let accepted) = gate.process(TimedFix(fix: fix, validAt: now), at: now) {
        kept.append((accepted, now))
      }
    }
    return kept
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>) func acceptedFixesSatisfyTheTerms(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let terms = AcceptanceTerms(
      requiredAccuracy: .random(in: 5...30, using: &random),
      recencyThreshold: .seconds(Int.random(in: 0...40, using: &random)),
      wait: .seconds(Int.random(in: 0...12, using: &random)),
      maximumTries: .random(in: 1...6, using: &random),
      ignoresPossibleDuplicates: .random(using: &random),
      activity: [.car, .walk][Int.random(in: 0...1, using: &random)])
    let all = Self.acceptedFixes(terms, seed: seed)
    #expect(all.count > 3, "seed \(seed)")
    for (before, after) in zip(all, all.dropFirst()) {
      let one = before.kept.fix, another = after.kept.fix
      let distance = one.coordinate.distance(to: another.coordinate)
      let accuracies = (one.horizontalAccuracy ?? 0) + (another.horizontalAccuracy ?? 0)
      let needed = terms.filter(for: another) + (terms.ignoresPossibleDuplicates ? accuracies : 0)
      #expect(distance >= needed - 0.01, "seed \(seed)")
      if let first = one.time, let second = another.time, before.kept.because == .accurate {
        #expect(second.since(first) >= terms.recencyThreshold, "seed \(seed)")
      }
    }
    for (kept, now) in all {
      let accuracy = kept.fix.horizontalAccuracy ?? .infinity
      switch kept.because {
      case .accurate: #expect(accuracy <= terms.requiredAccuracy && kept.age == .zero, "seed \(seed)")
      case .best(let count, let duration):
        #expect(accuracy > terms.requiredAccuracy && count <= terms.maximumTries, "seed \(seed)")
        #expect(count == terms.maximumTries || duration == terms.wait, "seed \(seed)")
        #expect(kept.age <= terms.wait && now.since(.start) >= duration, "seed \(seed)")
      }
    }
  }

  @Test func invalidTermsBecomeStandardValues() {
    var terms = AcceptanceTerms()
    terms.requiredAccuracy = .nan
    terms.recencyThreshold = .seconds(-60)
    terms.wait = .seconds(-1)
    terms.maximumTries = 0
    terms.distanceFilter = -5
    terms.highwaySpeed = .nan
    #expect(terms.validated == AcceptanceTerms(recencyThreshold: .zero, wait: .zero, maximumTries: 1))
  }

  @Test func accurateFixAtSamePlaceDropsHeldFixes() {
    var gate = AcceptanceGate(AcceptanceTerms(recencyThreshold: .zero))
    func process(_ accuracy: Double, at seconds: Double, north: Double) -> AcceptanceGate.Verdict {
      let now = Instant(.seconds(seconds))
      return gate.process(TimedFix(fix: fix(accuracy, at: seconds, north: north), validAt: now), at: now)
    }
    _ = process(5, at: 0, north: 0)
    #expect(process(20, at: 60, north: 100) == .notAccepted(.held(1)))
    guard case .notAccepted(.possibleDuplicate) = process(5, at: 61, north: 3) else {
      Issue.record("a fix was accepted twice")
      return
    }
    #expect(gate.deadline == nil && gate.acceptDue(at: Instant(.seconds(100))) == nil)
  }
}
