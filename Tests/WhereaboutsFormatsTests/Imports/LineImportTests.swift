import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsFormats

/// IGC, OwnTracks' files, GPSLogger's CSV and GeoJSON.
@Suite struct LineImportTests {
  // MARK: IGC

  @Test(
    arguments: [
      ("HFDTE010221", "2021-02-01"), ("HFDTEDATE:010221,01", "2021-02-01"),
      ("hfdteDate: 010221", "2021-02-01"),
      ("HFDTE010285", "1985-02-01"), ("HFDTE010279", "2079-02-01"),
    ]) func dateOfAFlight(header: String, day: String) throws
  {
    let text = ImportText("AXXX001\r\n\(header)\r\nB1011355206343N00006198WA0058700558\r\n")
    #expect(text.format == .igc)
    let fix = try #require(text.fixes.first)
    #expect(fix.time?.iso8601 == "\(day)T10:11:35.000Z")
    #expect(abs(fix.coordinate.latitude - (52 + 6.343 / 60)) < 1e-12)
    #expect(abs(fix.coordinate.longitude + 6.198 / 60) < 1e-12)
    // By the standard above the ellipsoid; the pressure altitude is not read.
    #expect(fix.heightAboveEllipsoid == 558 && fix.heightAboveGeoid == nil && fix.mode == .threeD)
  }

  /// Times of positions, a new date between, and the seconds after the first midnight.
  @Test(
    arguments: [
      (["B235955", "B000000"], [86_395, 86_400]), (["B235955", "HFDTE020221", "B000000"], [86_395, 86_400]),
      (["B120010", "B120005", "B120015"], [43_210, 43_205, 43_215]),
      (["B235959", "HFDTE020221", "B235959", "B000001"], [86_399, 172_799, 172_801]),
      // Late positions of the day before.
      (["B235955", "B000000", "B235958", "B000001"], [86_395, 86_400, 86_398, 86_401]),
      (["B235955", "HFDTE020221", "B000000", "B235958", "B000001"], [86_395, 86_400, 86_398, 86_401]),
      (["B000010", "B235958"], [10, 86_398]),
    ] as [([String], [Int64])]) func midnight(lines: [String], seconds: [Int64])
  {
    let rows = lines.map { $0.hasPrefix("B") ? $0 + "5206343N00006198WA0058700558" : $0 }
    let text = ImportText("HFDTE010221\n" + rows.joined(separator: "\n"))
    #expect(
      text.fixes.compactMap { $0.time.map { $0.nanosecondsSince1970 / 1_000_000_000 - 1_612_137_600 } }
        == seconds)
  }

  /// Some shells write redirected output as UTF-16.
  @Test(
    arguments: [
      ("HFDTE010221\r\nB1011355206343N00006198WA0058700558\r\n", .igc),
      (#"2024-05-14T08:20:12Z\#t* \#t{"_type":"location","lat":52.5,"lon":13.4}"#, .ownTracks),
      (#"[{"_type":"location","lat":52.5,"lon":13.4,"tst":1715674812,"tid":"ä"}]"#, .ownTracks),
      (
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"time":1715674812}}"#,
        .geoJSON
      ),
      (#"{"locations":[{"latitudeE7":1,"longitudeE7":2,"timestampMs":"1715674812000"}]}"#, .timeline),
    ] as [(String, RecordingFormat)]) func textIsUTF8OrUTF16WithAMark(text: String, format: RecordingFormat)
  {
    let plain = ImportText(text)
    #expect(plain.format == format && plain.fixes.count == 1)
    let units = Array("\u{FEFF}\(text)".utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [Array("\u{FEFF}\(text)".utf8), little, big] {
      let found = ImportText(bytes)
      #expect(found.format == format && found.fixes == plain.fixes && found.problems == [])
      var decoder = format.makeDecoder()
      var batch = RecordingBatch()
      for byte in bytes { decoder.decode([byte], into: &batch) }
      decoder.finish(into: &batch)
      #expect(batch.elements == found.batch.elements)
    }
  }

  @Test func extensionsAndInvalidPositions() throws {
    let text = ImportText(
      """
      HFDTE010221
      HFALGALTGPS:GEO
      I053638FXA3940SIU4141LAD4242LOD4345TRT
      B1011355206343N00006198WA-0012005580350959270
      B1011365206343N00006198WV0058700000---------
      B1011375206343N00006198WA
      B9911375206343N00006198WA0058700000
      """)
    let fixes = text.fixes
    try #require(fixes.count == 2)
    // 35 m at 95 % are 21.67 m at 68 %.
    #expect(fixes[0].horizontalAccuracy == 21.67 && fixes[0].satellitesUsed == 9)
    #expect(abs(fixes[0].coordinate.latitude - (52 + 6.3435 / 60)) < 1e-9)
    #expect(fixes[0].heightAboveGeoid == 558 && fixes[0].course == 270)
    #expect(fixes[1].mode == .twoD && fixes[1].heightAboveGeoid == nil)
    #expect(text.batch.problems.counts == [.malformed: 1, .badTime: 1])
    let undated = ImportText("AXXX\nB1011355206343N00006198WA0058700558")
    #expect(undated.format == .igc && undated.batch.problems.counts == [.missing: 1])
  }

  // MARK: OwnTracks

  @Test func recorderFile() throws {
    let text = ImportText(
      """
      2024-05-14T08:20:11Z\t*                 \t{"_type":"location","lat":52.5,"lon":13.4,"tst":1715674800,"acc":9,"vel":36,"alt":40,"tid":"an","topic":"owntracks/ann/phone"}
      2024-05-14T08:20:12Z\tlwt               \t{"_type":"lwt","tst":1}
      2024-05-14T08:21:11Z * {"_type":"location","lat":52.6,"lon":13.4}
      2024-05-14T08:22:11Z\t*                 \t{"_type":"location","lat":152.6,"lon":13.4,"tst":1715674800}
      nonsense
      2024-05-14T07:00:00Z\t*                 \t{"_type":"location","lat":52.7,"lon":13.4,"tst":1715670000}
      """)
    #expect(text.format == .ownTracks)
    #expect(
      text.rows == [
        "2024-05-14T08:20:00.000Z 52.5 13.4",
        // A row without a time has the time of its receipt.
        "2024-05-14T08:21:11.000Z 52.6 13.4", "2024-05-14T07:00:00.000Z 52.7 13.4",
      ])
    // The Recorder's speeds are km/h.
    #expect(text.fixes.first?.speed == 10 && text.fixes.first?.horizontalAccuracy == 9)
    #expect(text.devices == ["ann-phone"])
    #expect(text.batch.problems.total == 2)
    #expect(text.batch.skippedElements.counts.map(\.name) == ["lwt"])
  }

  /// Messages as lines, as an array and as an answer of the Recorder's API.
  @Test(arguments: ["%1\n%2\n%3", "[%1,\n%2,%3]", "{\"count\":3,\n \"data\": [%1, %2, %3], \"status\": 200}"])
  func messagesWithoutATimeOfReceiptAreRead(form: String) {
    let first =
      "{\"_type\":\"location\",\"lat\":52.5,\"lon\":13.4,\"tst\":1715674800,\"acc\":9,\"vel\":36,\"topic\":\"owntracks/ann/phone\"}"
    let second = "{\"lat\":52.6,\"lon\":13.4,\"_type\":\"location\"}"
    let third = "{\"_type\":\"lwt\",\"tst\":1}"
    let text = ImportText(
      form.replacing("%1", with: first).replacing("%2", with: second).replacing("%3", with: third))
    #expect(text.format == .ownTracks)
    #expect(text.rows == ["2024-05-14T08:20:00.000Z 52.5 13.4", "- 52.6 13.4"])
    #expect(text.fixes.first?.speed == 10 && text.fixes.first?.horizontalAccuracy == 9)
    #expect(text.devices == ["ann-phone"])
    #expect(text.problems == [])
    expectSoundWhenDamaged(Array(form.replacing("%1", with: first).utf8), seed: 5, rounds: 10) {
      OwnTracksDecoder()
    }
  }

  /// A ping has the current time, and a place that may be hours old, unless it was created long after its time.
  @Test func pingsOfARecorderAreNoFixes() {
    let text = ImportText(
      """
      2024-05-14T08:20:11Z\t*                 \t{"_type":"location","lat":52.5,"lon":13.4,"tst":1715674800,"t":"u"}
      2024-05-14T10:20:11Z\t*                 \t{"_type":"location","lat":52.5,"lon":13.4,"tst":1715682000,"t":"p","batt":50}
      2024-05-14T10:36:11Z\t*                 \t{"_type":"location","lat":52.6,"lon":13.4,"tst":1715682060,"t":"p","created_at":1715682960}
      2024-05-14T10:37:11Z\t*                 \t{"_type":"card","name":"Ann"}
      """)
    #expect(text.rows == ["2024-05-14T08:20:00.000Z 52.5 13.4", "2024-05-14T10:21:00.000Z 52.6 13.4"])
    #expect(text.problems == [])
    #expect(text.batch.skippedElements.counts.map(\.name) == ["ping", "message without a position"])
  }

  // MARK: CSV

  private static let header =
    "time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop,pdop,geoidheight,ageofdgpsdata,dgpsid,activity,battery,annotation,timestamp_ms,time_offset,distance,starttimestamp_ms,profile_name,battery_charging"

  @Test func gpsLoggerFileWithChangingSettingsIsRead() throws {
    let row =
      "2024-05-14T08:20:11.123Z,52.5,13.4,40.5,9,270,1.5,12,gps,0.8,1,1.2,,,,,80,,1715674811123,2024-05-14T10:20:11.123+02:00,3,1,Default,false"
    let other = row.replacing(",", with: ";").replacing("52.5", with: "52,5")
    let text = ImportText("\(Self.header)\n\(row)\n\(other)\n")
    #expect(text.format == .csv)
    #expect(text.rows == Array(repeating: "2024-05-14T08:20:11.123Z 52.5 13.4", count: 2))
    let fix = try #require(text.fixes.last)
    #expect(fix.horizontalAccuracy == 9 && fix.course == 270 && fix.speed == 1.5 && fix.satellitesUsed == 12)
    #expect(fix.horizontalDilution == 0.8 && fix.heightAboveGeoid == 40.5)
    #expect(text.problems == [])
  }

  @Test(
    arguments: [
      ("y,x,when", "52.5,13.4,2024-05-14T08:20:11Z"), ("latitude,lng,recorded_at", "52.5,13.4,1715674811"),
      ("lat,long,fixTime", "52.5,13.4,1715674811000"), ("tst,lat,lon,vel", "1715674811,52.5,13.4,0"),
      ("lat,lon,timestamp_ms", "52.5,13.4,1715674811000"),
      ("lat,lon,time,hdop", "52.5,13.4,2024-05-14T08:20:11Z,3"),
    ]) func namesOfColumns(header: String, row: String)
  {
    let text = ImportText("\(header)\n\(row)\n")
    #expect(text.format == .csv)
    #expect(text.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4"])
    // A dilution is no accuracy.
    #expect(text.fixes.first?.horizontalAccuracy == nil)
  }

  // MARK: GeoJSON

  @Test(
    arguments: [
      #"{"coordTimes":["2024-05-14T08:20:11Z","2024-05-14T08:20:12Z"]}"#,
      #"{"coordinateProperties":{"times":[1715674811000,1715674812000]}}"#,
      #"{"times":[1715674811,1715674812]}"#, #"{"times":[1.715674811e12,"1715674812.0"]}"#,
    ]) func timesOfALine(properties: String)
  {
    let text = ImportText(
      "{\"type\":\"Feature\",\"properties\":\(properties),\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[13.4,52.5,40],[13.5,52.6]]}}"
    )
    #expect(text.format == .geoJSON)
    #expect(text.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4", "2024-05-14T08:20:12.000Z 52.6 13.5"])
    #expect(text.fixes.first?.heightAboveEllipsoid == 40)
    #expect(text.batch.elements.map(\.kind) == ["track", "segment", "fix", "fix"])
  }

  /// They may be the seconds since the start.
  @Test func smallTimesOfALineAreAProblem() {
    let line = #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
    let text = ImportText(#"{"type":"Feature","properties":{"times":[0,5]},"geometry":\#(line)}"#)
    #expect(text.rows == ["- 2.0 1.0", "- 4.0 3.0"])
    #expect(text.batch.problems.counts == [.badTime: 1])
  }

  /// As Dawarich exports them: decimal numbers as text.
  @Test func numbersOfAPositionMayBeText() {
    let text = ImportText(
      #"""
      {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":["13.4","52.5"]},
      "properties":{"timestamp":1715674811,"velocity":"1.5","longitude":"13.4","latitude":"52.5"}}]}
      """#)
    #expect(text.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4"] && text.problems == [])
    #expect(text.fixes.first?.speed == 1.5)
  }

  @Test func positionsInAnArrayAreRead() {
    let dawarich = ImportText(
      #"""
      [{"battery":77,"altitude":30,"longitude":"13.4","latitude":"52.5","velocity":"1.5","accuracy":5,
      "timestamp":1715674811,"tracker_id":"phone"},
      {"longitude":"x","latitude":"52.5","timestamp":1715674811},{"name":"none"},
      {"longitude":13.5,"latitude":52.6,"timestamp":1715674812}]
      """#)
    #expect(dawarich.format == .geoJSON)
    #expect(dawarich.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4", "2024-05-14T08:20:12.000Z 52.6 13.5"])
    #expect(dawarich.fixes.first?.speed == 1.5 && dawarich.fixes.first?.horizontalAccuracy == 5)
    #expect(dawarich.problems == ["3 a point is no place"])
    let traccar = ImportText(
      #"""
      [{"id":1,"deviceId":2,"serverTime":"2024-05-14T08:20:13.000+00:00","fixTime":"2024-05-14T08:20:11.000+00:00",
      "valid":true,"latitude":52.5,"longitude":13.4,"speed":10.0,"course":90.0,"accuracy":0.0}]
      """#)
    #expect(traccar.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4"] && traccar.problems == [])
    #expect(abs((traccar.fixes.first?.speed ?? 0) - 5.144) < 0.001)
    #expect(traccar.fixes.first?.course == 90 && traccar.fixes.first?.horizontalAccuracy == nil)
  }

  /// The mode of OwnTracks' monitoring, which Dawarich keeps, has the name of a fix's mode.
  @Test func modeOfMonitoringIsNoModeOfAFix() {
    let text = ImportText(
      #"""
      [{"timestamp":1715674811,"tracker_id":"an","mode":2,"longitude":"13.4","latitude":"52.5"},
      {"timestamp":1715674812,"tracker_id":null,"mode":3,"longitude":"13.4","latitude":"52.5"}]
      """#)
    #expect(text.fixes.map(\.mode) == [nil, .threeD] && text.problems == [])
  }

  /// Traccar's server stores a position for each message, also for one without a position.
  @Test func positionsRepeatedByTraccarAreNoFixes() {
    let rows = [
      // No position was known yet; tables have the local time of the user.
      ("1970-01-01 01:00:00", 0.0), ("2024-05-14 08:20:11", 52.5), ("2024-05-14 08:20:11", 52.5),
      ("2024-05-14 08:20:11", 52.5), ("2024-05-14 08:20:12", 52.5), ("2024-05-14 08:20:13", 52.6),
      ("2024-05-14 08:20:13", 52.7),
    ]
    let lines = rows.map { "2024-05-14 08:20:20,\($0.0),\($0.1),13.4\n" }
    let objects = rows.map { time, latitude in
      #"{"serverTime":"2024-05-14 08:20:20","fixTime":"\#(time)","latitude":\#(latitude),"longitude":13.4}"#
    }
    let table = ImportText("serverTime,fixTime,latitude,longitude\n" + lines.joined())
    let array = ImportText("[" + objects.joined(separator: ",\n") + "]")
    #expect(table.format == .csv && array.format == .geoJSON)
    for text in [table, array] {
      #expect(
        text.rows == [
          "2024-05-14T08:20:11.000Z 52.5 13.4", "2024-05-14T08:20:12.000Z 52.5 13.4",
          "2024-05-14T08:20:13.000Z 52.6 13.4", "2024-05-14T08:20:13.000Z 52.7 13.4",
        ])
      #expect(text.problems == [])
      let skipped = text.batch.skippedElements.counts.map { "\($0.count) \($0.name)" }
      #expect(skipped == ["1 position without a fix", "2 repeated position"])
    }
  }

  /// Traccar's server stores 0 for a course and an altitude that a message does not state.
  @Test func zerosOfTraccarAreUnknown() {
    let time = "2024-05-14 08:20:11"
    let table = ImportText(
      "serverTime,fixTime,latitude,longitude,altitude,speed,course\n\(time),\(time),52.5,13.4,0.0,0.0,0.0\n")
    let array = ImportText(
      #"""
      [{"serverTime":"\#(time)","fixTime":"\#(time)","latitude":52.5,"longitude":13.4,"altitude":0.0,"speed":0.0,
      "course":0.0}]
      """#)
    let other = ImportText("time,latitude,longitude,altitude,speed,course\n\(time),52.5,13.4,0.0,0.0,0.0\n")
    for text in [table, array] {
      #expect(text.fixes.map(\.course) == [nil] && text.fixes.map(\.speed) == [0] && text.problems == [])
      #expect(text.fixes.map(\.heightAboveGeoid) == [nil] && text.fixes.map(\.heightAboveEllipsoid) == [nil])
    }
    #expect(other.fixes.map(\.course) == [0] && other.fixes.map(\.heightAboveGeoid) == [0])
  }

  /// As programs for animated maps write them.
  @Test(arguments: [
    "[[13.4,52.5,40,1715674811],[13.5,52.6,0,1715674812]]",
    "[[13.4,52.5,40,1715674811000],[13.5,52.6,null,1715674812000.0]]",
  ]) func fourthNumberOfAPositionIsItsTime(coordinates: String) {
    let text = ImportText(
      "{\"type\":\"Feature\",\"properties\":{},\"geometry\":{\"type\":\"LineString\",\"coordinates\":\(coordinates)}}"
    )
    #expect(text.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4", "2024-05-14T08:20:12.000Z 52.6 13.5"])
    #expect(text.fixes.first?.heightAboveEllipsoid == 40)
    #expect(text.problems == [])
  }

  @Test(
    arguments: [
      (#""coordinates":[13.4,52.5,40,1715674811]},"properties":null"#, "2024-05-14T08:20:11.000Z 52.5 13.4"),
      (
        #""coordinates":[13.4,52.5,40,1715674811]},"properties":{"time":"2024-05-14T09:00:00Z"}"#,
        "2024-05-14T09:00:00.000Z 52.5 13.4"
      ),
      (#""coordinates":[13.4,52.5,40,99999]},"properties":null"#, nil),
    ] as [(String, String?)])
  func pointWithAFourthNumberIsAFix(members: String, row: String?) {
    let text = ImportText(#"{"type":"Feature","geometry":{"type":"Point",\#(members)}"#)
    #expect(text.rows == [row].compactMap { $0 })
    #expect(text.problems == [])
  }

  @Test func featuresOfACollection() throws {
    let text = ImportText(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"timestamp":"2024-05-14T08:20:11Z","horizontal_accuracy":5,"speed":2,"course":90,"motion":["walking"]}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,152.5]},"properties":{"timestamp":1}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"name":"Gate"}},
      {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6]]]},"properties":{"coordTimes":[["2024-05-14T08:20:11Z","2024-05-14T08:20:12Z"],["2024-05-14T08:20:13Z"]]}},
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]},"properties":{"coordTimes":["2024-05-14T08:20:11Z"]}},
      {"type":"Feature","geometry":{"type":"Polygon","coordinates":[]},"properties":null},
      {"type":"Feature","geometry":null,"properties":null}]}
      """)
    #expect(
      text.rows == [
        "2024-05-14T08:20:11.000Z 52.5 13.4", "2024-05-14T08:20:11.000Z 2.0 1.0",
        "2024-05-14T08:20:12.000Z 4.0 3.0",
        "2024-05-14T08:20:13.000Z 6.0 5.0", "- 2.0 1.0", "- 4.0 3.0",
      ])
    let fix = try #require(text.fixes.first)
    #expect(fix.horizontalAccuracy == 5 && fix.speed == 2 && fix.course == 90 && fix.source == .geoJSON)
    #expect(text.fixes.map(\.activity) == [.walking, nil, nil, nil, nil, nil])
    #expect(text.batch.problems.counts == [.badCoordinate: 1, .missing: 1])
    #expect(text.batch.elements.contains { $0.kind == "waypoint" })
  }

  /// Metres east and north of the origin are no degrees.
  @Test(arguments: [
    (
      #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}}"#,
      "crs is urn:ogc:def:crs:EPSG::3857"
    ),
    (#"{"type":"EPSG","properties":{"code":25832}}"#, "crs is EPSG:25832"),
  ])
  func otherReferenceSystemIsAProblem(crs: String, detail: String) {
    let feature =
      #"{"type":"Feature","properties":null,"geometry":{"type":"LineString","coordinates":[[50,50],[60,70]]}"#
    let collection = #"{"type":"FeatureCollection","crs":\#(crs),"features":[\#(feature)},\#(feature)}]}"#
    // The next document of several in a row states none.
    let texts = [collection, #"\#(feature),"crs":\#(crs)}"#, collection + "\n" + feature + "}"]
    for (text, count) in zip(texts, [0, 0, 2]) {
      let read = ImportText(text, as: .geoJSON)
      #expect(read.fixes.count == count)
      #expect(read.problems.count == 1 && read.problems.first?.contains(detail) == true, "\(read.problems)")
    }
  }

  @Test(arguments: ["null", #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#])
  func wgs84AsReferenceSystemIsRead(crs: String) {
    let read = ImportText(
      #"{"type":"FeatureCollection","crs":\#(crs),"features":[{"type":"Feature","properties":null,"#
        + #""geometry":{"type":"LineString","coordinates":[[13.4,52.5],[13.5,52.6]]}}]}"#)
    #expect(read.format == .geoJSON && read.fixes.count == 2 && read.problems == [])
  }

  @Test func ownPointsRoundTrip() throws {
    var writer = GeoJSONWriter(style: .points)
    var fix = ImportText("lat,lon,time\n52.5,13.4,2024-05-14T08:20:11Z\n").fixes[0]
    (fix.horizontalAccuracy, fix.course, fix.speed, fix.source) = (7, 350, 3, .phone)
    (fix.heightAboveGeoid, fix.heightAboveEllipsoid, fix.mode) = (30, 70, .threeD)
    fix.activity = .rail
    var bytes: [UInt8] = []
    writer.write(.fix(fix), to: &bytes)
    writer.finish(to: &bytes)
    #expect(ImportText(bytes).fixes == [fix])
  }

  @Test func pointsAfterALineBelongToNoTrackBefore() {
    let line =
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]},\"properties\":null}"
    let point =
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[5,6]},\"properties\":{\"time\":1715674811}}"
    let features = [point, line, point, point].joined(separator: ",")
    let text = ImportText("{\"type\":\"FeatureCollection\",\"features\":[\(features)]}")
    #expect(
      text.batch.elements.map(\.kind) == ["fix", "track", "segment", "fix", "fix", "track", "fix", "fix"])
  }

  /// A sparse past has segments of one fix each.
  @Test func ownSegmentsOfOneFixRoundTrip() throws {
    var writer = GeoJSONWriter()
    var bytes: [UInt8] = []
    let fixes = ImportText(
      "lat,lon,time\n52.5,13.4,2024-05-14T08:20:11Z\n52.6,13.5,2024-05-14T08:30:11Z\n"
    ).fixes
    for fix in fixes {
      writer.write(.segmentBegan, to: &bytes)
      writer.write(.fix(fix), to: &bytes)
    }
    writer.finish(to: &bytes)
    let text = ImportText(bytes)
    #expect(text.rows == ["2024-05-14T08:20:11.000Z 52.5 13.4", "2024-05-14T08:30:11.000Z 52.6 13.5"])
    #expect(text.batch.elements.map(\.kind) == ["track", "segment", "fix", "track", "segment", "fix"])
    #expect(text.problems == [])
  }

  @Test func ownRoutesRoundTrip() {
    let gate = Coordinate(uncheckedLatitude: 52.5, longitude: 13.4)
    let bridge = Coordinate(uncheckedLatitude: 52.6, longitude: 13.5)
    let elements: [RecordingElement] = [
      .routeBegan(name: "One"), .routePoint(Waypoint(coordinate: gate)),
      .routeBegan(name: "Two"), .routePoint(Waypoint(coordinate: gate)),
      .routePoint(Waypoint(coordinate: bridge)),
    ]
    var writer = GeoJSONWriter()
    var bytes: [UInt8] = []
    for element in elements { writer.write(element, to: &bytes) }
    writer.finish(to: &bytes)
    #expect(ImportText(bytes, as: .geoJSON).batch.elements == elements)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func damagedTextIsSoundForAnyChunks(seed: UInt64) {
    let igc =
      "HFDTE010221\nI013638FXA\n" + (0..<9).map { "B10113\($0)5206343N00006198WA0058700558035\n" }.joined()
    expectSoundWhenDamaged(Array(igc.utf8), seed: seed) { IGCDecoder() }
    let record = (0..<5).map {
      "2024-05-14T08:20:1\($0)Z\t*                 \t{\"_type\":\"location\",\"lat\":52.5,\"lon\":13.4,\"tst\":171567480\($0),\"vel\":36}\n"
    }.joined()
    expectSoundWhenDamaged(Array(record.utf8), seed: seed) { OwnTracksDecoder() }
    let features = (0..<5).map {
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1\($0),52.5]},\"properties\":{\"time\":\"2024-05-14T08:20:1\($0)Z\",\"speed\":\($0)}}"
    }
    expectSoundWhenDamaged(
      Array("{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}".utf8),
      seed: seed
    ) { GeoJSONDecoder() }
  }
}
