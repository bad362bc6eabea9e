import Testing
import Whereabouts

@testable import WhereaboutsGeoClue

@Suite struct ServiceSessionTests {
  @Test func nothingIsDoneWithoutDemand() {
    var play = Play()
    #expect(play.handle(.demand(.off)).isEmpty)
    #expect(play.session.nextWake == nil)
  }

  @Test func itPresentsItselfSaysWhatItNeedsAndStarts() {
    var play = Play()
    let first = play.handle(.demand(Play.continuous(10, distance: 25.9, interval: .milliseconds(2500))))
    #expect(first.first == .connect)
    #expect(first.calls == ["GetClient"])
    #expect(
      play.letsIn().calls == [
        "DesktopId=whereabouts", "DistanceThreshold=25", "TimeThreshold=2", "RequestedAccuracyLevel=8",
        "Start",
      ])
    #expect(play.starts().isEmpty)
  }

  @Test func withoutDemandItStopsAndLeaves() {
    var play = Play.running()
    let effects = play.handle(.demand(.off))
    #expect(effects.calls == ["Stop"])
    #expect(effects.last == .disconnect)
    #expect(play.session.nextWake == nil, "it does not wake up by itself")
    #expect(play.updates().isEmpty, "what comes late is not listened to")
  }

  @Test func aPositionIsReadWhenItIsToldAndGoesOnAsAFix() throws {
    var play = Play.running()
    #expect(play.updates().calls == ["GetAll"])
    let effects = play.gives(location())
    let fix = try #require(effects.fixes.first)
    #expect(effects.told == [.fix(fix, age: .sinceFixTime)])
    #expect(fix.time == UTCTime(nanosecondsSince1970: 1_795_282_170_250_000_000))
    #expect(fix.source == .geoClue)
  }

  @Test func aPositionThatHasVanishedIsNoTrouble() {
    var play = Play.running()
    _ = play.updates()
    let unknown = BusFailure("org.freedesktop.DBus.Error.UnknownMethod", "no such interface")
    #expect(play.handle(.reply(.location, .failure(unknown))).isEmpty)
    #expect(play.gives(location()).fixes.count == 1)
  }

  @Test func whatOthersSayIsNotListenedTo() {
    var play = Play.running()
    #expect(play.updates(by: ":1.666").isEmpty)
    #expect(play.updates(to: "/").isEmpty, "no position yet")
  }

  @Test func headingsAreSaidToBeMissing() {
    var play = Play()
    let effects = play.handle(.demand(Demand(headings: HeadingDemand(filter: 5))))
    guard case .headingsUnavailable(let trouble)? = effects.told.first else {
      Issue.record("\(effects)")
      return
    }
    #expect(trouble.code == .noCompass)
    #expect(effects.count == 1, "headings alone are no reason to connect")
  }

  // MARK: Demands that change

  @Test func thresholdsAreChangedWithoutStopping() {
    var play = Play.running()
    let effects = play.handle(.demand(Play.continuous(10, distance: 100)))
    #expect(effects.calls == ["DistanceThreshold=100", "TimeThreshold=0"])
  }

  @Test func anotherLevelNeedsAnotherStart() {
    var play = Play.running(Play.continuous(1000))
    #expect(
      play.handle(.demand(Play.continuous(10))).calls == [
        "DistanceThreshold=0", "TimeThreshold=0", "Stop", "RequestedAccuracyLevel=8", "Start",
      ])
    #expect(play.starts().isEmpty)
    #expect(
      play.handle(.demand(Play.continuous(1000))).calls.suffix(2) == ["RequestedAccuracyLevel=6", "Start"])
  }

  @Test func aLevelThatChangesWhileThePersonIsAskedWaitsForTheAnswer() {
    var play = Play()
    play.handle(.demand(Play.continuous(1000)))
    _ = play.letsIn()
    #expect(play.handle(.demand(Play.continuous(10))).calls == ["DistanceThreshold=0", "TimeThreshold=0"])
    #expect(play.starts().calls == ["Stop", "RequestedAccuracyLevel=8", "Start"])
  }

  @Test func theSameDemandOnceMoreBeginsAnew() {
    var play = Play.running()
    let effects = play.handle(.demand(Play.continuous(10)))
    #expect(effects.prefix(2) == [.disconnect, .connect])
    #expect(effects.calls == ["GetClient"])
    _ = play.letsIn()
    _ = play.starts()
    _ = play.updates()
    #expect(play.gives(location()).told.count == 1, "no gap: the receiver was merely started once more")
  }

  @Test func afterItWasOffAFixBeginsASegment() {
    var play = Play.running()
    #expect(play.gives(location()).told.count == 1, "the first one continues nothing")
    play.handle(.demand(.off))
    play.handle(.demand(Play.continuous(10)))
    _ = play.letsIn()
    _ = play.starts()
    #expect(play.gives(location()).told.count == 1, "it was only stopped and started")
    play.handle(.demand(.off))
    _ = play.pass(.seconds(3))
    play.handle(.demand(Play.continuous(10)))
    _ = play.letsIn()
    _ = play.starts()
    #expect(play.gives(location()).told.first == .segmentBegan)
    #expect(play.gives(location()).told.first != .segmentBegan)
  }

  // MARK: No position

  @Test func noPositionIsToldAfterAWhileAndOnce() {
    var play = Play.running()
    #expect(play.pass(.seconds(9)).isEmpty)
    #expect(play.pass(.seconds(2)).troubles == [.noPosition])
    #expect(play.pass(.seconds(3600)).isEmpty)
    #expect(play.gives(location()).fixes.count == 1, "and it goes on listening")
  }

  @Test func aCoarseLevelThatGivesNothingIsRaised() {
    var play = Play.running(Play.continuous(1000))
    let effects = play.pass(.seconds(6))
    #expect(effects.calls == ["Stop", "RequestedAccuracyLevel=8", "Start"])
    #expect(play.starts().isEmpty, "it stays as it is")
    #expect(play.handle(.demand(Play.continuous(2000))).calls == ["DistanceThreshold=0", "TimeThreshold=0"])
    #expect(play.pass(.seconds(6)).troubles == [.noPosition])
  }

  @Test func aCoarseLevelThatGivesTooLittleIsRaised() {
    var play = Play.running(Play.continuous(1000))
    _ = play.gives(location(accuracy: 25_000, altitude: -.greatestFiniteMagnitude))
    #expect(play.pass(.seconds(6)).calls == ["Stop", "RequestedAccuracyLevel=8", "Start"])
    _ = play.starts()
    #expect(play.pass(.seconds(60)).isEmpty, "there is a position, be it as poor as it is")
  }

  @Test func aCoarseLevelThatIsEnoughIsLeftAlone() {
    var play = Play.running(Play.continuous(1000))
    _ = play.gives(location(accuracy: 80, altitude: -.greatestFiniteMagnitude))
    #expect(play.pass(.seconds(60)).isEmpty)
  }

  @Test func whatIsNoPlaceIsToldOnce() {
    var play = Play.running()
    #expect(play.gives(location(latitude: .nan)).troubles == [.notUnderstood])
    #expect(play.gives(location(longitude: 200)).isEmpty)
    #expect(play.gives(location()).fixes.count == 1)
    #expect(play.gives(location(latitude: .infinity)).troubles == [.notUnderstood])
  }
}
