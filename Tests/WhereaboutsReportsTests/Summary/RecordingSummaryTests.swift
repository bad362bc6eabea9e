import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

@testable import WhereaboutsReports

@Suite struct RecordingSummaryTests {
  @Test func walkAlongEquatorIsSummarized() throws {
    var summary = RecordingSummary()
    for index in 0...10 {
      // A ten-thousandth of a degree of the equator is 11.1319 m.
      var fix = try fix(0, Double(index) * 0.0001, at: index * 10)
      fix.horizontalAccuracy = index == 0 ? 400 : index < 5 ? 40 : 4
      summary.accept(fix)
    }
    summary.refuse("duplicate")
    #expect(summary.fixes == 12 && summary.accepted == 11)
    #expect(summary.duration == 100)
    #expect((summary.length - 111.3195).magnitude < 0.001)
    #expect(summary.accuracies.quantile(0.5) == 4)
  }

  @Test func engineDeterminesAcceptanceAndReachedLevels() throws {
    var analysis = RecordingAnalysis()
    var pictures = PictureCollector(hasMap: true)
    var answered: [String] = []
    let accuracies = [0: 400.0, 1: 400, 2: 40, 3: 40, 4: 4]
    for index in [0, 1, 2, 2, 3, 4, 1] {
      var fix = try fix(0, Double(index) * 0.0001, at: index * 10)
      fix.horizontalAccuracy = accuracies[index]
      _ = analysis.advance(to: .fix(fix))
      analysis.process(.fix(fix), pictures: &pictures) { event in
        if case .answered(let level, _, _) = event { answered.append(level.name) }
      }
    }
    #expect(
      analysis.summary.accepted == 5 && analysis.summary.refused == ["duplicate": 1, "out of order": 1])
    #expect(analysis.summary.reached.map(\.level.name) == ["city", "neighborhood", "block", "house", "room"])
    #expect(analysis.summary.reached.map(\.after) == [0, 0, 20, 40, 40])
    #expect(Set(answered) == ["city", "neighborhood", "block", "house", "room"] && answered.count == 5)
    #expect(pictures.map?.pointsSeen == 5)
  }

  @Test func timeRestartSplitsJourneys() throws {
    var analysis = RecordingAnalysis()
    var pictures = PictureCollector(hasMap: false)
    for round in 0..<2 {
      for index in 0..<10 {
        analysis.process(
          .fix(try fix(0, Double(index) * 0.001, at: 1000 - round * 1000 + index)), pictures: &pictures
        ) { _ in }
      }
    }
    #expect(analysis.summary.restarts == 1 && analysis.summary.accepted == 18)
    // 9 steps of 111.32 m, and 7 of them after the two fixes that it took to believe the new time.
    #expect((analysis.summary.length - 16 * 111.3195).magnitude < 0.01)
  }

  @Test func recordingWithTheNewestFixFirstStatesTheRemedy() throws {
    for (refused, isStated) in [(1, false), (9, true)] {
      var summary = RecordingSummary()
      for index in 0..<3 { summary.accept(try fix(0, Double(index) * 0.001, at: index)) }
      for _ in 0..<refused { summary.refuse(Refusal.Reason.outOfOrder.rawValue) }
      let text = SummaryText(name: "x", format: .csv, summary: summary, problems: ProblemLog())
      #expect(text.lines.contains { $0.contains("`whereabouts import`") } == isStated, "\(text.lines)")
    }
  }

  @Test func lengthExcludesStepsBetweenSegments() throws {
    var summary = RecordingSummary()
    summary.accept(try fix(0, 0, at: 0))
    summary.beginSegment()
    summary.accept(try fix(10, 10, at: 1000))
    #expect(summary.length == 0 && summary.gaps.intervals.count == 0)
    #expect(summary.duration == 1000)
  }

  @Test func breaksBetweenSegmentsAreListed() throws {
    var summary = RecordingSummary()
    for (begin, isTrack) in [(0, false), (100, false), (500, true)] {
      if isTrack { summary.beginTrack() }
      summary.beginSegment()
      for index in 0...4 { summary.accept(try fix(0, 0, at: begin + index)) }
    }
    #expect(summary.gaps.count == 0 && summary.gaps.threshold == 10)
    #expect(summary.gaps.breaks == 2 && summary.gaps.longestBreak == 396)
    let text = SummaryText(name: "x", format: .gpx, summary: summary, problems: ProblemLog())
    #expect(
      text.lines.suffix(2) == [
        "  Gaps        none longer than 10 s",
        "              2 breaks between segments · the longest 6 min 36 s, from 22:15:04",
      ])
    let json = SummaryJSON(name: "x", format: .gpx, summary: summary, problems: ProblemLog())
    #expect(
      String(decoding: json.bytes, as: UTF8.self).hasSuffix(
        #""gaps":{"count":0,"threshold":10,"breaks":2,"longestBreak":396}}}"#))
  }

  @Test func shortPauseAndOtherDeviceAreNoBreaks() throws {
    var summary = RecordingSummary()
    summary.accept(try fix(0, 0, at: 0))
    summary.beginSegment()
    summary.accept(try fix(0, 0, at: 10))
    summary.beginDevice()
    summary.accept(try fix(0, 0, at: 1000))
    #expect(summary.gaps.breaks == 0 && summary.gaps.longestBreak == nil && summary.segments == 2)
  }

  @Test func distanceAcrossAntimeridianIsShort() throws {
    var summary = RecordingSummary()
    summary.accept(try fix(0, 179.9999, at: 0))
    summary.accept(try fix(0, -179.9999, at: 1))
    #expect((summary.length - 22.2639).magnitude < 0.001)
    let box = try #require(summary.box)
    #expect(box.west == 179.9999 && box.east == -179.9999)
  }

  @Test func textOmitsAbsentValues() throws {
    var summary = RecordingSummary()
    let place = Fix(
      coordinate: try #require(Coordinate(latitude: 1, longitude: 2)), time: nil, source: .gpx)
    summary.accept(place)
    let text = SummaryText(name: "x.gpx", format: .gpx, summary: summary, problems: ProblemLog())
    #expect(
      text.lines.dropFirst() == [
        "  When        not stated", "  Fixes       1, all accepted", "  Accuracy    not stated",
        "  Box         1.00000, 2.00000 to 1.00000, 2.00000",
      ])
  }

  @Test func textOfUndatedSentencesNamesTheOptionForTheDate() throws {
    var summary = RecordingSummary()
    let place = Fix(
      coordinate: try #require(Coordinate(latitude: 1, longitude: 2)), time: nil, source: .nmea)
    summary.accept(place)
    let text = SummaryText(name: "x.nmea", format: .nmea, summary: summary, problems: ProblemLog())
    #expect(
      text.lines.dropFirst().prefix(2) == [
        "  When        not stated",
        "              For NMEA without dates, pass --date with the date of the first sentence.",
      ])
  }

  @Test func textOfEmptyRecordingIsShort() {
    let text = SummaryText(name: "x", format: nil, summary: RecordingSummary(), problems: ProblemLog())
    #expect(text.lines == ["x", "  Fixes       none"])
  }

  @Test func jsonHasStableKeysAndOmitsAbsent() throws {
    var summary = RecordingSummary()
    var log = ProblemLog()
    log.report(.tooLong, line: 1, byteOffset: 0, "x")
    for index in 0...2 {
      var fix = try fix(0, 0, at: index)
      fix.speed = 1.5
      fix.heightAboveGeoid = 7
      summary.accept(fix)
    }
    summary.refuse("out of order")
    let json = SummaryJSON(name: "a\"b", format: .nmea, summary: summary, problems: log)
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"{"summary":{"file":"a\"b","format":"nmea","start":"2023-11-14T22:13:20.000Z","#
        + #""end":"2023-11-14T22:13:22.000Z","duration":2,"fixes":4,"accepted":3,"refused":{"out of order":1},"#
        + #""tracks":0,"segments":0,"waypoints":0,"routePoints":0,"problems":{"too long":1},"length":0,"#
        + #""speed":{"moving":1.5,"movingTime":2,"max":1.5,"stated":true},"#
        + #""climb":{"up":0,"down":0,"lowest":7,"highest":7},"box":{"south":0,"west":0,"north":0,"east":0},"#
        + #""gaps":{"count":0,"threshold":10}}}"#)
  }

  private func fix(_ latitude: Double, _ longitude: Double, at second: Int) throws -> Fix {
    Fix(
      coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)),
      time: UTCTime(secondsSince1970: 1_700_000_000 + Double(second)), source: .gpx)
  }
}
