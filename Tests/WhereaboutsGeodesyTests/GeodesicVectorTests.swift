import Testing
import WhereaboutsGeodesy

/// Against the reference vectors. The limits are what was seen, rounded up; the aim is 15 nm.
@Suite struct GeodesicVectorTests {
  private let vectors = GeodesicVector.all

  @Test func allVectorKindsArePresent() {
    #expect(vectors.count == 2_980)
    #expect(Set(vectors.map(\.kind)).count == 14)
  }

  /// The worst is 5.6 nm, half around the Earth, where one double and the next are 3.7 nm apart.
  @Test func distancesAreWithinEightNanometresOfQuadrature() {
    for vector in vectors {
      let distance = vector.start.distance(to: vector.end)
      #expect((distance - vector.distance).magnitude < 8e-9, "\(vector)")
    }
  }

  /// The worst is 1.5 nm. On either side of 180° the difference of two longitudes is no double, and to leave
  /// out the rest of it would make 3 nm.
  @Test func shortDistancesAreWithinTwoNanometresOfQuadrature() {
    for vector in vectors where vector.distance < 100_000 {
      let distance = vector.start.distance(to: vector.end)
      #expect((distance - vector.distance).magnitude < 2e-9, "\(vector)")
    }
  }

  @Test func distancesAreWithinFifteenNanometresOfGeographicLib() {
    for vector in vectors {
      let distance = vector.start.distance(to: vector.end)
      #expect((distance - vector.peerDistance).magnitude < 15e-9, "\(vector)")
    }
  }

  @Test func pathHasTheReferenceDistance() {
    for vector in vectors {
      let path = Geodesic(from: vector.start, to: vector.end)
      #expect((path.distance - vector.distance).magnitude < 8e-9, "\(vector)")
    }
  }

  /// An error of an azimuth counts by how far it leads astray. The worst is 6.4 nm: the rounding of an azimuth in degrees.
  @Test func azimuthsAreWithinTenNanometres() throws {
    for vector in vectors {
      let path = Geodesic(from: vector.start, to: vector.end)
      guard let initial = vector.initialAzimuth, let final = vector.finalAzimuth else {
        #expect(path.initialAzimuth == nil && path.finalAzimuth == nil, "\(vector)")
        continue
      }
      let initialError = try angle(#require(path.initialAzimuth), initial)
      let finalError = try angle(#require(path.finalAzimuth), final)
      #expect(initialError * vector.metresPerDegree < 10e-9, "\(vector)")
      #expect(finalError * vector.metresPerDegree < 10e-9, "\(vector)")
    }
  }

  /// The worst is 8.9 nm, half around the Earth.
  @Test func directSolutionIsWithinFifteenNanometres() throws {
    for vector in vectors {
      guard let azimuth = vector.initialAzimuth else { continue }
      let end = try #require(vector.start.destination(azimuth: azimuth, distance: vector.distance))
      #expect(end.distance(to: vector.end) < 15e-9, "\(vector)")
    }
  }

  @Test func negativeDistanceReturnsToTheStart() throws {
    for vector in vectors {
      guard let azimuth = vector.finalAzimuth else { continue }
      let back = try #require(vector.end.destination(azimuth: azimuth, distance: -vector.distance))
      #expect(back.distance(to: vector.start) < 15e-9, "\(vector)")
    }
  }
}
