import Testing
import Whereabouts

@testable import WhereaboutsGeoClue

@Suite struct ServicePermissionTests {
  private let denied = "org.freedesktop.DBus.Error.AccessDenied"

  @Test func withoutAnAgentItIsDeniedAndGoesOnByItself() throws {
    var play = Play()
    play.handle(.demand(Play.continuous(10)))
    let told = play.pass(.seconds(6)).authorizations
    #expect(told.map(\.status) == [.denied])
    #expect(try #require(told.first?.remedy).contains("/usr/libexec/geoclue-2.0/demos/agent"))
    #expect(play.pass(.seconds(3600)).isEmpty, "told once")
    #expect(play.letsIn().calls.last == "Start", "an agent came")
    #expect(play.starts().authorizations.map(\.status) == [.always])
  }

  @Test func aRefusalIsToldWithWhatToDo() throws {
    var play = Play()
    play.handle(.demand(Play.continuous(10)))
    _ = play.letsIn()
    let effects = play.refusesStart(denied, "'whereabouts' disallowed by configuration for UID 0")
    let told = try #require(effects.authorizations.first)
    #expect(told.status == .denied)
    #expect(!told.noticesChanges, "it does not ask again before somebody wants something")
    #expect(try #require(told.remedy).contains("[whereabouts]"))
    #expect(effects.last == .disconnect)
    #expect(play.pass(.seconds(3600)).isEmpty)
  }

  @Test func locationThatIsSwitchedOffIsNotARefusalOfThisProgram() {
    var play = Play()
    play.handle(.demand(Play.continuous(10)))
    _ = play.letsIn()
    let told = play.refusesStart(denied, "Geolocation disabled for UID 1000").authorizations
    #expect(told.map(\.status) == [.servicesDisabled])
  }

  @Test func whoAsksAgainAfterARefusalMakesItLookAgain() {
    var play = Play()
    let demand = Play.continuous(10)
    play.handle(.demand(demand))
    _ = play.letsIn()
    _ = play.refusesStart(denied)
    #expect(play.handle(.demand(demand)).calls == ["GetClient"])
    _ = play.letsIn()
    #expect(play.refusesStart(denied).authorizations.map(\.status) == [.denied], "told again")
    play.handle(.demand(.off))
    #expect(play.handle(.demand(demand)).calls == ["GetClient"])
    _ = play.letsIn()
    #expect(play.starts().authorizations.map(\.status) == [.always])
  }

  @Test func aQuestionThatIsNotAnsweredIsOpen() {
    var play = Play()
    play.handle(.demand(Play.continuous(10)))
    _ = play.letsIn()
    #expect(play.pass(.seconds(60)).authorizations.map(\.status) == [.notDetermined])
    #expect(play.starts().authorizations.map(\.status) == [.always])
  }

  @Test func permissionThatWasNeverMissingIsNotToldOf() {
    var play = Play()
    play.handle(.demand(Play.continuous(10)))
    _ = play.letsIn()
    #expect(play.starts().told.isEmpty)
  }

  @Test func switchingLocationOffAndOnIsNoticed() {
    var play = Play.running()
    _ = play.gives(location())
    #expect(play.isActive(false).authorizations.map(\.status) == [.servicesDisabled])
    #expect(play.isActive(true).authorizations.map(\.status) == [.always])
    #expect(play.gives(location()).told.first == .segmentBegan)
  }

  @Test func aStopOfOurOwnIsNotSwitchingOff() {
    var play = Play.running(Play.continuous(1000))
    play.handle(.demand(Play.continuous(10)))
    #expect(play.isActive(false).isEmpty)
  }
}
