import Testing
import WhereaboutsModel

@testable import WhereaboutsSources

@Suite struct RepeatGuardTests {
  /// Which fixes pass of those made at these seconds; `nil` is one without a time, and the line breaks where `breaks`.
  private func passedFixes(_ times: [Double?], breakBefore index: Int) -> [Double?] {
    var guarding = DuplicateFixFilter()
    return times.enumerated().compactMap { place, seconds -> Double?? in
      if place == index { guarding.connectionLost() }
      let time = seconds.flatMap { UTCTime(secondsSince1970: 1e9 + $0) }
      return guarding.accept(time) ? .some(seconds) : nil
    }
  }

  @Test func fixesPassWhileTheLineIsConnected() {
    #expect(passedFixes([1, 2, 2, 1, nil, 3], breakBefore: 99) == [1, 2, 2, 1, nil, 3])
  }

  @Test func reportedFixesAreNotRepeated() {
    #expect(passedFixes([1, 2, 3, 3, 4], breakBefore: 3) == [1, 2, 3, 4])
    #expect(passedFixes([1, 2, 3, 1, 2, 3, 4, 3], breakBefore: 3) == [1, 2, 3, 4, 3])
  }

  @Test func datelessFixesAreHeldBackAfterABreak() {
    #expect(passedFixes([1, 2, nil, nil, 3, nil], breakBefore: 2) == [1, 2, 3, nil])
    #expect(
      passedFixes([1] + Array(repeating: nil, count: 12), breakBefore: 1).count == 3,
      "another receiver, without dates")
    #expect(passedFixes([nil, nil, nil], breakBefore: 1).count == 3)
  }

  @Test func permanentTimeStepBackIsAccepted() {
    #expect(passedFixes([100, 101, 10, 11, 12, 13], breakBefore: 2) == [100, 101, 12, 13])
    #expect(passedFixes([100, 101, 98, 99, 100, 101, 102], breakBefore: 2) == [100, 101, 102])
  }
}

@Suite struct RetryPaceTests {
  @Test func slowAnswersAreRetriedWithBackoff() {
    var pace = RetryBackoff()
    let waits = (0..<10).map { _ in pace.nextDelay(failsFast: false, jitter: 0).inSeconds }
    #expect(waits == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30, 30])
    pace.reset()
    #expect(pace.nextDelay(failsFast: false, jitter: 1) == .milliseconds(300))
    #expect(pace.nextDelay(failsFast: false, jitter: -1) == .milliseconds(400))
  }

  @Test func immediateRefusalsAreRetriedOftenForTenMinutes() {
    var pace = RetryBackoff()
    var waited = Duration.zero
    while waited < .seconds(600) {
      let wait = pace.nextDelay(failsFast: true, jitter: 0)
      #expect(wait <= .seconds(1))
      waited += wait
    }
    #expect(pace.nextDelay(failsFast: true, jitter: 0) == .seconds(5))
  }
}
