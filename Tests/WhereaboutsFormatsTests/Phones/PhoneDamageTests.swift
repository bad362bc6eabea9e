import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

/// Requests that are cut, wrong, or no app's at all.
@Suite struct PhoneDamageTests {
  /// A valid body of each kind.
  static let bodies: [(dialect: PhoneDialect, text: String)] = [
    (
      .ownTracks,
      #"{"_type":"location","lat":51.5,"lon":-0.1,"tst":1715675200,"acc":5,"vel":36,"cog":90,"batt":63,"bs":1,"tid":"ne","#
        + #""topic":"owntracks\/ann\/phone","inregions":["home"],"motionactivities":["walking"],"SSID":"n\u00e9t"}"#
    ),
    (
      .ownTracks,
      #"{"_type":"transition","event":"enter","wtst":1,"tst":1715675200,"acc":5,"lat":1,"lon":2,"desc":"-h|1"}"#
    ),
    (
      .ownTracks,
      #"{"_type":"waypoints","waypoints":[{"desc":"h","tst":1,"lat":1,"lon":2,"rad":3},{"desc":"x","uuid":"u"}]}"#
    ),
    (
      .ownTracks,
      #"{"_type":"encrypted","data":"QUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJD"}"#
    ),
    (
      .overland,
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.1,51.5]},"properties":{"timestamp":"#
        + #""2024-05-14T08:26:40Z","altitude":47,"speed":-1,"motion":["driving"],"battery_level":0.5,"wifi":"n"}},"#
        + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"action":"visit","#
        + #""arrival_date":"2024-05-14T08:00:00Z","departure_date":null}},{"properties":{"type":"trip","mode":"walking"}}],"#
        + #""current":{"geometry":{"coordinates":[1,2]},"properties":{}},"trip":{"distance":1,"start":"2024-05-14"}}"#
    ),
    (
      .osmAnd,
      "id=phone&lat=51.5&lon=-0.1&timestamp=2024-05-14T08:26:40%2B00:00&speed=10&bearing=90&batt=63&charge=true"
    ),
    (.osmAnd, "id=phone&location=51.5%2C-0.1&timestamp=1715675200000&valid=true&event=enter&fence=h%C3%A9"),
    (
      .osmAnd,
      #"{"location":[{"timestamp":"2024-05-14T08:26:40Z","coords":{"latitude":51.5,"longitude":-0.1,"speed":1,"#
        + #""heading":-1,"altitude":0,"altitude_accuracy":-1},"battery":{"level":0.5,"is_charging":true},"mock":true,"#
        + #""geofence":{"identifier":"h","action":"DWELL"},"extras":{}}],"device_id":"phone"}"#
    ),
    (
      .gpsLogger,
      "lat=51.5&lon=-0.1&sat=9&alt=0.0&acc=4.5&dir=90&spd=1&time=2024-05-14T08%3A26%3A40Z&batt=63&desc=a+b"
    ),
    (
      .homeAssistant,
      #"{"type":"update_location","data":{"gps":[51.5,-0.1],"gps_accuracy":5,"battery":63,"location_name":"home"}}"#
    ),
    (.homeAssistant, #"{"type":"update_sensor_states","data":[{"unique_id":"battery_level","state":87}]}"#),
    (
      .whereabouts,
      #"{"time":"2024-05-14T08:26:40Z","lat":51.5,"lon":-0.1,"hacc":4}"# + "\n"
        + #"{"fix":{"lat":1,"lon":2}}"# + "\n"
        + #"{"fence":"h","event":"exit","time":"2024-05-14T08:26:40Z"}"#
    ),
    (
      .whereabouts,
      #"{"whereabouts":"upload","version":1,"device":"p","items":[{"id":"fix/1","fix":{"lat":1,"lon":2}},"#
        + #"{"id":"note/1","crossing":{"fence":"h","event":"enter","decidedBy":{"hacc":3}}},{"id":"n","revised":3}]}"#
    ),
  ]

  @Test(arguments: 1...150 as ClosedRange<UInt64>) func damagedBodyYieldsAValidReport(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for (dialect, text) in Self.bodies {
      let bytes = random.mutated(Array(text.utf8))
      expectSound(bytes, as: dialect, "seed \(seed)")
      // Another app's body, sent to the wrong path.
      expectSound(bytes, as: PhoneDialect.allCases.randomElement(using: &random) ?? .osmAnd, "seed \(seed)")
    }
  }

  @Test(arguments: bodies.indices) func everyTruncationYieldsAValidReport(_ index: Int) {
    let (dialect, text) = Self.bodies[index]
    let bytes = Array(text.utf8)
    for end in 0...bytes.count { expectSound(Array(bytes[..<end]), as: dialect, "\(index), cut at \(end)") }
  }

  @Test(arguments: bodies.indices) func everyValidBodyHasNoRejection(_ index: Int) {
    let (dialect, text) = Self.bodies[index]
    #expect(PhoneSamples.report(dialect, text).rejections == [])
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>) func noiseYieldsAValidReport(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let marks = Array("{}[]\":,\\0123456789.-eE+truefalsnlatlonid=&%_type \r\n".utf8)
    let bytes = (0..<400).map { _ in
      random.next() % 10 == 0
        ? UInt8.random(in: 0...255, using: &random) : marks.randomElement(using: &random) ?? 0
    }
    for dialect in PhoneDialect.allCases { expectSound(bytes, as: dialect, "seed \(seed)") }
  }

  @Test(arguments: PhoneDialect.allCases) func deepAndLongInputIsHandled(_ dialect: PhoneDialect) {
    let deep = String(repeating: "[", count: 100_000), objects = String(repeating: "{\"a\":", count: 50_000)
    let many = "[" + String(repeating: "{},", count: 50_000)
    let wrapped = "{\"locations\":\(deep)", items = "{\"whereabouts\":\"upload\",\"items\":\(many)"
    let locations = "{\"locations\":\(many)", location = "{\"location\":\(many)"
    let lines = String(repeating: "{\n", count: 50_000), pairs = String(repeating: "&", count: 100_000)
    let members = "{" + (0..<20_000).map { "\"a\($0)\":1" }.joined(separator: ",") + "}"
    for text in [deep, objects, many, wrapped, items, locations, location, lines, pairs, members] {
      let report = PhoneSamples.report(dialect, text)
      #expect(report.rejections.count <= PhoneReport.maxSamples)
      #expect(report.fixes.isEmpty)
      #expect(report.acceptance().status == 200)
    }
    // A row of a batch costs linear time, with any open elements before it.
    let quotes = String(repeating: "[\"", count: 50_000)
    #expect(PhoneSamples.report(dialect, "{\"locations\":[\(quotes)").fixes.isEmpty)
  }

  @Test func rejectionsAreCountedBeyondTheLimit() {
    let body = "{\"locations\":[" + String(repeating: "7,", count: 4999) + "7]}"
    let report = PhoneSamples.report(.overland, body)
    #expect(report.rejectionCount == 5000 && report.rejections.count == PhoneReport.maxSamples)
  }

  /// All numbers are finite and in their ranges, and every rejection is a part of the input.
  private func expectSound(_ bytes: [UInt8], as dialect: PhoneDialect, _ comment: String) {
    let request = PhoneRequest(body: bytes, arrival: PhoneSamples.arrival)
    let report = dialect.report(from: request)
    for phone in report.fixes + [report.current].compactMap({ $0 }) {
      #expect(phone.fix.isSound, "\(comment), \(dialect)")
      #expect((0...1).contains(phone.battery?.level ?? 0), "\(comment), \(dialect)")
    }
    for rejection in report.rejections {
      #expect(rejection.byteOffset + rejection.byteCount <= bytes.count || dialect.hasQueries, "\(comment)")
      #expect(rejection.bytes.count <= PhoneRejection.maxBytes && !rejection.reason.isEmpty)
    }
    #expect((200...201).contains(report.acceptance().status))
    #expect(report == dialect.report(from: request), "\(comment): the same bytes give the same report")
  }
}

extension PhoneDialect {
  /// Whether a row's bytes may be written again without secrets.
  fileprivate var hasQueries: Bool { self == .osmAnd || self == .gpsLogger }
}

extension Fix {
  fileprivate var isSound: Bool {
    let finite = [heightAboveGeoid, heightAboveEllipsoid]
    let notNegative = [horizontalAccuracy, verticalAccuracy, speed, speedAccuracy, courseAccuracy]
    return finite.allSatisfy { ($0 ?? 0).isFinite }
      && notNegative.allSatisfy { $0 ?? 0 >= 0 && ($0 ?? 0).isFinite } && (0..<360).contains(course ?? 0)
  }
}
