import Testing
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsEngine

struct DistanceFilterDetectorTests {
  private static func isFound(_ fixes: [Fix]) -> Bool {
    var detector = DistanceFilterDetector(), pace = FixIntervalEstimator(gap: 30)
    for (before, fix) in zip(fixes, fixes.dropFirst()) {
      guard let one = before.time, let other = fix.time else { continue }
      let interval = other.seconds(since: one)
      detector.process(
        step: before.coordinate.distance(to: fix.coordinate), interval: interval,
        usualInterval: pace.usual)
      pace.record(interval)
    }
    return detector.isByDistance
  }

  /// Turns and stops, at the speed of a car in town.
  private static func town(_ random: inout SeededGenerator) -> TrackBuilder {
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    for leg in 0..<30 {
      track.move(
        azimuth: leg.isMultiple(of: 2) ? 40 : 130, distance: 300, speed: .random(in: 5...14, using: &random))
      track.rest(for: .seconds(Double.random(in: 5...25, using: &random)))
    }
    return track
  }

  @Test(arguments: [20.0, 50, 100], [1, 2, 3] as [UInt64])
  func sourceThatReportsByDistanceIsFound(metres: Double, seed: UInt64) {
    var random = SeededGenerator(seed: seed), reported: [Fix] = []
    for fix in Self.town(&random).fixes(every: .seconds(1), noise: .goodReceiver, seed: seed) {
      if let last = reported.last, last.coordinate.distance(to: fix.coordinate) < metres { continue }
      reported.append(fix)
    }
    #expect(Self.isFound(reported))
  }

  @Test(arguments: [1.0, 5, 30], [1, 2, 3] as [UInt64])
  func sourceThatReportsByTimeIsNot(interval: Double, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let town = Self.town(&random)
    #expect(!Self.isFound(town.fixes(every: .seconds(interval), noise: .cityPhone, seed: seed)))
    // The same with fixes left out at random.
    let some = town.fixes(every: .seconds(interval), noise: .cityPhone, seed: seed).filter { _ in
      Int.random(in: 0..<3, using: &random) == 0
    }
    #expect(!Self.isFound(some))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func restWithFixesAtRandomTimesIsNot(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var track = TrackBuilder(from: KnownTrack.lisbon, at: KnownTrack.noon)
    track.rest(for: .seconds(7200))
    let some = track.fixes(every: .seconds(5), noise: .goodReceiver, seed: seed).filter { _ in
      Int.random(in: 0..<20, using: &random) == 0
    }
    #expect(!Self.isFound(some))
  }
}
