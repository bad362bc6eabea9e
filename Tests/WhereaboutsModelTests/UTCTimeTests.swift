import Testing
import WhereaboutsModel

@Suite struct UTCTimeTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0),
    ("2024-02-29T12:30:05.250Z", 1_709_209_805_250_000_000),
    ("1969-12-31T23:59:59.999999999Z", -1),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
    ("2024-03-01T01:00:00+01:00", 1_709_251_200_000_000_000),
    ("2024-03-01 00:00:00", 1_709_251_200_000_000_000),
    ("2024-02-29T23:00-0100", 1_709_251_200_000_000_000),
    ("2024-03-01", 1_709_251_200_000_000_000),
    // Midnight at the end of a day, as XML Schema writes it.
    ("2024-02-29T24:00:00Z", 1_709_251_200_000_000_000),
    ("2023-12-31T24:00:00+01:00", 1_704_063_600_000_000_000),
    ("2024-02-29 24:00", 1_709_251_200_000_000_000),
  ])
  func iso8601TextIsParsed(text: String, nanoseconds: Int64) {
    #expect(UTCTime(iso8601: text)?.nanosecondsSince1970 == nanoseconds)
  }

  @Test(arguments: [
    "", "2024", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2024-03-01T24:00:01Z",
    "2024-03-01T24:01:00Z", "2024-03-01T24:00:00.5Z", "2024-03-01T25:00:00Z",
    "2024-03-01T00:00:61Z",
    "2024-03-01T00:00:00X", "2024-03-01T00:00:00.Z", "2024-03-01T00:00:00+25:00", "3000-01-01T00:00:00Z",
    "2024-03-01T00:00:00Zjunk", "2o24-03-01T00:00:00Z", "2024-O3-01T00:00:00Z", "2024-03-0lT00:00:00Z",
    "2024-03-01T0O:00:00Z", "2024-03-01T00:0O:00Z", "2024-03-01T00:00:O0Z", "2024-03-01T00:00:00.00oZ",
    "2024-03-01T00:00:00.o00Z", "2024/03/01T00:00:00Z", "0000-03-01T00:00:00Z", "٢٠٢٤-03-01T00:00:00Z",
  ])
  func invalidTextIsRefused(text: String) {
    #expect(UTCTime(iso8601: text) == nil)
  }

  @Test(arguments: [
    Int64.min, -86_400_000_000_001, -1, 0, 1_709_209_805_250_000_000, 951_782_400_000_000_000, .max,
  ])
  func everyInstantRoundTripsThroughText(nanoseconds: Int64) {
    let time = UTCTime(nanosecondsSince1970: nanoseconds)
    #expect(UTCTime(iso8601: time.iso8601) == time)
  }

  @Test func differencesBeyondInt64DoNotTrap() {
    let first = UTCTime(nanosecondsSince1970: .min), last = UTCTime(nanosecondsSince1970: .max)
    #expect(last.since(first) > .seconds(1.8e10))
    #expect(last.advanced(by: .seconds(1)) == last)
    #expect(first.advanced(by: .seconds(-1)) == first)
  }

  /// Durations of up to 64 bits of attoseconds, which end at 9.2 s, are converted in another way than longer ones.
  @Test func durationsAreConvertedAsTheirComponentsAre() {
    let seconds: [Int64] = [0, 1, 9, 10, 30, 86_400, 9_223_372_036, 9_223_372_037, 1_000_000_000_000_000]
    let rests: [Int64] = [
      0, 1, 999_999_999, 1_000_000_000, 223_372_036_854_775_807, 223_372_036_854_775_808,
      854_775_807_000_000_000, 854_775_808_000_000_000, 999_999_999_999_999_999,
    ]
    for sign: Int64 in [1, -1] {
      for second in seconds {
        for rest in rests {
          let duration = Duration(secondsComponent: sign * second, attosecondsComponent: sign * rest)
          #expect(duration.inSeconds == Double(sign * second) + Double(sign * rest) * 1e-18)
          let (scaled, overflow) = (sign * second).multipliedReportingOverflow(by: 1_000_000_000)
          let (sum, carried) = scaled.addingReportingOverflow(sign * rest / 1_000_000_000)
          let limit = sign > 0 ? Int64.max : .min
          #expect(duration.clampedNanoseconds == (overflow || carried ? limit : sum))
        }
      }
    }
  }
}
