import Testing
import WhereaboutsTesting

@testable import WhereaboutsGeodesy

@Suite struct GeodesicTests {
  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test func samePlaceHasNoAzimuth() throws {
    let pairs = [(12.5, 8.0, 12.5, 8.0), (-7, 180, -7, -180), (90, 4, 90, 100)]
    for (latitude1, longitude1, latitude2, longitude2) in pairs {
      let path = Geodesic(from: try place(latitude1, longitude1), to: try place(latitude2, longitude2))
      #expect(path.distance == 0)
      #expect(path.initialAzimuth == nil)
      #expect(path.finalAzimuth == nil)
    }
  }

  /// Quarter turns are exact, so that a heading shown to a person is north and not 359.99…
  @Test(arguments: [
    (0, 0, 1, 0, 0, 0), (1, 0, 0, 0, 180, 180), (0, 0, 0, 1, 90, 90), (0, 1, 0, 0, 270, 270),
    (0, 179, 0, -179, 90, 90), (50, 10, 60, -170, 0, 180), (-50, 10, -60, -170, 180, 0),
    (80, 90, 90, 0, 0, 270), (0, 0, 0, 180, 0, 180),
    (20, 0, -20, 180, 0, 180), (-20, 0, 20, -180, 180, 0),
  ])
  func azimuthsOfQuarterTurnsAreExact(
    latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double, initial: Double,
    final: Double
  ) throws {
    let path = Geodesic(from: try place(latitude1, longitude1), to: try place(latitude2, longitude2))
    #expect(path.initialAzimuth == initial)
    #expect(path.finalAzimuth == final)
  }

  @Test(arguments: [
    (90.0, 0.0, 80.0, 40.0, 140.0, 180.0), (-90, 0, -80, 40, 40, 0), (90, -170, 0, 170, 200, 180),
  ])
  func azimuthAtAPoleCountsFromTheGivenMeridian(
    latitude1: Double, longitude1: Double, latitude2: Double, longitude2: Double, initial: Double,
    final: Double
  ) throws {
    let path = Geodesic(from: try place(latitude1, longitude1), to: try place(latitude2, longitude2))
    #expect(try angle(#require(path.initialAzimuth), initial) < 1e-13)
    #expect(path.finalAzimuth == final)
  }

  @Test func nonFiniteInputIsRefused() throws {
    let start = try place(10, 20)
    for (azimuth, distance) in [(Double.nan, 1.0), (.infinity, 1), (0, .nan), (0, .infinity)] {
      #expect(start.destination(azimuth: azimuth, distance: distance) == nil)
      #expect(Geodesic(from: start, azimuth: azimuth, distance: distance) == nil)
    }
  }

  @Test func anyFiniteDistanceIsAccepted() throws {
    let start = try place(33, 44)
    for distance in [1e9, -1e12, 1e18, 1e300] {
      let end = try #require(start.destination(azimuth: 55, distance: distance))
      #expect(end.latitude.magnitude <= 90 && end.longitude.magnitude <= 180)
    }
  }

  @Test func zeroDistanceEndsAtTheStart() throws {
    for (latitude, longitude) in [(0.0, 0.0), (51.5, -0.1), (90, 30), (-90, -170), (0, 180)] {
      let start = try place(latitude, longitude)
      let end = try #require(start.destination(azimuth: 77, distance: 0))
      #expect(start.distance(to: end) < 2e-9)
    }
  }

  @Test func fullEquatorReturnsToTheStart() throws {
    let start = try place(0, 100)
    let around = 2 * Double.pi * WGS84.semiMajorAxis
    for turns in [1.0, -1, 3] {
      let end = try #require(start.destination(azimuth: 90, distance: turns * around))
      #expect(start.distance(to: end) < 30e-9)
    }
  }

  @Test func quarterMeridianEndsAtThePole() throws {
    // 10 001 965.729 m: NIMA TR8350.2, and twice this is the distance of antipodes.
    let end = try #require(try place(0, 33).destination(azimuth: 0, distance: 10_001_965.729312724))
    #expect((90 - end.latitude) * 111_000 < 2e-9)
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func directSolutionInvertsTheInverse(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let path = Geodesic(from: .random(using: &random), to: .random(using: &random))
      let again = try #require(
        Geodesic(from: path.start, azimuth: path.initialAzimuth ?? 0, distance: path.distance))
      #expect(again.end.distance(to: path.end) < 20e-9, "seed \(seed): \(path)")
    }
  }

  /// Two solutions that share little: by ω12 on the sphere, and by α1 as the paper has it.
  @Test(arguments: [21, 22, 23] as [UInt64])
  func bothSolutionsAgree(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let pair = ReducedPair(.random(using: &random), .random(using: &random))
      let general = AntipodalGeodesic(pair)
      guard let regular = RegularGeodesic(pair, along: pair.sineOfDifference, tolerance: 1e-13) else {
        continue
      }
      #expect((regular.distance - general.distance).magnitude < 10e-9, "seed \(seed)")
      #expect(angle(regular.azimuths.start.azimuth, general.α1.azimuth) < 1e-10, "seed \(seed)")
    }
  }

  @Test(arguments: [31, 32] as [UInt64])
  func azimuthsAreInRange(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let path = Geodesic(from: .random(using: &random), to: .random(using: &random))
      for azimuth in [path.initialAzimuth, path.finalAzimuth] {
        #expect(try (0..<360).contains(#require(azimuth)), "seed \(seed): \(path)")
      }
    }
    // The middle of a bracket from north to south, both a hair to the east.
    let middle = Direction(y: 2 * CanonicalEnds.tiny, x: 0)
    #expect(middle.sine == 1 && middle.cosine == 0)
    // A hair west of north: the sum of it and 360 is 360.
    #expect(Direction(sine: -1e-20, cosine: 1).azimuth == 0)
    #expect(Direction(sine: -0.0, cosine: 1).azimuth.sign == .plus)
  }
}
