import Testing
import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsCLI

@Suite struct ToldEventTests {
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

  @Test(arguments: [ToldEvent.News.new, .again, .revised, .revoked])
  func whatIsWrittenIsReadBack(news: ToldEvent.News) throws {
    for manner in [FenceEvent.Manner.crossed, .unseen, .initial] {
      let event = ToldEvent(try Self.event(7, fence: "a \"b\"\n", manner: manner), news: news)
      var bytes: [UInt8] = []
      FenceEventJSON.append(event, to: &bytes)
      #expect(EventLog.content(of: bytes).lines == [event])
      #expect(String(decoding: bytes, as: UTF8.self).contains("between") == (manner == .unseen))
    }
  }

  @Test func aLogIsReadAsFarAsItIsWhole() throws {
    var bytes: [UInt8] = []
    for id in 1...3 { FenceEventJSON.append(ToldEvent(try Self.event(UInt64(id))), to: &bytes) }
    #expect(EventLog.content(of: bytes).events.map(\.id) == [1, 2, 3])
    for cut in 0..<bytes.count {
      let content = EventLog.content(of: Array(bytes[..<cut]))
      #expect(
        content.unreadable.isEmpty && content.lines.map(\.id) == Array([1, 2, 3].prefix(content.lines.count)))
    }
    let damaged = Array("{\"id\":1}\n\nnonsense\n".utf8) + bytes
    let content = EventLog.content(of: damaged)
    #expect(content.unreadable == [1, 3] && content.lines.count == 3)
  }

  @Test func revisionsStandInThePlaceOfWhatTheyRevise() throws {
    var later = ToldEvent(try Self.event(1, at: 5), news: .revised)
    later.confidence = 0.99
    let gone = ToldEvent(try Self.event(2), news: .revoked)
    var content = EventLog.Content()
    content.lines = [ToldEvent(try Self.event(1)), ToldEvent(try Self.event(2)), later, gone]
    #expect(content.events == [later] && content.lastID == 2)
  }

  @Test func textSaysWhatIsNotPlain() throws {
    let text = FenceEventText([Fence]())
    let unseen = text.line(ToldEvent(try Self.event(1, .exit, manner: .unseen)))
    #expect(unseen.contains("left") && unseen.contains("inside when last seen at 22:12:50"))
    let plain = text.line(ToldEvent(try Self.event(1)))
    #expect(plain == "2023-11-14 22:13:20  entered  home  ±0.30 s     97 %  known after 1 s")
    let again = text.line(ToldEvent(try Self.event(3), news: .again))
    #expect(again.contains("told again: event 3"))
    #expect(!text.line(ToldEvent(try Self.event(1, fence: "a\u{1B}[2Jb"))).contains("\u{1B}"))
  }

  @Test func eventsAreHeldUntilNoFixCanChangeThem() throws {
    var settler = EventSettler(lateness: .seconds(5))
    var told: [ToldEvent] = []
    let first = try Self.event(1), second = try Self.event(2, .exit, at: 3)
    settler.take(.event(second))
    settler.take(.event(first))
    settler.advance(to: first.decided.advanced(by: .seconds(5))) { told.append($0) }
    #expect(told.isEmpty)
    settler.advance(to: first.decided.advanced(by: .milliseconds(5001))) { told.append($0) }
    #expect(told.map(\.kind) == [.enter] && told[0].id == 1)
    // A fix that comes late changes nothing of that, and a revision only what is still held.
    settler.advance(to: first.time) { told.append($0) }
    settler.take(.revised(second.id, nil))
    settler.finish { told.append($0) }
    #expect(told.count == 1 && settler.last == 1)
  }

  @Test func staysAreCountedFromWhatIsTold() throws {
    var tally = FenceTally()
    tally.take(ToldEvent(try Self.event(1, at: 0)))
    tally.take(ToldEvent(try Self.event(2, .exit, at: 60)))
    tally.take(ToldEvent(try Self.event(3, at: 90)))
    tally.advance(to: try Self.event(3, at: 100).time)
    tally.finish()
    let row = tally["home"]
    #expect(row.enters == 2 && row.exits == 1 && row.stays == [60, 10] && row.absences == [30])
    #expect(FenceTallyText.sentence(row).hasPrefix("entered twice, left once · inside 1 min 10 s in 2 stays"))
    #expect(FenceTallyText.sentence(row).hasSuffix("still inside at the end"))
    #expect(row.flaps(within: .seconds(31)) == 1 && row.flaps(within: .seconds(30)) == 0)
  }

  @Test func settingsAreAllCombinations() {
    let settings = FenceSetting.all(
      radii: [30, 50], enterDwells: [], exitDwells: [.zero, .seconds(60)], dwells: [], confidences: [],
      hystereses: [])
    #expect(settings.count == 4 && Set(settings).count == 4)
    #expect(settings[0].columns.map(\.name) == ["radius", "exit dwell"])
  }
}
