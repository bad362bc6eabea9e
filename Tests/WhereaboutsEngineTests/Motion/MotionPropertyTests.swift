import Testing
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

struct MotionPropertyTests {
  /// A receiver at rest for an hour, with a different place and error for each seed.
  @Test(arguments: PropertyCases.seeds(15, of: 1...60 as ClosedRange<UInt64>))
  func receiverAtRestIsNoVehicle(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let noise = ReceiverNoise.indoors(
      deviation: Double.random(in: 3...20, using: &random),
      minutes: Double.random(in: 0.4...3, using: &random),
      speeds: Bool.random(using: &random))
    let fixes = journey(
      [(3600, 0)], every: Bool.random(using: &random) ? 1 : 5, noise: noise, seed: seed)
    let seen = MotionHarness(fixes)
    #expect(
      Set(seen.motions).isDisjoint(with: [.driving, .cycling, .running, .fast]),
      "seed \(seed): \(seen.summary)"
    )
    #expect(seen.changes.count <= 5, "seed \(seed): \(seen.summary)")
    #expect(seen.classifier.motion == .still, "seed \(seed): \(seen.summary)")
  }

  /// The number of reported changes is bounded for any movement: each leg has a start, a classification and an end.
  @Test(arguments: PropertyCases.seeds(15, of: 1...60 as ClosedRange<UInt64>))
  func motionDoesNotFlap(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let legs = (0..<20).map { _ in
      (
        seconds: Double.random(in: 20...200, using: &random),
        speed: ([0, 1.3, 2.1, 3, 4.2, 6, 9, 14, 30] as [Double]).randomElement(using: &random) ?? 0
      )
    }
    let noise: ReceiverNoise = Bool.random(using: &random) ? .cityPhone : .goodReceiver
    let seen = MotionHarness(journey(legs, noise: noise, seed: seed))
    #expect(seen.changes.count <= 3 * legs.count, "seed \(seed): \(seen.summary)")
    var last = Motion.unknown
    for change in seen.changes {
      #expect(change.from == last && change.to != last && change.since <= change.time, "seed \(seed)")
      last = change.to
    }
  }

  /// The place on Earth, the direction and mirroring have no effect.
  @Test(arguments: PropertyCases.seeds(6, of: 1...30 as ClosedRange<UInt64>))
  func motionIsInvariantUnderTranslationRotationAndReflection(seed: UInt64) {
    let points = PlanarJourney(seed: seed)
    func changes(_ place: Coordinate, turned degrees: Double, mirrored: Bool) -> [String] {
      MotionHarness(points.fixes(around: place, turned: degrees, mirrored: mirrored)).changes
        .map { "\($0.time.seconds(since: utc(0))) \($0.to.rawValue)" }
    }
    let usual = changes(home, turned: 0, mirrored: false)
    for (latitude, longitude) in [
      (0.0, 0.0), (-33.9, 151.2), (0, 180), (67, -179.9999), (89.95, 10), (-90, 0),
    ] {
      for mirrored in [false, true] {
        let moved = changes(place(latitude, longitude), turned: Double(seed * 37), mirrored: mirrored)
        #expect(moved == usual, "seed \(seed) at \(latitude), \(longitude)")
      }
    }
  }

  /// Arbitrary fixes, also with NaN values, cause no failure and no lasting effect.
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func invalidFixHasNoLastingEffect(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var classifier = MotionClassifier()
    let odd: [Double?] = [nil, .nan, .infinity, -1, 0, 1e-300, 1e300, 5]
    for step in 0..<500 {
      var fix = Fix.test(
        latitude: Double.random(in: -90...90, using: &random),
        longitude: Double.random(in: -180...180, using: &random),
        accuracy: odd.randomElement(using: &random) ?? nil,
        time: utc(Double(step) + Double.random(in: 0...0.9, using: &random)))
      fix.speed = odd.randomElement(using: &random) ?? nil
      fix.course = odd.randomElement(using: &random) ?? nil
      fix.speedAccuracy = odd.randomElement(using: &random) ?? nil
      _ = classifier.process(fix, activity: Activity.allCases.randomElement(using: &random) ?? .other)
    }
    var last: Motion?
    for step in 0..<200 {
      let fix = Fix.test(
        latitude: 10 + Double(step) * 1.4 / 111_000, longitude: 10, accuracy: 4,
        time: utc(600 + Double(step)),
        speed: 1.4, course: 0)
      _ = classifier.process(fix)
      last = classifier.motion
    }
    #expect(last == .walking, "seed \(seed)")
  }
}
