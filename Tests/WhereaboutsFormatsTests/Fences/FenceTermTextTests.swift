import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsFormats

@Suite struct FenceTermTextTests {
  @Test(arguments: [
    ("0", 0.0), ("90", 90), ("1.5", 1.5), ("5m", 300), ("1h30m", 5400), ("500ms", 0.5), ("2d", 172_800),
    ("1w", 604_800), ("10sec", 10), ("3min", 180), ("PT5M", 300), ("PT1H30M", 5400), ("P1DT12H", 129_600),
    ("P1W", 604_800),
    ("PT0.25S", 0.25),
  ])
  func durationsAreParsed(text: String, seconds: Double) {
    #expect(DurationText.parse(text) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "m", "-5m", "5x", "P1M", "P1Y", "P", "PT", "5m ", "1e3m5", "nan", "inf", "P5M", "1.2.3s",
    "99999999w",
  ])
  func invalidDurationsAreRefused(text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  @Test(arguments: [
    ("Mo 09:00-17:00", [(540, 480)]),
    ("Mo-We 9:00-17:00", [(540, 480), (1980, 480), (3420, 480)]),
    ("Su-Mo 10:00-11:00", [(9240, 60), (600, 60)]),
    ("Mo,Fr 09:00-10:00,12:00-13:00", [(540, 60), (6300, 60), (720, 60), (6480, 60)]),
    ("Sa 22:00-02:00", [(8520, 240)]), ("Sa 22:00-26:00", [(8520, 240)]), ("Mo 00:00-24:00", [(0, 1440)]),
    ("Mo 09:00-09:00", [(540, 1440)]), ("Fr 18:00-Mo 06:00", [(6840, 3600)]), ("24/7", [(0, 10_080)]),
    ("Mo 08:00-Mo 08:00", [(480, 10_080)]), ("mo 09:00-17:00", [(540, 480)]), ("Mo", [(0, 1440)]),
    ("SA-su", [(7200, 1440), (8640, 1440)]),
  ])
  func weeklyHoursAreParsed(rule: String, windows: [(Int, Int)]) {
    #expect(
      ActiveHours.windows(ofRule: rule) == windows.map { ActiveHours.Window(start: $0.0, minutes: $0.1) })
  }

  @Test func hoursWithoutDaysApplyEveryDay() {
    #expect(ActiveHours.windows(ofRule: "08:00-20:00")?.map(\.start) == (0..<7).map { $0 * 1440 + 480 })
  }

  @Test(arguments: [
    "", "Mo 09:00", "Mo 9-17", "Mo-", "Mo 25:00-26:00", "Mo 09:60-10:00", "Mo 09:00-50:00", "PH off",
    "Mo off", "Mo 09:00-17:00 x", "Mo-Fr 09:00-Sa 10:00", "Jan 09:00-10:00",
    "Mo 09:00-34:00",
  ])
  func invalidRulesAreRefused(rule: String) {
    #expect(ActiveHours.windows(ofRule: rule) == nil)
  }

  @Test(arguments: 1...200) func writtenHoursRoundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var windows: [ActiveHours.Window] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let minutes =
        [60, 1440, 1441, 10_080, Int.random(in: 1...10_080, using: &random)].randomElement(using: &random)
        ?? 1
      var window = ActiveHours.Window(start: Int.random(in: 0..<10_080, using: &random), minutes: minutes)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        windows.append(window)
        window.start = (window.start + 1440) % 10_080
      }
    }
    let rules = ActiveHours.rules(for: windows)
    #expect(rules.flatMap { ActiveHours.windows(ofRule: $0) ?? [] } == windows, "seed \(seed): \(rules)")
  }

  @Test func daysWithEqualHoursAreOneRule() {
    let days = (0..<5).map { ActiveHours.Window(start: $0 * 1440 + 540, minutes: 480) }
    #expect(ActiveHours.rules(for: days) == ["Mo-Fr 09:00-17:00"])
  }

  /// The offset of a fence in a file.
  private static func utcOffset(of text: String) -> Duration? {
    let point = #""geometry":{"type":"Point","coordinates":[13.4,52.5]}"#
    let properties = #""properties":{"radius":60,"activeHours":"24/7","utcOffset":"\#(text)"}"#
    let file = FenceReader().read(Array(#"{"type":"Feature",\#(properties),\#(point)}"#.utf8))
    return file.fences.first?.terms.activeHours?.aheadOfUTC
  }

  @Test(arguments: [
    ("Z", 0), ("+01:00", 3600), ("-0330", -12_600), ("+05", 18_000), ("+1", 3600), ("+00:00", 0),
  ])
  func utcOffsetsAreParsed(text: String, seconds: Int) {
    #expect(Self.utcOffset(of: text) == .seconds(seconds))
  }

  @Test(arguments: ["+", "01:00", "+01:60", "+01:0", "CET", "+01:00:00", "+0a:00"])
  func invalidOffsetsAreRefused(text: String) {
    #expect(Self.utcOffset(of: text) == nil)
  }
}
