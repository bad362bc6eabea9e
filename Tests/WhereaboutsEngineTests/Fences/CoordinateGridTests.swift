import EngineTestSupport
import Testing
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsEngine
@testable import WhereaboutsModel

/// Coordinates with few decimals, exact and rounded.
@Suite struct CoordinateGridTests {
  private func fix(_ latitude: Double, _ longitude: Double, at seconds: Double) -> Fix {
    Fix.test(latitude: latitude, longitude: longitude, accuracy: 3, time: utc(seconds))
  }

  private func rounding(_ places: [(Double, Double)]) -> [Double] {
    var grid = CoordinateRoundingDetector()
    return places.enumerated().map { second, place in
      TrackSample(fix(place.0, place.1, at: Double(second)), model: .fences).map {
        grid.withRoundingError($0).rounding
      }
        ?? -1
    }
  }

  @Test func repeatedPlaceWithThreeDecimalsIsExact() throws {
    let center = try #require(Coordinate(latitude: 52.52, longitude: 13.405))
    var walk = FenceTestHarness([FenceTestHarness.fence(at: center)])
    walk.process([fix(52.52, 13.405, at: 0)])
    #expect(walk.state.side == .inside)
    walk.process((1...100).map { fix(52.52, 13.405, at: Double($0)) })
    #expect(walk.state.side == .inside && walk.events.isEmpty)
  }

  @Test func threeDifferentPlacesOnTheGridAreRounded() {
    #expect(
      rounding([(52.52, 13.405), (52.521, 13.405), (52.521, 13.405), (52.521, 13.406)]).last ?? 0 > 1000)
    #expect(rounding([(52.52, 13.405), (52.521, 13.405)]) == [0, 0])
    // The finest grid common to all of them: 3.2 m on each axis.
    let fine = rounding([(52.5203, 13.405), (52.521, 13.405), (52.5212, 13.4056)]).last ?? 0
    #expect(fine > 10 && fine < 11)
  }

  @Test func onePlaceOffTheGridEndsRounding() {
    let places = [
      (52.52, 13.405), (52.521, 13.405), (52.521_04, 13.405_07), (52.522, 13.405), (52.522, 13.406),
    ]
    #expect(rounding(places) == [0, 0, 0, 0, 0])
  }
}
