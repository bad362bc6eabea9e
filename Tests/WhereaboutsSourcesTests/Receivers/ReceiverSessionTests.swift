import Testing
import WhereaboutsCore

@testable import WhereaboutsSources

/// A session, and the signals that it gives in short.
private struct Story {
  var session: ReceiverSession
  var now = Instant.start
  private(set) var told: [String] = []
  private(set) var troubles: [SourceTrouble] = []

  init(
    _ port: ReceiverPort = .tcp(host: "boat", port: 10110), isSearched: Bool = false,
    change: (inout ReceiverSession.Settings) -> Void = { _ in }
  ) {
    var settings = ReceiverSession.Settings()
    change(&settings)
    session = ReceiverSession(
      port, at: now, settings: settings, search: isSearched ? SpeedSearch(present: 9600, at: now) : nil)
  }

  mutating func hear(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { session.take($0, at: now) }
    note()
  }

  /// Lets time pass, waking the session whenever it wants to be.
  mutating func pass(_ seconds: Double) {
    let end = now.advanced(by: .seconds(seconds))
    while let wake = session.nextWake, wake <= end {
      guard wake >= now else {
        Issue.record("it wants to be woken in the past, again and again")
        break
      }
      now = max(now, wake)
      session.wake(at: now)
      note()
    }
    now = end
  }

  private mutating func note() {
    for signal in session.signals {
      switch signal {
      case .fix: told.append("fix")
      case .unavailable(let trouble):
        told.append(trouble.code.rawValue)
        troubles.append(trouble)
      case .headingsUnavailable: told.append("no heading")
      case .heading: told.append("heading")
      case .satellites(let view): told.append("\(view.satellites.count) satellites")
      default: told.append("\(signal)")
      }
    }
    session.signals.removeAll()
    if let speed = session.speedWanted { told.append("\(speed) baud") }
    session.speedWanted = nil
  }
}

@Suite struct ReceiverSessionTests {
  @Test func aFixIsGivenWhenTheReceiverPauses() {
    var story = Story()
    story.hear(instant(0))
    #expect(story.told == [])
    story.pass(0.2)
    #expect(story.told == [])
    story.pass(0.1)
    #expect(story.told == ["fix"])
    story.pass(0.7)
    story.hear(instant(1))
    story.pass(0.5)
    #expect(story.told == ["fix", "fix"], "once each")
  }

  @Test func aKnownCycleNeedsNoPause() {
    var story = Story()
    for second in 0..<4 {
      story.hear(instant(second))
      story.pass(1)
    }
    story.hear(instant(4))
    #expect(story.told == Array(repeating: "fix", count: 5))
  }

  @Test func noFixIsToldOncePerChange() {
    var story = Story()
    for (second, hasFix) in [false, false, false, true, true, false, false].enumerated() {
      story.hear(instant(second, hasFix: hasFix))
      story.pass(1)
    }
    #expect(story.told == ["no-position", "fix", "fix", "no-position"])
  }

  @Test func silenceIsToldOnceAndEndsWithAFix() {
    var story = Story()
    story.pass(60)
    #expect(story.told == ["silent"])
    #expect(story.session.nextWake == nil, "nothing is to be done until there are bytes")
    story.hear(instant(0))
    story.pass(30)
    #expect(story.told == ["silent", "fix", "silent", "no heading"])
  }

  @Test func sentencesWithoutAPositionAreToldAsSuch() {
    var story = Story()
    for _ in 0..<12 {
      story.hear(sentence("SDDBT,17.0,f,5.1,M,2.8,F"))
      story.pass(1)
    }
    #expect(story.told == ["no-position", "no heading"])
  }

  @Test func aReceiverThatRepeatsOneInstantHasACauseAndARemedy() {
    var story = Story()
    for _ in 0..<8 {
      story.hear(instant(0))
      story.pass(1)
    }
    #expect(story.told == ["fix", "no-position"])
    #expect(story.troubles.last?.message.hasSuffix("repeats one instant") == true)
    #expect(story.troubles.last?.remedy != nil)
    story.hear(instant(9))
    story.pass(1)
    #expect(story.told.last == "fix")
  }

  @Test func sentencesWithoutAPositionAreReportedBeforeFiveSeconds() {
    var story = Story()
    for _ in 0..<5 {
      story.hear(sentence("GPZDA,120000.00,01,06,2026,00,00"))
      story.pass(0.9)
    }
    #expect(
      story.troubles.map(\.message) == [
        "find a position: tcp://boat:10110 sends sentences, but none with a position"
      ])
  }

  @Test func gpsdIsRecognisedByItsGreeting() {
    var story = Story()
    story.hear(Array(#"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#.utf8))
    #expect(story.troubles.map(\.remedy) == ["Use gpsd as the source."])
    story.pass(60)
    #expect(story.told == ["not-understood", "silent"] || story.told == ["not-understood"])
  }

  @Test func aFewBytesBeforeTheSilenceAreNotNothing() {
    var story = Story()
    story.hear([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46])
    story.pass(60)
    #expect(story.told == ["not-understood"])
  }

  @Test func anotherSenderIsReportedAndBeginsASegment() {
    var story = Story(.udp(port: 10110))
    for second in 0..<3 {
      story.hear(instant(second))
      story.pass(1)
    }
    story.session.changeSender(from: "10.0.0.1:4000", to: "10.0.0.2:4000", at: story.now)
    story.hear(instant(3))
    story.pass(1)
    #expect(story.told == ["fix", "fix", "fix", "silent", "segmentBegan", "fix"])
    #expect(story.troubles[0].message.contains("10.0.0.1:4000"))
    #expect(story.troubles[0].message.contains("10.0.0.2:4000"))
  }

  @Test func aCompassIsWaitedFor() {
    var story = Story()
    for second in 0..<20 {
      story.hear(instant(second) + (second == 9 ? sentence("HCHDT,10.0,T") : []))
      story.pass(1)
    }
    #expect(!story.told.contains("no heading") && story.told.contains("heading"))
  }

  @Test func theSameSatellitesAreToldOnce() {
    var story = Story()
    let list = sentence("GPGSV,1,1,02,05,40,120,35,07,60,200,40")
    for second in 0..<3 {
      story.hear(instant(second) + list)
      story.pass(1)
    }
    #expect(story.told.filter { $0.hasSuffix("satellites") } == ["2 satellites"])
  }

  @Test func halfASentenceIsNotJoinedToWhatAnotherSenderSays() {
    var story = Story()
    let whole = instant(0)
    story.hear(Array(whole.dropLast(20)))
    story.session.cut(at: story.now)
    story.hear(Array(whole.suffix(20)))
    story.pass(1)
    #expect(story.told == ["fix"], "of the first sentence alone")
  }

  // MARK: What is no NMEA

  static let others: [(String, [UInt8], SeenBytes.Kind)] = [
    ("UBX", [0xB5, 0x62, 0x01, 0x07, 4, 0, 1, 2, 3, 4, 0x16, 0x50], .ublox),
    ("SiRF", [0xA0, 0xA2, 0, 2, 1, 2, 0, 3, 0xB0, 0xB3], .sirf),
    ("RTCM", [0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4], .rtcm),
    ("gpsd", Array(#"{"class":"VERSION","release":"3.22"}"#.utf8), .gpsd),
    ("no checksums", Array("$GPGGA,120000,,,,,0,,,,,,,,\r\n".utf8), .uncheckedSentences),
    ("text", Array("220 mail.example ESMTP\r\n".utf8), .text),
    ("noise", [0x80, 0xFE, 0x00, 0xE6, 0x98], .noise),
  ]

  @Test(arguments: others.indices) func whatIsNoNMEAIsNamed(index: Int) throws {
    let (name, bytes, kind) = Self.others[index]
    var seen = SeenBytes()
    for _ in 0..<30 { bytes.withUnsafeBytes { seen.take($0) } }
    #expect(seen.kind == kind, "\(name)")
    var story = Story()
    for _ in 0..<50 {
      for _ in 0..<5 { story.hear(bytes) }
      story.pass(0.2)
    }
    #expect(story.told.first == "not-understood" && story.told.count == 1, "\(name): \(story.told)")
  }

  @Test func fewOddBytesAtTheBeginningAreNoTrouble() {
    var story = Story()
    story.hear(Array(repeating: 0xFE, count: 200))
    for second in 0..<5 {
      story.hear(instant(second))
      story.pass(1)
    }
    #expect(story.told == Array(repeating: "fix", count: 5))
  }

  // MARK: The speed of a line

  @Test func theSpeedIsTriedUntilThereAreSentences() {
    var story = Story(.serial(path: "/dev/ttyUSB0"), isSearched: true)
    var speed = "9600 baud"
    for second in 0..<30 {
      story.hear(speed == "57600 baud" ? instant(second) : (0..<150).map { UInt8($0) | 0x80 })
      story.pass(1)
      speed = story.told.last { $0.hasSuffix("baud") } ?? speed
    }
    #expect(
      story.told.prefix(5) == ["4800 baud", "38400 baud", "115200 baud", "57600 baud", "fix"], "\(story.told)"
    )
    #expect(story.told.dropFirst(5).allSatisfy { $0 == "fix" || $0 == "no heading" })
  }

  @Test func aLineThatMakesSenseAtNoSpeedIsTold() {
    var story = Story(.serial(path: "/dev/ttyUSB0"), isSearched: true)
    for _ in 0..<60 {
      story.hear((0..<150).map { UInt8($0) | 0x80 })
      story.pass(1)
    }
    #expect(story.told.filter { $0 == "not-understood" }.count == 1)
    #expect(story.told.firstIndex(of: "not-understood").map { $0 >= 8 } == true, "not before all were tried")
  }

  @Test func aBinaryProtocolShowsThatTheSpeedIsRight() {
    var story = Story(.serial(path: "/dev/ttyUSB0"), isSearched: true)
    for _ in 0..<10 {
      for _ in 0..<20 { story.hear(Self.others[0].1) }
      story.pass(1)
    }
    #expect(story.told == ["not-understood"])
  }

  @Test func aSpeedThatIsRightNoMoreIsLookedForAnew() {
    var story = Story(.serial(path: "/dev/ttyUSB0"), isSearched: true)
    for second in 0..<5 {
      story.hear(instant(second))
      story.pass(1)
    }
    for _ in 0..<10 {
      story.hear((0..<150).map { UInt8($0) | 0x80 })
      story.pass(1)
    }
    #expect(story.told.contains("4800 baud"))
  }

  @Test func dateRolloversAreRepairedByWhatTheSystemKnows() throws {
    let now = try #require(UTCTime(CivilTime(year: 2026, month: 11, day: 21)))
    let earliest = try #require(ReceiverSource.earliest(now: now))
    #expect(earliest.civil.year == 2008)
    #expect(ReceiverSource.earliest(now: nil)?.civil.year == 2026)
    #expect(ReceiverSource.earliest(now: UTCTime(nanosecondsSince1970: 0))?.civil.year == 2026)
    #expect(
      ReceiverSource.earliest(now: UTCTime(CivilTime(year: 2099, month: 1, day: 1)))?.civil.year == 2026)
  }
}
