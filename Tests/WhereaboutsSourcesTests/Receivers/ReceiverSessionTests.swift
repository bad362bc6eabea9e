import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsSources

@Suite struct ReceiverSessionTests {
  @Test func fixIsEmittedWhenTheReceiverPauses() {
    var story = ReceiverSessionScenario()
    story.receive(instant(0))
    #expect(story.reported == [])
    story.advance(0.2)
    #expect(story.reported == [])
    story.advance(0.1)
    #expect(story.reported == ["fix"])
    story.advance(0.7)
    story.receive(instant(1))
    story.advance(0.5)
    #expect(story.reported == ["fix", "fix"], "once each")
  }

  // MARK: Dates

  private func gga(_ time: String) -> [UInt8] {
    sentence("GPGGA,\(time).00,4717.11437,N,00833.91522,E,1,08,1.01,499.6,M,48.0,M,,")
  }

  private func rmc(_ time: String, _ date: String) -> [UInt8] {
    sentence("GPRMC,\(time).00,A,4717.11437,N,00833.91522,E,0.004,,\(date),,,A")
  }

  /// A receiver at rest that never states a date: without times, its fixes would be repetitions of one.
  @Test func undatedFixesAtRestHaveTheDateOfTheirArrival() {
    var story = ReceiverSessionScenario()
    story.wallStart = UTCTime(iso8601: "2026-06-01T23:59:58Z")
    for time in ["235959", "000000", "000001"] {
      story.receive(gga(time))
      story.advance(1)
    }
    #expect(
      story.fixTimes == ["2026-06-01T23:59:59.000Z", "2026-06-02T00:00:00.000Z", "2026-06-02T00:00:01.000Z"])
    #expect(story.reported == ["fix", "fix", "fix"])
  }

  @Test func undatedFixesHaveNoTimeWithoutAWallClock() {
    var story = ReceiverSessionScenario()
    for time in ["120000", "120001"] {
      story.receive(gga(time))
      story.advance(1)
    }
    #expect(story.fixTimes == ["no time", "no time"])
  }

  @Test func lateDateThatAgreesContinuesTheSegment() {
    var story = ReceiverSessionScenario()
    story.wallStart = UTCTime(iso8601: "2026-06-01T12:00:00Z")
    story.receive(gga("120000"))
    story.advance(1)
    story.receive(gga("120001") + rmc("120001", "010626"))
    story.advance(1)
    #expect(story.fixTimes == ["2026-06-01T12:00:00.000Z", "2026-06-01T12:00:01.000Z"])
    #expect(story.reported == ["fix", "fix"])
  }

  @Test func lateDateThatDiffersBeginsASegment() {
    var story = ReceiverSessionScenario()
    story.wallStart = UTCTime(iso8601: "2026-06-01T12:00:00Z")
    story.receive(gga("120000"))
    story.advance(1)
    story.receive(gga("120001") + rmc("120001", "100327"))
    story.advance(1)
    story.receive(gga("120002"))
    story.advance(1)
    #expect(
      story.fixTimes == ["2026-06-01T12:00:00.000Z", "2027-03-10T12:00:01.000Z", "2027-03-10T12:00:02.000Z"])
    #expect(story.reported == ["fix", "segmentBegan", "fix", "fix"])
  }

  @Test func clockSetToAnotherDayBeginsASegment() {
    var story = ReceiverSessionScenario()
    story.wallStart = UTCTime(iso8601: "2026-06-01T12:00:00Z")
    story.receive(gga("120000"))
    story.advance(1)
    story.wallStart = UTCTime(iso8601: "2026-06-20T12:00:00Z")
    story.receive(gga("120001"))
    story.advance(1)
    #expect(story.fixTimes == ["2026-06-01T12:00:00.000Z", "2026-06-20T12:00:01.000Z"])
    #expect(story.reported == ["fix", "segmentBegan", "fix"])
  }

  /// Such as a recording that is played over a line: its first sentences after a reconnection may have no date.
  @Test func receiverThatStatedADateIsGivenTimeToStateItAgain() {
    var story = ReceiverSessionScenario { $0.hasStatedDate = true }
    story.wallStart = UTCTime(iso8601: "2026-06-01T12:00:00Z")
    for second in 10..<22 {
      story.receive(gga("1200\(second)"))
      story.advance(1)
    }
    #expect(
      story.fixTimes == Array(repeating: "no time", count: 10) + [
        "2026-06-01T12:00:20.000Z", "2026-06-01T12:00:21.000Z",
      ])
  }

  @Test func sentencesWithoutPositionAreReported() {
    var story = ReceiverSessionScenario()
    for _ in 0..<12 {
      story.receive(sentence("SDDBT,17.0,f,5.1,M,2.8,F"))
      story.advance(1)
    }
    #expect(story.reported == ["no-position", "no heading"])
  }

  @Test func sentencesOfAnInstantAfterAPauseAreNotOnesWithoutPosition() {
    var story = ReceiverSessionScenario()
    for second in [0, 5, 10] {
      // The sentences come apart, as over a serial line.
      for part in instant(second).split(separator: UInt8(ascii: "\n")) {
        story.receive(Array(part) + [UInt8(ascii: "\n")])
        story.advance(0.1)
      }
      story.advance(4.8)
    }
    #expect(story.reported.filter { $0 != "no heading" } == ["fix", "fix", "fix"])
  }

  @Test func rareSentencesWithoutPositionAreReported() {
    var story = ReceiverSessionScenario()
    for _ in 0..<3 {
      story.receive(sentence("GPZDA,120000.00,01,06,2026,00,00"))
      story.advance(4.5)
    }
    #expect(story.reported.contains("no-position"))
  }

  @Test func firstSentenceOfANewSenderIsNotOneWithoutPosition() {
    var story = ReceiverSessionScenario(.udp(port: 10110))
    story.receive(instant(0))
    story.advance(5.5)
    story.session.changeSender(from: "10.0.0.1:4000", to: "10.0.0.2:4000", at: story.now)
    story.receive(instant(6))
    story.advance(1)
    #expect(!story.reported.contains("no-position"))
    #expect(story.reported.last == "fix")
  }

  @Test func repeatedInstantIsReportedWithCauseAndRemedy() {
    var story = ReceiverSessionScenario()
    for _ in 0..<8 {
      story.receive(instant(0))
      story.advance(1)
    }
    #expect(story.reported == ["fix", "no-position"])
    #expect(story.problems.last?.message.hasSuffix("repeats one instant") == true)
    #expect(story.problems.last?.remedy != nil)
    story.receive(instant(9))
    story.advance(1)
    #expect(story.reported.last == "fix")
  }

  @Test func sentencesWithoutPositionAreReportedBeforeFiveSeconds() {
    var story = ReceiverSessionScenario()
    for _ in 0..<5 {
      story.receive(sentence("GPZDA,120000.00,01,06,2026,00,00"))
      story.advance(0.9)
    }
    #expect(
      story.problems.map(\.message) == [
        "find a position: tcp://boat:10110 sends sentences, but none with a position"
      ])
  }

  @Test func gpsdIsRecognisedByItsGreeting() {
    var story = ReceiverSessionScenario()
    story.receive(Array(#"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#.utf8))
    #expect(story.problems.map(\.remedy) == ["Use gpsd as the source."])
    story.advance(60)
    #expect(story.reported == ["not-understood", "silent"] || story.reported == ["not-understood"])
  }

  /// `gpspipe -r` prints the greeting of gpsd and its replies before the sentences.
  @Test func sentencesAfterTheGreetingOfGPSDAreRead() {
    var story = ReceiverSessionScenario(.standardInput)
    for line in [
      #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","native":1,"#
        + #""activated":"2026-06-01T12:00:00.000Z","bps":9600,"parity":"N","stopbits":1,"cycle":1.00}]}"#,
      #"{"class":"WATCH","enable":true,"json":false,"nmea":true,"raw":0,"scaled":false,"timing":false}"#,
    ] {
      story.receive(Array("\(line)\r\n".utf8))
    }
    story.advance(1)
    story.receive(instant(0))
    story.advance(1)
    #expect(story.reported == ["fix"])
  }

  /// As of `gpspipe -w`.
  @Test func reportsOfGPSDOnStandardInputAreRecognised() {
    var story = ReceiverSessionScenario(.standardInput)
    for second in 0..<6 {
      let time = "2026-06-01T12:00:0\(second).000Z", place = #""lat":48.1,"lon":11.5,"alt":520.0,"speed":0.0"#
      let line = #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)",\#(place)}"#
      story.receive(Array(line.utf8))
      story.advance(1)
    }
    #expect(story.problems.map(\.remedy) == ["Use gpsd as the source."])
  }

  @Test func fewBytesBeforeASilenceAreReported() {
    var story = ReceiverSessionScenario()
    story.receive([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46])
    story.advance(60)
    #expect(story.reported == ["not-understood"])
  }

  @Test func shortStandardInputWithoutSentencesIsReportedAtItsEnd() {
    for (input, remedy) in [
      (#"{"time":"2026-06-01T12:00:00Z","lat":1,"lon":2}"#, "--source replay:-"),
      ("$GPGGA,120000,,,,,0,,,,,,,,\r\n", "?checksums=optional"),
    ] {
      var story = ReceiverSessionScenario(.standardInput)
      story.receive(Array(input.utf8))
      #expect(story.reported == [], "more bytes may follow")
      story.session.endInput(at: story.now)
      story.receive([])
      #expect(story.reported == ["not-understood"])
      #expect(story.problems.first?.remedy?.contains(remedy) == true, "\(story.problems)")
    }
    var story = ReceiverSessionScenario(.standardInput)
    story.receive(instant(0))
    story.session.endInput(at: story.now)
    story.receive([])
    #expect(story.reported == ["fix"])
  }

  @Test func changedSenderIsReportedAndStartsASegment() {
    var story = ReceiverSessionScenario(.udp(port: 10110))
    for second in 0..<3 {
      story.receive(instant(second))
      story.advance(1)
    }
    story.session.changeSender(from: "10.0.0.1:4000", to: "10.0.0.2:4000", at: story.now)
    story.receive(instant(3))
    story.advance(1)
    #expect(story.reported == ["fix", "fix", "fix", "silent", "segmentBegan", "fix"])
    #expect(story.problems[0].message.contains("10.0.0.1:4000"))
    #expect(story.problems[0].message.contains("10.0.0.2:4000"))
  }

  @Test func lateCompassIsAccepted() {
    var story = ReceiverSessionScenario()
    for second in 0..<20 {
      story.receive(instant(second) + (second == 9 ? sentence("HCHDT,10.0,T") : []))
      story.advance(1)
    }
    #expect(!story.reported.contains("no heading") && story.reported.contains("heading"))
  }

  @Test func unchangedSatellitesAreReportedOnce() {
    var story = ReceiverSessionScenario()
    let list = sentence("GPGSV,1,1,02,05,40,120,35,07,60,200,40")
    for second in 0..<3 {
      story.receive(instant(second) + list)
      story.advance(1)
    }
    #expect(story.reported.filter { $0.hasSuffix("satellites") } == ["2 satellites"])
  }

  @Test func partialSentenceIsNotJoinedToAnotherSender() {
    var story = ReceiverSessionScenario()
    let whole = instant(0)
    story.receive(Array(whole.dropLast(20)))
    story.session.endInput(at: story.now)
    story.receive(Array(whole.suffix(20)))
    story.advance(1)
    #expect(story.reported == ["fix"], "of the first sentence alone")
  }

  // MARK: Bytes that are not NMEA

  static let otherProtocols: [(String, [UInt8], ProtocolDetector.Kind)] = [
    ("UBX", [0xB5, 0x62, 0x01, 0x07, 4, 0, 1, 2, 3, 4, 0x16, 0x50], .ublox),
    ("SiRF", [0xA0, 0xA2, 0, 2, 1, 2, 0, 3, 0xB0, 0xB3], .sirf),
    ("RTCM", [0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4], .rtcm),
    ("gpsd", Array(#"{"class":"VERSION","release":"3.22"}"#.utf8), .gpsd),
    ("no checksums", Array("$GPGGA,120000,,,,,0,,,,,,,,\r\n".utf8), .uncheckedSentences),
    ("text", Array("220 mail.example ESMTP\r\n".utf8), .text),
    ("noise", [0x80, 0xFE, 0x00, 0xE6, 0x98], .noise),
  ]

  @Test(arguments: otherProtocols.indices) func otherProtocolsAreNamed(index: Int) throws {
    let (name, bytes, kind) = Self.otherProtocols[index]
    var seen = ProtocolDetector()
    for _ in 0..<30 { bytes.withUnsafeBytes { seen.append($0) } }
    #expect(seen.kind == kind, "\(name)")
    var story = ReceiverSessionScenario()
    for _ in 0..<50 {
      for _ in 0..<5 { story.receive(bytes) }
      story.advance(0.2)
    }
    #expect(
      story.reported.first == "not-understood" && story.reported.count == 1, "\(name): \(story.reported)")
  }

  @Test func fewOddBytesAtTheStartAreIgnored() {
    var story = ReceiverSessionScenario()
    story.receive(Array(repeating: 0xFE, count: 200))
    for second in 0..<5 {
      story.receive(instant(second))
      story.advance(1)
    }
    #expect(story.reported == Array(repeating: "fix", count: 5))
  }

  // MARK: The speed of a line

  @Test func speedsAreTriedUntilSentencesArrive() {
    var story = ReceiverSessionScenario(.serial(path: "/dev/ttyUSB0"), isSearched: true)
    var speed = "9600 baud"
    for second in 0..<30 {
      story.receive(speed == "57600 baud" ? instant(second) : (0..<150).map { UInt8($0) | 0x80 })
      story.advance(1)
      speed = story.reported.last { $0.hasSuffix("baud") } ?? speed
    }
    #expect(
      story.reported.prefix(5) == ["4800 baud", "38400 baud", "115200 baud", "57600 baud", "fix"],
      "\(story.reported)"
    )
    #expect(story.reported.dropFirst(5).allSatisfy { $0 == "fix" || $0 == "no heading" })
  }

  @Test func unreadableLineIsReported() {
    var story = ReceiverSessionScenario(.serial(path: "/dev/ttyUSB0"), isSearched: true)
    for _ in 0..<60 {
      story.receive((0..<150).map { UInt8($0) | 0x80 })
      story.advance(1)
    }
    #expect(story.reported.filter { $0 == "not-understood" }.count == 1)
    #expect(
      story.reported.firstIndex(of: "not-understood").map { $0 >= 8 } == true, "not before all were tried")
  }

  @Test func binaryProtocolEndsTheSpeedSearch() {
    var story = ReceiverSessionScenario(.serial(path: "/dev/ttyUSB0"), isSearched: true)
    for _ in 0..<10 {
      for _ in 0..<20 { story.receive(Self.otherProtocols[0].1) }
      story.advance(1)
    }
    #expect(story.reported == ["not-understood"])
  }

  @Test func changedSpeedIsSearchedAgain() {
    var story = ReceiverSessionScenario(.serial(path: "/dev/ttyUSB0"), isSearched: true)
    for second in 0..<5 {
      story.receive(instant(second))
      story.advance(1)
    }
    for _ in 0..<10 {
      story.receive((0..<150).map { UInt8($0) | 0x80 })
      story.advance(1)
    }
    #expect(story.reported.contains("4800 baud"))
  }

  @Test func programsThatHaveTheDeviceOpenAreNamed() {
    let problems = ReceiverProblems(port: .serial(path: "/dev/ttyACM0"))
    let users = [DeviceUser(processID: 7, name: "cat"), DeviceUser(processID: 8, name: "screen")]
    #expect(problems.inUse(by: [users[0]]).message == "open /dev/ttyACM0: cat (process 7) has it open")
    #expect(
      problems.inUse(by: users).message
        == "open /dev/ttyACM0: cat (process 7), screen (process 8) have it open")
  }

  @Test func dateRolloversAreCorrectedByTheSystemClock() throws {
    let now = try #require(UTCTime(CivilTime(year: 2026, month: 11, day: 21)))
    let earliest = try #require(ReceiverSource.earliestValidDate(now: now))
    #expect(earliest.civil.year == 2008)
    #expect(ReceiverSource.earliestValidDate(now: nil)?.civil.year == 2026)
    #expect(ReceiverSource.earliestValidDate(now: UTCTime(nanosecondsSince1970: 0))?.civil.year == 2026)
    #expect(
      ReceiverSource.earliestValidDate(now: UTCTime(CivilTime(year: 2099, month: 1, day: 1)))?.civil.year
        == 2026)
  }
}
