import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

/// Properties of stays with every receiver; each seed is a different walk with different errors.
@Suite struct StayPropertyTests {
  static let receivers: [(name: String, noise: ReceiverNoise)] = [
    ("without error", .none), ("good", .goodReceiver), ("city", .cityPhone), ("indoors", .indoors()),
    ("indoors and overconfident", .indoors(overconfidence: 0.5)),
  ]

  @Test(arguments: PropertyCases.seeds(4, of: 1...12 as ClosedRange<UInt64>), [1.0, 5, 30])
  func stayHasOneArrivalAndOneDeparture(seed: UInt64, interval: Double) throws {
    for (name, noise) in Self.receivers {
      // A walk across the diameter of 200 m takes 143 s, the largest error of the bounds without receiver errors.
      let walk = StayTrack(from: fix(5, at: 0).coordinate, azimuth: Double(seed * 71), stay: 1200)
      let fixes = walk.track.fixes(every: .seconds(interval), noise: noise, seed: seed)
      let reported = visits(fixes)
      try #require(reported.count == 2 && arrivalsAndDeparturesAlternate(reported), "\(name): \(reported)")
      let isPoor = noise.deviation > 20
      let arrival = reported[0].arrival.seconds(since: utc(walk.stayStart))
      #expect((isPoor ? -200...400 : -143...240).contains(arrival), "\(name): \(arrival)")
      let departure = try #require(reported[1].departure).seconds(since: utc(walk.stayEnd))
      #expect((isPoor ? -30...160 : 0...143).contains(departure), "\(name): \(departure)")
      let left = try #require(reported[1].leftBefore).seconds(since: utc(walk.stayEnd))
      #expect((isPoor ? 0...330 : 40...143).contains(left), "\(name): \(left)")
      #expect(reported[1].coordinate.distance(to: walk.place) < (isPoor ? 45 : 12), "\(name)")
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>) func stayIsReportedAfterTheMinimumStay(seed: UInt64) {
    var worst = 0.0
    for noise in [ReceiverNoise.goodReceiver, .cityPhone] {
      let walk = StayTrack(from: fix(5, at: 0).coordinate, azimuth: Double(seed * 71), stay: 1200)
      var detector = StayDetector(.standard)
      for fix in walk.track.fixes(every: .seconds(1), noise: noise, seed: seed) {
        let reported = detector.process(TimedFix(fix: fix, validAt: .start))
        guard let time = fix.time, reported.first?.departure == nil, !reported.isEmpty else { continue }
        #expect(time.seconds(since: reported[0].arrival) >= 300)
        worst = max(worst, time.seconds(since: utc(walk.stayStart)))
      }
    }
    // One and a half slices late.
    #expect((300 - 71...300 + 60).contains(worst))
  }

  @Test(arguments: PropertyCases.seeds(3, of: 1...12 as ClosedRange<UInt64>)) func walkWithoutStopsHasNoStay(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var track = TrackBuilder(from: fix(5, at: 0).coordinate, at: utc(0))
    var azimuth = Double.random(in: 0..<360, using: &random)
    for _ in 0..<8 {
      azimuth += Double.random(in: -80...80, using: &random)
      track.move(
        azimuth: azimuth, distance: Double.random(in: 300...900, using: &random),
        speed: Double.random(in: 0.9...1.8, using: &random))
    }
    for (name, noise) in Self.receivers {
      for interval in [1.0, 5, 30, 60] {
        let reported = visits(track.fixes(every: .seconds(interval), noise: noise, seed: seed))
        #expect(reported.isEmpty, "\(name), every \(interval) s")
      }
    }
  }

  @Test(arguments: PropertyCases.seeds(2, of: 1...6 as ClosedRange<UInt64>))
  func slowWalkOfTwoKilometresIsNoStay(seed: UInt64) {
    var track = TrackBuilder(from: fix(5, at: 0).coordinate, at: utc(0))
    track.move(azimuth: Double(seed * 37), distance: 2000, speed: 0.3)
    for noise in [ReceiverNoise.none, .goodReceiver, .cityPhone] {
      for interval in [1.0, 5] {
        #expect(visits(track.fixes(every: .seconds(interval), noise: noise, seed: seed)).isEmpty)
      }
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>) func slowWalkFromAStayDoesNotMoveItsPlace(seed: UInt64)
    throws
  {
    let walk = StayTrack(from: fix(5, at: 0).coordinate, stay: 1800)
    var track = walk.track
    track = TrackBuilder(from: walk.place, at: utc(0))
    track.rest(for: .seconds(1800))
    track.move(azimuth: Double(seed * 37), distance: 2000, speed: 0.3)
    for noise in [ReceiverNoise.goodReceiver, .cityPhone] {
      let reported = visits(track.fixes(every: .seconds(5), noise: noise, seed: seed))
      try #require(reported.count == 2 && arrivalsAndDeparturesAlternate(reported))
      #expect(reported[1].coordinate.distance(to: walk.place) < 30)
      let departure = try #require(reported[1].departure).seconds(since: utc(1800))
      #expect((300...480).contains(departure))
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func eightHoursIndoorsDoNotFlap(seed: UInt64) {
    var track = TrackBuilder(from: fix(5, at: 0).coordinate, at: utc(0))
    track.rest(for: .seconds(8 * 3600))
    for (name, noise) in Self.receivers {
      for interval in [5.0, 60] {
        let reported = visits(track.fixes(every: .seconds(interval), noise: noise, seed: seed))
        #expect(reported.count == 1, "\(name), every \(interval) s: \(reported)")
      }
    }
  }

  /// Days of random tracks and stays with receiver gaps: the reported visits must be in order.
  @Test(arguments: 1...40 as ClosedRange<UInt64>) func eachArrivalIsFollowedByItsDeparture(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var track = TrackBuilder(from: fix(5, at: 0).coordinate, at: utc(0))
    for _ in 0..<12 {
      track.move(
        azimuth: Double.random(in: 0..<360, using: &random),
        distance: Double.random(in: 20...3000, using: &random),
        speed: Double.random(in: 0.2...20, using: &random))
      track.rest(for: .seconds(Double.random(in: 0...1500, using: &random)))
    }
    var noise = Self.receivers[Int(seed % 5)].noise
    noise.gaps = (0..<6).map { _ in
      let start = Double.random(in: 0...10_000, using: &random)
      return .seconds(start) ..< .seconds(start + Double.random(in: 60...3000, using: &random))
    }
    let terms = VisitTerms(
      radius: Double.random(in: 30...300, using: &random),
      minimumStay: .seconds(Double.random(in: 30...900, using: &random)))
    let interval = Double.random(in: 1...90, using: &random)
    let reported = visits(track.fixes(every: .seconds(interval), noise: noise, seed: seed), terms: terms)
    #expect(arrivalsAndDeparturesAlternate(reported), "\(reported)")
  }

  @Test(arguments: [(0.0, 0.0), (0, 179.995), (10, -179.999), (89.995, 20), (-89.9999, -100), (-33, 151)])
  func staysAreTheSameEverywhereOnEarth(latitude: Double, longitude: Double) throws {
    let start = try #require(Coordinate(latitude: latitude, longitude: longitude))
    for (noise, tolerance) in [(ReceiverNoise.none, 1.0), (.cityPhone, 60)] {
      let here = StayTrack(from: fix(5, at: 0).coordinate, stay: 1200)
      let there = StayTrack(from: start, stay: 1200)
      let expected = visits(here.track.fixes(every: .seconds(1), noise: noise, seed: 7))
      let reported = visits(there.track.fixes(every: .seconds(1), noise: noise, seed: 7))
      try #require(reported.count == 2 && expected.count == 2)
      #expect(abs(reported[0].arrival.seconds(since: expected[0].arrival)) <= tolerance)
      let departures = (try #require(reported[1].departure), try #require(expected[1].departure))
      #expect(abs(departures.0.seconds(since: departures.1)) <= tolerance)
      #expect(reported[1].coordinate.distance(to: there.place) < 10)
    }
  }
}
