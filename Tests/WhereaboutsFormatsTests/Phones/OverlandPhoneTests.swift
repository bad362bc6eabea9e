import WhereaboutsModel
import Testing

import WhereaboutsFormats
import WhereaboutsGeodesy

@Suite struct OverlandPhoneTests {
  typealias Sample = PhoneSamples

  private static func feature(_ properties: String, coordinates: String = "[-0.1,51.5]") -> String {
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":\#(coordinates)},"properties":{\#(properties)}}"#
  }

  private static func batch(_ features: String...) -> String {
    "{\"locations\":[\(features.joined(separator: ","))]}"
  }

  private static let at = #""timestamp":"2024-05-14T08:26:40Z""#
  private static let place = "51.5,-0.1 2024-05-14T08:26:40.000Z"

  @Test(
    arguments: [
      (at, place),
      (#""timestamp":"2024-05-14T01:26:40-0700""#, place),
      (#""timestamp":"2024-05-14T01:26:40-07:00""#, place),
      // A time without a zone is in UTC.
      (#""timestamp":"2024-05-14T08:26:40""#, place),
      (
        at
          + #","altitude":47,"speed":13,"course":270,"horizontal_accuracy":5,"vertical_accuracy":3,"#
          + #""speed_accuracy":0.5,"course_accuracy":2.25,"battery_level":0.85,"battery_state":"full""#,
        "\(place) hacc=5.0 alt=47.0 vacc=3.0 speed=13.0 speedAcc=0.5 course=270.0 courseAcc=2.25 battery=0.85 charging"
      ),
      (
        at
          + #","altitude":0,"speed":-1,"course":-1,"horizontal_accuracy":-1,"vertical_accuracy":-1,"#
          + #""speed_accuracy":-1,"course_accuracy":-1,"battery_level":-1,"battery_state":"unknown","wifi":"""#,
        place
      ),
      // A height of 0 is one where its accuracy is not negative.
      (#"\#(at),"altitude":0,"vertical_accuracy":4"#, "\(place) alt=0.0 vacc=4.0"),
      (#"\#(at),"course":0,"speed":0"#, "\(place) speed=0.0 course=0.0"),
      (#"\#(at),"course":400,"battery_level":85"#, place),
      (#"\#(at),"battery_state":"unplugged""#, "\(place) unplugged"),
      (#""timestamp":"""#, "51.5,-0.1 arrival=2024-05-14T08:30:00.000Z"),
      ("", "51.5,-0.1 arrival=2024-05-14T08:30:00.000Z"),
      (#""timestamp":"yesterday""#, "bad time: timestamp is no time"),
      (#""timestamp":"2024-02-30T00:00:00Z""#, "bad time: timestamp is no time"),
      (#""timestamp":{}"#, "bad time: timestamp is no time"),
    ] as [(String, String)])
  func locationIsRead(_ properties: String, _ expected: String) {
    #expect(Sample.fix(.overland, Self.batch(Self.feature(properties))) == expected)
  }

  @Test(
    arguments: [
      ("[-0.1,51.5,3]", place),
      ("[200,51.5]", "bad coordinate: the latitude or the longitude is out of range"),
      ("[-0.1]", "bad number: the coordinates are not two numbers"),
      ("[]", "bad number: the coordinates are not two numbers"),
      ("[null,51.5]", "bad number: the coordinates are not two numbers"),
      ("[[1,2],[3,4]]", "bad number: the coordinates are not two numbers"),
      ("null", "something required is missing: no geometry with coordinates"),
      ("[0,0]", "0.0,0.0 2024-05-14T08:26:40.000Z"),
    ] as [(String, String)])
  func placeIsRead(_ coordinates: String, _ expected: String) {
    let body = Self.batch(Self.feature(Self.at, coordinates: coordinates))
    #expect(Sample.fix(.overland, body) == expected)
  }

  @Test func restOfALocationIsRetained() throws {
    let properties =
      Self.at
      + #","device_id":"phone","unique_id":"E3","trip_id":"2024-05-14T08:00:00Z","wifi":"net","action":"x","#
      + #""horizontal_accuracy":5,"motion":["driving","stationary"],"pauses":false,"tracking_mode":1"#
    let report = Sample.report(.overland, Self.batch(Self.feature(properties)))
    let fix = try #require(report.fixes.first)
    #expect(report.identity.device == "phone" && fix.device == "phone" && fix.wifi == "net")
    #expect(fix.trip == "2024-05-14T08:00:00Z" && fix.trigger == "x")
    #expect(fix.activities == ["driving", "stationary"] && fix.fix.activity == .driving)
  }

  /// The app states its last known place with the present time, for its own events.
  @Test(arguments: ["exited_pause_region", "paused_location_updates", "will_terminate"])
  func eventOfTheAppIsNoPosition(action: String) {
    let event = Self.feature(
      "\(Self.at),\"action\":\"\(action)\",\"battery_state\":\"unplugged\",\"battery_level\":0.5")
    let report = Sample.report(.overland, Self.batch(event))
    #expect(report.fixes.isEmpty && report.rejectionCount == 0 && report.ignoredValueCount == 0)
    #expect(report.otherMessages.counts.map(\.name) == ["event"] && report.battery?.level == 0.5)
    #expect(report.batteryTime == Sample.time("2024-05-14T08:26:40Z"))
  }

  @Test(
    arguments: [
      (#"["walking"]"#, .walking), (#"["stationary"]"#, .still), (#"["stationary","cycling"]"#, .cycling),
      (#""running""#, .running), ("[]", nil), (#"["unknown"]"#, nil), ("null", nil), ("{}", nil),
      ("[3]", nil),
    ] as [(String, Fix.StatedActivity?)])
  func motionIsTheActivity(motion: String, activity: Fix.StatedActivity?) throws {
    let feature = Self.feature("\(Self.at),\"motion\":\(motion)")
    let body = "{\"locations\":[\(feature)],\"current\":\(feature)}"
    let report = Sample.report(.overland, body)
    #expect(try #require(report.fixes.first).fix.activity == activity)
    #expect(try #require(report.current).fix.activity == activity)
    #expect(report.rejectionCount == 0 && report.ignoredValueCount == 0)
  }

  /// All rows stay, in their order: the same instant twice, late ones, and ones from the future.
  @Test func rowsRetainTheirOrder() {
    let seconds = [40, 40, 10, 59, 10]
    let rows = seconds.map { Self.feature("\"timestamp\":\"2034-05-14T08:26:\($0)Z\"") }
    let report = Sample.report(.overland, "{\"locations\":[\(rows.joined(separator: ","))]}")
    #expect(report.fixes.map { $0.time.civil.second } == seconds)
    #expect(report.fixes.map(\.row) == [0, 1, 2, 3, 4])
  }

  @Test func oneBadRowCostsOnlyItself() throws {
    let good = Self.feature(Self.at)
    let rows = [
      good, "7", Self.feature("\"timestamp\":\"x\""), good, "{\"type\":}", "{\"a\":\"\u{1}\"}",
      #"{"a":"\q],}"}"#, "", "{}", good, "null", "[[1],2]",
    ]
    let body = "{\"locations\":[\(rows.joined(separator: ","))],\"trip\":{}}"
    let report = Sample.report(.overland, body)
    #expect(report.fixes.map(\.row) == [0, 3, 9])
    #expect(report.rejections.map(\.row) == [1, 2, 4, 5, 6, 7, 8, 10, 11])
    #expect(report.acceptance().text == #"{"result":"ok"}"#)
    for rejection in report.rejections {
      let bytes = Array(body.utf8)[rejection.byteOffset...].prefix(rejection.byteCount)
      #expect(Array(bytes) == rejection.bytes, "row \(rejection.row)")
      #expect(String(decoding: rejection.bytes, as: UTF8.self) == rows[rejection.row])
    }
  }

  @Test func truncatedBatchRetainsTheRowsBefore() throws {
    let body = Self.batch(Self.feature(Self.at), Self.feature(Self.at), Self.feature(Self.at))
    let report = Sample.report(.overland, String(body.dropLast(20)))
    #expect(report.fixes.count == 2)
    #expect(report.rejections.map(\.kind) == [.truncated])
    #expect(report.rejections.first?.byteOffset == body.utf8.count - 2 - Self.feature(Self.at).utf8.count)
  }

  @Test(arguments: ["{}", "[]", "{\"locations\":{}}", "7", "{\"locations\":null}", "{\"locations\""])
  func bodyWithoutLocationsIsOneRejection(_ body: String) {
    let report = Sample.report(.overland, body)
    #expect(report.rejectionCount == 1 && report.fixes.isEmpty)
    #expect(report.rejections.first?.bytes == Array(body.utf8))
  }

  @Test func emptyBatchIsAccepted() {
    #expect(Sample.report(.overland, "{\"locations\":[]}").rejectionCount == 0)
    #expect(Sample.report(.overland, "").rejectionCount == 0)
  }

  @Test func currentPositionIsReturnedSeparately() {
    let current = Self.feature(#""timestamp":"2024-05-14T08:29:00Z""#)
    let body = "{\"locations\":[\(Self.feature(Self.at))],\"current\":\(current)}"
    let report = Sample.report(.overland, body)
    #expect(report.fixes.count == 1)
    #expect(report.current?.time == Sample.time("2024-05-14T08:29:00Z"))
  }

  @Test func visitsAreRead() {
    let visits = [
      (#""arrival_date":"2024-05-14T07:00:00Z","departure_date":"2024-05-14T08:00:00Z""#, true, true),
      (#""arrival_date":"2024-05-14T07:00:00Z","departure_date":null"#, true, false),
      // The ends of the calendar of iOS.
      (#""arrival_date":"0001-01-01T00:00:00Z","departure_date":"4001-01-01T00:00:00Z""#, false, false),
    ]
    for (dates, hasArrived, hasDeparted) in visits {
      let feature = Self.feature("\(Self.at),\"action\":\"visit\",\"horizontal_accuracy\":30,\(dates)")
      let report = Sample.report(.overland, Self.batch(feature))
      #expect(report.fixes.isEmpty && report.rejectionCount == 0 && report.ignoredValueCount == 0)
      #expect(report.visits.map { $0.arrived != nil } == [hasArrived])
      #expect(report.visits.map { $0.departed != nil } == [hasDeparted])
      #expect(report.visits.map(\.horizontalAccuracy) == [30])
    }
  }

  @Test func tripsAreRead() {
    let ended =
      #"{"type":"Feature","geometry":null,"properties":{"type":"trip","mode":"driving","start":"2024-05-14T07:00:00Z","#
      + #""end":"2024-05-14T08:00:00Z","distance":1200,"steps":0,"duration":3600}}"#
    let going = #"{"distance":10.5,"mode":"walking","start":"2024-05-14T08:10:00Z"}"#
    let report = Sample.report(.overland, "{\"locations\":[\(ended)],\"trip\":\(going)}")
    #expect(report.trips.map(\.mode) == ["driving", "walking"] && report.trips.map(\.row) == [0, nil])
    #expect(
      report.trips.map(\.distance) == [1200, 10.5] && report.trips.map { $0.ended != nil } == [true, false])
    #expect(report.rejectionCount == 0)
  }

  /// A day at 1 Hz.
  @Test func batchOfADayIsRead() {
    let rows = (0..<86_400).map { second in
      Self.feature("\"timestamp\":\(1_715_600_000 + second),\"speed\":1", coordinates: "[0,0]")
    }
    let report = Sample.report(.overland, "{\"locations\":[\(rows.joined(separator: ","))]}")
    #expect(report.fixes.count == 86_400 && report.rejectionCount == 0)
    #expect(report.fixes.last?.row == 86_399)
  }
}
