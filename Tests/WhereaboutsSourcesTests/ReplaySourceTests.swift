import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsTesting

@testable import WhereaboutsSources

/// A fix at a number of seconds after 2024-06-01T12:00:00Z.
private func fix(_ accuracy: Double, at seconds: Double) -> Fix {
  .test(
    latitude: 47 + seconds / 100_000, longitude: 8, accuracy: accuracy,
    time: UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000).advanced(by: .seconds(seconds)))
}

@Suite struct ReplaySourceTests {
  private let recording: [RecordingElement] = [
    .trackBegan(name: "out"), .fix(fix(80, at: 0)), .fix(fix(40, at: 4)),
    .waypoint(Waypoint(coordinate: place)),
    .fix(fix(12, at: 16)), .segmentBegan, .fix(fix(4, at: 7200)),
  ]
  private static let place = Fix.test(latitude: 1, longitude: 1, accuracy: nil, time: nil).coordinate

  /// Every speed must give the same; the longest pause keeps the slow ones short.
  static let speeds: [ReplaySpeed] = [.asFastAsPossible, .times(1_000_000), .times(100_000)]

  private func makeManager(_ speed: ReplaySpeed) -> LocationManager {
    LocationManager(
      source: ReplaySource(recording, speed: speed, longestPause: .milliseconds(5)))
  }

  @Test(arguments: speeds) func timeoutFollowsTheRecordedTime(speed: ReplaySpeed) async {
    let outcome = await makeManager(speed).request(.house, timeout: .seconds(10)).outcome
    guard case .timedOut(let best?) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(best.fix.horizontalAccuracy == 40)
    #expect(best.age == .seconds(6), "met at its own instant and not with the fix after it")
    #expect(best.level == .block)
  }

  @Test(arguments: speeds) func requestIsReachedByTheRightFix(speed: ReplaySpeed) async {
    let answer = await makeManager(speed).request(.house, timeout: nil).answer
    #expect(answer?.fix.horizontalAccuracy == 12)
    #expect(answer?.fix.isSimulated == true)
  }

  @Test(arguments: speeds) func allFixesArriveAndTheStreamEnds(speed: ReplaySpeed) async {
    let manager = makeManager(speed)
    var accuracies: [Double?] = []
    for await fix in manager.fixes(.room, keeping: .waiting(upTo: 1)) {
      accuracies.append(fix.horizontalAccuracy)
    }
    #expect(accuracies == [80, 40, 12, 4])
  }

  @Test func replayPausesWithoutDemand() async {
    let manager = makeManager(.asFastAsPossible)
    #expect(await manager.request(.block, timeout: nil).answer?.fix.horizontalAccuracy == 80)
    await manager.waitUntilProcessed()
    #expect(await manager.fixCounts().accepted == 1)
    #expect(await manager.request(.house, timeout: nil).answer?.fix.horizontalAccuracy == 12)
    #expect(await manager.fixCounts().accepted == 3)
  }

  @Test func endOfTheRecordingEndsOpenRequests() async {
    let request = makeManager(.asFastAsPossible).request(
      AccuracyLevel.custom(worstAccuracy: 1, maxAge: .seconds(1)) ?? .room, timeout: nil)
    guard case .sourceEnded(let best?) = await request.outcome else {
      Issue.record("not the end")
      return
    }
    #expect(best.fix.horizontalAccuracy == 4)
  }

  @Test func unreadableRecordingIsReported() async {
    let problem = SourceProblem(.unreadable, message: "open the recording: there is none")
    let source = ReplaySource(speed: .asFastAsPossible) { throw problem }
    let manager = LocationManager(source: source)
    #expect(await manager.request(.house, timeout: nil).outcome == .sourceFailed(problem, best: nil))
    await manager.waitUntilProcessed()
    #expect(
      await manager.request(.city, timeout: nil).outcome == .sourceFailed(problem, best: nil),
      "later requests also end with the failure")
  }

  @Test(arguments: [1e-30, 1e-300, .leastNonzeroMagnitude, .infinity, .nan, -1, 0, 1e300])
  func extremeSpeedsDoNotOverflow(factor: Double) {
    for recorded in [Duration.zero, .milliseconds(1), .seconds(1), .seconds(3e11)] {
      let wait = ReplaySpeed.times(factor).trueDuration(of: recorded)
      #expect(wait >= .zero && wait <= .seconds(1e15))
    }
  }
}

@Suite struct ReplayTimelineTests {
  /// Times of fixes as recorded, and when they come.
  private func expect(_ steps: [(Double?, Double)], sourceLocation: SourceLocation = #_sourceLocation) {
    var timeline = ReplayTimeline()
    for (index, (time, elapsed)) in steps.enumerated() {
      timeline.advance(to: time.flatMap { UTCTime(secondsSince1970: $0) })
      #expect(
        timeline.now.instant == Instant(.seconds(elapsed)), "fix \(index)", sourceLocation: sourceLocation)
    }
  }

  @Test func timePassesAsRecorded() {
    expect([(nil, 0), (100, 0), (103, 3), (nil, 3), (103, 3), (163, 63)])
  }

  @Test func lateFixDoesNotDelayLaterFixes() {
    expect([(0, 0), (30, 30), (10, 30), (40, 40), (39, 40), (38, 40), (37, 40), (41, 41)])
  }

  @Test func timelineRestartsAtTheThirdEarlierFix() {
    expect([(1000, 0), (1001, 1), (50, 1), (51, 1), (52, 1), (53, 2), (63, 12)])
  }
}
