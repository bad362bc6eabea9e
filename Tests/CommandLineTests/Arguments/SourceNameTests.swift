import ArgumentParser
import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsSources

@testable import WhereaboutsCLI
@testable import WhereaboutsOperations

@Suite struct SourceNameTests {
  private func replay(_ text: String) throws -> ReplayName {
    guard case .replay(let replay) = try SourceName(text) else { throw NotAReplayError() }
    return replay
  }

  private struct NotAReplayError: Error {}

  @Test func noteOfSeveralDevicesSaysHowToChoose() {
    let note = GPSDAddress().deviceNote(used: "/dev/ttyACM0", other: "/dev/ttyUSB0")
    #expect(note.contains("several devices of gpsd have fixes. /dev/ttyACM0 is used"), "\(note)")
    #expect(note.hasSuffix("as in --source gpsd://localhost/dev/ttyUSB0"), "\(note)")
    let unnamed = GPSDAddress().deviceNote(used: "tcp://boat:2000", other: "udp://:2000")
    #expect(unnamed.hasSuffix("3 s without a fix."), "\(unnamed)")
  }

  @Test(arguments: [
    ("auto", "auto"), ("geoclue", "geoclue"), ("gpsd", "gpsd"), ("gpsd://localhost", "gpsd"),
    ("gpsd://:2948", "gpsd://localhost:2948"), ("gpsd://boat", "gpsd://boat"),
    ("gpsd://boat:2947/dev/ttyACM0", "gpsd://boat/dev/ttyACM0"), ("gpsd://[::1]:2948/", "gpsd://[::1]:2948"),
    ("gpsd:///dev/ttyACM0", "gpsd://localhost/dev/ttyACM0"), ("nmea:/dev/none", "nmea:/dev/none"),
    ("nmea:/dev/none?baud=4800", "nmea:/dev/none 4800"), ("nmea:tcp://boat", "nmea:tcp://boat:10110"),
    ("nmea:tcp://[fe80::1]:2000", "nmea:tcp://[fe80::1]:2000"), ("nmea:udp://", "nmea:udp://:10110"),
    ("nmea:udp://239.2.1.1:2000", "nmea:udp://239.2.1.1:2000"), ("nmea:-", "nmea:-"),
    ("nmea:-?checksums=optional", "nmea:- optional"),
  ])
  func liveSourceRoundTripsThroughItsName(text: String, means: String) throws {
    let meaning =
      switch try SourceName(text) {
      case .automatic: "auto"
      case .geoClue: "geoclue"
      case .gpsd(let gpsd): gpsd.name
      case .receiver(let receiver):
        if let baud = receiver.port.baud {
          "\(receiver.name) \(baud)"
        } else {
          receiver.name + (receiver.acceptsMissingChecksums ? " optional" : "")
        }
      case .replay: "replay"
      case .failover: "failover"
      }
    #expect(meaning == means)
  }

  @Test func namedPipeRejectsBaudRate() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("pipe", [])
    guard case .receiver(let receiver) = try SourceName("nmea:\(file)") else {
      Issue.record("it is a receiver")
      return
    }
    #expect(receiver.port == .file(path: file))
    #expect(throws: SourceName.ParseError.badValue("baud=4800")) {
      try SourceName("nmea:\(file)?baud=4800")
    }
  }

  @Test func defaultSourceIsAutomatic() throws {
    #expect(try SourceOptions.parse([]).source == .automatic)
  }

  /// A service has to reach the receivers that the automatic source may find.
  @Test(arguments: [
    ("auto", ["/dev/ttyACM0", "/dev/ttyUSB0", "/dev/serial0"]), ("gpsd", []),
    ("gpsd,nmea:/dev/ttyS1", ["/dev/ttyS1"]), ("nmea:/tmp/pipe", []), ("nmea:tcp://boat", []),
  ])
  func devicesOfASourceAreNamed(text: String, devices: [String]) throws {
    #expect(try SourceName(list: text).devices == devices)
  }

  @Test func severalSourcesAreInTheOrderOfPreference() throws {
    let options = try SourceOptions.parse(["--source", "nmea:/dev/none", "--source", "gpsd"])
    #expect(options.source.members.map(\.name) == ["nmea:/dev/none", "gpsd"])
    #expect(options.source.name == "nmea:/dev/none,gpsd" && options.source.devices == ["/dev/none"])
    #expect(!options.isRecorded && options.recording == nil && options.source.tripName == "trip")
    #expect(options.source.playbackRate == 1)
    let one = try SourceOptions.parse(["--source", "gpsd"]).source
    #expect(one == .gpsd(GPSDAddress()) && one.members == [one], "one source stays itself")
  }

  @Test(
    arguments: [
      ("gpsd", ["gpsd"]), ("auto", ["auto"]), ("nmea:/dev/none, gpsd", ["nmea:/dev/none", "gpsd"]),
      ("gpsd,gpsd://boat ,geoclue", ["gpsd", "gpsd://boat", "geoclue"]),
      ("replay:a,gpsd", ["replay:a,gpsd"]),
    ] as [(String, [String])])
  func sourcesOfAConfigurationHaveCommasBetween(text: String, names: [String]) throws {
    #expect(try SourceName(list: text).members.map(\.name) == names)
  }

  @Test(arguments: [("nmea:/dev/none,gspd", "gspd"), ("gpsd,", ""), ("nmea:/tmp/a,b", "b")])
  func mistakeInAConfigurationIsNoPartOfAPath(text: String, kind: String) {
    #expect(throws: SourceName.ParseError.unknownKind(kind)) { try SourceName(list: text) }
  }

  @Test(
    arguments: [
      (["auto", "gpsd"], "auto can't be one of several sources: it already is any source of this machine"),
      (["gpsd", "replay:x"], "replay:x can't be one of several sources: a recording has its own time"),
      (["nmea:-", "gpsd"], "nmea:- can't be one of several sources: standard input ends with its sender"),
      (["gpsd", "gpsd://localhost:2947"], "gpsd was given twice."),
      (["nmea:/dev/none", "nmea:/dev/none?baud=4800"], "nmea:/dev/none was given twice."),
    ] as [([String], String)])
  func sourceThatCannotBeOneOfSeveralIsRejected(texts: [String], reason: String) throws {
    let source = SourceName(inOrder: try texts.map { try SourceName($0) })
    do throws(SourceName.ParseError) {
      try source.checkMembers()
      Issue.record("\(texts) are combined")
    } catch {
      #expect(error.explanation.hasPrefix(reason), "\(error.explanation)")
    }
    let options = texts.flatMap { ["--source", $0] }
    for command in [["watch"], ["fence", "add", "x", "--here"], ["doctor"], ["relay", "--gpsd", "2948"]] {
      #expect(throws: (any Error).self, "\(command)") {
        try WhereaboutsCommand.parseAsRoot(command + options)
      }
    }
  }

  @Test(arguments: [
    ["now"], ["watch"], ["track"], ["heading"], ["fence", "watch"], ["fence", "add", "x", "--here"],
    ["doctor"],
    ["relay", "--gpsd", "2948"],
  ]) func everyLiveCommandAcceptsSeveralSources(command: [String]) {
    #expect(throws: Never.self) {
      try WhereaboutsCommand.parseAsRoot(command + ["--source", "nmea:/dev/none", "--source", "gpsd"])
    }
  }

  @Test func fileIsReplayedAtRecordedSpeedByDefault() throws {
    let source = try replay("replay:some/drive.nmea")
    #expect(source.path == "some/drive.nmea" && source.speed == .times(1) && source.format == nil)
    #expect(!source.acceptsMissingChecksums && source.playbackRate == 1)
  }

  @Test func settingsAreParsedAfterQuestionMark() throws {
    let source = try replay("replay:drive.log?speed=60&from=nmea&checksums=optional")
    #expect(source.path == "drive.log" && source.speed == .times(60) && source.format == .nmea)
    #expect(source.acceptsMissingChecksums && source.playbackRate == 60)
    #expect(try replay("replay:-?speed=max").speed == .asFastAsPossible)
    #expect(try replay("replay:-?pause=2s").longestPause == .seconds(2))
  }

  @Test func silentRecordingIsNotRestarted() throws {
    let options = try TrackingOptions.parse([])
    #expect(options.terms(isRecorded: true).signal.longestSilence == nil)
    #expect(options.terms(isRecorded: false).signal == SignalStrength.Settings())
    #expect(try SourceOptions.parse(["--source", "replay:walk.gpx"]).isRecorded)
  }

  @Test func playbackRateIsUnknownForUnevenReplay() throws {
    #expect(try replay("replay:-?speed=max").playbackRate == nil)
    #expect(try replay("replay:-?pause=2s").playbackRate == nil)
  }

  @Test func fileNameMayContainColonsAndQuestionMarks() throws {
    #expect(try replay("replay:C:what?.gpx").path == "C:what?.gpx")
    #expect(try replay("replay:what?.gpx?speed=2").path == "what?.gpx")
  }

  @Test(arguments: [
    ("drive.nmea", SourceName.ParseError.unknownKind("drive.nmea")),
    ("", .unknownKind("")), ("replay", .unknownKind("replay")),
    ("gpsd:localhost", .badAddress("localhost")), ("gpsd://host:0", .badAddress("//host:0")),
    ("gpsd://[::1", .badAddress("//[::1")), ("gpsd://[::1]x", .badAddress("//[::1]x")),
    ("nmea:", .noPort), ("nmea:tcp://", .badAddress("tcp://")), ("nmea:udp://:x", .badAddress("//:x")),
    ("nmea:tcp://h/x", .badAddress("tcp://h/x")), ("nmea:/dev/x?baud=fast", .badValue("baud=fast")),
    ("nmea:/dev/x?parity=odd", .unknownSetting("parity", of: "a receiver", known: "baud, checksums")),
    ("replay:", .noFile), ("replay:?speed=2", .noFile),
    ("replay:x?loop=1", .unknownSetting("loop", of: "a replay", known: "speed, pause, from, checksums")),
    ("replay:x?speed=-1", .badValue("speed=-1")), ("replay:x?from=xls", .badValue("from=xls")),
    ("replay:x?pause=soon", .badValue("pause=soon")), ("replay:x?checksums=no", .badValue("checksums=no")),
  ])
  func invalidSourceIsRejected(text: String, mistake: SourceName.ParseError) {
    #expect(throws: mistake) { try SourceName(text) }
  }

  /// Each example is the name of a source.
  @Test func examplesOfAddressesAreValid() throws {
    let text = SourceName.ParseError.badAddress("//:x").explanation
    let examples = text.split(separator: "Examples: ").last?.dropLast().split(separator: ", ") ?? []
    try #require(examples.count == 4)
    for example in examples { #expect(throws: Never.self) { try SourceName(String(example)) } }
  }

  @Test(arguments: [
    ("max", SpeedArgument.unlimited), ("1", .times(1)), ("2.5", .times(2.5)),
    ("60x", .times(60)), ("0.001", .times(0.001)), ("1000000", .times(1e6)),
  ])
  func speedIsParsed(text: String, speed: SpeedArgument) {
    #expect(SpeedArgument(argument: text) == speed)
  }

  @Test(arguments: [
    "", "0", "-1", "1e3", "fast", "x", "inf", "2000000", "0.0009", "0.\(String(repeating: "0", count: 40))1",
  ])
  func invalidSpeedIsRejected(text: String) {
    #expect(SpeedArgument(argument: text) == nil)
  }
}

extension ReceiverPort {
  fileprivate var baud: Int? {
    guard case .serial(_, let baud) = self else { return nil }
    return baud
  }
}
