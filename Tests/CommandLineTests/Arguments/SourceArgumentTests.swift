import Testing
import WhereaboutsFormats

@testable import WhereaboutsCLI

@Suite struct SourceArgumentTests {
  @Test func aFileAloneIsReplayedAsItWasRecorded() throws {
    let source = try SourceArgument("replay:some/drive.nmea")
    #expect(
      source.path == "some/drive.nmea" && source.speed == .times(1) && source.format == nil)
  }

  @Test func settingsFollowAQuestionMark() throws {
    let source = try SourceArgument("replay:drive.log?speed=60&from=nmea")
    #expect(source.path == "drive.log" && source.speed == .times(60) && source.format == .nmea)
    #expect(try SourceArgument("replay:-?speed=max").speed == .unlimited)
    #expect(try SourceArgument("replay:-?pause=2s").longestPause == .seconds(2))
  }

  @Test func aFileNameMayHoldColonsAndQuestionMarks() throws {
    #expect(try SourceArgument("replay:C:what?.gpx").path == "C:what?.gpx")
    #expect(try SourceArgument("replay:what?.gpx?speed=2").path == "what?.gpx")
  }

  @Test(arguments: [
    ("drive.nmea", SourceArgument.Mistake.unknownKind("drive.nmea")),
    ("gpsd:localhost", .unknownKind("gpsd")),
    ("replay:", .noFile), ("replay:?speed=2", .noFile), ("replay:x?loop=1", .unknownSetting("loop")),
    ("replay:x?speed=-1", .badValue("speed=-1")), ("replay:x?from=xls", .badValue("from=xls")),
  ])
  func whatIsNoSourceIsRefused(text: String, mistake: SourceArgument.Mistake) {
    #expect(throws: mistake) { try SourceArgument(text) }
  }

  @Test(arguments: [
    ("max", SpeedArgument.unlimited), ("1", .times(1)), ("2.5", .times(2.5)),
    ("60x", .times(60)),
  ])
  func speedsAreRead(text: String, speed: SpeedArgument) {
    #expect(SpeedArgument(argument: text) == speed)
  }

  @Test(arguments: ["", "0", "-1", "1e3", "fast", "x", "inf", "2000000"])
  func whatIsNoSpeedIsRefused(text: String) {
    #expect(SpeedArgument(argument: text) == nil)
  }
}
