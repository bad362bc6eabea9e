import Testing
import WhereaboutsModel

@testable import WhereaboutsFormats

/// The columns of times, of UTC and of the offset from UTC.
@Suite struct CSVTimeTests {
  @Test(arguments: [
    ("1709296205", "2024-03-01T12:30:05Z"), ("1709296205.1", "2024-03-01T12:30:05.1Z"),
    ("1709296205123", "2024-03-01T12:30:05.123Z"), ("1709296205123.5", "2024-03-01T12:30:05.1235Z"),
    ("1709296205123456", "2024-03-01T12:30:05.123456Z"),
    ("1709296205123456789", "2024-03-01T12:30:05.123456789Z"),
    ("-1.25", "1969-12-31T23:59:58.75Z"), ("0", "1970-01-01T00:00:00Z"),
    ("1.709296205e9", "2024-03-01T12:30:05Z"), ("1.709296205123e12", "2024-03-01T12:30:05.123Z"),
    ("1.709296205123456E+15", "2024-03-01T12:30:05.123456Z"), ("1709296205.0", "2024-03-01T12:30:05Z"),
    ("17092962051.235e2", "2024-03-01T12:30:05.1235Z"), ("1709296205,5", "2024-03-01T12:30:05.5Z"),
    ("1,709296205123e12", "2024-03-01T12:30:05.123Z"), ("-1.5e-1", "1969-12-31T23:59:59.85Z"),
    ("2024/03/01 12:30:05", "2024-03-01T12:30:05Z"), ("2024-03-01", "2024-03-01T00:00:00Z"),
    // As spreadsheets write times.
    ("2024-03-01 9:05", "2024-03-01T09:05:00Z"), ("2024/3/1 9:05:06", "2024-03-01T09:05:06Z"),
    ("2024/3/1 14:30:05 +0200", "2024-03-01T12:30:05Z"), ("2024-3-1", "2024-03-01T00:00:00Z"),
    // As Ruby and Python print times.
    ("2024-03-01 12:30:05 UTC", "2024-03-01T12:30:05Z"), ("2024-03-01T12:30:05 GMT", "2024-03-01T12:30:05Z"),
    ("2024-03-01 12:30:05 +0000", "2024-03-01T12:30:05Z"),
    ("2024/03/01 14:30:05.5 +02:00", "2024-03-01T12:30:05.5Z"),
    ("1.3.2024 10:30:05 -0200", "2024-03-01T12:30:05Z"),
    // Times of day of 12 hours.
    ("2024-03-01 12:30:05 PM", "2024-03-01T12:30:05Z"), ("2024-03-01 12:30 am", "2024-03-01T00:30:00Z"),
    ("1.3.2024, 2:30:05.5 p.m. +0200", "2024-03-01T12:30:05.5Z"),
    ("2024/3/1 11:59PM", "2024-03-01T23:59:00Z"),
    ("2024-03-01T02:30:05\u{202F}PM +02:00", "2024-03-01T12:30:05Z"),
    ("2024-03-01 1:05 A.M.", "2024-03-01T01:05:00Z"),
  ])
  func timesAreTextOrNumbersInAnyUnit(text: String, expected: String) {
    let time = Array(text.utf8).withUnsafeBytes { UTCTime(csv: $0) }
    #expect(time == UTCTime(iso8601: expected))
  }

  @Test(arguments: [
    "", "x", "12:30", "99999999999999999999", "9223372036854775808", "1.2.3", "-", "1e30", "2024-13-01",
    "1,709,296,205", "1e", "1.7e12x", "0x64", "2024-03-01 UTC", "2024-03-01 12:30:05 CET",
    "2024-03-01 12:30:05 +", "2024/3-1", "2024.3.1", "202/3/1", "2024-3-1T:05", "2024/13/1",
    "2024-03-01 13:05 PM", "2024-03-01 0:05 AM", "2024-03-01 3:05 XM", "2024-03-01 3:05 PMT",
    "2024-03-01 3:05 p.m", "2024-03-01 3:05 AM PM", "2024-03-01 3:05 AM AM", "2024-03-01 12:05 p.m. PM",
    "11/28/2024 3:05 PM", "PM", ": PM",
  ])
  func invalidTimeIsRefused(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { UTCTime(csv: $0) } == nil)
  }

  @Test(arguments: [
    "time,lat,lon\n2024-03-01 3:05 AM PM,1,2\n", "date,time,lat,lon\n2024-03-01,3:05 AM PM,1,2\n",
  ])
  func timeWithTwoHalvesOfTheDayIsAProblemOfItsLine(text: String) {
    let batch = decodedCSV(text)
    #expect(batch.fixes.isEmpty && batch.problems.counts == [.badTime: 1])
    #expect(batch.problems.samples.map(\.line) == [2])
  }

  /// A name that states UTC counts more than the column of the offset.
  @Test(arguments: [
    "Zeit (UTC);utc_offset;Breite;Länge\n2024-03-01 12:30:05;2;1;2\n",
    "Datum;Uhrzeit UTC;utc_offset;Breite;Länge\n1.3.2024;12:30:05;2;1;2\n",
    "Fecha_UTC;Hora;utc_offset;Latitud;Longitud\n1/3/2024;12:30:05;2;1;2\n",
  ])
  func namesOfOtherLanguagesMayStateUTC(text: String) {
    let batch = decodedCSV(text)
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map(\.time) == [UTCTime(iso8601: "2024-03-01T12:30:05Z")])
  }

  /// Loggers of drives write the seconds since the start into the first column.
  @Test(arguments: [
    "Time,UTC Time,lat,lon\n0.25,1709296205,1,2\n", "UTC Time,Time (s),lat,lon\n1709296205,0.25,1,2\n",
    "Time (s),lat,lon,time_utc\n0.25,1,2,2024-03-01 12:30:05\n",
    "date,time,UTC time,lat,lon\n,0.25,2024-03-01 12:30:05,1,2\n",
    "time(millisecond),datetime(utc),lat,lon\n250,2024-03-01 12:30:05,1,2\n",
    "Date,Time,UTC Date,UTC Time,lat,lon\n2024-03-02,00:30:05,2024-03-01,12:30:05,1,2\n",
    "time,utc,lat,lon\n1709296205,+2,1,2\n", "time,timestamp,lat,lon\n1709296205,7,1,2\n",
    "Date,Time,Date (UTC),Time (UTC),lat,lon\n2024-03-02,00:30:05,2024-03-01,12:30:05,1,2\n",
    // A time of day in UTC has no date, or a local one.
    "Date,Time,UTC Time,lat,lon\n2024-03-01,12:30:05,23:30:05,1,2\n",
    "Date,Time,UTC Time,lat,lon\n2024-03-01,0.25,12:30:05,1,2\n",
    "time,UTC time,lat,lon\n2024-03-01 12:30:05,12:30:05,1,2\n",
    "time,UTC time,lat,lon\n1709296205,123005,1,2\n", "time,UTC time,lat,lon\n1709296205,,1,2\n",
  ])
  func columnOfUTCCountsMoreThanAnotherTime(text: String) {
    let batch = decodedCSV(text)
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map(\.time) == [UTCTime(iso8601: "2024-03-01T12:30:05Z")])
  }

  /// Seconds since the start, days of a spreadsheet, and a clock without a date.
  @Test func numberTooSmallForATimeIsAProblemAndTheFixHasNoTime() {
    for small in ["0.25", "45352.52", "123005", "20240301", "-1", "99999999"] {
      let batch = decodedCSV("time,lat,lon\n\(small),1,2\n1709296205,1,2\n")
      #expect(batch.fixes.map(\.time) == [nil, UTCTime(iso8601: "2024-03-01T12:30:05Z")], "\(small)")
      #expect(batch.problems.counts == [.badTime: 1] && batch.unreadableTimes == 1, "\(small)")
    }
    let early = decodedCSV("time,lat,lon\n1970-01-01T00:00:05Z,1,2\n100000000,1,2\n")
    #expect(early.fixes.map { $0.time?.secondsSince1970 } == [5, 1e8] && early.problems == ProblemLog())
  }

  /// Milliseconds since the start. Another column of the time counts then.
  @Test func millisecondsTooSmallForATimeAreAProblemAndTheFixHasNoTime() {
    let batch = decodedCSV(
      "timestamp_ms,lat,lon\n1,1,2\n99999999999,1,2\n100000000000,1,2\n1709296205000,1,2\n")
    #expect(batch.fixes.map { $0.time?.secondsSince1970 } == [nil, nil, 1e8, 1_709_296_205])
    #expect(batch.problems.counts == [.badTime: 2] && batch.unreadableTimes == 2)
    let other = decodedCSV("timestamp_ms,time,lat,lon\n250,2024-03-01T12:30:05Z,1,2\n250,0.25,1,2\n,,1,2\n")
    #expect(other.fixes.map(\.time) == [UTCTime(iso8601: "2024-03-01T12:30:05Z"), nil, nil])
    #expect(other.problems.counts == [.badTime: 1] && other.unreadableTimes == 1)
  }

  /// Data tools write whole numbers with decimals, and large ones with an exponent.
  @Test(arguments: [
    "timestamp_ms,lat,lon\n1709296205000.0,1,2\n", "timestamp_ms,lat,lon\n1.709296205e12,1,2\n",
    "timestamp_ms;lat;lon\n1,709296205E+12;1;2\n", "Timestamp_ms,lat,lon\n1709296205000000,1,2\n",
    "timestamp_ms,time,lat,lon\n1.709296205e12,0.25,1,2\n",
    "timestamp_ms,lat,lon\n2024-03-01T12:30:05Z,1,2\n",
    "timestamp_ms,time,lat,lon\nnull,1.709296205e+09,1,2\n", "time,lat,lon\n1.709296205e18,1,2\n",
    "timestamp_ms,utc_offset,lat,lon\n2024-03-01 14:30:05,2,1,2\n",
  ])
  func timeHasDecimalsAndExponents(text: String) {
    let batch = decodedCSV(text)
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map(\.time) == [UTCTime(iso8601: "2024-03-01T12:30:05Z")])
  }

  @Test(arguments: ["x", "1e25", "99999999999999999999"]) func unreadableMillisecondsAreAProblem(text: String)
  {
    let batch = decodedCSV("timestamp_ms,lat,lon\n\(text),1,2\n")
    #expect(batch.fixes.isEmpty && batch.problems.counts == [.badTime: 1])
  }

  @Test(arguments: ["0,25", "0.25e3", "1e7"]) func smallNumberWithACommaOrAnExponentIsNoTime(text: String) {
    let batch = decodedCSV("time;lat;lon\n\(text);1;2\n")
    #expect(batch.fixes.map(\.time) == [nil] && batch.unreadableTimes == 1)
  }

  /// A text without a zone is the local time. An instant stays, and the offset is stated for it.
  @Test(
    arguments: [
      ("time,utc_offset,lat,lon\n2024-03-01 14:30:05,+02:00,1,2\n", 120),
      ("UTC Offset,lat,lon,Time\n-0330,1,2,2024/03/01 09:00:05\n", -210),
      ("date,time,utcOffset,lat,lon\n2024-03-01,14:30:05,2,1,2\n", 120),
      ("time,utc_offset_minutes,lat,lon\n2024-03-01T18:15:05,345,1,2\n", 345),
      ("time,utc_offset (s),lat,lon\n2024-03-01 04:30:05,-28800,1,2\n", -480),
      ("time,gmt_offset,lat,lon\n2024-03-01T18:00:05,5.5,1,2\n", 330),
      ("time,offset_from_utc,lat,lon\n2024-03-01T12:30:05,+00:00,1,2\n", nil),
      ("time,utc_offset,lat,lon\n2024-03-01T12:30:05,,1,2\n", nil),
      ("time,utc_offset,lat,lon\n2024-03-01T12:30:05Z,+02:00,1,2\n", 120),
      ("time,utc_offset,lat,lon\n2024-03-01T21:30:05+09:00,+02:00,1,2\n", 540),
      ("time,utc_offset,lat,lon\n1709296205,+02:00,1,2\n", 120),
      ("timestamp_ms,utc_offset,lat,lon\n1709296205000,+02:00,1,2\n", 120),
      ("utc_time,utc_offset,lat,lon\n2024-03-01 12:30:05,+02:00,1,2\n", 120),
      ("time (UTC),utc_offset,lat,lon\n2024-03-01 12:30:05,+02:00,1,2\n", 120),
      ("utc,utc_offset,lat,lon\n2024-03-01 12:30:05,+02:00,1,2\n", 120),
      ("time,utc,utc_offset,lat,lon\n2024-03-01 14:30:05,2024-03-01 12:30:05,+02:00,1,2\n", 120),
      ("datetime,utc_time,utc_offset,lat,lon\n2024-03-01 14:30:05,2024-03-01 12:30:05,2,1,2\n", 120),
      ("time,timezone_offset,lat,lon\n2024-03-01 12:30:05,-120,1,2\n", nil),
    ] as [(String, Int?)])
  func columnOfTheOffsetMakesATimeLocal(text: String, minutes: Int?) {
    let batch = decodedCSV(text)
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map { $0.time?.iso8601 } == ["2024-03-01T12:30:05.000Z"])
    let offsets = batch.elements.compactMap { element -> Int? in
      if case .offset(let minutes, _) = element { minutes } else { nil }
    }
    #expect(offsets == [minutes].compactMap(\.self))
  }

  @Test(arguments: [
    "Europe/Berlin", "+02:07", "15.1", "0300", "+", "99999999999", "15", "-30", "45", "0.5", "900", "-2700",
  ])
  func unreadableOffsetIsAProblem(text: String) {
    let batch = decodedCSV("time,utc_offset,lat,lon\n2024-03-01 12:30:05,\(text),1,2\n")
    #expect(batch.problems.counts == [.badNumber: 1] && batch.fixes.count == 1)
  }

  /// A time that states its zone is no local time.
  @Test func zoneOfATimeCountsMoreThanTheColumnOfTheOffset() {
    let batch = decodedCSV(
      "time,utc_offset,lat,lon\n2024-03-01 12:30:05 UTC,2,1,2\n2024-03-01 13:30:05 +0100,2,1,2\n")
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map { $0.time?.iso8601 } == ["2024-03-01T12:30:05.000Z", "2024-03-01T12:30:05.000Z"])
  }

  /// Spreadsheets write hours of one digit.
  @Test(arguments: [
    "Datum;Uhrzeit;Breite;Länge\n1.3.2024;9:05;1;2\n", "date,time,lat,lon\n2024/03/01,9:05:00,1,2\n",
    "Fecha;Hora;Latitud;Longitud\n1/3/2024;9:05:00Z;1;2\n", "date,time,lat,lon\n2024/3/1,9:05,1,2\n",
    "date,time,utc_offset,lat,lon\n2024-03-01,11:05,2,1,2\n",
    "date,time,utc_offset,lat,lon\n2024-03-01,7:05,-2,1,2\n",
  ])
  func hourOfOneDigitIsRead(text: String) {
    let batch = decodedCSV(text)
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map(\.time) == [UTCTime(iso8601: "2024-03-01T09:05:00Z")])
  }

  /// Spreadsheets and programs of the United States write such times.
  @Test(arguments: [
    "time,lat,lon\n11/28/2026 3:05:07 PM,1,2\n11/5/2026 12:05:07 AM,1,2\n",
    "Date,Time,lat,lon\n11/28/2026,3:05:07 PM,1,2\n11/05/2026,12:05:07 AM,1,2\n",
    "time;lat;lon\n28/11/2026 15:05:07;1;2\n5/11/2026 0:05:07;1;2\n",
    "time,lat,lon\n11-28-2026 15:05:07,1,2\n11-05-2026 00:05:07,1,2\n",
    "time,utc_offset,lat,lon\n11/28/2026 5:05:07 PM,2,1,2\n11/5/2026 2:05:07 AM,2,1,2\n",
    "Zeit;Breite;Länge\n28/11/2026 3:05:07 PM;1;2\n5/11/2026 12:05:07 AM;1;2\n",
  ])
  func dateThatAllowsOneOrderStatesTheOrderOfTheRowsAfterIt(text: String) {
    let batch = decodedCSV(text)
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map { $0.time?.iso8601 } == ["2026-11-28T15:05:07.000Z", "2026-11-05T00:05:07.000Z"])
    #expect(batch.timesWithoutZone == (text.contains("utc_offset") ? 0 : 2))
  }

  @Test func dateThatAllowsBothOrdersIsAProblemThatStatesARemedy() {
    let rows = ["11/5/2026 3:05:07 PM", "11/11/2026 3:05:07 PM", "4/5/2026 3:05:07 PM"]
    let batch = decodedCSV("time,lat,lon\n" + rows.map { "\($0),1,2\n" }.joined())
    #expect(batch.fixes.map { $0.time?.iso8601 } == ["2026-11-11T15:05:07.000Z"])
    #expect(batch.problems.samples.map(\.line) == [2, 4])
    #expect(batch.problems.samples.allSatisfy { $0.detail.contains("write it as 2024-03-01") })
  }
}

/// The order of the day and the month in dates such as `11/5/2026`, stated by a later row.
@Suite struct CSVDateOrderTests {
  /// All rows stay in their order, and a row against the order is a problem.
  @Test func dateThatAllowsOneOrderStatesTheOrderOfTheRowsBeforeIt() {
    let rows = [
      "2026-11-04T15:05:07,1,2,", "11/5/2026 3:05:07 PM,1,2,", "11/6/2026 3:05:07 PM,1,2,x", "# a comment",
      "",
      "11/7/2026 3:05:07 PM,100,2,", "2026-11-08T15:05:07,1,2,", "11/28/2026 3:05:07 PM,100,2,",
      "5/28/2026 3:05:07 PM,1,2,", "28/5/2026 3:05:07 PM,1,2,", "6/5/2026 3:05:07 PM,1,2,",
    ]
    let batch = decodedCSV("time,lat,lon,hacc\n" + rows.map { "\($0)\n" }.joined())
    let days = batch.fixes.map { $0.time?.iso8601.prefix(10) }
    #expect(days == ["2026-11-04", "2026-11-05", "2026-11-06", "2026-11-08", "2026-05-28", "2026-06-05"])
    #expect(batch.problems.samples.map(\.line) == [4, 7, 9, 11])
    #expect(batch.problems.counts == [.badNumber: 1, .badCoordinate: 2, .badTime: 1])
    #expect(batch.timesWithoutZone == 6)
  }

  @Test func rowsOfAnyFormOfDateWaitForTheOrder() {
    for text in [
      "Date,Time,lat,lon\n11/5/2026,3:05:07 PM,1,2\n11/28/2026,3:05:07 PM,1,2",
      "time;lat;lon\r\n5-11-2026 15:05:07;1;2\r\n28-11-2026 15:05:07;1;2\r\n",
      "lat,lon,time\n1,2,05/11/2026 15:05:07\n1,2,28/11/2026 15:05:07\n",
    ] {
      let batch = decodedCSV(text)
      #expect(batch.problems == ProblemLog(), "\(text)")
      let times = batch.fixes.map { $0.time?.iso8601 }
      #expect(times == ["2026-11-05T15:05:07.000Z", "2026-11-28T15:05:07.000Z"], "\(text)")
    }
  }

  /// The memory does not grow with the recording: the rows that wait are refused at the limit, and later ones wait anew.
  @Test func rowsWaitUpToALimit() {
    let comment = "#" + String(repeating: "x", count: 15_999) + "\n"
    let comments = String(repeating: comment, count: CSVHeldRows.limit / 16_000 + 10)
    let text =
      "time,lat,lon\n11/5/2026 3:05:07 PM,1,2\n\(comments)"
      + "11/6/2026 3:05:07 PM,1,2\n11/28/2026 3:05:07 PM,1,2\n"
    var decoder = CSVDecoder()
    let batch = decoder.decodeAll(Array(text.utf8))
    #expect(batch.fixes.map { $0.time?.iso8601.prefix(10) } == ["2026-11-06", "2026-11-28"])
    #expect(batch.problems.counts == [.badTime: 1] && batch.problems.samples.map(\.line) == [2])
  }

  /// A batch with a limit gets the rows that waited in parts.
  @Test func rowsThatWaitedAreHeldBack() {
    let rows = (1...12).map { "11/\($0)/2026 3:05:07 PM,1,2\n" } + ["11/28/2026 3:05:07 PM,1,2\n"]
    let text = Array(("time,lat,lon\n" + rows.joined() + "12/1/2026 3:05:07 PM,1,2\n").utf8)
    var decoder = CSVDecoder()
    var batch = RecordingBatch()
    batch.limit = 5
    var counts: [Int] = []
    var fixes: [Fix] = []
    func collect() {
      counts.append(batch.elements.count)
      fixes += batch.fixes
      batch.removeAll()
    }
    decoder.decode(text, into: &batch)
    collect()
    while decoder.decodeHeldBack(into: &batch) { collect() }
    decoder.finish(into: &batch)
    collect()
    #expect(counts == [5, 5, 4, 0])
    #expect(fixes.compactMap(\.time) == fixes.compactMap(\.time).sorted() && fixes.count == 14)
    #expect(batch.problems == ProblemLog())
  }
}
