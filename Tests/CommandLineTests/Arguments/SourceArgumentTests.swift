import ArgumentParser
import Testing
import WhereaboutsCore
import WhereaboutsFormats

@testable import WhereaboutsCLI

@Suite struct SourceArgumentTests {
  private func replay(_ text: String) throws -> ReplayArgument {
    switch try SourceArgument(text) {
    case .replay(let replay): replay
    }
  }

  @Test func aFileAloneIsReplayedAsItWasRecorded() throws {
    let source = try replay("replay:some/drive.nmea")
    #expect(source.path == "some/drive.nmea" && source.speed == .times(1) && source.format == nil)
    #expect(source.checksums == .required && source.rate == 1)
  }

  @Test func settingsFollowAQuestionMark() throws {
    let source = try replay("replay:drive.log?speed=60&from=nmea&checksums=optional")
    #expect(source.path == "drive.log" && source.speed == .times(60) && source.format == .nmea)
    #expect(source.checksums == .optional && source.rate == 60)
    #expect(try replay("replay:-?speed=max").speed == .unlimited)
    #expect(try replay("replay:-?pause=2s").longestPause == .seconds(2))
  }

  @Test func aRecordingThatIsSilentIsNotStartedAgain() throws {
    let options = try TrackingOptions.parse([])
    #expect(options.terms(isRecorded: true).signal.longestSilence == nil)
    #expect(options.terms(isRecorded: false).signal == SignalSettings())
    #expect(try SourceOptions.parse(["--source", "replay:walk.gpx"]).isRecorded)
  }

  @Test func whereTimeIsNotEvenNobodyKnowsHowMuchIsLeft() throws {
    #expect(try replay("replay:-?speed=max").rate == nil)
    #expect(try replay("replay:-?pause=2s").rate == nil)
  }

  @Test func aFileNameMayHoldColonsAndQuestionMarks() throws {
    #expect(try replay("replay:C:what?.gpx").path == "C:what?.gpx")
    #expect(try replay("replay:what?.gpx?speed=2").path == "what?.gpx")
  }

  @Test(arguments: [
    ("drive.nmea", SourceArgument.Mistake.unknownKind("drive.nmea")),
    ("", .unknownKind("")), ("replay", .unknownKind("replay")),
    ("gpsd:localhost", .unknownKind("gpsd")),
    ("replay:", .noFile), ("replay:?speed=2", .noFile), ("replay:x?loop=1", .unknownSetting("loop")),
    ("replay:x?speed=-1", .badValue("speed=-1")), ("replay:x?from=xls", .badValue("from=xls")),
    ("replay:x?pause=soon", .badValue("pause=soon")), ("replay:x?checksums=no", .badValue("checksums=no")),
  ])
  func whatIsNoSourceIsRefused(text: String, mistake: SourceArgument.Mistake) {
    #expect(throws: mistake) { try SourceArgument(text) }
  }

  @Test(arguments: [
    ("max", SpeedArgument.unlimited), ("1", .times(1)), ("2.5", .times(2.5)),
    ("60x", .times(60)), ("0.001", .times(0.001)), ("1000000", .times(1e6)),
  ])
  func speedsAreRead(text: String, speed: SpeedArgument) {
    #expect(SpeedArgument(argument: text) == speed)
  }

  @Test(arguments: [
    "", "0", "-1", "1e3", "fast", "x", "inf", "2000000", "0.0009", "0.\(String(repeating: "0", count: 40))1",
  ])
  func whatIsNoSpeedIsRefused(text: String) {
    #expect(SpeedArgument(argument: text) == nil)
  }
}
