import Testing
import WhereaboutsModel

@testable import WhereaboutsCLI

@Suite struct FenceArgumentTests {
  @Test(arguments: [
    ("51.5,-0.1", true), ("-90,180", true), ("51.5, -0.1", true), ("+1.5,2", true), ("91,0", false),
    ("0,181", false),
    ("51.5", false), ("51.5,-0.1,3", false), ("a,b", false), ("", false), ("nan,0", false), ("1e1,0", false),
    ("0x10,0", false), (",", false),
  ])
  func placeIsParsedOrRejected(text: String, isPlace: Bool) {
    #expect((PlaceArgument(text) != nil) == isPlace)
  }

  @Test func placesAcceptSeveralSeparators() {
    #expect(PlacesArgument("1,2 3,4;5,6\n7,8")?.coordinates.count == 4)
    #expect(PlacesArgument("1,2 3,400") == nil)
    #expect(PlacesArgument(" ") == nil)
  }

  @Test(
    arguments: [
      ("0.95", 0.95), ("95%", 0.95), ("0.5", 0.5), ("0.9999", 0.9999), ("99.99%", 0.9999), ("95", nil),
      ("0.4", nil),
      ("1", nil), ("100%", nil), ("-0.9", nil), ("", nil), ("%", nil),
    ] as [(String, Double?)])
  func confidenceIsParsedOrRejected(text: String, share: Double?) throws {
    let read = ConfidenceArgument(text)?.confidence
    #expect((read == nil) == (share == nil))
    if let read, let share { #expect((read - share).magnitude < 1e-12) }
  }

  @Test func listWithInvalidElementIsRejected() {
    #expect(ListArgument<DurationArgument>(argument: "0s,30s,1m")?.elements.count == 3)
    #expect(ListArgument<DurationArgument>(argument: "0s,,1m") == nil)
    #expect(ListArgument<LengthArgument>(argument: "30,x") == nil)
  }

  @Test(arguments: [
    ("a=b", "a", JSONValue.string("b")), ("a=", "a", .string("")), ("a=b=c", "a", .string("b=c")),
    ("n=12", "n", .number(12)), ("n=-3", "n", .number(-3)), ("n=007", "n", .string("007")),
    ("n=1.50", "n", .string("1.50")), ("f=true", "f", .bool(true)),
  ])
  func propertyValueTypeIsInferred(text: String, key: String, value: JSONValue) {
    let property = PropertyArgument(argument: text)
    #expect(property?.key == key && property?.value == value)
  }

  @Test func propertyWithoutKeyIsRejected() {
    #expect(PropertyArgument(argument: "=b") == nil && PropertyArgument(argument: "b") == nil)
  }

  @Test(arguments: [
    ("17:04", "2024-05-14T17:04:00.000Z"), ("08:15", "2024-05-14T08:15:00.000Z"),
    ("08:14", "2024-05-15T08:14:00.000Z"), ("08:15:07", "2024-05-14T08:15:07.000Z"),
    ("2024-05-14T10:00:00+02:00", "2024-05-14T08:00:00.000Z"),
  ])
  func timeOfDayIsFirstAfterBeginning(text: String, time: String) throws {
    let beginning = try #require(UTCTime(iso8601: "2024-05-14T08:15:06Z"))
    #expect(try #require(MomentArgument(text)).time(from: beginning).iso8601 == time)
  }

  @Test(arguments: [
    ("17:04", "2024-05-14T17:04:00.000Z"), ("08:14:30", "2024-05-14T08:14:30.000Z"),
    ("2024-05-10T10:00:00+02:00", "2024-05-10T08:00:00.000Z"),
  ])
  func timeOfDayMayBeBeforeBeginning(text: String, time: String) throws {
    let beginning = try #require(UTCTime(iso8601: "2024-05-14T08:15:06Z"))
    #expect(try #require(MomentArgument(text)).time(onDayOf: beginning).iso8601 == time)
  }

  @Test(arguments: ["24:00", "17", "17:60", "17:4x", "", "17:04:60", "117:04", "tomorrow"])
  func invalidMomentIsRejected(text: String) {
    #expect(MomentArgument(text) == nil)
  }

  @Test(arguments: [
    ("Mo-Fr 09:00-17:00", "Mo-Fr 09:00-17:00"),
    ("mo,we 9:00-12:00,13:00-17:00", "Mo 09:00-12:00; We 09:00-12:00; Mo 13:00-17:00; We 13:00-17:00"),
    ("22:00-06:00", "Mo-Su 22:00-06:00"), ("Sa-Mo", "Sa-Mo 00:00-24:00"), ("24/7", "24/7"),
    ("fr 18:00-mo 06:00", "Fr 18:00-Mo 06:00"),
    ("Mo-Fr 08:00-17:00 Europe/Berlin", "Mo-Fr 08:00-17:00 Europe/Berlin"),
    ("Mo-Fr 07:00-19:00; Sa 08:00-12:00 UTC+2", "Mo-Fr 07:00-19:00; Sa 08:00-12:00 UTC+2"),
    ("08:00-09:00 UTC-03:30", "Mo-Su 08:00-09:00 UTC-03:30"),
  ])
  func activeHoursRoundTrip(text: String, written: String) throws {
    let hours = try #require(HoursArgument(text)).hours
    #expect(hours.text == written)
    #expect(Set(HoursArgument(hours.text)?.hours.windows ?? []) == Set(hours.windows))
    #expect(HoursArgument(hours.text)?.hours.aheadOfUTC == hours.aheadOfUTC)
  }

  @Test(arguments: [
    "", "Mo-Xx 09:00-17:00", "09:00", "25:00-26:00", "Mo 09:00-17:00 extra", "09:60-10:00",
    "UTC+2",
    "Mo 09:00-17:00 UTC+25", "24:00-01:00",
  ])
  func invalidHoursAreRejected(text: String) {
    #expect(HoursArgument(text) == nil)
  }
}
