import EngineTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// Decodes a table, and expects the same result for any chunking.
func decodedCSV(_ text: String) -> RecordingBatch {
  var decoder = CSVDecoder()
  let batch = decoder.decodeAll(Array(text.utf8))
  expectSameResultForAnyChunking(Array(text.utf8), splits: 3) { CSVDecoder() }
  return batch
}

@Suite struct CSVTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func writtenFixesRoundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let fixes = (0..<60).map { _ in random.fix() }
    var bytes: [UInt8] = []
    var writer = CSVWriter()
    for fix in fixes { writer.write(fix, to: &bytes) }
    writer.finish(to: &bytes)
    var decoder = CSVDecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.fixes == fixes)
    #expect(batch.problems == ProblemLog())
    expectSameResultForAnyChunking(bytes, seed: seed, splits: 2) { CSVDecoder() }
  }

  @Test func writtenColumnsMatchTheDocumentation() throws {
    var bytes: [UInt8] = []
    var writer = CSVWriter()
    writer.write(.trackBegan(name: "one, \"two\" x"), to: &bytes)
    writer.write(.segmentBegan, to: &bytes)
    var fix = Fix(
      coordinate: try place(48.5, -11.25), time: UTCTime(iso8601: "2024-03-01T12:30:05Z"), source: .gpx)
    fix.speed = 2.5
    fix.horizontalDilution = 0.9
    fix.activity = .walking
    writer.write(fix, to: &bytes)
    writer.write(fix, to: &bytes)
    writer.finish(to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        time,lat,lon,hacc,speed,course,alt,altHAE,vacc,speedAcc,courseAcc,climb,\
        mode,status,used,seen,hdop,vdop,pdop,floor,activity,estimated,source,simulated,trackNumber,segment,trackName
        2024-03-01T12:30:05.000Z,48.5,-11.25,,2.5,,,,,,,,,,,,0.9,,,,walking,,gpx,,1,1,"one, ""two"" x"
        2024-03-01T12:30:05.000Z,48.5,-11.25,,2.5,,,,,,,,,,,,0.9,,,,walking,,gpx,,1,1,

        """)
  }

  @Test(arguments: ["  a \"b\" ", "  "]) func spacesOfQuotedTrackNamesRoundTrip(name: String) throws {
    let elements: [RecordingElement] = [
      .trackBegan(name: name), .segmentBegan,
      .fix(Fix(coordinate: try place(1.5, -2), time: nil, source: .csv)),
    ]
    var bytes: [UInt8] = []
    var writer = CSVWriter()
    for element in elements { writer.write(element, to: &bytes) }
    writer.finish(to: &bytes)
    #expect(decodedCSV(String(decoding: bytes, as: UTF8.self)).elements == elements)
    #expect(decodedCSV("lat,lon,trackName\n1,2, a \n").elements.first == .trackBegan(name: "a"))
  }

  @Test(arguments: [
    "time,lat,lon,hacc,speed,course\n2024-03-01T12:30:05Z,1.5,-2,3,4,5",
    "\u{FEFF}course;speed;hacc;lon;lat;time\r\n5;4;3;-2;1.5;2024-03-01 12:30:05\r\n",
    "# a comment\n\nLatitude\tLongitude\tTimestamp\tAccuracy\tBearing\tSpeed (km/h)\n1.5\t-2.0\t1709296205\t3\t5\t14.4\n",
    "Date,Time,\"lat\",\"Lon\",x,\"horizontal_accuracy\",velocity,Heading\n2024/03/01,12:30:05,1.5,-2,,\"3\",4.0,5\n",
    "utc time,lng,latitude,acc,speed_kmh,track\n1709296205000,-2,1.5,3,14.4,5\n",
    "heading,time,lat,lon,hacc,speed,course\n99,2024-03-01T14:30:05+02:00, 1.5 ,\"-2\",3,4,5,more,than,needed\n",
    "time;lat;lon;hacc;speed;course\n1709296205;1,5;-2,0;3,0;4,0;5\n",
    "sep=;\r\ntime;lat;lon;hacc;speed;course\r\n1709296205;1,5;-2,0;3,0;4,0;5\r\n",
    "\u{FEFF}\"SEP=|\"\ntime|lat|lon|hacc|speed|course\n1709296205|1,5|-2,0|3,0|4,0|5\n",
    "time,lat,lon,hacc,speed,course\r1709296205,1.5,-2,3,4,5\r",
    "time,lat,lon,hacc,speed [kn],course,note\n1709296205000000000,1.5,-2,3,7.775377969762419,5,\"a, \"\"b\"\"\nc\"\n",
  ])
  func allHeadersAndSeparatorsYieldTheSameFix(text: String) throws {
    let batch = decodedCSV(text)
    #expect(batch.problems == ProblemLog())
    var expected = Fix(
      coordinate: try place(1.5, -2), time: UTCTime(iso8601: "2024-03-01T12:30:05Z"), source: .csv)
    expected.horizontalAccuracy = 3
    expected.speed = 4
    expected.course = 5
    #expect(batch.fixes == [expected])
  }

  /// Android states an unknown accuracy as 0, and programs write the number. `hacc` is the column of our writer.
  @Test(
    arguments: [("accuracy", nil), ("Acc", nil), ("horizontal_accuracy", nil), ("hacc", 0)]
      as [(String, Double?)])
  func accuracyOfZeroIsUnknownInOtherProgramsColumns(column: String, expected: Double?) {
    let batch = decodedCSV("lat,lon,\(column)\n1,2,0\n1,2,3\n1,2,-1\n")
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map(\.horizontalAccuracy) == [expected, 3, nil])
  }

  @Test func firstOfTwoColumnsOfAccuracyCounts() {
    #expect(decodedCSV("lat,lon,hacc,accuracy\n1,2,5,9\n").fixes.map(\.horizontalAccuracy) == [5])
    #expect(decodedCSV("lat,lon,accuracy,hacc\n1,2,9,5\n").fixes.map(\.horizontalAccuracy) == [9])
  }

  @Test func floorIsReadWhereItIsAWholeNumber() {
    let batch = decodedCSV("lat,lon,floor\n1,2,-3\n1,2,0\n1,2,EG\n1,2,40000\n1,2,1.5\n1,2,\n")
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map(\.floor) == [-3, 0, nil, nil, nil, nil])
  }

  @Test(arguments: [
    "LATITUDE,N/S,LONGITUDE,E/W\n48.5,N,11.25,E\n48.5,S,11.25,W\n0,s,-11.25,w\n-1,N,-2,E\n1,?,2,\n",
    "lat;lat_hemisphere;lon;lon_hemisphere\n48,5;North;11,25;East\n48,5;South;11,25;West\n0;S;11,25;W\n-1;;-2;\n1;7;2;8\n",
    "GPSLatitudeRef\tGPSLatitude\tGPSLongitudeRef\tGPSLongitude\nN\t48.5\tE\t11.25\nS\t48.5\tW\t11.25\nS\t0\tW\t11.25\n\t-1\t\t-2\n\t1\t\t2\n",
  ])
  func columnOfTheHemisphereMakesTheCoordinateNegative(text: String) throws {
    let batch = decodedCSV(text)
    #expect(batch.problems == ProblemLog())
    #expect(
      try batch.fixes.map(\.coordinate)
        == [(48.5, 11.25), (-48.5, -11.25), (0, -11.25), (-1, -2), (1, 2)].map { try place($0, $1) })
  }

  private static let columnsInOtherLanguages = [
    "Zeit;Breite;Länge;Genauigkeit;Geschwindigkeit;Kurs\n2024-03-01 12:30:05;1,5;-2;3;4;5\n",
    "Datum;Uhrzeit;Breitengrad;Längengrad;Genauigkeit (m);Geschwindigkeit (km/h);Richtung\n01.03.2024;12:30:05;1,5;-2,0;3,0;14,4;5\n",
    "Zeitstempel,Breitengrad,Laengengrad,Genauigkeit,Geschwindigkeit_kmh,Fahrtrichtung\n1.3.2024 12:30:05,1.5,-2,3,14.4,5\n",
    "ZEIT\tLÄNGENGRAD\tBREITENGRAD\tKURS\tGESCHWINDIGKEIT [M/S]\tGENAUIGKEIT\n01.03.2024, 12:30:05\t-2\t1,5\t5\t4\t3\n",
    "Latitude;Longitude;Date;Heure;Vitesse (km/h);Cap;Précision\n1,5;-2;01/03/2024;12:30:05;14,4;5;3\n",
    "horodatage,latitude,longitude,precision,vitesse,direction\n2024-03-01T12:30:05Z,1.5,-2,3,4,5\n",
    "Latitud;Longitud;Fecha;Hora;Velocidad;Rumbo;Precisión\n1,5;-2;1/3/2024;12:30:05;4;5;3\n",
    "Datum;Tijd;Breedtegraad;Lengtegraad;Snelheid;Koers;Nauwkeurigheid\n01-03-2024;12:30:05;1,5;-2;4;5;3\n",
    "Data;Ora;Latitudine;Longitudine;Velocità;Direzione;Accuratezza\n01/03/2024;12:30:05;1,5;-2;4;5;3\n",
    // English names count more.
    "Länge;Breite;lat;lon;time;Zeit;speed;accuracy;course\n99;88;1,5;-2;2024-03-01 12:30:05;7;4;3;5\n",
    "Breite,Länge,time,speed,Genauigkeit,course\n\"1,5\",-2,1709296205,4,3,5\n",
  ]

  @Test(arguments: columnsInOtherLanguages) func namesOfOtherLanguagesYieldTheSameFix(text: String) throws {
    #expect(RecordingFormat.detect(Array(text.utf8)) == .csv)
    let batch = decodedCSV(text)
    #expect(batch.problems == ProblemLog())
    let time = UTCTime(iso8601: "2024-03-01T12:30:05Z")
    var expected = Fix(coordinate: try place(1.5, -2), time: time, source: .csv)
    expected.horizontalAccuracy = 3
    expected.course = 5
    let fix = try #require(batch.fixes.first)
    expected.speed = fix.speed
    #expect(batch.fixes == [expected] && abs((fix.speed ?? 0) - 4) < 1e-9)
  }

  /// Spreadsheets on Windows write Latin 1.
  @Test func namesOfColumnsMayBeLatin1() throws {
    let text = "Breite;L\u{E4}nge;H\u{F6}he\n51\u{B0}28'40,8\"N;2;40,5\n"
    var decoder = CSVDecoder()
    let batch = decoder.decodeAll(text.unicodeScalars.map { UInt8($0.value) })
    let fix = try #require(batch.fixes.first)
    #expect(batch.problems == ProblemLog())
    #expect(fix.heightAboveGeoid == 40.5 && abs(fix.coordinate.latitude - 51.478) < 1e-12)
  }

  /// Words that English has, too, count only beside others of the language.
  @Test func ambiguousNamesOfColumnsDoNotCountAlone() {
    let batch = decodedCSV("lat,lon,time,data,datum,cap,precision\n1,2,1709296205,x,WGS84,7,6\n")
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map(\.time) == [UTCTime(iso8601: "2024-03-01T12:30:05Z")])
    #expect(batch.fixes.map(\.course) == [nil] && batch.fixes.map(\.horizontalAccuracy) == [nil])
    // English has the month first.
    #expect(decodedCSV("date,time,lat,lon\n1/3/2024,12:30:05,1,2\n").problems.counts == [.badTime: 1])
    #expect(decodedCSV("date,time,lat,lon\n1.3.2024,12:30:05,1,2\n").fixes.count == 1)
  }

  @Test(
    arguments: [
      ("51.478 N", "0.125 W", 51.478, -0.125), ("51.478N", "0.125W", 51.478, -0.125),
      ("S 51.478", "E0.125", -51.478, 0.125), ("51°28'40.8\"N", "0°7'30\"W", 51.478, -0.125),
      ("51° 28′ 40.8″ N", "000° 07′ 30″ W", 51.478, -0.125),
      ("N51 28.68", "W0 07.5", 51.478, -0.125), ("n 51° 28.68'", "w 0° 07.5'", 51.478, -0.125),
      ("51 28 40.8 S", "0 7 30 E", -51.478, 0.125), ("51:28:40.8N", "0:07:30W", 51.478, -0.125),
      ("-51°28'40.8\"", "-0°7'30\"", -51.478, -0.125), ("51º28’40,8’’N", "0º7,5’W", 51.478, -0.125),
      ("51.478°", "-0.125°", 51.478, -0.125), ("51,478 N", "+0.125", 51.478, 0.125),
      ("51 deg 28' 40.8\" N", "0 deg 7' 30\" W", 51.478, -0.125),
      ("51.478 deg", "-0.125deg", 51.478, -0.125),
      ("\"51°28'40.8\"\"N\"", "\"0°7'30\"\"W\"", 51.478, -0.125),
    ] as [(String, String, Double, Double)])
  func coordinatesHaveMinutesAndHemispheres(
    latitude: String, longitude: String, north: Double, east: Double
  ) throws {
    for text in ["lat;lon\n\(latitude);\(longitude)\n", "time\tlon\tlat\n\t\(longitude)\t\(latitude)\n"] {
      let batch = decodedCSV(text)
      let fix = try #require(batch.fixes.first, "\(batch.problems.samples)")
      #expect(batch.problems == ProblemLog())
      #expect(abs(fix.coordinate.latitude - north) < 1e-12 && abs(fix.coordinate.longitude - east) < 1e-12)
    }
  }

  @Test(arguments: [
    "51 28.668", "51 28 40.1", "51:28:40", "-51.478 N", "51.478 E", "51.478 O", "N51.478N", "51°60'N",
    "51°28'60\"N", "51.5°28'N", "51°28.5'40\"N", "51'28\"N", "51°28'40\"10N", "N", "°N", "5128.668 N 5",
    "51°28'40.1\"N 0°0'20\"W",
  ])
  func ambiguousCoordinateRefusesTheRow(text: String) throws {
    let batch = decodedCSV("lat;lon\n\(text);2\n3;4\n")
    #expect(batch.fixes.count == 1 && batch.problems.counts == [.badNumber: 1])
    let problem = try #require(batch.problems.samples.first)
    #expect(problem.byteOffset == 8 && problem.detail.contains("51°28'40\"N"), "\(problem.detail)")
  }

  /// The tables of Traccar and of the OwnTracks Recorder state no unit.
  @Test(
    arguments: [
      ("serverTime,deviceTime,fixTime,latitude,longitude,speed\n,,2024-03-01 12:30:05,1,2,36\n", 18.52),
      ("servertime,fixtime,lat,lon,speed (km/h)\n,2024-03-01 12:30:05,1,2,36\n", 10),
      ("tst,lat,lon,vel,cog\n1709296205,1,2,36,5\n", 10), ("tst,lat,lon,speed\n1709296205,1,2,36\n", 36),
      ("fixTime,lat,lon,speed\n2024-03-01 12:30:05,1,2,36\n", 36),
      ("time,lat,lon,vel\n1709296205,1,2,36\n", 36),
      ("lat,lon,speed (knot)\n1,2,36\n", 18.52), ("lat,lon,speed [km/hr]\n1,2,36\n", 10),
      ("lat,lon,speed_kmph\n1,2,36\n", 10),
    ] as [(String, Double)])
  func speedHasTheUnitOfTheHeaderOrOfTheProgram(text: String, expected: Double) throws {
    let speed = try #require(decodedCSV(text).fixes.first?.speed)
    #expect((speed - expected).magnitude < 1e-9, "\(speed)")
  }

  /// As with a unit in brackets.
  @Test(
    arguments: [
      ("altitude_m", 100), ("altitude (m)", 100), ("Altitude Meters", 100), ("ele_m", 100),
      ("elevation.m", 100),
      ("altitude_ft", 30.48), ("elevation_ft", 30.48), ("alt_ft", 30.48), ("altitudeFeet", 30.48),
      ("alt", 100), ("elevation [meters]", 100), ("Höhe_m", 100), ("Höhe (ft)", 30.48), ("höhe_ft", 30.48),
      // No unit of a height, and no separate unit.
      ("altitude_kmh", nil), ("elem", nil), ("minimum_m", nil), ("distance_m", nil), ("lift", nil),
    ] as [(String, Double?)])
  func heightHasTheUnitInItsName(column: String, expected: Double?) throws {
    let batch = decodedCSV("lat;lon;Zeit;\(column)\n1;2;2024-03-01 12:30:05;100\n")
    #expect(batch.problems == ProblemLog())
    let fix = try #require(batch.fixes.first)
    #expect(fix.heightAboveGeoid.map { ($0 * 1000).rounded() / 1000 } == expected)
  }

  @Test func accuracyAndCourseHaveTheUnitsInTheirNames() throws {
    let batch = decodedCSV(
      """
      lat,lon,accuracy_ft,vertical_accuracy_m,altitude_hae_ft,heading_deg,vertical_speed_mps,lat_m,x_m,y_m
      1,2,100,3,1000,90,0.5,4,5,6
      1,2,0,0,0,0,0,7,8,9

      """)
    #expect(batch.problems == ProblemLog())
    try #require(batch.fixes.count == 2)
    let fix = batch.fixes[0]
    #expect(fix.horizontalAccuracy.map { ($0 * 100).rounded() / 100 } == 30.48 && fix.verticalAccuracy == 3)
    #expect(fix.heightAboveEllipsoid.map { ($0 * 10).rounded() / 10 } == 304.8)
    #expect(fix.course == 90 && fix.climb == 0.5)
    #expect(try batch.fixes.map(\.coordinate) == [place(1, 2), place(1, 2)])
    // As in `accuracy`, 0 is unknown.
    #expect(batch.fixes[1].horizontalAccuracy == nil && batch.fixes[1].verticalAccuracy == nil)
  }

  /// In a table of degrees and minutes, the degrees alone are another place.
  @Test func unitOfDegreesInTheNameOfACoordinateIsNotRead() {
    let batch = decodedCSV("lng_deg,lng_min,gps_lat_deg,gps_lat_min\n1,30,2,30\n")
    #expect(batch.fixes.isEmpty && batch.problems.total > 0)
  }

  /// Traccar's server writes addresses, and the values of its attributes, without quotes.
  @Test(arguments: [
    "77 Unter den Linden, Berlin, BE, DE", "Unter den Linden, 77", "Unter den Linden", "",
    "\"77 Unter den Linden, Berlin\"",
  ])
  func commasInAddressesOfTraccarMoveNoColumn(address: String) throws {
    let batch = decodedCSV(
      """
      id,deviceId,serverTime,deviceTime,fixTime,valid,latitude,longitude,speed,course,address,accuracy,sat,motion
      1,3,2024-03-01 12:30:07,2024-03-01 12:30:06,2024-03-01 12:30:05,true,1,2,36,90,\(address),5.0,7,true

      """)
    let fix = try #require(batch.fixes.first)
    #expect(fix.horizontalAccuracy == 5 && fix.satellitesUsed == 7 && fix.course == 90)
    #expect(batch.problems == ProblemLog())
  }

  @Test func activityIsReadWhereItsWordIsKnown() {
    let batch = decodedCSV(
      "lat,lon,activity\n1,2,rail\n1,2,On Foot\n1,2,IN_VEHICLE\n1,2,chess\n1,2,7\n1,2,\n")
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.map(\.activity) == [.rail, .walking, .driving, nil, nil, nil])
  }

  @Test func unknownValuesAreAbsent() throws {
    let batch = decodedCSV(
      "lat,lon,hacc,speed,course,alt,time\n1,2,-1,-1,-1,nan,\n3,4\n,,5,,,,\n\n5,6,,,,NULL\n")
    #expect(batch.problems == ProblemLog())
    #expect(
      try batch.fixes
        == [(1, 2), (3, 4), (5, 6)].map {
          Fix(coordinate: try place($0, $1), time: nil, source: .csv)
        })
  }

  @Test(
    arguments: [
      ("north,2,2024-03-01T12:30:05Z,1", .badNumber, 23), ("91,2,2024-03-01T12:30:05Z,1", .badCoordinate, 23),
      ("1,,2024-03-01T12:30:05Z,1", .missing, 23), ("1,2,noon,1", .badTime, 23),
      ("1,181,2024-03-01T12:30:05Z,1", .badCoordinate, 23),
    ] as [(String, InputProblem.Kind, Int)])
  func rowWithoutPlaceOrTimeIsOneProblemAndLaterRowsAreRead(row: String, kind: InputProblem.Kind, offset: Int)
  {
    let batch = decodedCSV("lat,lon,time,hacc\n1,2,\n\(row)\r\n3,4,2024-03-01T12:30:05Z,1\n")
    #expect(batch.fixes.count == 2)
    #expect(
      batch.problems.samples.map { [$0.line, $0.byteOffset] } == [[3, offset]]
        && batch.problems.counts == [kind: 1])
  }

  @Test func unreadableFieldIsOneProblemAndTheRowIsRetained() throws {
    let batch = decodedCSV("lat,lon,hacc,speed\n1,2,good,4\n")
    let fix = try #require(batch.fixes.first)
    #expect(fix.horizontalAccuracy == nil && fix.speed == 4)
    #expect(batch.problems.counts == [.badNumber: 1])
    #expect(batch.problems.samples.first?.byteOffset == 23)
  }

  @Test(arguments: ["", "\n\n# nothing\n", "time,lat\n1,2\n3,4\n", "a b c\n", "1.5,2.5\n1.6,2.6\n"])
  func headerWithoutPlaceColumnsIsOneProblem(text: String) {
    let batch = decodedCSV(text)
    #expect(batch.elements == [])
    #expect(batch.problems.counts == [.missing: 1])
  }

  /// A unit in a value counts more than that of the header.
  @Test func unitInAValueIsRead() throws {
    let batch = decodedCSV(
      """
      lat;lon;hacc;speed (mph);course;alt
      1,5°;2;3 m;36 km/h;5 deg;545.4 M
      1,5;2;10ft;10 m/s;5°;1000 FEET
      1,5;2;3;36,0 km/h;;-5m
      """)
    #expect(batch.problems == ProblemLog())
    let fixes = batch.fixes
    try #require(fixes.count == 3)
    #expect(fixes.allSatisfy { $0.coordinate.latitude == 1.5 && abs(($0.speed ?? 0) - 10) < 1e-9 })
    #expect(fixes.map(\.heightAboveGeoid) == [545.4, 1000 * 0.3048, -5])
    #expect(fixes.map(\.horizontalAccuracy) == [3, 10 * 0.3048, 3] && fixes.map(\.course) == [5, 5, nil])
    let unknown = decodedCSV("lat,lon,alt,hdop,used\n1,2,3 furlongs,4 m,5 m\n1,2,12 km/h,m,1 2\n")
    #expect(unknown.fixes.count == 2 && unknown.problems.counts == [.badNumber: 6])
    #expect(unknown.fixes.allSatisfy { $0.heightAboveGeoid == nil })
    let thousands = decodedCSV("lat\tlon\talt\n1\t2\t1,200 ft\n1\t2\t1200 ft\n")
    #expect(thousands.fixes.map(\.heightAboveGeoid) == [nil, 1200 * 0.3048])
    #expect(thousands.problems.counts == [.badNumber: 1])
  }

  @Test func commaBetweenQuotesIsADecimalPointUnlessBeforeThreeDigits() {
    let batch = decodedCSV(
      "lat,lon,alt,speed,time\n\"1,500\",\"2,5\",\"30,5\",\"1,2500\",2024-03-01 12:30:05 UTC\n1,2,\"1,200\",,\n"
    )
    #expect(batch.fixes.map(\.coordinate.latitude) == [1.5, 1])
    #expect(batch.fixes.map(\.heightAboveGeoid) == [30.5, nil] && batch.fixes.map(\.speed) == [1.25, nil])
    #expect(batch.problems.counts == [.badNumber: 1])
  }

  /// Each of them splits its number in two: `52,5,13,3` would be the place 52, 5.
  @Test func decimalCommasWithoutQuotesAreAProblem() {
    let rows = "T,52,5,13,4,1,5\nT,52.5,13.4,a note, of two\nT,52,13,5,\nT,52,13,5\n"
      .replacing("T", with: "2024-03-01T12:30:05Z")
    let batch = decodedCSV("time,lat,lon,hacc\n" + rows)
    #expect(batch.fixes.map(\.coordinate.latitude) == [52.5, 52, 52])
    #expect(batch.problems.counts == [.malformed: 1, .badNumber: 1])
    #expect(batch.problems.samples.first?.line == 2)
  }

  /// A copy that was interrupted, or a logger without power: `179.9` was cut to `17`.
  @Test(arguments: [
    "2024-03-01T12:30:02Z,-16.8,17", "2024-03-01T12:30:02Z,-16.8,179.9,1", "2024-03-01T12:30:02Z,-16.",
  ])
  func lastRowThatEndsInTheMiddleIsOneProblem(row: String) throws {
    let start = "time,lat,lon,hacc,alt\n2024-03-01T12:30:01Z,-16.8,179.9,12,\n"
    let batch = decodedCSV(start + row)
    #expect(batch.fixes.count == 1 && batch.problems.counts == [.truncated: 1])
    #expect(batch.problems.samples.first?.line == 3)
    // A line feed, or as many fields as in the row before, make it whole.
    #expect(decodedCSV(start + "2024-03-01T12:30:02Z,-16.8,179.9\n").problems == ProblemLog())
    let short = "time,lat,lon,hacc,alt\n2024-03-01T12:30:01Z,-16.8,179.9\n2024-03-01T12:30:02Z,-16.8,179.9"
    #expect(decodedCSV(short).fixes.count == 2 && decodedCSV(short).problems == ProblemLog())
  }

  @Test func unclosedQuoteLosesOnlyItsRow() {
    let rows = (0..<2000).map { "\($0 % 90),2,\"name \($0)\"\n" }
    let text = "lat,lon,name\n1,2,\"never closed\n" + rows.joined()
    let batch = decodedCSV(text)
    #expect(batch.problems.counts == [.malformed: 1])
    #expect(batch.fixes.count == 2000)
  }

  @Test(
    arguments: [
      ("time,lat\n1,2\n", "longitude"), ("lon,time\n1,2\n", "latitude"), ("a,b\n1,2\n", "(lat, lon)"),
    ])
  func missingColumnIsNamed(text: String, column: String) throws {
    let problem = try #require(decodedCSV(text).problems.samples.first)
    #expect(problem.kind == .missing && problem.detail.contains(column), "\(problem.detail)")
  }

  @Test func courseAbove360IsRefused() {
    let batch = decodedCSV("lat,lon,course\n1,2,400\n1,2,360\n1,2,-1\n1,2,359.5\n")
    #expect(batch.fixes.map(\.course) == [nil, 0, nil, 359.5])
    #expect(batch.problems.counts == [.badNumber: 1])
  }

  @Test(arguments: [true, false], [true, false]) func utf16IsDecoded(isBigEndian: Bool, hasMark: Bool) throws
  {
    let text = "time\tlat\tlon\ttrackName\r\n2024-03-01T12:30:05Z\t1.5\t-2\tTÜV 🚲\r\n\t3\t4\t\r\n"
    let units = Array(((hasMark ? "\u{FEFF}" : "") + text).utf16)
    let bytes = units.flatMap { unit -> [UInt8] in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? pair : pair.reversed()
    }
    #expect(RecordingFormat.detect(bytes) == .csv)
    var decoder = CSVDecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.problems == ProblemLog())
    #expect(batch.elements.first == .trackBegan(name: "TÜV 🚲"))
    #expect(batch.fixes.map(\.coordinate) == [try place(1.5, -2), try place(3, 4)])
    expectSameResultForAnyChunking(bytes, splits: 4) { CSVDecoder() }
  }

  @Test(arguments: [
    "sep=;\nlat;lon\n1;2\n", "time,lat,lon\r1,2,3\r4,5,6\r", "time,latitude\n1,2\n", "Longitude;x\n1;2\n",
    "\u{FEFF}sep=;\r\nlat;lon\r\n1;2\r\n", "\u{FEFF}lat;lon\r\n1;2\r\n",
  ])
  func tableIsRecognised(text: String) {
    #expect(RecordingFormat.detect(Array(text.utf8)) == .csv)
  }

  @Test func carriageReturnsEndLines() {
    let batch = decodedCSV("lat,lon\r1,2\rx,4\r\r5,6\r\n7,8\n9,10")
    #expect(batch.fixes.count == 4)
    #expect(batch.problems.samples.map { [$0.line, $0.byteOffset] } == [[3, 12]])
  }

  @Test func segmentColumnsOfOtherProgramsAreRecognised() throws {
    let text = "X,lat,lon,track_fid,track_seg_id\n0,1,1,0,0\n1,1,2,0,0\n2,1,3,0,1\n3,1,4,1,0\n4,1,5,,\n"
    let kinds = decodedCSV(text).elements.map(\.kind)
    #expect(kinds == ["track", "segment", "fix", "fix", "segment", "fix", "track", "segment", "fix", "fix"])
  }

  @Test func endlessRowIsOneProblem() {
    let batch = decodedCSV("lat,lon,name\n1,2,\(String(repeating: "x", count: 40_000))\n3,4,y\n")
    #expect(batch.fixes.count == 1)
    #expect(batch.problems.counts == [.tooLong: 1])
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func damagedRowsNeverCrashAndChunkingDoesNotMatter(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    var writer = CSVWriter()
    for _ in 0..<5 { writer.write(random.fix(), to: &bytes) }
    for _ in 0..<20 {
      expectSameResultForAnyChunking(random.mutated(bytes), seed: seed, splits: 1) { CSVDecoder() }
    }
  }
}

/// Tracks whose number of rows is known from the files themselves.
@Suite(.enabled(if: SharedData.has("truth"), "needs ../shared/data/truth beside the package"))
struct CSVRecordedTests {
  @Test(arguments: SharedData.files("truth", "csv") + SharedData.files("synth", "csv"))
  func everyRowWithAPlaceYieldsAFix(path: String) throws {
    let bytes = try SharedData.bytes(path)
    let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
    let places = rows.count { $0.split(separator: ",", omittingEmptySubsequences: false)[1] != "" }
    var decoder = CSVDecoder()
    let batch = decoder.decodeAll(bytes)
    #expect(batch.problems == ProblemLog())
    #expect(batch.fixes.count == places)
    #expect(batch.fixes.allSatisfy { $0.time != nil })
  }
}
