import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsUploadQueue

/// The fixes sent to an endpoint with a selection.
@Suite struct FixSelectionTests {
  private func stored(_ fixes: [LoggedFix]) -> [StoredFix] {
    fixes.enumerated().map {
      StoredFix(seq: UInt64($0 + 1), rowTime: $1.time ?? SampleHistory.time(0), fix: $1)
    }
  }

  /// A walk with good and bad fixes, gaps, and a clock that is set back now and then.
  private func walk(_ random: inout SeededGenerator) -> [StoredFix] {
    var (seconds, metres) = (0.0, 0.0)
    var fixes: [LoggedFix] = []
    for _ in 0..<Int.random(in: 20...200, using: &random) {
      seconds += Double.random(in: 0.5...20, using: &random)
      if Int.random(in: 0..<50, using: &random) == 0 { seconds -= 500 }
      metres += Double.random(in: 0...60, using: &random)
      let time = UTCTime(
        nanosecondsSince1970: UploadFixture.start.nanosecondsSince1970 + Int64(seconds * 1000) * 1_000_000)
      let accuracy = Bool.random(using: &random) ? 5 : Double.random(in: 11...200, using: &random)
      fixes.append(
        LoggedFix(
          .test(latitude: 48 + metres / 111_000, longitude: 11, accuracy: accuracy, time: time), seen: time))
    }
    return stored(fixes)
  }

  /// The same fixes are sent with any number of stops and resumptions from the cursor, also in other processes.
  @Test(arguments: 1...100) func selectionIsIndependentOfRestarts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let terms = AcceptanceTerms(
      requiredAccuracy: 10, recencyThreshold: .seconds(Int.random(in: 0...60, using: &random)),
      wait: .seconds(Int.random(in: 1...40, using: &random)),
      maximumTries: Int.random(in: 1...8, using: &random), distanceFilter: 20, highwayDistanceFilter: 50)
    let fixes = walk(&random)
    var whole = FixSelector(terms, after: nil)
    let expected = fixes.flatMap { whole.process($0) }.map(\.seq)
    #expect(!expected.isEmpty)

    var (sent, next, last) = ([UInt64](), 0, nil as FixSelector.ResumePoint?)
    while next < fixes.count {
      var part = FixSelector(terms, after: last)
      let end = min(fixes.count, next + Int.random(in: 1...40, using: &random))
      for stored in fixes[next..<end] { sent += part.process(stored).map(\.seq) }
      // As the cursor does it: not past what is held, unless nothing came on.
      last = part.resumePoint
      let held = part.firstHeld.map { Int($0.seq) - 1 } ?? end
      next = held > next || end == fixes.count ? held : next
      if end == fixes.count { break }
    }
    #expect(sent == expected, "seed \(seed)")
  }

  @Test func heldFixIsSentAfterItsWait() {
    var selection = FixSelector(.standard, after: nil)
    let poor = stored([
      LoggedFix(SampleHistory.fix(1, accuracy: 90).fix, seen: SampleHistory.time(1)),
      LoggedFix(SampleHistory.fix(2, accuracy: 40).fix, seen: SampleHistory.time(2)),
    ])
    #expect(poor.flatMap { selection.process($0) }.isEmpty && selection.firstHeld?.seq == 1)
    #expect(selection.releaseDue(at: SampleHistory.time(10)).isEmpty)
    #expect(selection.releaseDue(at: SampleHistory.time(12)).map(\.seq) == [2])
    #expect(selection.firstHeld == nil)
  }

  @Test func everyFixIsSentWithoutTerms() {
    var selection = FixSelector(nil, after: nil)
    let fixes = stored((0..<5).map { _ in SampleHistory.fix(1) })
    #expect(fixes.flatMap { selection.process($0) }.count == 5)
  }
}
