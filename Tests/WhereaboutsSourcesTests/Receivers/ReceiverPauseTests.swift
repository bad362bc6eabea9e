import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsSources

/// Pauses of a receiver or a server, and silence.
@Suite struct ReceiverPauseTests {
  @Test func knownCycleNeedsNoPause() {
    var story = ReceiverSessionScenario()
    for second in 0..<4 {
      story.receive(instant(second))
      story.advance(1)
    }
    story.receive(instant(4))
    #expect(story.reported == Array(repeating: "fix", count: 5))
  }

  @Test func missingFixIsReportedOncePerChange() {
    var story = ReceiverSessionScenario()
    for (second, hasFix) in [false, false, false, true, true, false, false].enumerated() {
      story.receive(instant(second, hasFix: hasFix))
      story.advance(1)
    }
    #expect(story.reported == ["no-position", "fix", "fix", "no-position"])
  }

  @Test func silenceIsReportedOnceAndEndsWithAFix() {
    var story = ReceiverSessionScenario()
    story.advance(60)
    #expect(story.reported == ["silent"])
    #expect(story.session.nextWake == nil, "nothing is to be done until there are bytes")
    story.receive(instant(0))
    story.advance(30)
    #expect(story.reported == ["silent", "fix", "silent", "no heading"])
  }

  @Test func pausesOfASlowReceiverAreNoSilence() {
    var story = ReceiverSessionScenario()
    func silences() -> Int { story.reported.count { $0 == "silent" } }
    for round in 0..<5 {
      story.receive(instant(round * 10))
      story.advance(10)
    }
    #expect(silences() == 1, "one pause shows its interval")
    #expect(story.problems.first?.message == "hear more from tcp://boat:10110 yet: it has sent once")
    story.advance(15)
    #expect(silences() == 2, "twice its interval is a silence")
    for second in 0..<30 {
      story.receive(instant(100 + second))
      story.advance(1)
    }
    #expect(silences() == 2)
    story.advance(5)
    #expect(silences() == 3, "it reports often again")
  }

  /// A receiver that reports often, with two stops.
  @Test func singleStopIsNoUsualPause() {
    var story = ReceiverSessionScenario()
    for second in 0..<5 {
      story.receive(instant(second))
      story.advance(1)
    }
    story.advance(20)
    for second in 30..<35 {
      story.receive(instant(second))
      story.advance(1)
    }
    story.advance(5)
    let message = "hear anything from tcp://boat:10110: nothing comes"
    #expect(story.problems.map(\.message) == [message, message])
  }

  /// Returns the silence timeouts of the first connections to a server that sends at once and then with pauses.
  private func silenceTimeouts(ofPauses pause: Double, times: Int) -> [Duration] {
    let settings = ReceiverSource.Settings()
    var timeouts: [Duration] = [settings.silenceTimeout]
    while timeouts.count < 6, let timeout = timeouts.last {
      var story = ReceiverSessionScenario()
      story.receive(instant(0))
      if timeout > .seconds(pause) {
        for round in 1...times {
          story.advance(pause)
          story.receive(instant(round))
        }
      }
      // The server hangs.
      timeouts.append(
        settings.nextSilenceTimeout(
          after: timeout, wasSilent: true, longestPause: story.session.longestPause))
    }
    return timeouts
  }

  @Test func connectionToASlowServerIsNotReplacedEachTime() {
    func seconds(_ timeouts: [Duration]) -> [Int64] { timeouts.map(\.components.seconds) }
    #expect(seconds(silenceTimeouts(ofPauses: 45, times: 3)) == [20, 40, 80, 90, 90, 90])
    #expect(seconds(silenceTimeouts(ofPauses: 1, times: 5)) == [20, 20, 20, 20, 20, 20])
    #expect(seconds(silenceTimeouts(ofPauses: 1000, times: 1)) == [20, 40, 80, 160, 300, 300])
  }

  @Test func stopOfAServerIsNoPauseToLearn() {
    var story = ReceiverSessionScenario()
    for second in 0..<10 {
      story.receive(instant(second))
      story.advance(second == 4 ? 19 : 1)
    }
    let settings = ReceiverSource.Settings()
    #expect(story.session.longestPause == .seconds(1))
    #expect(
      settings.nextSilenceTimeout(
        after: settings.silenceTimeout, wasSilent: true, longestPause: story.session.longestPause)
        == settings.silenceTimeout)
  }

  /// A server that sends every second for 3 s, and then nothing for some time. The first connection begins with a burst,
  /// each later one within a pause.
  @Test(arguments: [(20.5, [20, 20, 41]), (22.0, [20, 20, 44]), (30.0, [20, 20, 60])])
  func pausesBetweenBurstsAreLearntAcrossConnections(pause: Double, expected: [Int]) {
    let settings = ReceiverSource.Settings()
    var pauses = ConnectionPauses(), timeout = settings.silenceTimeout, timeouts: [Duration] = []
    for wait in [0, pause - 20, pause - 20, pause - 20] {
      pauses.recordEnd(firstDataAfter: .seconds(wait), dataDuration: .seconds(3), silentFor: timeout)
      let longest = max(Duration.seconds(1), pauses.usual ?? .zero)
      timeout = settings.nextSilenceTimeout(after: timeout, wasSilent: true, longestPause: longest)
      timeouts.append(timeout)
      if timeout > .seconds(pause) { break }
    }
    #expect(timeouts == expected.map { Duration.seconds($0) })
  }

  @Test func deadConnectionIsNoPauseOfTheServer() {
    var pauses = ConnectionPauses()
    func end(firstDataAfter wait: Double?, silentFor silence: Double?) {
      pauses.recordEnd(
        firstDataAfter: wait.map { .seconds($0) }, dataDuration: .seconds(wait == nil ? 0 : 600),
        silentFor: silence.map { .seconds($0) })
    }
    for wait in [0.0, 0, 10, 0, 10, 0] {
      end(firstDataAfter: wait, silentFor: 20)
      #expect(pauses.usual == nil, "its replacement gets data at once, or only one did not")
    }
    end(firstDataAfter: 10, silentFor: nil)
    end(firstDataAfter: 10, silentFor: 20)
    #expect(pauses.usual == nil, "the server has closed the connection before")
    // A long pause ends a connection without data as well.
    end(firstDataAfter: nil, silentFor: 40)
    end(firstDataAfter: 15, silentFor: 20)
    end(firstDataAfter: 15, silentFor: 20)
    #expect(pauses.usual == .seconds(35))
  }

  /// Each connection gets data at once, for 10 s.
  @Test func connectionsThatDieSoonAreReplaced() {
    let settings = ReceiverSource.Settings()
    var pauses = ConnectionPauses(), timeout = settings.silenceTimeout, timeouts: [Duration] = []
    for _ in 0..<7 {
      pauses.recordEnd(firstDataAfter: .zero, dataDuration: .seconds(10), silentFor: timeout)
      let longest = max(Duration.seconds(1), pauses.usual ?? .zero)
      timeout = settings.nextSilenceTimeout(after: timeout, wasSilent: true, longestPause: longest)
      timeouts.append(timeout)
    }
    #expect(timeouts == [20, 20, 40, 20, 20, 20, 40].map { Duration.seconds($0) })
  }

  @Test func learntPauseHoldsForTheNextDemand() {
    let link = SourceLink(
      demands: AsyncStream { $0.finish() }, authorizationRequests: AsyncStream { $0.finish() },
      background: ManagerSettings.Background()
    ) { _, _ in SourceLink.Status.ended }
    func silenceTimeout(after pause: Duration?) -> Duration {
      var state = ReceiverState()
      state.usualPause = pause
      let connection = ReceiverConnection(
        .tcp(host: "boat", port: 10110), link: link, settings: ReceiverSource.Settings(), state: state)
      return connection.silenceTimeout
    }
    #expect(silenceTimeout(after: nil) == .seconds(20))
    #expect(silenceTimeout(after: .seconds(1)) == .seconds(20))
    #expect(silenceTimeout(after: .seconds(21)) == .seconds(42))
  }

  @Test func singlePauseShowsNotHowOftenAServerSends() {
    var story = ReceiverSessionScenario()
    story.receive(instant(0))
    story.advance(19)
    story.receive(instant(19))
    #expect(story.session.longestPause == nil)
  }
}
