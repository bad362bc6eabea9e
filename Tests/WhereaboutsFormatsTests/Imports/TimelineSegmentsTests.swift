import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsFormats

/// Semantic Location History of Takeout, and the exports of phones.
@Suite struct TimelineSegmentsTests {
  @Test func startRawPathAndEndOfAnActivityAreFixes() throws {
    let text = ImportText(
      """
      {"timelineObjects":[{"activitySegment":{
        "startLocation":{"latitudeE7":10000000,"longitudeE7":20000000,"sourceInfo":{"deviceTag":5},"accuracyMetres":30},
        "endLocation":{"latitudeE7":11000000,"longitudeE7":21000000},
        "duration":{"startTimestamp":"2021-01-01T08:00:00Z","endTimestamp":"2021-01-01T08:30:00.5Z"},
        "waypointPath":{"waypoints":[{"latE7":1,"lngE7":2}],"source":"INFERRED"},
        "simplifiedRawPath":{"points":[
          {"latE7":10200000,"lngE7":20200000,"timestamp":"2021-01-01T08:10:00Z","accuracyMeters":9},
          {"latE7":10400000,"lngE7":20400000,"timestampMs":"1609489200000"}]}}},
       {"activitySegment":{"startLocation":{},"duration":{"startTimestampMs":"1","endTimestampMs":"2"}}}]}
      """)
    #expect(text.format == .timeline)
    #expect(
      text.rows == [
        "2021-01-01T08:00:00.000Z 1.0 2.0", "2021-01-01T08:10:00.000Z 1.02 2.02",
        "2021-01-01T08:20:00.000Z 1.04 2.04", "2021-01-01T08:30:00.500Z 1.1 2.1",
      ])
    #expect(text.fixes.map(\.horizontalAccuracy) == [30, 9, nil, nil])
    #expect(text.fixes.allSatisfy { $0.activity == nil })
    #expect(text.devices == ["5"])
    #expect(text.problems == [])
    #expect(text.batch.skippedElements.counts.map(\.name) == ["waypointPath"])
  }

  @Test(
    arguments: [
      (#""activityType":"IN_BUS""#, .driving), (#""activityType":"IN_FERRY","confidence":"LOW""#, .boating),
      (#""activityType":"CATCHING_POKEMON""#, nil), (#""activityType":null"#, nil),
      (#""activityType":3"#, nil),
      (
        #""activities":[{"activityType":"WALKING","probability":20.5},{"activityType":"IN_TRAIN","probability":70}]"#,
        .rail
      ),
      (
        #""activities":[{"activityType":"WALKING","probability":20},{"activityType":"SKIING","probability":70}]"#,
        nil
      ),
      (#""activityType":"CYCLING","activities":[{"activityType":"WALKING","probability":99}]"#, .cycling),
      (#""activities":[]"#, nil), (#""activities":[7,{},{"probability":3}]"#, nil),
      (#""activities":[{"activityType":"FLYING"}]"#, .flying),
    ] as [(String, Fix.StatedActivity?)])
  func activityOfASegmentHoldsForItsFixes(members: String, activity: Fix.StatedActivity?) {
    let text = ImportText(
      """
      {"timelineObjects":[{"activitySegment":{
        "startLocation":{"latitudeE7":10000000,"longitudeE7":20000000},
        "endLocation":{"latitudeE7":11000000,"longitudeE7":21000000},
        "duration":{"startTimestamp":"2021-01-01T08:00:00Z","endTimestamp":"2021-01-01T08:30:00Z"},
        "simplifiedRawPath":{"points":[{"latE7":10200000,"lngE7":20200000,"timestamp":"2021-01-01T08:10:00Z"}]},
        \(members)}},
       {"activitySegment":{"startLocation":{"latitudeE7":10000000,"longitudeE7":20000000},
        "duration":{"startTimestamp":"2021-01-01T09:00:00Z","endTimestamp":"2021-01-01T09:30:00Z"}}}]}
      """)
    #expect(text.fixes.map(\.activity) == [activity, activity, activity, nil])
    #expect(text.problems == [])
  }

  /// Types of an Android phone and of an iPhone.
  @Test(
    arguments: [
      ("WALKING", .walking), ("in passenger vehicle", .driving), ("IN_PASSENGER_VEHICLE", .driving),
      ("in subway", .rail), ("cycling", .cycling), ("UNKNOWN_ACTIVITY_TYPE", nil), ("", nil),
    ] as [(String, Fix.StatedActivity?)])
  func topCandidateOfAPhoneHoldsForTheActivity(type: String, activity: Fix.StatedActivity?) {
    let candidate = #""topCandidate":{"type":"\#(type)","probability":0.0}"#
    let times = #""startTime":"2024-05-01T10:00:00Z","endTime":"2024-05-01T11:00:00Z""#
    let android = ImportText(
      """
      {"semanticSegments":[{\(times),
        "activity":{"start":{"latLng":"52.5°, 13.4°"},"end":{"latLng":"52.6°, 13.5°"},\(candidate)},
        "timelinePath":[{"point":"52.55°, 13.45°","time":"2024-05-01T10:30:00Z"}]},
       {\(times),"timelinePath":[{"point":"52.55°, 13.45°","time":"2024-05-01T10:40:00Z"}]}]}
      """)
    #expect(android.fixes.map(\.activity) == [activity, activity, activity, activity])
    let iPhone = ImportText(
      #"[{\#(times),"activity":{"start":"geo:52.5,13.4","end":"geo:52.6,13.5",\#(candidate)}}]"#)
    #expect(iPhone.fixes.map(\.activity) == [activity, activity])
    #expect(android.problems == [] && iPhone.problems == [])
  }

  /// Paths before, with and after the activities of their time. Measured positions state no activity.
  @Test func activityHoldsForThePathsOfItsTime() throws {
    func path(_ hours: ClosedRange<Int>, _ times: [String]) -> String {
      let points = times.map { "{\"point\":\"52.5°, 13.4°\",\"time\":\"2024-05-01T\($0):00Z\"}" }
      return
        "{\"startTime\":\"2024-05-01T\(hours.lowerBound):00:00Z\",\"endTime\":\"2024-05-01T\(hours.upperBound):00:00Z\",\"timelinePath\":[\(points.joined(separator: ","))]}"
    }
    func activity(_ start: String, _ end: String, _ type: String) -> String {
      "{\"startTime\":\"2024-05-01T\(start):00Z\",\"endTime\":\"2024-05-01T\(end):00Z\",\"activity\":{\"start\":{},\"end\":{},\"topCandidate\":{\"type\":\"\(type)\"}}}"
    }
    let text = ImportText(
      """
      {"semanticSegments":[
        \(path(10...12, ["10:10", "10:30", "11:55"])),
        \(activity("10:20", "10:40", "WALKING")),
        \(activity("11:50", "12:20", "IN_TRAIN")),
        \(path(12...14, ["12:10", "12:30"]))],
       "rawSignals":[{"position":{"LatLng":"52.1°, 13.1°","timestamp":"2024-05-01T12:15:00Z"}}]}
      """)
    #expect(text.fixes.map(\.activity) == [nil, .walking, .rail, .rail, nil, nil])
    let times = text.fixes.compactMap(\.time)
    #expect(times.count == 6 && Array(times.prefix(5)) == times.prefix(5).sorted())
    #expect(text.problems == [])
  }

  /// An iPhone may write all paths after all activities.
  @Test func activitiesAreKnownToThePathsAfterAllOfThem() {
    let days = (1...31).map { $0 < 10 ? "0\($0)" : "\($0)" }
    let activities = days.flatMap { day in
      [("08", "walking"), ("18", "in subway")].map { hour, type in
        "{\"startTime\":\"2024-05-\(day)T\(hour):00:00Z\",\"endTime\":\"2024-05-\(day)T\(hour):40:00Z\",\"activity\":{\"topCandidate\":{\"type\":\"\(type)\"}}}"
      }
    }
    let paths = days.map { day in
      let points = [20, 50].map {
        "{\"point\":\"geo:52.5,13.4\",\"durationMinutesOffsetFromStartTime\":\"\($0)\"}"
      }
      return
        "{\"startTime\":\"2024-05-\(day)T08:00:00Z\",\"endTime\":\"2024-05-\(day)T10:00:00Z\",\"timelinePath\":[\(points.joined(separator: ","))]}"
    }
    let text = ImportText("[\((activities + paths).joined(separator: ","))]")
    #expect(text.fixes.count == 62 && text.problems == [])
    for (index, fix) in text.fixes.enumerated() {
      let activity: Fix.StatedActivity? = index.isMultiple(of: 2) ? .walking : nil
      #expect(fix.activity == activity, "point \(index)")
    }
  }

  @Test func visitIsAnIntervalAndNoFix() throws {
    let text = ImportText(
      """
      {"timelineObjects":[{"placeVisit":{
        "location":{"latitudeE7":10000000,"longitudeE7":20000000,"name":"Café","address":"1 Way","placeId":"ChIJ1","semanticType":"TYPE_HOME","locationConfidence":80},
        "centerLatE7":10010000,"centerLngE7":20010000,"editConfirmationStatus":"CONFIRMED",
        "duration":{"startTimestampMs":"1609488000000","endTimestampMs":"1609491600000"},
        "childVisits":[{"location":{"latitudeE7":12000000,"longitudeE7":20000000},
          "duration":{"startTimestamp":"2021-01-01T08:10:00Z","endTimestamp":"2021-01-01T08:20:00Z"}}]}}]}
      """)
    #expect(text.fixes.isEmpty)
    try #require(text.visits.count == 2)
    let visit = text.visits[0]
    // The coordinate is that of the device, not that of the entry of the place.
    #expect(visit.coordinate.latitude == 1.001 && visit.name == "Café" && visit.kind == "TYPE_HOME")
    #expect(visit.isConfirmed && visit.probability == 0.8)
    #expect(visit.departure.since(visit.arrival) == .seconds(3600))
    #expect(visit.address == "1 Way" && visit.placeID == "ChIJ1")
    #expect(text.visits[1].coordinate.latitude == 1.2)
    #expect(text.visits.map(\.level) == [0, 1])
  }

  @Test func rawPathOfAVisitIsFixes() {
    func visit(_ path: String, _ others: String = "") -> String {
      """
      {"location":{"latitudeE7":10000000,"longitudeE7":20000000,"sourceInfo":{"deviceTag":5}},
       "duration":{"startTimestamp":"2021-01-01T08:00:00Z","endTimestamp":"2021-01-01T09:00:00Z"},
       "simplifiedRawPath":\(path)\(others)}
      """
    }
    let inner = visit(#"{"points":[{"latE7":10300000,"lngE7":20300000,"timestampMs":"1609489800000"}]}"#)
    let path =
      #"{"points":[{"latE7":10200000,"lngE7":20200000,"timestamp":"2021-01-01T08:10:00Z","accuracyMeters":9},{"latE7":1}]}"#
    let outer = visit(path, #","childVisits":[\#(inner)]"#)
    let text = ImportText(
      #"{"timelineObjects":[{"placeVisit":\#(outer)},{"placeVisit":\#(visit("null"))}]}"#)
    #expect(text.rows == ["2021-01-01T08:10:00.000Z 1.02 2.02", "2021-01-01T08:30:00.000Z 1.03 2.03"])
    #expect(text.fixes.map(\.horizontalAccuracy) == [9, nil])
    #expect(text.fixes.allSatisfy { $0.activity == nil })
    #expect(text.visits.map(\.level) == [0, 1, 0])
    #expect(text.devices == ["5"])
    #expect(text.batch.problems.total == 1)
  }

  @Test func androidPathRetainsTheOrderOfPointsInOneMinute() {
    let text = ImportText(
      """
      {"semanticSegments":[{"startTime":"2024-05-01T10:00:00.000+02:00","endTime":"2024-05-01T12:00:00.000+02:00",
        "timelinePath":[{"point":"52.5163°, 13.3777°","time":"2024-05-01T10:04:00.000+02:00"},
          {"point":"52.5164°, 13.3778°","time":"2024-05-01T10:04:00.000+02:00"},
          {"point":"52.5163°, 13.3777°","time":"2024-05-01T10:04:00.000+02:00"}]},
       {"startTime":"2024-05-01T12:00:00+02:00","endTime":"2024-05-01T12:30:00+02:00","startTimeTimezoneUtcOffsetMinutes":120,
        "activity":{"start":{"latLng":"52.5°, 13.4°"},"end":{},"distanceMeters":10.5,"topCandidate":{"type":"WALKING","probability":0.0}}},
       {"startTime":"2024-05-01T12:30:00+02:00","endTime":"2024-05-01T14:00:00+02:00",
        "visit":{"hierarchyLevel":0,"probability":0.9,"topCandidate":{"placeId":"x","semanticType":"HOME","probability":0.5,"placeLocation":{"latLng":"52.5°, 13.4°"}}}},
       {"startTime":"2024-05-01T12:30:00+02:00","endTime":"2024-05-01T14:00:00+02:00","timelineMemory":{"trip":{}}}],
       "rawSignals":[{"position":{"LatLng":"52.1°, 13.1°","accuracyMeters":12,"altitudeMeters":80.5,"source":"GPS","timestamp":"2024-05-01T10:00:01Z","speedMetersPerSecond":1.5}},
        {"wifiScan":{"deliveryTime":"2024-05-01T10:00:01Z","devicesRecords":[{"mac":1}]}},{"activityRecord":{}}],
       "userLocationProfile":{"frequentPlaces":[{"placeLocation":"52.9°, 13.9°","label":"HOME"}]}}
      """)
    #expect(text.format == .timeline)
    #expect(
      text.rows == [
        "2024-05-01T08:04:00.000Z 52.5163 13.3777", "2024-05-01T08:04:00.000Z 52.5164 13.3778",
        "2024-05-01T08:04:00.000Z 52.5163 13.3777", "2024-05-01T10:00:00.000Z 52.5 13.4",
        "2024-05-01T10:00:01.000Z 52.1 13.1",
      ])
    let measured = text.fixes.last
    #expect(
      measured?.horizontalAccuracy == 12 && measured?.speed == 1.5 && measured?.heightAboveEllipsoid == 80.5)
    #expect(text.visits.map(\.kind) == ["HOME"] && text.visits.first?.probability == 0.5)
    #expect(text.visits.map(\.placeID) == ["x"] && text.visits.map(\.level) == [0])
    #expect(text.problems == [])
    #expect(
      text.batch.skippedElements.counts.map(\.name) == ["timelineMemory", "wifiScan", "activityRecord"])
  }

  @Test func iPhoneExportWithNumbersAsTextIsRead() {
    let text = ImportText(
      """
      [{"endTime":"2024-05-01T09:00:00.000+02:00","startTime":"2024-05-01T08:00:00.000+02:00",
        "visit":{"hierarchyLevel":"1","probability":"0.8","topCandidate":{"probability":"0.25","semanticType":"Home","placeID":"x","placeLocation":"geo:52.516300,13.377700"}}},
       {"endTime":"2024-05-01T10:00:00.000+02:00","startTime":"2024-05-01T09:00:00.000+02:00",
        "activity":{"start":"geo:52.5,13.4","end":"geo:52.6,13.5","distanceMeters":"100.0","topCandidate":{"type":"in passenger vehicle","probability":"0"}}},
       {"endTime":"2024-05-01T10:00:00.000+02:00","startTime":"2024-05-01T08:00:00.000+02:00",
        "timelinePath":[{"point":"geo:52.51,13.41","durationMinutesOffsetFromStartTime":"17"},
          {"point":"geo:52.52,13.42","durationMinutesOffsetFromStartTime":"-2"},
          {"point":"geo:52.53,13.43"}]}]
      """)
    #expect(text.format == .timeline)
    #expect(
      text.rows == [
        "2024-05-01T07:00:00.000Z 52.5 13.4", "2024-05-01T08:00:00.000Z 52.6 13.5",
        "2024-05-01T06:17:00.000Z 52.51 13.41", "2024-05-01T05:58:00.000Z 52.52 13.42",
      ])
    #expect(text.visits.map(\.probability) == [0.25])
    #expect(text.visits.map(\.placeID) == ["x"] && text.visits.map(\.level) == [1])
    #expect(text.problems == ["5 a position without a time"])
  }

  @Test(
    arguments: [
      ("52.5163°, 13.3777°", 52.5163, 13.3777), ("52.5163, 13.3777", 52.5163, 13.3777),
      ("52.5163°,13.3777°", 52.5163, 13.3777), ("geo:52.5163,13.3777", 52.5163, 13.3777),
      ("geo:-52.5163,-13.3777;u=35", -52.5163, -13.3777), ("52.5163°, 13.3777°, 35", 52.5163, 13.3777),
      // The sign of degrees in the wrong encoding.
      ("52.5163Â°, 13.3777Â°", 52.5163, 13.3777), ("52.5163\u{FFFD}, 13.3777\u{FFFD}", 52.5163, 13.3777),
      ("52,5163°, 13,3777°", nil, nil), ("52.5163°", nil, nil), ("", nil, nil), ("north, east", nil, nil),
      ("91°, 0°", nil, nil), ("52.5 13.4", nil, nil), ("1,2,3,4", nil, nil), (",", nil, nil),
    ] as [(String, Double?, Double?)])
  func coordinateText(text: String, latitude: Double?, longitude: Double?) {
    let place = Array(text.utf8).withUnsafeBytes { TimelineCoordinates.place($0) }
    #expect(place?.latitude == latitude && place?.longitude == longitude)
  }

  @Test(
    arguments: [
      ("{\"deviceSettings\":[]}", "Settings.json"), ("{\"timelineEdits\":[]}", "Timeline Edits.json"),
      ("[{\"header\":\"Maps\",\"title\":\"x\",\"products\":[\"Maps\"]}]", "My Activity"),
      (
        "{\"type\":\"FeatureCollection\",\"features\":[{\"properties\":{\"google_maps_url\":\"\"}}]}",
        "saved places"
      ),
      ("<!DOCTYPE html><html>", "web page"), ("{\"encrypted\":\"aGVsbG8=\"}", "encrypted"),
      ("time,place\r\n2024-05-14T08:20:00Z,1\r\n", "name them lat and lon"),
      ("heart;steps\n1;2", "name them lat and lon"),
    ])
  func wrongFileOfAnExportIsNamed(text: String, advice: String) {
    let found = Array(text.utf8).withUnsafeBytes { RecordingFormat.advice(for: $0) }
    #expect(found?.contains(advice) == true)
  }

  @Test(
    arguments: [
      "hello, world\n", "{\"x\":1,\"y\":2}\n{\"x\":1,\"y\":2}\n", "\u{FEFF}{\"x\":1,\n\"y\":2,\n",
      "a,b\n1\n", "a,b\n\u{0},\n", "",
    ])
  func otherTextIsNoTable(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { RecordingFormat.advice(for: $0) } == nil)
  }

  /// The text of a recording may have words of other files.
  @Test(
    arguments: [
      ("<kml><Placemark><description><![CDATA[<html>x</html>]]></description></Placemark></kml>", .kml),
      (
        "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"wifi\":\"encrypted\",\"text\":\"<html>\"}}",
        .geoJSON
      ),
      ("time,lat,lon,note\n2024-05-14T08:20:00Z,1,2,encrypted\n", .csv),
    ] as [(String, RecordingFormat)])
  func recordingIsNoWrongFile(text: String, format: RecordingFormat) {
    let bytes = Array(text.utf8)
    #expect(RecordingFormat.detect(bytes) == format)
    #expect(bytes.withUnsafeBytes { RecordingFormat.advice(for: $0, detectedAs: format) } == nil)
  }

  @Test func savedPlacesAreNamedAlsoAsGeoJSON() {
    let text = "{\"type\":\"FeatureCollection\",\"features\":[{\"properties\":{\"google_maps_url\":\"\"}}]}"
    let found = Array(text.utf8).withUnsafeBytes { RecordingFormat.advice(for: $0, detectedAs: .geoJSON) }
    #expect(found?.contains("saved places") == true)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func damagedSegmentsAreSoundForAnyChunks(seed: UInt64) {
    let text = """
      {"semanticSegments":[{"startTime":"2024-05-01T10:00:00Z","endTime":"2024-05-01T12:00:00Z","timelinePath":[
      {"point":"52.5163°, 13.3777°","time":"2024-05-01T10:04:00.000+02:00"}]},{"startTime":"2024-05-01T10:00:00Z",
      "endTime":"2024-05-01T12:00:00Z","activity":{"start":{"latLng":"52.5°, 13.4°"},"end":{"latLng":"1°, 2°"}}}],
      "rawSignals":[{"position":{"LatLng":"52.1°, 13.1°","timestamp":"2024-05-01T10:00:01Z"}}]}
      """
    expectSoundWhenDamaged(Array(text.utf8), seed: seed) { TimelineDecoder() }
  }
}
