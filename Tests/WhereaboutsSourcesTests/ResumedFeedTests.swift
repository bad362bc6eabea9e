import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsSources
import WhereaboutsTesting

@Suite struct ResumedFeedTests {
  private static func fix(_ second: Int, _ metre: Int = 0) throws -> Fix {
    let place = try #require(
      Coordinate(latitude: 51 + Double(second) * 1e-5, longitude: Double(metre) * 1e-5))
    let time = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000 + Int64(second) * 1_000_000_000)
    return Fix(coordinate: place, time: time, source: .nmea)
  }

  /// The seconds of the played fixes, and the reported notices.
  private static func played(
    _ recording: [RecordingElement], taken: [Int], isFile: Bool
  ) throws -> (seconds: [Int], events: [ResumedFeed.ResumeEvent]) {
    let rows = try taken.enumerated().map {
      KnownFixes.Row(number: UInt64($0.offset + 1), fix: try fix($0.element))
    }
    var known = KnownFixes(last: UInt64(rows.count)) { span in
      rows.filter { $0.fix.time.map(span.contains) ?? false }
    }
    var whole = InMemoryRecording(recording)
    let last = isFile ? try ResumedFeed.lastKnown(in: &whole, &known) : nil
    let events = ResumeEventRecorder()
    if isFile, last == nil { return (try seconds(InMemoryRecording(recording)), []) }
    let feed = ResumedFeed(InMemoryRecording(recording), without: known, lastKnown: last) {
      events.record($0)
    }
    return (try seconds(feed), events.all)
  }

  private static func seconds(_ feed: any RecordingFeed) throws -> [Int] {
    var feed = feed
    var seconds: [Int] = [], elements: [RecordingElement] = []
    while try feed.read(into: &elements) {
      for case .fix(let fix) in elements {
        seconds.append(Int((fix.time?.nanosecondsSince1970 ?? 0) / 1_000_000_000 - 1_700_000_000))
      }
    }
    return seconds
  }

  private static func recording(_ seconds: [Int]) throws -> [RecordingElement] {
    try seconds.map { .fix(try fix($0)) }
  }

  /// A recording, its fixes in the store in order, and the fixes that are played.
  private static let cases: [(recording: [Int], taken: [Int], played: [Int])] = [
    ([1, 2, 3, 4], [1, 2], [3, 4]),
    ([1, 2, 3, 4], [], [1, 2, 3, 4]),
    ([1, 2, 3, 4], [1, 2, 3, 4], []),
    // One that came late was the last that was taken, or was not taken yet.
    ([1, 2, 3, 5, 4, 6], [1, 2, 3, 5, 4], [6]),
    ([1, 2, 3, 5, 4, 6], [1, 2, 3, 5], [4, 6]),
    // Refused ones at its beginning and in its middle were played too.
    ([1, 2, 3, 4, 5, 6], [3, 5], [6]),
    // Others have come between, before and after it.
    ([100_000, 100_001, 100_002], [1, 2, 100_000, 100_001, 900_000, 900_001], [100_002]),
    ([100_000, 100_001], [1, 2], [100_000, 100_001]),
    ([100_000, 100_001], [900_000], [100_000, 100_001]),
  ]

  @Test(arguments: cases.indices, [true, false])
  func storedFixesAreNotReplayed(index: Int, isFile: Bool) throws {
    let (recording, taken, played) = Self.cases[index]
    let result = try Self.played(try Self.recording(recording), taken: taken, isFile: isFile)
    #expect(result.seconds == played, "\(recording) of which was taken \(taken)")
  }

  @Test(arguments: [true, false]) func resumePointIsReported(isFile: Bool) throws {
    let goesOn = try Self.played(try Self.recording([1, 2, 3]), taken: [1, 2], isFile: isFile)
    #expect(goesOn.events == [.resumed(after: try #require(try Self.fix(2).time))])
    #expect(
      try Self.played(try Self.recording([1, 2]), taken: [1, 2], isFile: isFile).events == [.complete])
    #expect(try Self.played(try Self.recording([1, 2]), taken: [], isFile: isFile).events == [])
  }

  @Test(arguments: [true, false]) func elementsBeforeNextFixAreReplayed(isFile: Bool) throws {
    var elements: [RecordingElement] = [.trackBegan(name: "a"), .fix(try Self.fix(1)), .segmentBegan]
    elements += [.fix(try Self.fix(2)), .segmentBegan, .fix(try Self.fix(3))]
    let rows = try [1, 2].map { KnownFixes.Row(number: UInt64($0), fix: try Self.fix($0)) }
    let known = KnownFixes(last: 2) { _ in rows }
    var feed = ResumedFeed(InMemoryRecording(elements), without: known, lastKnown: isFile ? 1 : nil) { _ in }
    var played: [RecordingElement] = []
    #expect(try feed.read(into: &played))
    #expect(played == [.segmentBegan, .fix(try Self.fix(3))])
  }

  @Test func longRecordingIsSearchedInParts() throws {
    let seconds = Array(stride(from: 0, to: 200_000, by: 10))
    let taken = Array(seconds.prefix(15_000))
    let result = try Self.played(try Self.recording(seconds), taken: taken, isFile: true)
    #expect(result.seconds == Array(seconds.dropFirst(15_000)))
  }

  @Test func otherRecordingOfSameTimeIsReplayed() throws {
    let other: [RecordingElement] = try (1...300).map { .fix(try Self.fix($0, 7)) }
    for isFile in [true, false] {
      let result = try Self.played(other, taken: Array(1...300), isFile: isFile)
      #expect(result.seconds == Array(1...300))
    }
  }
}

/// The reported notices.
private final class ResumeEventRecorder {
  private(set) var all: [ResumedFeed.ResumeEvent] = []

  func record(_ event: ResumedFeed.ResumeEvent) { all.append(event) }
}
