import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports
import WhereaboutsSources
import WhereaboutsTesting

@Suite struct TimeLimitTests {
  private static func fix(_ accuracy: Double?, at seconds: Double?) -> RecordingElement {
    .fix(
      .test(
        latitude: 47, longitude: 8, accuracy: accuracy,
        time: seconds.flatMap { UTCTime(secondsSince1970: 1_717_243_200 + $0) }))
  }

  private static func heading(_ degrees: Double, accuracy: Double? = nil) -> RecordingElement {
    Heading(degrees: degrees, reference: .magneticNorth, accuracy: accuracy).map { .heading($0) }
      ?? .segmentBegan
  }

  /// The number of played elements, and the end of the source.
  private func play(_ elements: [RecordingElement], _ limit: TimeLimit) -> (
    count: Int, problem: SourceProblem?
  ) {
    var feed = TimeLimitedFeed(InMemoryRecording(elements), limit)
    var batch: [RecordingElement] = []
    var count = 0
    do {
      while try feed.read(into: &batch) { count += batch.count }
    } catch {
      return (count, error as? SourceProblem)
    }
    return (count, nil)
  }

  @Test func recordingEndsAtTimeLimit() {
    let elements = [
      Self.fix(9, at: 0), Self.fix(9, at: 4.9), Self.heading(1), Self.fix(9, at: 5), Self.fix(9, at: 6),
    ]
    #expect(play(elements, TimeLimit(after: .seconds(5))) == (3, nil))
    #expect(play(elements, TimeLimit(after: .seconds(7))) == (5, nil))
    #expect(play(elements, TimeLimit(after: .zero)) == (0, nil))
  }

  @Test func accurateFixLiftsTimeLimit() {
    let limit = TimeLimit.reaching(.house, within: .seconds(5))
    let poor = [Self.fix(50, at: 0), Self.fix(nil, at: 1), Self.fix(50, at: 60)]
    #expect(play(poor, limit).count == 2)
    #expect(play(poor, limit).problem?.code == .timedOut)
    #expect(play([Self.fix(50, at: 0), Self.fix(15, at: 4), Self.fix(50, at: 60)], limit) == (3, nil))
    #expect(
      play([Self.fix(50, at: 0), Self.fix(15, at: 5), Self.fix(50, at: 60)], limit).count == 1, "too late")
    #expect(play([Self.fix(50, at: nil), Self.fix(15, at: nil)], limit) == (2, nil), "no time passes")
  }

  @Test func usableHeadingFromReferenceLiftsTimeLimit() {
    let elements = [
      Self.fix(9, at: 0), Self.heading(3, accuracy: -1), Self.fix(9, at: 1), Self.heading(0),
      Self.fix(9, at: 9),
    ]
    #expect(play(elements, .heading(from: nil, within: .seconds(5))) == (5, nil))
    #expect(play(elements, .heading(from: .magneticNorth, within: .seconds(5))) == (5, nil))
    let none = play(elements, .heading(from: .trueNorth, within: .seconds(5)))
    #expect(none.count == 4 && none.problem?.message == "find a heading from true north within 5 s")
    #expect(play(elements, .heading(from: nil, within: .seconds(1))).count == 2)
  }
}
