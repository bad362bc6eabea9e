import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

/// The instants of fixes.
@Suite struct ClockTests {
  private func times(_ bodies: [String], options: NMEADecoder.Options = .init()) -> [String?] {
    decodeSentences(bodies, options: options).fixes.map { $0.time?.iso8601 }
  }

  @Test func fixHasNoTimeWithoutADate() {
    #expect(
      times([SampleSentences.gga("101112"), SampleSentences.gga("101113"), SampleSentences.rmc("101114")])
        == [
          nil, nil, "2024-02-01T10:11:14.000Z",
        ])
  }

  @Test func dateMayFollowInTheSameEpoch() {
    #expect(
      times([SampleSentences.gga("101112"), SampleSentences.rmc("101112")]) == ["2024-02-01T10:11:12.000Z"])
    #expect(
      times([SampleSentences.gga("101112"), "GPZDA,101112,01,02,2024,00,00"]) == ["2024-02-01T10:11:12.000Z"])
  }

  /// A receiver of u-blox may send only sentences of its own. It leaves the date empty while it knows none.
  @Test func dateOfPUBXIsRead() {
    let position = "4731.0,N,00831.0,E,546.589,G3,2.1,2.0,36.0,77.52,-0.5,,0.92,1.19,0.77,9,0,0"
    let bodies = [
      "PUBX,00,101111.00,\(position)", "PUBX,04,101111.00,,,,15D,1930035,-2660.664,43",
      "PUBX,00,101112.00,\(position)", "PUBX,04,101112.00,010224,381072.00,2299,18,1930035,-2660.664,43",
      "PUBX,00,101113.00,\(position)",
    ]
    #expect(times(bodies) == [nil, "2024-02-01T10:11:12.000Z", "2024-02-01T10:11:13.000Z"])
    #expect(decodeSentences(bodies).problems.total == 0)
  }

  /// Some receivers' ZDA runs ahead; its date is still used.
  @Test func dateMayArriveWithAnotherTime() {
    #expect(
      times([SampleSentences.gga("101112"), "GPZDA,101114,01,02,2024,00,00"]) == ["2024-02-01T10:11:12.000Z"])
    #expect(
      times([SampleSentences.gga("235959"), "GPZDA,000001,02,02,2024,00,00"]) == ["2024-02-01T23:59:59.000Z"])
  }

  @Test func startDateIsUsedUntilADateArrives() {
    var options = NMEADecoder.Options()
    options.startDate = UTCTime(iso8601: "2020-05-06T07:08:09Z")
    #expect(
      times(
        [SampleSentences.gga("235959"), SampleSentences.gga("000000"), SampleSentences.rmc("000001")],
        options: options)
        == ["2020-05-06T23:59:59.000Z", "2020-05-07T00:00:00.000Z", "2024-02-01T00:00:01.000Z"])
  }

  // MARK: - Assumed dates

  /// Returns the times of sentences without a date that arrive at these times.
  private func times(arriving arrivals: [(at: String, time: String)]) -> [String?] {
    var decoder = NMEADecoder(), batch = RecordingBatch()
    for arrival in arrivals {
      decoder.arrival = UTCTime(iso8601: arrival.at)
      decoder.decode(Array(sentence(SampleSentences.gga(arrival.time)).utf8), into: &batch)
    }
    decoder.finish(into: &batch)
    return batch.fixes.map { $0.time?.iso8601 }
  }

  @Test func assumedDayIsNearestToTheArrival() {
    #expect(
      times(arriving: [("2026-06-02T00:00:01Z", "235959"), ("2026-06-02T00:00:02Z", "000000")])
        == ["2026-06-01T23:59:59.000Z", "2026-06-02T00:00:00.000Z"])
    #expect(times(arriving: [("2026-06-01T23:59:59Z", "000003")]) == ["2026-06-02T00:00:03.000Z"])
    #expect(times(arriving: [("2026-06-01T15:00:00Z", "040000")]) == ["2026-06-01T04:00:00.000Z"])
    #expect(times(arriving: [("2026-06-01T15:00:00Z", "020000")]) == ["2026-06-02T02:00:00.000Z"])
  }

  /// Times half a day from their arrival, which varies a little, do not jump by a day.
  @Test func assumedDayIsSteadyHalfADayFromTheArrival() {
    #expect(
      times(arriving: [
        ("2026-06-01T12:00:00.2Z", "000000"), ("2026-06-01T12:00:00.9Z", "000001"),
        ("2026-06-01T12:00:02.2Z", "000002"),
      ]) == ["2026-06-02T00:00:00.000Z", "2026-06-02T00:00:01.000Z", "2026-06-02T00:00:02.000Z"])
  }

  @Test func assumedDayFollowsTheArrivalAcrossALongSilence() {
    #expect(
      times(arriving: [("2026-06-01T12:00:00Z", "120000"), ("2026-06-09T06:00:00Z", "060001")])
        == ["2026-06-01T12:00:00.000Z", "2026-06-09T06:00:01.000Z"])
  }

  // MARK: - Without a date

  @Test func dayAdvancesWithoutADate() {
    #expect(
      times([
        SampleSentences.rmc("235959.5"), SampleSentences.gga("000000.0"), SampleSentences.gga("000000.5"),
        SampleSentences.rmc("000001", date: "020224"),
      ])
        == [
          "2024-02-01T23:59:59.500Z", "2024-02-02T00:00:00.000Z", "2024-02-02T00:00:00.500Z",
          "2024-02-02T00:00:01.000Z",
        ])
  }

  /// One fix a day, at the same time of day.
  @Test func sameTimeOnAnotherDateIsAnotherFix() {
    let bodies = ["010224", "020224", "020224", "050224"].flatMap { date in
      [SampleSentences.rmc("120000", date: date), SampleSentences.gga("120000")]
    }
    #expect(
      times(bodies) == ["2024-02-01T12:00:00.000Z", "2024-02-02T12:00:00.000Z", "2024-02-05T12:00:00.000Z"])
  }

  /// The date comes with RMC, which most receivers send after GGA. Some send each sentence twice.
  @Test(arguments: [true, false], [1, 2])
  func sentencesOfAnotherDateStayTogether(isGGAFirst: Bool, count: Int) {
    let days = [("010224", 30, 400), ("020224", 31, 410), ("030224", 32, 420)]
    let bodies = days.flatMap { date, minutes, height -> [String] in
      let place = "47\(minutes).00000,N,00830.00000,E"
      let gga = SampleSentences.gga("120000", place: place, height: "\(height).0,M,48.0,M")
      let rmc = SampleSentences.rmc("120000", place: place, date: date)
      let pair = isGGAFirst ? [gga, rmc] : [rmc, gga]
      return count == 1 ? pair : pair + pair
    }
    let fixes = decodeSentences(bodies).fixes
    #expect(fixes.map(\.heightAboveGeoid) == [400, 410, 420])
    #expect(fixes.map(\.coordinate.latitude) == days.map { 47 + Double($0.1) / 60 })
    #expect(
      fixes.map { $0.time?.iso8601 }
        == ["2024-02-01T12:00:00.000Z", "2024-02-02T12:00:00.000Z", "2024-02-03T12:00:00.000Z"])
  }

  @Test func satellitesOfAnotherDateStayWithTheirFix() {
    let bodies = [("010224", 1), ("020224", 2), ("030224", 3)].flatMap { date, dilution in
      [
        SampleSentences.gga("120000"), SampleSentences.gsa("3", dilutions: "\(dilution).5,0.9,1.5"),
        SampleSentences.rmc("120000", date: date),
      ]
    }
    #expect(decodeSentences(bodies).fixes.map(\.positionDilution) == [1.5, 2.5, 3.5])
  }

  /// GGA states that there is no fix, and RMC that there is one.
  @Test func missingFixOfAnotherDateIsNoFix() {
    let bodies = [("010224", "1"), ("020224", "0"), ("030224", "1")].flatMap { date, quality in
      [SampleSentences.gga("120000", quality: quality), SampleSentences.rmc("120000", date: date)]
    }
    #expect(times(bodies) == ["2024-02-01T12:00:00.000Z", "2024-02-03T12:00:00.000Z"])
  }

  @Test func missingSentenceLeavesLaterDatesTogether() {
    let bodies = (1...5).flatMap { day -> [String] in
      let rmc = SampleSentences.rmc("120000", date: "0\(day)0224")
      return day == 2 ? [rmc] : [SampleSentences.gga("120000", height: "40\(day).0,M,48.0,M"), rmc]
    }
    #expect(decodeSentences(bodies).fixes.map(\.heightAboveGeoid) == [401, nil, 403, 404, 405])
  }

  @Test func dayAdvancesAcrossALongGap() {
    #expect(
      times([SampleSentences.rmc("200000"), SampleSentences.gga("060000")]).last == "2024-02-02T06:00:00.000Z"
    )
  }

  @Test func slightlyEarlierTimeIsOnTheSameDay() {
    #expect(
      times([SampleSentences.rmc("101114"), SampleSentences.gga("101112"), SampleSentences.gga("101115")])
        == ["2024-02-01T10:11:14.000Z", "2024-02-01T10:11:12.000Z", "2024-02-01T10:11:15.000Z"])
  }

  @Test func lateSentenceAfterMidnightIsOnThePreviousDay() {
    #expect(
      times([
        SampleSentences.rmc("000000", date: "020224"), SampleSentences.gga("235959"),
        SampleSentences.gga("000001"),
      ])
        == ["2024-02-02T00:00:00.000Z", "2024-02-01T23:59:59.000Z", "2024-02-02T00:00:01.000Z"])
  }

  @Test func leapSecondIsTheInstantAfter59() {
    #expect(
      times([
        SampleSentences.rmc("235959", date: "311216"), SampleSentences.rmc("235960", date: "311216"),
        SampleSentences.rmc("000000", date: "010117"),
      ])
        == ["2016-12-31T23:59:59.000Z", "2017-01-01T00:00:00.000Z", "2017-01-01T00:00:00.000Z"])
    #expect(
      times([
        SampleSentences.rmc("235960", date: "311216"), SampleSentences.gga("000000"),
        SampleSentences.gga("000001"),
      ]).last
        == "2017-01-01T00:00:01.000Z")
  }

  /// Without a fix a receiver may give any time and date.
  @Test func clockWithoutAFixIsIgnored() {
    #expect(
      times([
        SampleSentences.rmc("101112"), SampleSentences.rmc("235944", status: "V", date: "060180"),
        SampleSentences.gga("000001", quality: "0"),
        SampleSentences.gga("101120"),
      ]) == ["2024-02-01T10:11:12.000Z", "2024-02-01T10:11:20.000Z"])
  }

  // MARK: - Week rollover

  @Test(arguments: [
    // Left alone: at or after the floor.
    ("220899", "1999-08-22"), ("010100", "2000-01-01"), ("311268", "2068-12-31"),
    // One round before it: the second rollover of 2019 hit receivers that had survived the first.
    ("210899", "2019-04-06"), ("060180", "1999-08-22"), ("010294", "2013-09-17"),
    // Two rounds.
    ("050180", "2019-04-06"), ("010169", "2008-04-02"),
  ])
  func datesBeforeTheMinimumAreMovedByWholeRollovers(_ date: String, _ day: String) {
    #expect(times([SampleSentences.rmc("101112", date: date)]) == ["\(day)T10:11:12.000Z"])
  }

  @Test func laterMinimumMovesLaterDates() {
    var options = NMEADecoder.Options()
    options.notBefore = UTCTime(iso8601: "2024-01-01T00:00:00Z")
    #expect(
      times([SampleSentences.rmc("101112", date: "170604")], options: options) == ["2024-02-01T10:11:12.000Z"]
    )
    options.notBefore = nil
    #expect(
      times([SampleSentences.rmc("101112", date: "010294")], options: options) == ["1994-02-01T10:11:12.000Z"]
    )
  }

  @Test func correctedDateAdvancesAtMidnight() {
    #expect(
      times([
        SampleSentences.rmc("235959", date: "210899"), SampleSentences.gga("000000"),
        SampleSentences.rmc("000001", date: "220899"),
      ])
        == ["2019-04-06T23:59:59.000Z", "2019-04-07T00:00:00.000Z", "1999-08-22T00:00:01.000Z"])
  }

  @Test func movedDatesAreCounted() {
    let old = [SampleSentences.rmc("101112", date: "180604"), SampleSentences.rmc("101113", date: "180604")]
    var options = NMEADecoder.Options()
    options.notBefore = UTCTime(iso8601: "2020-01-01T00:00:00Z")
    let moved = decodeSentences(old, options: options)
    #expect(moved.rolloverCorrections == 2 && moved.fixes.count == 2)
    #expect(decodeSentences(old, options: .init()).rolloverCorrections == 0)
  }

  @Test func courseAbove360IsRefused() {
    let batch = decodeSentences(
      ["GPRMC,101112,A,4807.038,N,01131.000,E,022.4,400.0,010224,,"], options: .init())
    #expect(batch.fixes.map(\.course) == [nil])
    #expect(batch.problems.counts == [.badNumber: 1])
  }
}
