import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsFormats

/// Takeout's `Records.json`.
@Suite struct TimelineRecordsTests {
  /// Members of a record, and the row that they become.
  @Test(
    arguments: [
      (#""timestamp":"2021-03-04T05:06:07.089Z""#, "2021-03-04T05:06:07.089Z 52.5163 13.3777"),
      (#""timestamp":"2021-03-04T05:06:07Z""#, "2021-03-04T05:06:07.000Z 52.5163 13.3777"),
      // Old exports count milliseconds in a text; the newer form counts more.
      (#""timestampMs":"1614834367089""#, "2021-03-04T05:06:07.089Z 52.5163 13.3777"),
      (#""timestampMs":1614834367089.0"#, "2021-03-04T05:06:07.089Z 52.5163 13.3777"),
      (#""timestampMs":"1.614834367089e12""#, "2021-03-04T05:06:07.089Z 52.5163 13.3777"),
      (#""timestampMs":"1","timestamp":"2021-03-04T05:06:07Z""#, "2021-03-04T05:06:07.000Z 52.5163 13.3777"),
    ])
  func timeOfRecord(members: String, row: String) {
    let text = ImportText("{\"locations\":[{\"latitudeE7\":525163000,\"longitudeE7\":133777000,\(members)}]}")
    #expect(text.format == .timeline)
    #expect(text.rows == [row])
    #expect(text.problems == [])
    #expect(text.fixes.allSatisfy { $0.source == .timeline && $0.horizontalAccuracy == nil })
  }

  @Test(
    arguments: [
      ("525163000", "133777000", 52.5163, 13.3777),
      // 2³² too much, as a 32-bit number without a sign.
      ("3956967296", "133777000", -33.8, 13.3777), ("525163000", "4161190296", 52.5163, -13.3777),
      ("-338000000", "1512000000", -33.8, 151.2), ("0", "0", 0, 0), ("900000000", "1800000000", 90, 180),
    ] as [(String, String, Double, Double)])
  func overflownCoordinates(latitude: String, longitude: String, north: Double, east: Double) throws {
    let text = ImportText(
      "{\"locations\":[{\"latitudeE7\":\(latitude),\"longitudeE7\":\(longitude),\"timestampMs\":\"1614834367089\"}]}"
    )
    let fix = try #require(text.fixes.first)
    #expect(abs(fix.coordinate.latitude - north) < 1e-9 && abs(fix.coordinate.longitude - east) < 1e-9)
  }

  @Test func presentValuesAreRetainedAndAbsentOnesStayAbsent() throws {
    let text = ImportText(
      """
      {"locations": [{
        "latitudeE7": 10000000, "longitudeE7": 20000000, "accuracy": 14, "verticalAccuracy": 3, "altitude": 97,
        "velocity": 2, "heading": 359, "source": "wifi", "deviceTag": -77, "batteryCharging": true,
        "activity": [{"timestamp": "2021-01-01T00:00:05Z", "activity": [{"type": "SOMETHING_NEW", "confidence": 100}]}],
        "activitys": [{"timestampMs": "1", "activities": [{"type": "still", "confidence": 1}]}],
        "locationMetadata": [{"wifiScan": {"accessPoints": [{"mac": "1"}]}}], "timestamp": "2021-01-01T00:00:00Z"
      }, {
        "latitudeE7": 10000000, "longitudeE7": 20000000, "accuracy": 0, "velocity": 0, "heading": 0,
        "deviceTag": -77, "timestamp": "2021-01-01T00:10:00Z"
      }]}
      """)
    let fixes = text.fixes
    try #require(fixes.count == 2)
    #expect(fixes[0].horizontalAccuracy == 14 && fixes[0].verticalAccuracy == 3)
    #expect(fixes[0].heightAboveEllipsoid == 97 && fixes[0].heightAboveGeoid == nil)
    #expect(fixes[0].speed == 2 && fixes[0].course == 359)
    #expect(fixes[1].horizontalAccuracy == nil && fixes[1].course == nil && fixes[1].speed == 0)
    #expect(!fixes[0].isAccuracyEstimated)
    #expect(fixes[0].activity == nil && fixes[1].activity == nil)
    #expect(text.devices == ["-77"])
  }

  /// Lists of candidates at seconds of the hour, beside a position at 05:00.
  @Test(
    arguments: [
      (#"[{"timestamp":"2021-01-01T00:05:09.5Z","activity":[{"type":"STILL","confidence":100}]}]"#, .still),
      (#"[{"timestampMs":"1609459500000","activities":[{"type":"onFoot","confidence":90}]}]"#, .walking),
      (#"[{"timestampMs":"1609459500000","activities":[{"type":"on_foot","confidence":90}]}]"#, .walking),
      // The most confident of a list, and the first of two.
      (
        #"[{"timestampMs":"1609459500000","activity":[{"type":"WALKING","confidence":30},"#
          + #"{"type":"IN_VEHICLE","confidence":60},{"type":"STILL","confidence":60}]}]"#, .driving
      ),
      // A type and its kinds: the most confident kind counts.
      (
        #"[{"timestampMs":"1609459500000","activity":[{"type":"IN_VEHICLE","confidence":62},"#
          + #"{"type":"IN_RAIL_VEHICLE","confidence":62},{"type":"IN_ROAD_VEHICLE","confidence":16}]}]"#,
        .rail
      ),
      (
        #"[{"timestampMs":"1609459500000","activity":[{"type":"IN_VEHICLE","confidence":62},"#
          + #"{"type":"IN_ROAD_VEHICLE","confidence":40},{"type":"IN_RAIL_VEHICLE","confidence":22}]}]"#,
        .driving
      ),
      (
        #"[{"timestampMs":"1609459500000","activity":[{"type":"ON_FOOT","confidence":92},"#
          + #"{"type":"RUNNING","confidence":85},{"type":"WALKING","confidence":7}]}]"#, .running
      ),
      (
        #"[{"timestampMs":"1609459500000","activity":[{"type":"onFoot","confidence":92},"#
          + #"{"type":"running","confidence":85},{"type":"walking","confidence":7}]}]"#, .running
      ),
      (
        #"[{"timestampMs":"1609459500000","activity":[{"type":"IN_VEHICLE","confidence":62},"#
          + #"{"type":"STILL","confidence":30},{"type":"IN_RAIL_VEHICLE","confidence":8}]}]"#, .driving
      ),
      // The nearest list with a known type.
      (
        #"[{"timestampMs":"1609459400000","activity":[{"type":"RUNNING","confidence":90}]},"#
          + #"{"timestampMs":"1609459501000","activity":[{"type":"TILTING","confidence":100}]},"#
          + #"{"timestampMs":"1609459510000","activity":[{"type":"ON_BICYCLE","confidence":40}]}]"#, .cycling
      ),
      // Too long before and after; without a time; nothing of the kind.
      (#"[{"timestampMs":"1609459199000","activity":[{"type":"STILL","confidence":100}]}]"#, nil),
      (#"[{"timestamp":"2021-01-01T00:10:01Z","activity":[{"type":"STILL","confidence":100}]}]"#, nil),
      (#"[{"timestamp":"2021-01-01T00:10:00Z","activity":[{"type":"STILL","confidence":100}]}]"#, .still),
      (#"[{"activity":[{"type":"STILL","confidence":100}]}]"#, nil), ("[]", nil), ("{}", nil),
      ("[[1],null]", nil),
    ] as [(String, Fix.StatedActivity?)])
  func activityNearestInTimeIsRead(lists: String, activity: Fix.StatedActivity?) {
    for name in ["activity", "activitys"] {
      let text = ImportText(
        "{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2,\"timestamp\":\"2021-01-01T00:05:00Z\",\"\(name)\":\(lists)}]}"
      )
      #expect(text.fixes.map(\.activity) == [activity])
      #expect(text.problems == [])
    }
  }

  @Test func interleavedPhonesAreDistinguished() {
    func record(_ second: Int, _ tag: String) -> String {
      "{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"\(second)000\",\"deviceTag\":\(tag)}"
    }
    let text = ImportText(
      "{\"locations\":[\(record(5, "1")),\(record(4, "2")),\(record(3, "2")),\(record(2, "1"))]}")
    #expect(text.batch.elements.map(\.kind) == ["device", "fix", "device", "fix", "fix", "device", "fix"])
    #expect(text.devices == ["1", "2", "1"])
    // Newest first, as exports of 2015 are: the order is that of the file.
    #expect(text.fixes.compactMap { $0.time?.secondsSince1970 } == [5, 4, 3, 2])
  }

  @Test func recordWithoutATagBelongsToNoPhone() {
    func record(_ second: Int, _ tag: String) -> String {
      "{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"\(second)000\"\(tag)}"
    }
    let tag = ",\"deviceTag\":1"
    let text = ImportText(
      "{\"locations\":[\(record(1, "")),\(record(2, tag)),\(record(3, "")),\(record(4, "")),\(record(5, tag))]}"
    )
    #expect(
      text.batch.elements.map(\.kind) == ["fix", "device", "fix", "device", "fix", "fix", "device", "fix"])
    let names = text.batch.elements.compactMap { element -> String? in
      if case .deviceBegan(let name) = element { name ?? "none" } else { nil }
    }
    #expect(names == ["1", "none", "1"])
  }

  @Test func badRowLosesOnlyItself() {
    let good = "{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"1614834367089\"}"
    let text = ImportText(
      """
      {"locations":[\(good),
      {"longitudeE7":2,"timestampMs":"1"},
      {"latitudeE7":1,"longitudeE7":2},
      {"latitudeE7":1,"longitudeE7":2,"timestamp":"yesterday"},
      {"latitudeE7":899999999,"longitudeE7":99999999999,"timestampMs":"1"},
      null,
      \(good)]}
      """)
    #expect(text.fixes.count == 2)
    #expect(
      text.problems == [
        "2 a record without latitudeE7 or longitudeE7", "3 a position without a time",
        "4 the time of a position is no time", "5 a position is no place", "6 an element is no object",
      ])
  }

  @Test(
    arguments: [
      // A comma, a quote, a bracket too few; bytes that are no JSON.
      "{\"latitudeE7\":1 \"longitudeE7\":2,\"timestampMs\":\"1\"}", "{\"latitudeE7:1,\"longitudeE7\":2}",
      "{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"1\"",
      "{\"activity\":[{\"a\":1},\"latitudeE7\":1}",
      "\u{0}\u{0}\u{0}", "{\"latitudeE7\":01}", "{\"latitudeE7\":1,}", "}", "]]]",
    ])
  func readingResumesAfterAMalformedRow(row: String) {
    func good(_ second: Int) -> String {
      "{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"\(second)000\",\"activity\":[{\"timestamp\":\"2020-01-01T00:00:00Z\"}]}"
    }
    let text = ImportText("{\"locations\":[\(good(100)),\n\(row),\n\(good(200)),\n\(good(300))]}")
    let seconds = text.fixes.compactMap { $0.time?.secondsSince1970 }
    #expect(seconds.contains(100) && seconds.contains(200) && seconds.contains(300))
    #expect(text.batch.problems.total >= 1)
  }

  @Test(arguments: [0, 1, 2, 30, 50]) func truncatedDocumentIsReadAsFarAsItGoes(missing: Int) {
    let whole =
      "{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"1\"},{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"2\"}]}"
    let text = ImportText(String(whole.dropLast(missing)))
    #expect(text.fixes.count == (missing > 2 ? 1 : 2))
    #expect((text.batch.problems.counts[.truncated] == nil) == (missing == 0))
  }

  @Test func emptyDocumentIsATimelineWithoutFixes() {
    let text = ImportText("{\"locations\": []}")
    #expect(text.format == .timeline && text.fixes.isEmpty && text.problems == [])
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func damagedDocumentsAreSoundForAnyChunks(seed: UInt64) {
    let rows = (0..<8).map {
      "{\"latitudeE7\":\($0)00000000,\"longitudeE7\":\($0 - 4)1000000,\"accuracy\":\($0),\"timestamp\":\"2021-01-0\($0 + 1)T00:00:00Z\",\"deviceTag\":\($0 / 3),\"activity\":[{\"x\":[1,{\"y\":\"\\\"z\"}]}]}"
    }
    expectSoundWhenDamaged(
      Array("{\"a\":{\"b\":[1]},\"locations\":[\(rows.joined(separator: ","))]}".utf8), seed: seed
    ) {
      TimelineDecoder()
    }
  }

  @Test func nestingAndLengthAreBounded() {
    let deep = String(repeating: "{\"a\":[", count: 5000)
    let text = ImportText(
      "{\"locations\":[\(deep),{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"1\"}]}", as: .timeline)
    #expect(text.fixes.count == 1 && text.batch.problems.total > 0)
    let long =
      "{\"locations\":[{\"x\":\"\(String(repeating: "y", count: 5 << 20))\"},{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"1\"}]}"
    let cut = ImportText(long, as: .timeline)
    #expect(cut.fixes.count == 1)
    #expect(cut.batch.problems.counts[.tooLong] == 1)
  }
}
