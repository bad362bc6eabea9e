import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsTesting

/// Clocks of time zones, and hours that go by them.
@Suite struct TimeZoneRulesTests {
  private static let folder = "/usr/share/zoneinfo"
  private static var isAvailable: Bool { FileManager.default.fileExists(atPath: "\(folder)/Europe/Berlin") }

  private static func zone(_ name: String) throws -> TimeZoneRules {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
    return try #require(TimeZoneFile.rules(bytes, name: name))
  }

  private static func time(_ text: String) throws -> UTCTime { try #require(UTCTime(iso8601: text)) }

  /// In force since 1996.
  private static var berlin: TimeZoneRules {
    TimeZoneRules(
      name: "Europe/Berlin", firstOffset: 3600, transitions: [],
      yearly: YearlyClockRule("CET-1CEST,M3.5.0,M10.5.0/3"))
  }

  @Test(
    .enabled(if: isAvailable),
    arguments: [
      "Europe/Berlin", "America/New_York", "America/Argentina/Buenos_Aires", "Australia/Lord_Howe",
      "Australia/Sydney", "Asia/Kolkata", "Asia/Kathmandu", "Africa/Casablanca", "America/Sao_Paulo",
      "Pacific/Apia", "Europe/Dublin", "America/Santiago", "Pacific/Chatham", "Asia/Gaza", "UTC",
    ])
  func offsetsEqualFoundation(name: String) throws {
    let rules = try Self.zone(name), zone = try #require(TimeZone(identifier: name))
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      // From 2000 to 2060.
      let second = Int64.random(in: 946_684_800..<2_840_140_800, using: &random)
      let time = UTCTime(nanosecondsSince1970: second * 1_000_000_000)
      let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
      #expect(rules.offset(at: time) == expected, "\(name), \(time.iso8601)")
      if let next = rules.nextChange(after: time) {
        #expect(next > time && rules.offset(at: next) != rules.offset(at: next.advanced(by: .seconds(-1))))
      }
    }
  }

  @Test(
    arguments: [
      (0, 10), (9, 10), (10, 20), (19, 20), (20, 30), (29, 30), (30, nil), (99, nil),
    ] as [(Int64, Int64?)])
  func nextChangeIsTheFirstAfterATime(second: Int64, expected: Int64?) {
    let rules = TimeZoneRules(
      name: "x", firstOffset: 0,
      transitions: [10, 20, 30].map { TimeZoneRules.Transition(time: $0, offset: Int($0) * 60) })
    let next = rules.nextChange(after: UTCTime(nanosecondsSince1970: second * 1_000_000_000))
    #expect(next == expected.map { UTCTime(nanosecondsSince1970: $0 * 1_000_000_000) })
  }

  @Test(arguments: [
    ("2026-01-15T12:00:00Z", 3600), ("2026-03-29T00:59:59Z", 3600), ("2026-03-29T01:00:00Z", 7200),
    ("2026-10-25T00:59:59Z", 7200), ("2026-10-25T01:00:00Z", 3600), ("1999-07-01T00:00:00Z", 7200),
  ]) func yearlyRuleFollowsDaylightSavingTime(text: String, offset: Int) throws {
    #expect(Self.berlin.offset(at: try Self.time(text)) == offset)
  }

  @Test(arguments: [
    ("EST5EDT,M3.2.0,M11.1.0", true), ("<-03>3", true), ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", true),
    ("IST-2IDT,M3.4.4/26,M10.5.0", true), ("EST5EDT,0/0,J365/25", true), ("", false), ("CET", false),
    ("CET-1CEST", false), ("CET-1CEST,M13.1.0,M1.1.0", false), ("CET-1CEST,M3.5.0", false),
    ("A-1", false), ("CET-1CEST,M3.5.0,M10.5.0/3x", false),
  ]) func rulesAreReadOrRefused(text: String, isRule: Bool) {
    #expect((YearlyClockRule(text) != nil) == isRule)
  }

  @Test func invalidZoneFilesAreRefused() {
    var random = SeededGenerator(seed: 2)
    for length in 0..<400 {
      let bytes = Array("TZif2".utf8) + (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(TimeZoneFile.rules(bytes, name: "x") == nil)
    }
  }

  // MARK: Hours

  @Test func activeHoursFollowDaylightSavingTime() throws {
    let hours = ActiveHours(
      (0..<5).map { ActiveHours.Window(start: $0 * 1440 + 480, minutes: 540) }, in: Self.berlin)
    // 08:00 to 17:00 on Friday in winter, and on Monday after the clocks were put forward.
    #expect(!hours.contains(try Self.time("2026-03-27T06:59:59Z")))
    #expect(hours.contains(try Self.time("2026-03-27T07:00:00Z")))
    #expect(
      hours.nextStart(after: try Self.time("2026-03-27T16:30:00Z")) == (try Self.time("2026-03-30T06:00:00Z"))
    )
    #expect(hours.contains(try Self.time("2026-03-30T06:00:00Z")))
    #expect(!hours.contains(try Self.time("2026-03-30T15:00:00Z")))
    #expect(
      hours.nextStart(after: try Self.time("2026-10-23T15:30:00Z")) == (try Self.time("2026-10-26T07:00:00Z"))
    )
  }

  @Test(arguments: ["2026-03-27T06:59:59.25Z", "2026-03-27T06:59:58.999999999Z"])
  func startIsAWholeSecondAlsoAfterAFractionOfOne(text: String) throws {
    let window = ActiveHours.Window(start: 4 * 1440 + 480, minutes: 540)
    let start = try Self.time("2026-03-27T07:00:00Z"), time = try Self.time(text)
    #expect(ActiveHours([window], in: Self.berlin).nextStart(after: time) == start)
    #expect(ActiveHours([window], aheadOfUTC: .seconds(3600)).nextStart(after: time) == start)
    let week = start.advanced(by: .seconds(7 * 86_400)), late = start.advanced(by: .milliseconds(500))
    #expect(ActiveHours([window], aheadOfUTC: .seconds(3600)).nextStart(after: late) == week)
  }

  @Test func skippedStartIsTheTimeOfTheClockChange() throws {
    let hours = ActiveHours([ActiveHours.Window(start: 6 * 1440 + 150, minutes: 60)], in: Self.berlin)
    #expect(
      hours.nextStart(after: try Self.time("2026-03-28T12:00:00Z")) == (try Self.time("2026-03-29T01:00:00Z"))
    )
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>) func nextStartIsTheEarliestStart(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let hours = ActiveHours(
      (0..<3).map { _ in
        ActiveHours.Window(
          start: 15 * Int.random(in: 0..<672, using: &random),
          minutes: 15 * Int.random(in: 1...96, using: &random))
      }, in: Self.berlin)
    // Around both changes of the clock, a quarter of an hour at a time.
    for begin in ["2026-03-26T00:00:00Z", "2026-10-22T00:00:00Z"] {
      let from = try Self.time(begin)
      let times = (0..<800).map { from.advanced(by: .seconds($0 * 900)) }
      let starts = zip(times, times.dropFirst()).filter { !hours.contains($0) && hours.contains($1) }.map(\.1)
      var time = from
      for start in starts {
        var next = try #require(hours.nextStart(after: time))
        // Windows that overlap begin within each other, too.
        while next < start { next = try #require(hours.nextStart(after: next)) }
        #expect(next == start, "seed \(seed)")
        time = start
      }
    }
  }

  @Test func textContainsATimeZone() throws {
    let hours = try #require(ActiveHours(text: "Mo-Fr 08:00-17:00 Europe/Berlin"))
    #expect(hours.zone == TimeZoneRules(unresolved: "Europe/Berlin") && hours.zone?.isResolved == false)
    #expect(hours.text == "Mo-Fr 08:00-17:00 Europe/Berlin")
    for text in ["Mo-Fr 08:00-17:00 ../etc", "Mo /etc/passwd", "Mo a/../../b", "Mo off"] {
      #expect(ActiveHours(text: text) == nil, "\(text)")
    }
  }
}
