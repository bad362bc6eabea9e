import Testing
import Whereabouts
import WhereaboutsTesting

@testable import WhereaboutsGeoClue

@Suite struct ServiceAbsenceTests {
  private let unknown = "org.freedesktop.DBus.Error.ServiceUnknown"

  @Test func missingServiceIsReportedOnceAndWatchedFor() throws {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    let first = play.failClient(unknown).signals
    guard case .unavailable(let problem)? = first.first else {
      Issue.record("\(first)")
      return
    }
    #expect(problem.code == .unreachable)
    #expect(try #require(problem.remedy).contains("apt install geoclue-2.0"))
    var tries = 0
    for _ in 0..<10 {
      tries += play.advance(by: .seconds(30)).calls.count
      #expect(play.failClient(unknown).isEmpty, "reported once")
    }
    #expect(tries == 10, "every half minute in the end")
  }

  @Test func startedServiceIsUsedAtOnce() {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    _ = play.failClient(unknown)
    #expect(play.changeOwner(":1.50").calls == ["GetClient"])
    _ = play.grantClient()
    #expect(play.confirmStart().isEmpty)
  }

  @Test func stoppedServiceLeavesAGap() {
    var play = ServiceSessionScenario.running()
    _ = play.replyWithLocation(location())
    #expect(play.changeOwner("").problemCodes == [.unreachable])
    #expect(play.changeOwner(":1.50").calls == ["GetClient"])
    _ = play.grantClient()
    _ = play.confirmStart()
    #expect(play.replyWithLocation(location()).signals.first == .segmentBegan)
  }

  @Test func replacedServiceIsUsedAtOnce() {
    var play = ServiceSessionScenario.running()
    #expect(play.changeOwner(":1.50").calls == ["GetClient"])
    #expect(play.changeOwner(":1.50").isEmpty)
  }

  @Test func ownerChangeByOwnCallIsIgnored() {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    #expect(play.changeOwner(ServiceSessionScenario.service).isEmpty)
    #expect(play.grantClient().calls.last == "Start")
  }

  @Test func staleReplyIsIgnored() {
    var play = ServiceSessionScenario()
    play.handle(.demand(ServiceSessionScenario.continuous(10)))
    let early = play.lastCallNumber
    _ = play.changeOwner("")
    _ = play.changeOwner(":1.50")
    let late = DBusError("org.freedesktop.DBus.Error.NoReply")
    #expect(play.handle(.reply(.client(early), .failure(late))).isEmpty)
    #expect(play.grantClient().calls.last == "Start")
  }

  @Test func lostBusIsRetriedEachSecondForTenMinutes() {
    var play = ServiceSessionScenario.running()
    #expect(
      play.handle(.lost(DBusError("connection", "Connection reset by peer"))).problemCodes == [.unreachable])
    var tries: [Duration] = []
    let began = play.now
    while play.now < began.advanced(by: .seconds(900)) {
      guard let due = play.session.nextWake else { break }
      play.now = due
      tries.append(due.since(began))
      #expect(play.handle(.timerFired).first == .connect)
      #expect(
        play.handle(.lost(DBusError("connection", "Connection reset by peer"))).isEmpty, "reported once")
    }
    #expect(
      tries.prefix(4) == [.milliseconds(250), .milliseconds(750), .milliseconds(1750), .milliseconds(2750)])
    #expect(tries.count { $0 > .seconds(590) && $0 <= .seconds(600) } == 10)
    #expect(tries.count { $0 > .seconds(660) } <= 9)
  }

  @Test func lostBusIsNotRetriedWithoutDemand() {
    var play = ServiceSessionScenario.running()
    play.handle(.lost(DBusError("connection")))
    #expect(play.handle(.demand(.off)).isEmpty)
    #expect(play.session.nextWake == nil)
  }

  /// For any events in any order, the session never has two open calls, never wakes up without a demand, and with a
  /// demand always waits for something.
  @Test(arguments: 1...200) func sessionNeverHangs(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var play = ServiceSessionScenario()
    var isConnected = false
    for step in 0..<300 {
      let effects: [GeoClueSession.Effect]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: effects = play.handle(.demand(.off))
      case 1:
        effects = play.handle(
          .demand(ServiceSessionScenario.continuous([5, 500, 50_000].randomElement(using: &random) ?? 5)))
      case 2: effects = play.grantClient()
      case 3: effects = play.confirmStart()
      case 4: effects = play.failClient(unknown)
      case 5: effects = play.refuseStart("org.freedesktop.DBus.Error.AccessDenied")
      case 6: effects = play.sendLocationUpdate()
      case 7:
        effects = play.replyWithLocation(location(accuracy: Double.random(in: 0...5000, using: &random)))
      case 8: effects = play.changeOwner(Bool.random(using: &random) ? "" : ":1.\(step)")
      case 9: effects = isConnected ? play.handle(.lost(DBusError("connection"))) : []
      case 10: effects = play.setActive(Bool.random(using: &random))
      default: effects = play.advance(by: .seconds(Double.random(in: 0...40, using: &random)))
      }
      if case .waitingForBus = play.session.phase { isConnected = false }
      for effect in effects {
        switch effect {
        case .connect:
          #expect(!isConnected, "seed \(seed), step \(step)")
          isConnected = true
        case .disconnect:
          #expect(isConnected, "seed \(seed), step \(step)")
          isConnected = false
        case .call: #expect(isConnected, "seed \(seed), step \(step)")
        case .emit: break
        }
      }
      let isWanted = play.session.demand.fixes != .off
      #expect(isConnected || !isWanted || play.session.nextWake != nil || play.session.phase == .denied)
      #expect(isWanted || play.session.nextWake == nil, "seed \(seed), step \(step)")
    }
  }
}
