import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsReports

@Suite struct ReportedFenceEventTests {
  /// An event so many seconds after a beginning.
  static func event(
    _ id: UInt64, _ kind: FenceEvent.Kind = .enter, fence: FenceID = "home", at second: Double = 0,
    decidedAfter: Double = 1, manner: FenceEvent.Manner = .crossed
  ) throws -> FenceEvent {
    let time = UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000).advanced(by: .seconds(second))
    let place = try #require(Coordinate(latitude: 51.4779, longitude: -0.0015))
    return FenceEvent(
      id: FenceEvent.ID(id), fence: fence, kind: kind, manner: manner, time: time, timeUncertainty: 0.25,
      lastBefore: time.advanced(by: .seconds(-30)), firstAfter: time, place: place, confidence: 0.97,
      decidedBy: Fix(coordinate: place, time: time, source: .nmea),
      decided: time.advanced(by: .seconds(decidedAfter)), pending: .seconds(decidedAfter))
  }

  @Test(arguments: [
    (ReportedFenceEvent.ReportStatus.new, ""), (.again, #","again":true"#), (.revised, #","revised":true"#),
    (.revoked, #","revoked":true"#),
  ])
  func jsonContainsReportStatus(status: ReportedFenceEvent.ReportStatus, member: String) throws {
    for manner in [FenceEvent.Manner.crossed, .unseen, .initial] {
      var bytes: [UInt8] = []
      FenceEventJSON.append(
        ReportedFenceEvent(try Self.event(7, fence: "a \"b\"\n", manner: manner), status: status), to: &bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.hasPrefix(#"{"fence":"a \"b\"\n","event":"enter""#) && text.hasSuffix("\(member)}\n"))
      #expect(text.contains("between") == (manner == .unseen))
    }
  }

  @Test func eventsKeepOrderAndRevisionsKeepID() throws {
    var events = ReportedEventBuilder()
    var later = try Self.event(1, at: 5)
    later.confidence = 0.99
    let records: [FenceRecord] = [
      .event(try Self.event(1)), .event(try Self.event(2)), .removed("home", because: .once),
      .revised(later.id, later),
      .revised(FenceEvent.ID(2), nil), .revised(FenceEvent.ID(9), nil),
    ]
    let reported = records.compactMap { events.event(of: $0, isAgain: false) }
    #expect(
      reported.map(\.id) == [1, 2, 1, 2] && reported.map(\.status) == [.new, .new, .revised, .revoked])
    #expect(ReportedEventBuilder.resolvingRevisions(reported).map(\.confidence) == [0.99])
    #expect(events.event(of: .event(try Self.event(3)), isAgain: true)?.status == .again)
  }

  @Test func textIncludesRemarks() throws {
    let text = FenceEventText([Fence]())
    let unseen = text.line(ReportedFenceEvent(try Self.event(1, .exit, manner: .unseen)))
    #expect(unseen.contains("left") && unseen.contains("inside when last seen at 22:12:50"))
    let plain = text.line(ReportedFenceEvent(try Self.event(1)))
    #expect(plain == "2023-11-14 22:13:20  entered  home  ±0.30 s     97 %  known after 1 s")
    let again = text.line(ReportedFenceEvent(try Self.event(3), status: .again))
    #expect(again.contains("repeated: event 3"))
    #expect(!text.line(ReportedFenceEvent(try Self.event(1, fence: "a\u{1B}[2Jb"))).contains("\u{1B}"))
  }

  @Test func eventsAreHeldUntilSettled() throws {
    var settler = FenceEventSettler(lateness: .seconds(5))
    var reported: [ReportedFenceEvent] = []
    let first = try Self.event(1), second = try Self.event(2, .exit, at: 3)
    settler.process(.event(second))
    settler.process(.event(first))
    settler.advance(to: first.decided.advanced(by: .seconds(5))) { reported.append($0) }
    #expect(reported.isEmpty)
    settler.advance(to: first.decided.advanced(by: .milliseconds(5001))) { reported.append($0) }
    #expect(reported.map(\.kind) == [.enter] && reported[0].id == 1)
    // A late fix changes no reported event, and a revision only a held one.
    settler.advance(to: first.time) { reported.append($0) }
    settler.process(.revised(second.id, nil))
    settler.finish { reported.append($0) }
    #expect(reported.count == 1 && settler.lastReportedNumber == 1)
  }

  @Test func staysAreCountedFromReportedEvents() throws {
    var statistics = FenceStatistics()
    statistics.process(ReportedFenceEvent(try Self.event(1, at: 0)))
    statistics.process(ReportedFenceEvent(try Self.event(2, .exit, at: 60)))
    statistics.process(ReportedFenceEvent(try Self.event(3, at: 90)))
    statistics.advance(to: try Self.event(3, at: 100).time)
    statistics.finish()
    let row = statistics["home"]
    #expect(row.enters == 2 && row.exits == 1 && row.stays == [60, 10] && row.absences == [30])
    #expect(
      FenceStatisticsText.sentence(row).hasPrefix("entered twice, left once · inside 1 min 10 s in 2 stays"))
    #expect(FenceStatisticsText.sentence(row).hasSuffix("still inside at the end"))
    #expect(row.flaps(within: .seconds(31)) == 1 && row.flaps(within: .seconds(30)) == 0)
  }

  @Test func suppressedEventsAreCountedInTheSingular() {
    #expect(FenceStatisticsText.suppressed(1, .atRest) == "1 fix that wanders while it rests")
    #expect(FenceStatisticsText.suppressed(2, .atRest) == "2 fixes that wander while it rests")
    #expect(FenceStatisticsText.suppressed(1, .tooShort) == "1 too short to count")
  }

  @Test func unreportedCrossingsBeginAndEndStays() throws {
    var statistics = FenceStatistics()
    let left = try Self.event(2, .exit, at: 60).time
    statistics.process(ReportedFenceEvent(try Self.event(1, at: 0)))
    statistics.process(.notAskedFor("home", .exit, time: left))
    statistics.process(.outsideHours("work", .enter, time: left))
    statistics.process(.outsideHours("work", .exit, time: try Self.event(3, at: 75).time))
    // An exit that is known before the enter of a short stay is settled.
    statistics.process(.notAskedFor("bridge", .exit, time: left))
    statistics.process(ReportedFenceEvent(try Self.event(4, fence: "bridge", at: 58)))
    statistics.advance(to: try Self.event(5, at: 100).time)
    statistics.finish()
    #expect(
      statistics["home"].stays == [60] && statistics["work"].stays == [15]
        && statistics["bridge"].stays == [2])
    #expect(FenceStatisticsText.sentence(statistics["home"]) == "entered once · inside 1 min 00 s")
  }

  @Test func staysEndWithTheirFence() throws {
    let event = try Self.event(1, at: 0), place = event.place
    let area = Area.circle(try Area.Circle(center: place, radius: 100))
    var fences = [
      Fence(id: "home", area: area), Fence(id: "once", area: area), Fence(id: "work", area: area),
    ]
    fences[0].terms.expiry = event.time.advanced(by: .seconds(40))
    fences[1].terms.once = true
    fences[2].terms.expiry = event.time.advanced(by: .seconds(400))
    var statistics = FenceStatistics()
    for fence in fences { statistics.process(ReportedFenceEvent(try Self.event(1, fence: fence.id, at: 0))) }
    statistics.advance(to: event.time.advanced(by: .seconds(100)))
    statistics.finish(watching: fences)
    #expect(
      statistics["home"].stays == [40] && statistics["once"].stays == [] && statistics["work"].stays == [100])
    #expect(FenceStatisticsText.sentence(statistics["home"]) == "entered once · inside 40 s")
    #expect(FenceStatisticsText.sentence(statistics["once"]) == "entered once")
    #expect(FenceStatisticsText.sentence(statistics["work"]).hasSuffix("still inside at the end"))
  }

  @Test func variantsCoverAllCombinations() throws {
    let settings = FenceVariant.all(
      radii: [30, 50], enterDwells: [], exitDwells: [.zero, .seconds(60)], dwells: [], confidences: [],
      hystereses: [])
    try #require(settings.count == 4 && Set(settings).count == 4)
    #expect(settings[0].columns.map(\.name) == ["radius", "exit dwell"])
  }
}
