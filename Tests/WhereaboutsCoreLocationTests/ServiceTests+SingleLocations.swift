import Testing
import Whereabouts

@testable import WhereaboutsCoreLocation

/// Single locations, where a platform has no updates.
extension CoreLocationServiceTests {
  @Test func singleLocationsFollowEachOther() {
    var scenario = SessionScenario(.tvOS)
    scenario.handle(.authorization(.allowed(.whenInUse)))
    #expect(
      scenario.handle(.demand(SessionScenario.continuous(10))) == [
        .configure(SessionScenario.settings(.tenMeters)), .requestLocation,
      ])
    scenario.handle(.locations([place(0)]))
    #expect(scenario.advance(by: .seconds(9)) == [])
    #expect(scenario.advance(by: .seconds(1)) == [.requestLocation])
    scenario.handle(.demand(SessionScenario.continuous(10, interval: .seconds(60))))
    scenario.handle(.locations([place(20)]))
    #expect(scenario.advance(by: .seconds(59)) == [])
    #expect(scenario.advance(by: .seconds(1)) == [.requestLocation])
    #expect(scenario.handle(.demand(.off)) == [.stopUpdates])
    #expect(scenario.advance(by: .seconds(3600)) == [])
  }

  @Test func significantChangesAreSingleLocationsFiveMinutesApart() {
    var scenario = SessionScenario.running(.significantChanges, on: .tvOS)
    scenario.handle(.locations([place(0)]))
    #expect(scenario.advance(by: .seconds(299)) == [])
    #expect(scenario.advance(by: .seconds(1)) == [.requestLocation])
    scenario.handle(.locations([place(300)]))
    // A demand for more does not wait.
    #expect(
      scenario.handle(.demand(SessionScenario.continuous(10))) == [
        .stopUpdates, .configure(SessionScenario.settings(.tenMeters)), .requestLocation,
      ])
    scenario.handle(.locations([place(301)]))
    #expect(scenario.advance(by: .seconds(10)) == [.requestLocation])
  }

  @Test func pausesAfterFailuresDouble() {
    var scenario = SessionScenario.running(on: .tvOS)
    for pause in [10, 20, 40, 80, 160, 320, 600, 600] {
      scenario.handle(.failed(.noPosition))
      #expect(scenario.advance(by: .seconds(pause - 1)) == [])
      #expect(scenario.advance(by: .seconds(1)) == [.requestLocation])
    }
    scenario.handle(.locations([place(0)]))
    #expect(scenario.advance(by: .seconds(10)) == [.requestLocation])
    scenario.handle(.failed(.noPosition))
    #expect(scenario.advance(by: .seconds(10)) == [.requestLocation])
  }

  @Test func unansweredSingleLocationIsRequestedAgain() {
    var scenario = SessionScenario.running(on: .tvOS)
    #expect(scenario.advance(by: .seconds(59)) == [])
    #expect(scenario.advance(by: .seconds(1)) == [.requestLocation])
  }
}
