import WhereaboutsModel
import Testing

import WhereaboutsFormats
import WhereaboutsGeodesy

@Suite struct OsmAndPhoneTests {
  typealias Sample = PhoneSamples

  private static let at = "id=phone&lat=51.5&lon=-0.1&timestamp=1715675200"
  private static let place = "51.5,-0.1 2024-05-14T08:26:40.000Z"

  @Test(
    arguments: [
      (at, place),
      (
        "\(at)&speed=19.438&bearing=90.5&altitude=47.2&accuracy=4.5&hdop=0.9&batt=63.0&charge=true",
        "\(place) hacc=4.5 alt=47.2 speed=10.0 speedAcc=9.438 course=90.5 hdop=0.9 battery=0.63 charging"
      ),
      ("\(at)&heading=12&charge=0", "\(place) course=12.0 unplugged"),
      ("\(at)&bearing=360", "\(place) course=0.0"), ("\(at)&bearing=400", place),
      // Android states 0 for an unknown course.
      ("\(at)&bearing=0.0", place), ("\(at)&heading=0", place), ("\(at)&bearing=0.1", "\(place) course=0.1"),
      // It states 0 for an unknown height, too.
      ("\(at)&altitude=0.0", place), ("\(at)&altitude=-0.5", "\(place) alt=-0.5"),
      ("\(at)&accuracy=0&speed=-1&bearing=-1&hdop=0", place), ("\(at)&accuracy=0.0&altitude=", place),
      ("\(at)&mock=true", "\(place) simulated"), ("\(at)&simulated=true", "\(place) simulated"),
      ("id=1&location=51.5,-0.1&timestamp=1715675200", place),
      ("id=1&location=51.5%2C+-0.1&timestamp=1715675200", place),
      ("id=1&location=51.5&timestamp=1", "bad number: location is not two numbers"),
      ("deviceid=1&lat=51.5&lon=-0.1&timestamp=1715675200000", place),
      ("id=1&lat=51.5&lon=-0.1&timestamp=2024-05-14T08:26:40Z", place),
      ("id=1&lat=51.5&lon=-0.1&timestamp=2024-05-14%2008:26:40", place),
      ("id=1&lat=51.5&lon=-0.1&timestamp=2024-05-14+08:26:40", place),
      // The decimal comma of many languages.
      ("id=1&lat=51,5&lon=-0,1&timestamp=1715675200&accuracy=4,5", "\(place) hacc=4.5"),
      ("id=1&lat=51%2C5&lon=-0%2C1&timestamp=1715675200,0", place),
      ("id=1&lat=5,1,5&lon=-0.1&timestamp=1715675200", "bad number: lat is not a number"),
      ("id=1&lat=0,051.5&lon=-0.1&timestamp=1715675200", "bad number: lat is not a number"),
      // A plus sign that was not encoded.
      ("id=1&lat=51.5&lon=-0.1&timestamp=2024-05-14T10:26:40+02:00", place),
      ("id=1&lat=51.5&lon=-0.1&timestamp=2024-05-14T10:26:40%2B0200", place),
      ("id=1&lat=51.5&lon=-0.1", "51.5,-0.1 arrival=2024-05-14T08:30:00.000Z"),
      ("id=1&lat=51.5&lon=-0.1&timestamp=0", "51.5,-0.1 arrival=2024-05-14T08:30:00.000Z"),
      ("id=1&lat=51.5&lon=-0.1&timestamp=soon", "bad time: timestamp is no time"),
      ("id=1&lat=0&lon=0&timestamp=1715675200", "0.0,0.0 2024-05-14T08:26:40.000Z"),
      ("\(at)&valid=true", place), ("\(at)&valid=1", place),
      ("\(at)&valid=0", "something required is missing: the tracker marks its position as invalid"),
      ("\(at)&valid=no", "something required is missing: the tracker marks its position as invalid"),
      ("id=1&lat=%LAT&lon=%LON", "bad number: lat is still a placeholder, which the app did not replace"),
      ("id=1&lat=51.5", "something required is missing: no lon"),
      ("LAT=51.5&Lon=-0.1&Timestamp=1715675200", place),
      ("lat=51.5&lat=7&lon=-0.1&timestamp=1715675200", place),
      ("x=1", "something required is missing: no lat"),
      ("id=phone&batt=50", ""), ("", ""),
    ] as [(String, String)])
  func positionIsRead(_ query: String, _ expected: String) {
    #expect(Sample.fix(.osmAnd, query: query) == expected)
    // The same as a form, and with the token in the URL.
    #expect(Sample.fix(.osmAnd, query) == expected)
    if !query.isEmpty { #expect(Sample.fix(.osmAnd, query, query: "token=secret") == expected) }
  }

  /// A query of OpenGTS' protocol has a sentence in place of a latitude. It is no heartbeat.
  @Test(
    arguments: [
      (
        "acct=a&batt=63&code=0xF020&alt=47.2&gprmc=$GPRMC,082640,A,5130.00000,N,006.00000,W,19.438445,90.5,140524,,*00",
        "\(place) alt=47.2 speed=10.0 course=90.5 battery=0.63"
      ),
      // Degrees without leading zeros, a rounded minute, and the zeros of unknown values.
      (
        "batt=0&alt=0.0&gprmc=$GPRMC,082640,A,530.00000,N,1360.00000,E,0.000000,0.000000,140524,,*00",
        "5.5,14.0 2024-05-14T08:26:40.000Z"
      ),
      (
        "gprmc=$GPRMC,082640.250,A,5130.00000,S,006.00000,E,,,140524,,*00",
        "-51.5,0.1 2024-05-14T08:26:40.250Z"
      ),
      (
        "gprmc=$GPRMC,082640,V,5130.00000,N,006.00000,W,0,0,140524,,*00",
        "something required is missing: the tracker marks its position as invalid"
      ),
      (
        "gprmc=$GPRMC,082640,A,5130.00000,N,006.00000,W,0,0,140024,,*00",
        "bad time: gprmc has no readable time"
      ),
      (
        "gprmc=$GPRMC,082640,A,5130.00000,,006.00000,W,0,0,140524,,*00",
        "bad number: gprmc has no readable latitude and longitude"
      ),
      ("gprmc=x", "not well formed: gprmc is no sentence RMC"),
    ] as [(String, String)])
  func sentenceOfOpenGTSIsRead(_ query: String, _ expected: String) {
    for dialect in [PhoneDialect.osmAnd, .gpsLogger] {
      // GPSLogger appends its own question mark to a path that has one already.
      #expect(Sample.fix(dialect, query: "token=secret&x=?id=phone&dev=phone&\(query)") == expected)
      #expect(Sample.report(dialect, "id=phone&\(query)").identity.device == "phone")
    }
  }

  /// Below 2^31 - 1 a number is seconds, else milliseconds.
  @Test(
    arguments: [
      ("2147483646", "2038-01-19T03:14:06.000Z"), ("2147483647", "1970-01-25T20:31:23.647Z"),
      ("1715675200750", "2024-05-14T08:26:40.750Z"), ("1715675200.25", "2024-05-14T08:26:40.250Z"),
      ("1715675200000000", "2024-05-14T08:26:40.000Z"), ("4102444800000", "2100-01-01T00:00:00.000Z"),
    ] as [(String, String)])
  func unitOfTimestamp(_ text: String, _ expected: String) {
    let report = Sample.report(.osmAnd, query: "id=1&lat=1&lon=2&timestamp=\(text)")
    #expect(report.fixes.map(\.time.iso8601) == [expected])
  }

  @Test(
    arguments: [
      (PhoneSettings.SpeedUnit?.none, 10.289), (.knots, 10.289), (.kilometresPerHour, 5.556),
      (.metresPerSecond, 20),
    ])
  func unitOfSpeed(_ unit: PhoneSettings.SpeedUnit?, _ expected: Double) throws {
    let report = Sample.report(.osmAnd, query: "\(Self.at)&speed=20", unit: unit)
    let speed = try #require(report.fixes.first?.fix.speed)
    #expect(abs(speed - expected) < 0.001)
    #expect(report.hasAmbiguousSpeed == (unit == nil))
    // The error of a speed in an unknown unit reaches to the same number in m/s.
    #expect(report.fixes.first?.fix.speedAccuracy.map { ($0 * 1000).rounded() } == (unit == nil ? 9711 : nil))
  }

  /// A slow speed is as exact in each unit, and a device at rest is at rest in each.
  @Test(arguments: ["0", "0.0", "0.6"]) func slowSpeedStatesNoError(_ speed: String) throws {
    let fix = try #require(Sample.report(.osmAnd, query: "\(Self.at)&speed=\(speed)").fixes.first?.fix)
    #expect(fix.speed != nil && fix.speedAccuracy == nil)
  }

  /// A walk in m/s, read as knots, would have half its distance.
  @Test func speedOfAWalkStatesItsError() throws {
    let fix = try #require(Sample.report(.osmAnd, query: "\(Self.at)&speed=1.4").fixes.first?.fix)
    #expect(fix.speedAccuracy.map { ($0 * 1000).rounded() } == 680)
  }

  /// OsmAnd sends m/s, and its address is typed by the user.
  @Test(
    arguments: [
      ("m/s", nil, 20), ("m%2Fs", nil, 20), ("km/h", nil, 5.556), ("kn", nil, 10.289),
      ("m/s", .kilometresPerHour, 5.556), ("mph", nil, 10.289),
    ] as [(String, PhoneSettings.SpeedUnit?, Double)])
  func addressStatesTheUnitOfSpeed(
    _ text: String, _ unit: PhoneSettings.SpeedUnit?, _ expected: Double
  ) throws {
    let report = Sample.report(.osmAnd, query: "speedUnit=\(text)&\(Self.at)&speed=20", unit: unit)
    let speed = try #require(report.fixes.first?.fix.speed)
    #expect(abs(speed - expected) < 0.001)
    let isUnknown = text == "mph"
    #expect(report.hasAmbiguousSpeed == isUnknown && report.ignoredValues.count == (isUnknown ? 1 : 0))
  }

  /// Traccar Client writes knots. Templates for GPSLogger have its parameters in another order, and write m/s.
  @Test(
    arguments: [
      ("timestamp=1715675200&lat=51.5&lon=-0.1&speed=20&bearing=9&altitude=4&accuracy=5&batt=63", false),
      ("timestamp=1715675200&lat=51.5&lon=-0.1&speed=20&bearing=9.5&altitude=4&batt=63&charge=true", false),
      ("timestamp=1715675200&lat=51.5&lon=-0.1&speed=20&bearing=9&altitude=4&accuracy=5", true),
      ("lat=51.5&lon=-0.1&altitude=4&speed=20&batt=63&timestamp=1715675200&charge=true&bearing=9", true),
      ("timestamp=1715675200&lat=51.5&lon=-0.1&hdop=1&altitude=4&speed=20&bearing=9&batt=63", true),
    ])
  func speedOfTraccarClientIsInKnots(query: String, isAmbiguous: Bool) throws {
    let report = Sample.report(.osmAnd, query: "token=secret&id=phone&\(query)")
    let fix = try #require(report.fixes.first?.fix)
    let speed = try #require(fix.speed)
    #expect(abs(speed - 10.289) < 0.001)
    #expect(report.hasAmbiguousSpeed == isAmbiguous && (fix.speedAccuracy != nil) == isAmbiguous)
    let other = Sample.report(.osmAnd, query: "speedUnit=m/s&id=phone&\(query)")
    #expect(other.fixes.map(\.fix.speed) == [20] && !other.hasAmbiguousSpeed)
  }

  @Test func objectStatesTheUnitOfSpeed() {
    let body = #"{"id":"phone","lat":51.5,"lon":-0.1,"timestamp":1715675200,"speed":36,"speedUnit":"km/h"}"#
    let report = Sample.report(.osmAnd, body)
    #expect(report.fixes.map(\.fix.speed) == [10] && !report.hasAmbiguousSpeed)
  }

  @Test func heartbeatIsNotRejected() {
    let report = Sample.report(.osmAnd, query: "id=phone&batt=50&charge=true")
    #expect(
      report.identity.device == "phone" && report.battery?.level == 0.5 && report.battery?.isCharging == true)
    #expect(report.otherMessages.counts.map(\.name) == ["heartbeat"] && report.rejectionCount == 0)
    #expect(report.acceptance() == PhoneReply(status: 200))
  }

  /// As a query without a position.
  @Test func heartbeatInJSONIsNotRejected() {
    let location =
      #"{"timestamp":"2024-05-14T08:26:40Z","event":"heartbeat","battery":{"level":0.4,"is_charging":false}}"#
    for body in [Self.body(location), Self.body("[\(location)]")] {
      let report = Sample.report(.osmAnd, body)
      #expect(
        report.identity.device == "phone" && report.battery?.level == 0.4
          && report.battery?.isCharging == false)
      #expect(report.otherMessages.counts.map(\.name) == ["heartbeat"] && report.rejectionCount == 0)
    }
  }

  /// A battery belongs to the device that its message states, whether or not the device has positions in the batch.
  @Test func batteryOfAHeartbeatBelongsToItsDevice() {
    func position(_ device: String) -> String {
      #"{"id":"\#(device)","lat":51.5,"lon":-0.1,"timestamp":1715675200}"#
    }
    func heartbeat(_ device: String) -> String { #"{"id":"\#(device)","batt":20}"# }
    let alone = Sample.report(.osmAnd, "[\(position("ann")),\(heartbeat("bob"))]").partsByDevice(of: "ann")
    #expect(alone.map { $0.device } == [nil, "bob"] && alone.map { $0.report.fixes.count } == [1, 0])
    #expect(alone.map { $0.report.battery?.level } == [nil, 0.2])
    let own = Sample.report(.osmAnd, "[\(heartbeat("ann")),\(position("bob"))]").partsByDevice(of: "ann")
    #expect(own.map { $0.device } == [nil, "bob"] && own.map { $0.report.battery?.level } == [0.2, nil])
    let other = Sample.report(.osmAnd, "[\(heartbeat("ann")),\(position("bob"))]").partsByDevice(of: "bob")
    #expect(other.map { $0.device } == [nil, "ann"] && other.map { $0.report.battery?.level } == [nil, 0.2])
  }

  /// The letter with an accent is one character in the first name and two in the second.
  @Test func devicesWithNamesThatLookAlikeAreApart() {
    let names = ["ren\u{E9}e", "rene\u{301}e"]
    let rows = names.map { #"{"id":"\#($0)","lat":51.5,"lon":-0.1,"timestamp":1715675200}"# }
    let report = Sample.report(.osmAnd, "[\(rows.joined(separator: ","))]")
    #expect(report.partsByDevice(of: names[0]).map { $0.report.fixes.count } == [1, 1])
    #expect(report.partsByDevice(of: "ann").map { $0.report.fixes.count } == [0, 1, 1])
  }

  @Test func speedsOfEachDeviceOfABatchAreAmbiguous() {
    let rows = ["ann", "bob"].map {
      #"{"id":"\#($0)","lat":51.5,"lon":-0.1,"timestamp":1715675200,"speed":20}"#
    }
    let parts = Sample.report(.osmAnd, "[\(rows.joined(separator: ","))]").partsByDevice(of: "ann")
    #expect(parts.map { $0.device } == [nil, "bob"] && parts.allSatisfy { $0.report.hasAmbiguousSpeed })
  }

  /// A rejected query is shown to a person without its secrets.
  @Test func rejectedQueryHasNoToken() {
    let query = "token=s3cret&lat=1&notificationToken=s3cret&API_KEY=s3cret&pass%77ord=s3cret&t%6Fken=s3cret"
    let report = Sample.report(.osmAnd, query: query)
    let text = report.rejections.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(text == ["token=…&lat=1&notificationToken=…&API_KEY=…&pass%77ord=…&t%6Fken=…"])
  }

  @Test func longQueryIsCut() {
    let query = "lat=x&lon=1&" + (0..<5000).map { "a\($0)=\($0)" }.joined(separator: "&")
    let report = Sample.report(.osmAnd, query: query)
    #expect(report.rejections.first?.bytes.count == PhoneRejection.maxBytes)
    #expect(report.rejections.first?.isTruncated == true)
  }

  @Test(arguments: [0, 4000, 5000])
  func secretsBehindManyParametersAreNotKept(_ count: Int) {
    let form = "lat=x" + String(repeating: "&a", count: count) + "&token=s3cret"
    let kept = Sample.report(.osmAnd, form).rejections.map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(kept.count == 1 && !kept[0].contains("s3cret"))
  }

  // MARK: JSON of Traccar Client

  private static func location(_ members: String, coordinates: String = #""latitude":51.5,"longitude":-0.1"#)
    -> String
  {
    #"{"timestamp":"2024-05-14T08:26:40.000Z","coords":{\#(coordinates)}\#(members)}"#
  }

  private static func body(_ location: String) -> String {
    #"{"location":\#(location),"device_id":"phone"}"#
  }

  @Test(
    arguments: [
      (body(location("")), place),
      (
        body(
          location(
            #","is_moving":true,"odometer":12.5,"event":"motionchange","mock":true,"#
              + #""battery":{"level":0.85,"is_charging":false},"activity":{"type":"in_vehicle"},"extras":{}"#,
            coordinates:
              #""latitude":51.5,"longitude":-0.1,"accuracy":4.5,"speed":10,"heading":90,"altitude":47,"altitude_accuracy":3"#
          )),
        "\(place) hacc=4.5 alt=47.0 vacc=3.0 speed=10.0 course=90.0 battery=0.85 unplugged simulated"
      ),
      (
        body(
          location(
            #","battery":{"level":-1,"is_charging":true}"#,
            coordinates:
              #""latitude":51.5,"longitude":-0.1,"accuracy":-1,"speed":-1,"heading":-1,"altitude":0,"altitude_accuracy":-1"#
          )), "\(place) charging"
      ),
      (
        body(
          location(
            "",
            coordinates:
              #""latitude":51.5,"longitude":-0.1,"altitude":-1,"ellipsoidal_altitude":-1,"altitude_accuracy":-1"#
          )), place
      ),
      (body(location("", coordinates: #""latitude":51.5,"longitude":-0.1,"altitude":-1"#)), place),
      (
        body(
          location(
            "",
            coordinates:
              #""latitude":51.5,"longitude":-0.1,"altitude":-1,"ellipsoidal_altitude":45,"altitude_accuracy":3"#
          )), "\(place) alt=-1.0 altHAE=45.0 vacc=3.0"
      ),
      // Batches of Transistorsoft, Dawarich's form, OsmAnd's names in JSON.
      (body("[\(location("")),\(location(""))]"), "\(place); \(place)"),
      (body("[]"), ""),
      (body(#"{"timestamp":1715675200000,"latitude":51.5,"longitude":-0.1}"#), place),
      (location(""), place),
      (
        #"{"id":"phone","lat":51.5,"lon":-0.1,"timestamp":1715675200,"speed":19.438}"#,
        "\(place) speed=10.0 speedAcc=9.438"
      ),
      (
        body(#"{"timestamp":"2024-05-14T08:26:40Z","coords":{}}"#),
        "something required is missing: no latitude"
      ),
      (body("{}"), "something required is missing: no latitude"),
      (body("[{}]"), "something required is missing: no latitude"),
      (
        body("[\(location("")),{,},\(location(""))]"),
        "\(place); \(place); not well formed: the JSON is not well formed"
      ),
      ("{", "ends in the middle: the JSON ends in the middle"),
    ] as [(String, String)])
  func jsonIsRead(_ body: String, _ expected: String) {
    #expect(Sample.fix(.osmAnd, body) == expected)
  }

  /// OwnTracks with the server's address and no path sends to `/`.
  @Test(
    arguments: [
      #"{"_type":"location","lat":51.5,"lon":-0.1,"tst":1715675200,"acc":5,"tid":"ph"}"#,
      #"{"_type":"transition","event":"leave","lat":51.5,"lon":-0.1,"tst":1715675200,"wtst":1,"acc":5}"#,
      #"{"_type":"waypoint","desc":"Home","lat":51.5,"lon":-0.1,"tst":1715675200,"rad":100}"#,
      #"{"_type":"encrypted","data":"QUJD"}"#, #"{"_type":"card","name":"Ann"}"#,
      #"{"lat":51.5,"lon":-0.1,"tst":1715675200,"acc":5}"#,
    ])
  func messageOfOwnTracksIsNoPosition(_ body: String) {
    let report = Sample.report(.osmAnd, body)
    #expect(report.fixes.isEmpty)
    #expect(
      report.rejections.map(\.reason) == ["is a message of OwnTracks, which belongs to /owntracks"])
  }

  @Test func restOfALocationIsRetained() throws {
    let members = #","event":"heartbeat","activity":{"type":"walking","confidence":90},"provider":"gps""#
    let report = Sample.report(.osmAnd, Self.body(Self.location(members)))
    let fix = try #require(report.fixes.first)
    #expect(report.identity.device == "phone" && fix.trigger == "heartbeat" && fix.provider == "gps")
    #expect(fix.activities == ["walking"] && report.battery == nil)
    #expect(fix.fix.activity == .walking)
  }

  @Test(
    arguments: [
      (#"{"type":"in_vehicle"}"#, .driving), (#"{"type":"on_bicycle","confidence":40}"#, .cycling),
      (#"{"type":"on_foot"}"#, .walking), (#"{"type":"still"}"#, .still), (#"{"type":"unknown"}"#, nil),
      ("{}", nil), (#""walking""#, nil), ("null", nil),
    ] as [(String, Fix.StatedActivity?)])
  func activityOfTraccarClientIsRead(value: String, activity: Fix.StatedActivity?) throws {
    let report = Sample.report(.osmAnd, Self.body(Self.location(",\"activity\":\(value)")))
    #expect(try #require(report.fixes.first).fix.activity == activity)
  }

  @Test func geofenceIsATransition() throws {
    let geofence =
      #","event":"geofence","geofence":{"identifier":"home","action":"EXIT","timestamp":"2024-05-14T08:26:30Z"}"#
    let report = Sample.report(.osmAnd, Self.body(Self.location(geofence)))
    let transition = try #require(report.transitions.first)
    #expect(transition.kind == .exit && transition.regionID == "home")
    #expect(transition.time == Sample.time("2024-05-14T08:26:30Z"))
    #expect(report.fixes.count == 1, "the app measured the place")
  }

  /// An unreadable geofence costs no position.
  @Test(
    arguments: [
      #"{"identifier":"home","action":"HOVER"}"#, "{}",
      #"{"identifier":"home","action":"EXIT","timestamp":"soon"}"#,
    ])
  func unreadableGeofenceIsIgnored(_ geofence: String) {
    let members = ",\"geofence\":\(geofence)"
    let report = Sample.report(.osmAnd, Self.body(Self.location(members)))
    #expect(report.fixes.count == 1 && report.transitions.isEmpty && report.rejectionCount == 0)
    #expect(report.ignoredValues.map(\.name) == ["geofence"])
    // A crossing of this package has no measured position.
    let own = Sample.report(.osmAnd, Self.body(Self.location(members + #","extras":{"confidence":0.99}"#)))
    #expect(own.fixes.isEmpty && own.rejectionCount == 1)
  }
}
