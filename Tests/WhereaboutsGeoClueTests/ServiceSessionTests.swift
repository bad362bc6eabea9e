import Testing
import Whereabouts

@testable import WhereaboutsGeoClue

@Suite struct ServiceSessionTests {
  @Test func sessionIsIdleWithoutDemand() {
    var play = ServiceSessionScenario()
    #expect(play.handle(.demand(.off)).isEmpty)
    #expect(play.session.nextWake == nil)
  }

  @Test func demandConfiguresAndStartsTheClient() {
    var play = ServiceSessionScenario()
    let first = play.handle(
      .demand(ServiceSessionScenario.continuous(10, distance: 25.9, interval: .milliseconds(2500))))
    #expect(first.first == .connect)
    #expect(first.calls == ["GetClient"])
    #expect(
      play.grantClient().calls == [
        "DesktopId=whereabouts", "DistanceThreshold=25", "TimeThreshold=2", "RequestedAccuracyLevel=8",
        "Start",
      ])
    #expect(play.confirmStart().isEmpty)
  }

  @Test func endOfDemandStopsAndDisconnects() {
    var play = ServiceSessionScenario.running()
    let effects = play.handle(.demand(.off))
    #expect(effects.calls == ["Stop"])
    #expect(effects.last == .disconnect)
    #expect(play.session.nextWake == nil, "it does not wake up by itself")
    #expect(play.sendLocationUpdate().isEmpty, "a late update is ignored")
  }

  @Test func locationUpdateYieldsAFix() throws {
    var play = ServiceSessionScenario.running()
    #expect(play.sendLocationUpdate().calls == ["GetAll"])
    let effects = play.replyWithLocation(location())
    let fix = try #require(effects.fixes.first)
    #expect(effects.signals == [.fix(fix, age: .sinceFixTime)])
    #expect(fix.time == UTCTime(nanosecondsSince1970: 1_795_282_170_250_000_000))
    #expect(fix.source == .geoClue)
  }

  @Test func vanishedLocationIsNoProblem() {
    var play = ServiceSessionScenario.running()
    _ = play.sendLocationUpdate()
    let unknown = DBusError("org.freedesktop.DBus.Error.UnknownMethod", "no such interface")
    #expect(play.handle(.reply(.location, .failure(unknown))).isEmpty)
    #expect(play.replyWithLocation(location()).fixes.count == 1)
  }

  @Test func signalsOfOtherSendersAreIgnored() {
    var play = ServiceSessionScenario.running()
    #expect(play.sendLocationUpdate(by: ":1.666").isEmpty)
    #expect(play.sendLocationUpdate(to: "/").isEmpty, "no position yet")
  }

  @Test func headingsAreReportedUnavailable() {
    var play = ServiceSessionScenario()
    let effects = play.handle(.demand(Demand(headings: Demand.Headings(filter: 5))))
    guard case .headingsUnavailable(let problem)? = effects.signals.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(problem.code == .noCompass)
    #expect(effects.count == 1, "headings alone are no reason to connect")
  }

  // MARK: Demands that change

  @Test func thresholdsChangeWithoutStopping() {
    var play = ServiceSessionScenario.running()
    let effects = play.handle(.demand(ServiceSessionScenario.continuous(10, distance: 100)))
    #expect(effects.calls == ["DistanceThreshold=100", "TimeThreshold=0"])
  }

  @Test func levelChangeRestartsTheClient() {
    var play = ServiceSessionScenario.running(ServiceSessionScenario.continuous(1000))
    #expect(
      play.handle(.demand(ServiceSessionScenario.continuous(10))).calls == [
        "DistanceThreshold=0", "TimeThreshold=0", "Stop", "RequestedAccuracyLevel=8", "Start",
      ])
    #expect(play.confirmStart().isEmpty)
    #expect(
      play.handle(.demand(ServiceSessionScenario.continuous(1000))).calls.suffix(2) == [
        "RequestedAccuracyLevel=6", "Start",
      ])
  }

  @Test func levelChangeWaitsForAPendingStart() {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(1000)))
    _ = play.grantClient()
    #expect(
      play.handle(.demand(ServiceSessionScenario.continuous(10))).calls == [
        "DistanceThreshold=0", "TimeThreshold=0",
      ])
    #expect(play.confirmStart().calls == ["Stop", "RequestedAccuracyLevel=8", "Start"])
  }

  @Test func repeatedDemandReconnects() {
    var play = ServiceSessionScenario.running()
    let effects = play.handle(.demand(ServiceSessionScenario.continuous(10)))
    #expect(effects.prefix(2) == [.disconnect, .connect])
    #expect(effects.calls == ["GetClient"])
    _ = play.grantClient()
    _ = play.confirmStart()
    _ = play.sendLocationUpdate()
    #expect(
      play.replyWithLocation(location()).signals.count == 1,
      "no gap: the receiver was merely started once more")
  }

  @Test func fixAfterALongPauseStartsASegment() {
    var play = ServiceSessionScenario.running()
    #expect(play.replyWithLocation(location()).signals.count == 1, "the first one continues nothing")
    play.handle(.demand(.off))
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    _ = play.grantClient()
    _ = play.confirmStart()
    #expect(play.replyWithLocation(location()).signals.count == 1, "it was only stopped and started")
    play.handle(.demand(.off))
    _ = play.advance(by: .seconds(3))
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    _ = play.grantClient()
    _ = play.confirmStart()
    #expect(play.replyWithLocation(location()).signals.first == .segmentBegan)
    #expect(play.replyWithLocation(location()).signals.first != .segmentBegan)
  }

  // MARK: No position

  @Test func noPositionIsReportedOnceAfterItsTime() {
    var play = ServiceSessionScenario.running()
    #expect(play.advance(by: .seconds(9)).isEmpty)
    #expect(play.advance(by: .seconds(2)).problemCodes == [.noPosition])
    #expect(play.advance(by: .seconds(3600)).isEmpty)
    #expect(play.replyWithLocation(location()).fixes.count == 1, "and it goes on listening")
  }

  @Test func silentCoarseLevelIsRaised() {
    var play = ServiceSessionScenario.running(ServiceSessionScenario.continuous(1000))
    let effects = play.advance(by: .seconds(6))
    #expect(effects.calls == ["Stop", "RequestedAccuracyLevel=8", "Start"])
    #expect(play.confirmStart().isEmpty, "it stays as it is")
    #expect(
      play.handle(.demand(ServiceSessionScenario.continuous(2000))).calls == [
        "DistanceThreshold=0", "TimeThreshold=0",
      ])
    #expect(play.advance(by: .seconds(6)).problemCodes == [.noPosition])
  }

  @Test func inaccurateCoarseLevelIsRaised() {
    var play = ServiceSessionScenario.running(ServiceSessionScenario.continuous(1000))
    _ = play.replyWithLocation(location(accuracy: 25_000, altitude: -.greatestFiniteMagnitude))
    #expect(play.advance(by: .seconds(6)).calls == ["Stop", "RequestedAccuracyLevel=8", "Start"])
    _ = play.confirmStart()
    #expect(play.advance(by: .seconds(60)).isEmpty, "there is a position, be it as poor as it is")
  }

  @Test func sufficientCoarseLevelIsRetained() {
    var play = ServiceSessionScenario.running(ServiceSessionScenario.continuous(1000))
    _ = play.replyWithLocation(location(accuracy: 80, altitude: -.greatestFiniteMagnitude))
    #expect(play.advance(by: .seconds(60)).isEmpty)
  }

  @Test func invalidPlaceIsReportedOnce() {
    var play = ServiceSessionScenario.running()
    #expect(play.replyWithLocation(location(latitude: .nan)).problemCodes == [.notUnderstood])
    #expect(play.replyWithLocation(location(longitude: 200)).isEmpty)
    #expect(play.replyWithLocation(location()).fixes.count == 1)
    #expect(play.replyWithLocation(location(latitude: .infinity)).problemCodes == [.notUnderstood])
  }
}
