import Testing
import Whereabouts
import WhereaboutsTesting

@testable import WhereaboutsGeoClue

@Suite struct ServiceAbsenceTests {
  private let unknown = "org.freedesktop.DBus.Error.ServiceUnknown"

  @Test func aServiceThatIsNotInstalledIsSaidSoOnceAndLookedFor() throws {
    var play = Play()
    play.handle(.demand(Play.continuous(10)))
    let first = play.failsToLetIn(unknown).told
    guard case .unavailable(let trouble)? = first.first else {
      Issue.record("\(first)")
      return
    }
    #expect(trouble.code == .unreachable)
    #expect(try #require(trouble.remedy).contains("apt install geoclue-2.0"))
    var tries = 0
    for _ in 0..<10 {
      tries += play.pass(.seconds(30)).calls.count
      #expect(play.failsToLetIn(unknown).isEmpty, "told once")
    }
    #expect(tries == 10, "every half minute in the end")
  }

  @Test func aServiceThatComesIsAskedAtOnce() {
    var play = Play()
    play.handle(.demand(Play.continuous(10)))
    _ = play.failsToLetIn(unknown)
    #expect(play.hasOwner(":1.50").calls == ["GetClient"])
    _ = play.letsIn()
    #expect(play.starts().isEmpty)
  }

  @Test func aServiceThatStopsIsWaitedForAndLeavesAGap() {
    var play = Play.running()
    _ = play.gives(location())
    #expect(play.hasOwner("").troubles == [.unreachable])
    #expect(play.hasOwner(":1.50").calls == ["GetClient"])
    _ = play.letsIn()
    _ = play.starts()
    #expect(play.gives(location()).told.first == .segmentBegan)
  }

  @Test func aServiceThatWasReplacedIsAskedAtOnce() {
    var play = Play.running()
    #expect(play.hasOwner(":1.50").calls == ["GetClient"])
    #expect(play.hasOwner(":1.50").isEmpty)
  }

  @Test func ourOwnCallStartingTheServiceIsNoNews() {
    var play = Play()
    play.handle(.demand(Play.continuous(10)))
    #expect(play.hasOwner(Play.service).isEmpty)
    #expect(play.letsIn().calls.last == "Start")
  }

  @Test func anAnswerToAnEarlierQuestionIsNotTaken() {
    var play = Play()
    play.handle(.demand(Play.continuous(10)))
    let early = play.asked
    _ = play.hasOwner("")
    _ = play.hasOwner(":1.50")
    let late = BusFailure("org.freedesktop.DBus.Error.NoReply")
    #expect(play.handle(.reply(.client(early), .failure(late))).isEmpty)
    #expect(play.letsIn().calls.last == "Start")
  }

  @Test func aBusThatIsGoneIsTriedEachSecondForTenMinutes() {
    var play = Play.running()
    #expect(
      play.handle(.lost(BusFailure("connection", "Connection reset by peer"))).troubles == [.unreachable])
    var tries: [Duration] = []
    let began = play.now
    while play.now < began.advanced(by: .seconds(900)) {
      guard let due = play.session.nextWake else { break }
      play.now = due
      tries.append(due.since(began))
      #expect(play.handle(.woke).first == .connect)
      #expect(play.handle(.lost(BusFailure("connection", "Connection reset by peer"))).isEmpty, "told once")
    }
    #expect(
      tries.prefix(4) == [.milliseconds(250), .milliseconds(750), .milliseconds(1750), .milliseconds(2750)])
    #expect(tries.count { $0 > .seconds(590) && $0 <= .seconds(600) } == 10)
    #expect(tries.count { $0 > .seconds(660) } <= 9)
  }

  @Test func withoutDemandABusThatIsGoneIsLeftAlone() {
    var play = Play.running()
    play.handle(.lost(BusFailure("connection")))
    #expect(play.handle(.demand(.off)).isEmpty)
    #expect(play.session.nextWake == nil)
  }

  /// Whatever comes in whatever order: it never asks two things at once, never wakes up without a demand, and with one
  /// there is always something that it waits for.
  @Test(arguments: 1...200) func nothingMakesItHang(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var play = Play()
    var isConnected = false
    for step in 0..<300 {
      let effects: [ServiceSession.Effect]
      switch Int.random(in: 0..<12, using: &random) {
      case 0: effects = play.handle(.demand(.off))
      case 1:
        effects = play.handle(.demand(Play.continuous([5, 500, 50_000].randomElement(using: &random) ?? 5)))
      case 2: effects = play.letsIn()
      case 3: effects = play.starts()
      case 4: effects = play.failsToLetIn(unknown)
      case 5: effects = play.refusesStart("org.freedesktop.DBus.Error.AccessDenied")
      case 6: effects = play.updates()
      case 7: effects = play.gives(location(accuracy: Double.random(in: 0...5000, using: &random)))
      case 8: effects = play.hasOwner(Bool.random(using: &random) ? "" : ":1.\(step)")
      case 9: effects = isConnected ? play.handle(.lost(BusFailure("connection"))) : []
      case 10: effects = play.isActive(Bool.random(using: &random))
      default: effects = play.pass(.seconds(Double.random(in: 0...40, using: &random)))
      }
      if case .withoutBus = play.session.phase { isConnected = false }
      for effect in effects {
        switch effect {
        case .connect:
          #expect(!isConnected, "seed \(seed), step \(step)")
          isConnected = true
        case .disconnect:
          #expect(isConnected, "seed \(seed), step \(step)")
          isConnected = false
        case .call: #expect(isConnected, "seed \(seed), step \(step)")
        case .tell: break
        }
      }
      let isWanted = play.session.demand.fixes != .off
      #expect(isConnected || !isWanted || play.session.nextWake != nil || play.session.phase == .refused)
      #expect(isWanted || play.session.nextWake == nil, "seed \(seed), step \(step)")
    }
  }
}
