import Testing
import Whereabouts

@testable import WhereaboutsGeoClue

@Suite struct ServicePermissionTests {
  private let denied = "org.freedesktop.DBus.Error.AccessDenied"

  @Test func missingAgentIsDeniedUntilItStarts() throws {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    let reported = play.advance(by: .seconds(6)).authorizations
    #expect(reported.map(\.status) == [.denied])
    #expect(try #require(reported.first?.remedy).contains("/usr/libexec/geoclue-2.0/demos/agent"))
    #expect(play.advance(by: .seconds(3600)).isEmpty, "reported once")
    #expect(play.grantClient().calls.last == "Start", "the agent is available")
    #expect(play.confirmStart().authorizations.map(\.status) == [.always])
  }

  @Test func denialIsReportedWithARemedy() throws {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    _ = play.grantClient()
    let effects = play.refuseStart(denied, "'whereabouts' disallowed by configuration for UID 0")
    let reported = try #require(effects.authorizations.first)
    #expect(reported.status == .denied)
    #expect(!reported.noticesChanges, "the source does not check again before a new demand")
    #expect(try #require(reported.remedy).contains("[whereabouts]"))
    #expect(effects.last == .disconnect)
    #expect(play.advance(by: .seconds(3600)).isEmpty)
  }

  @Test func disabledLocationIsReportedAsServicesDisabled() {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    _ = play.grantClient()
    let reported = play.refuseStart(denied, "Geolocation disabled for UID 1000").authorizations
    #expect(reported.map(\.status) == [.servicesDisabled])
  }

  @Test func newDemandAfterDenialChecksAgain() {
    var play = ServiceSessionScenario()
    let demand = ServiceSessionScenario.continuous(10)
    play.handle(.demand(demand))
    _ = play.grantClient()
    _ = play.refuseStart(denied)
    #expect(play.handle(.demand(demand)).calls == ["GetClient"])
    _ = play.grantClient()
    #expect(play.refuseStart(denied).authorizations.map(\.status) == [.denied], "reported again")
    play.handle(.demand(.off))
    #expect(play.handle(.demand(demand)).calls == ["GetClient"])
    _ = play.grantClient()
    #expect(play.confirmStart().authorizations.map(\.status) == [.always])
  }

  @Test func unansweredStartIsUndetermined() {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    _ = play.grantClient()
    #expect(play.advance(by: .seconds(60)).authorizations.map(\.status) == [.notDetermined])
    #expect(play.confirmStart().authorizations.map(\.status) == [.always])
  }

  @Test func unchangedAuthorizationIsNotReported() {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    _ = play.grantClient()
    #expect(play.confirmStart().signals.isEmpty)
  }

  @Test func disablingAndEnablingLocationIsReported() {
    var play = ServiceSessionScenario.running()
    _ = play.replyWithLocation(location())
    #expect(play.setActive(false).authorizations.map(\.status) == [.servicesDisabled])
    #expect(play.setActive(true).authorizations.map(\.status) == [.always])
    #expect(play.replyWithLocation(location()).signals.first == .segmentBegan)
  }

  @Test func positionIsAwaitedOnceLocationIsEnabled() {
    var play = ServiceSessionScenario.running(ServiceSessionScenario.continuous(1000))
    _ = play.setActive(false)
    #expect(play.advance(by: .seconds(60)).isEmpty)
    _ = play.setActive(true)
    #expect(play.advance(by: .seconds(4)).isEmpty)
    #expect(play.advance(by: .seconds(2)).calls == ["Stop", "RequestedAccuracyLevel=8", "Start"])
    _ = play.confirmStart()
    #expect(play.advance(by: .seconds(20)).problemCodes == [.noPosition])
  }

  @Test func ownStopIsNotReportedAsDisabled() {
    var play = ServiceSessionScenario.running(ServiceSessionScenario.continuous(1000))
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    #expect(play.setActive(false).isEmpty)
  }
}
