import WhereaboutsEngine
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// Properties of random tracks with every receiver, one for each seed.
struct OdometerPropertyTests {
  private static let receivers: [ReceiverNoise] = {
    var slow = ReceiverNoise.cityPhone
    slow.speedDeviation = nil
    return [.goodReceiver, .cityPhone, slow]
  }()

  private func fixes(_ seed: UInt64) -> [Fix] {
    let noise = Self.receivers[Int(seed % 3)]
    let track = seed.isMultiple(of: 2) ? KnownTrack.walk() : KnownTrack.drive()
    return track.fixes(every: .seconds(seed % 3 == 2 ? 5 : 1), noise: noise, seed: seed)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func arrivalOrderWithinTheLatenessBoundChangesNothing(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fixes = fixes(seed)
    let settings = OdometerSettings(lateness: .seconds(20))
    // Each fix arrives up to 19 s late, and some arrive twice.
    var arrivals: [(at: Double, fix: Fix)] = []
    for fix in fixes {
      let time = fix.time!.secondsSince1970
      arrivals.append((time + .random(in: 0..<19, using: &random), fix))
      if Int.random(in: 0..<10, using: &random) == 0 {
        arrivals.append((time + .random(in: 0..<19, using: &random), fix))
      }
    }
    let shuffled = arrivals.sorted { $0.at < $1.at }.map(\.fix)
    let plain = OdometerRun(fixes, settings: settings), other = OdometerRun(shuffled, settings: settings)
    #expect(other.points == plain.points, "seed \(seed)")
    #expect(other.totals == plain.totals, "seed \(seed)")
    #expect(other.odometer.lateFixes == 0)
    #expect(other.odometer.duplicates == shuffled.count - fixes.count)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func betterOfTwoSimultaneousFixesCounts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fixes = fixes(seed)
    var first: [Fix] = [], second: [Fix] = []
    for fix in fixes {
      var other = fix
      other.coordinate = fix.coordinate.destination(azimuth: 40, distance: 30)!
      other.horizontalAccuracy = .random(in: 1..<60, using: &random)
      first += [fix, other]
      second += [other, fix]
    }
    #expect(OdometerRun(first).points == OdometerRun(second).points, "seed \(seed)")
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func settledDistanceNeverFallsAndEachPointIsEmittedOnce(seed: UInt64) {
    let way = OdometerRun(fixes(seed))
    for (before, after) in zip(way.points, way.points.dropFirst()) {
      #expect(after.distance >= before.distance && after.time > before.time, "seed \(seed)")
    }
    // A first fix that is an outlier has no point.
    #expect((0...1).contains(fixes(seed).count - way.points.count))
  }

  /// Places at the limits of a plane map, and their opposites.
  private static let places = [
    (0.0, 0.0), (0, 180), (0, -179.999), (89.999, 20), (90, 0), (-90, 0), (-89.995, -100), (60, 179.9999),
    (-45, -180),
    (38, 0),
  ].map { Coordinate(latitude: $0.0, longitude: $0.1)! }

  @Test(arguments: places)
  func distanceIsTheSameAnywhereOnEarth(place: Coordinate) {
    for interval in [1.0, 5.0] {
      var noise = ReceiverNoise.cityPhone
      if interval > 1 { noise.speedDeviation = nil }
      let here = KnownTrack.walk().fixes(every: .seconds(interval), noise: noise, seed: 9)
      let there = moved(here, from: KnownTrack.lisbon, to: place)
      let plain = OdometerRun(here), other = OdometerRun(there)
      #expect(abs(other.distance - plain.distance) < 1e-3 * plain.distance, "\(place)")
      #expect(
        abs(other.totals.uncertainty - plain.totals.uncertainty) < 0.02 * plain.totals.uncertainty + 0.1)
    }
  }

  /// Moves fixes around another place, with the same distances and directions.
  private func moved(_ fixes: [Fix], from here: Coordinate, to there: Coordinate) -> [Fix] {
    fixes.map { fix in
      var fix = fix
      let path = Geodesic(from: here, to: fix.coordinate)
      let image = Geodesic(from: there, azimuth: path.initialAzimuth ?? 0, distance: path.distance)!
      // Courses turn with the meridians, which meet at a pole.
      let turn = (image.finalAzimuth ?? 0) - (path.finalAzimuth ?? 0)
      fix.coordinate = image.end
      fix.course = fix.course.map { ($0 + turn + 720).truncatingRemainder(dividingBy: 360) }
      return fix
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func trueLengthIsWithinThreeStandardDeviations(seed: UInt64) {
    let track = seed.isMultiple(of: 2) ? KnownTrack.walk() : KnownTrack.drive()
    let way = OdometerRun(fixes(seed))
    let error = abs(way.distance - track.length)
    #expect(error < 3 * way.totals.uncertainty, "seed \(seed): \(error) of \(track.length)")
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func mirroredTrackHasTheSameDistance(seed: UInt64) {
    let fixes = fixes(seed)
    let mirrored = fixes.map { fix in
      var fix = fix
      fix.coordinate = Coordinate(latitude: -fix.coordinate.latitude, longitude: -fix.coordinate.longitude)!
      fix.course = fix.course.map { ($0 + 180).truncatingRemainder(dividingBy: 360) }
      return fix
    }
    let plain = OdometerRun(fixes).distance
    #expect(abs(OdometerRun(mirrored).distance - plain) < 1e-6 * plain, "seed \(seed)")
  }
}
