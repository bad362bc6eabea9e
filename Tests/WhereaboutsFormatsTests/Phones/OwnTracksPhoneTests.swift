import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

@Suite struct OwnTracksPhoneTests {
  typealias Sample = PhoneSamples

  private static let app = #""topic":"owntracks/ann/phone","#
  private static let at = #""lat":51.5,"lon":-0.1,"tst":1715675200"#
  private static let place = "51.5,-0.1 2024-05-14T08:26:40.000Z"

  @Test(
    arguments: [
      (#"{"_type":"location",\#(app)\#(at)}"#, place),
      // Whole metres, km/h, percent.
      (
        #"{"_type":"location",\#(app)\#(at),"acc":5,"alt":47,"vac":2,"vel":36,"cog":90,"batt":63,"bs":1}"#,
        "\(place) hacc=5.0 alt=47.0 vacc=2.0 speed=10.0 course=90.0 battery=0.63 unplugged"
      ),
      // Zeros are left out by the apps; stated ones are unknown for accuracies, and values for the rest.
      (
        #"{"_type":"location",\#(app)\#(at),"acc":0,"alt":0,"vac":0,"vel":0,"cog":0,"batt":0,"bs":0}"#,
        "\(place) alt=0.0 speed=0.0 course=0.0 battery=0.0"
      ),
      (#"{"_type":"location",\#(app)\#(at),"acc":-1,"vel":-1,"cog":-1,"batt":-1,"vac":-1,"alt":0}"#, place),
      (#"{"_type":"location",\#(app)\#(at),"bs":3}"#, "\(place) charging"),
      (#"{"_type":"location",\#(app)\#(at),"cog":360}"#, "\(place) course=0.0"),
      (#"{"_type":"location",\#(app)\#(at),"cog":400,"batt":101,"bs":9,"acc":"far"}"#, place),
      // Custom fields of Colota are texts.
      (
        #"{"_type":"location",\#(app)"lat":"51.5","lon":"-0.1","tst":"1715675200","acc":"5"}"#,
        "\(place) hacc=5.0"
      ),
      (#"{"_type":"location",\#(app)\#(at),"acc":null,"vel":null}"#, place),
      (#"{"_type":"location",\#(app)\#(at),"acc":NaN}"#, place),
      (#"{"_type":"location",\#(app)"lat":0,"lon":0,"tst":1715675200}"#, "0.0,0.0 2024-05-14T08:26:40.000Z"),
      (
        #"{"_type":"location",\#(app)"lat":91,"lon":0,"tst":1}"#,
        "bad coordinate: the latitude or the longitude is out of range"
      ),
      (#"{"_type":"location",\#(app)"lon":0,"tst":1}"#, "something required is missing: no lat"),
      (#"{"_type":"location",\#(app)"lat":true,"lon":0,"tst":1}"#, "bad number: lat is not a number"),
      (#"{"lat":1}"#, "something required is missing: no lon"),
      (#"{"x":1}"#, "something required is missing: no _type"),
      (#"{"_type":"location",\#(at)"#, "ends in the middle: the JSON ends in the middle"),
      (#"{"_type":"location",,}"#, "not well formed: the JSON is not well formed"),
      ("hello", "not well formed: not a JSON object"),
      ("\u{FEFF}{\"_type\":\"location\",\(app)\(at)}", place),
      (#"[{"_type":"location",\#(at)}]"#, place),
      ("", ""),
    ] as [(String, String)])
  func locationIsRead(_ body: String, _ expected: String) {
    #expect(Sample.fix(.ownTracks, body) == expected)
  }

  /// Apps of OwnTracks write km/h. Colota writes m/s with the same names.
  @Test(
    arguments: [
      (
        #""_type":"location","topic":"owntracks/a/b","#, nil, PhoneSettings.SpeedUnit.metresPerSecond, 10.0,
        false
      ),
      (#""_type":"location","#, "OwnTracks/26.1.0", .metresPerSecond, 10.0, false),
      (#""_type":"location","#, "owntracks-android/2.5.5", nil, 10.0, false),
      (#""_type":"location","#, "okhttp/4", nil, 10.0, true),
      (#""_type":"location","#, nil, .metresPerSecond, 36.0, false),
      (#""_type":"location","#, nil, .kilometresPerHour, 10.0, false),
      // Colota's own form has no type.
      ("", nil, nil, 36.0, false),
      ("", nil, .kilometresPerHour, 10.0, false),
    ] as [(String, String?, PhoneSettings.SpeedUnit?, Double, Bool)])
  func unitOfVelocity(
    _ members: String, _ userAgent: String?, _ unit: PhoneSettings.SpeedUnit?, _ speed: Double,
    _ isAmbiguous: Bool
  ) {
    let body = "{\(members)\(Self.at),\"vel\":36}"
    let report = Sample.report(.ownTracks, body, userAgent: userAgent, unit: unit)
    #expect(report.fixes.first?.fix.speed == speed)
    #expect(report.hasAmbiguousSpeed == isAmbiguous)
    // The error of a speed in an unknown unit reaches to the same number in m/s.
    #expect(report.fixes.first?.fix.speedAccuracy == (isAmbiguous ? 26 : nil))
  }

  @Test(arguments: [(36_000, 10_000.0), (36_004, nil), (100_000_000, nil)] as [(Int, Double?)])
  func impossibleSpeedIsIgnored(stated: Int, speed: Double?) throws {
    let report = Sample.report(.ownTracks, #"{"_type":"location",\#(Self.app)\#(Self.at),"vel":\#(stated)}"#)
    #expect(try #require(report.fixes.first).fix.speed == speed)
    #expect(report.ignoredValues.map(\.name) == (speed == nil ? ["speed"] : []))
  }

  @Test func colotasOwnFormIsRead() {
    let body =
      #"{"lat":51.5,"lon":-0.1,"acc":12,"alt":47,"vel":1.4,"batt":85,"bs":2,"tst":1715675200,"bear":180.5}"#
    #expect(
      Sample.fix(.ownTracks, body)
        == "\(Self.place) hacc=12.0 alt=47.0 speed=1.4 course=180.5 battery=0.85 charging")
  }

  @Test(
    arguments: [
      (#""topic":"owntracks/Ann/phone","#, "", nil, nil, "Ann", "phone"),
      (#""topic":"/owntracks/Ann/phone/event","#, "", nil, nil, "Ann", "phone"),
      (#""topic":"owntracks\/ann\/phone","#, "", "x", "y", "ann", "phone"),
      (#""topic":"elsewhere","#, "", "bob", "watch", "bob", "watch"),
      // A base of its own.
      (#""topic":"home/x/carl/ph9","#, "", nil, nil, "carl", "ph9"),
      (#""topic":"carl/ph9/event","#, "", nil, nil, "carl", "ph9"),
      (#""topic":"home/x/carl/ph9","#, "", "any", nil, "carl", "ph9"),
      (#""topic":"home/x/carl/ph9","#, "", "bob", "watch", "bob", "watch"),
      (#""topic":"elsewhere","#, "", nil, nil, nil, nil),
      ("", "", "bob", "watch", "bob", "watch"), ("", "u=cid&d=tab%20let", nil, nil, "cid", "tab let"),
      ("", "u=cid&d=tab", "bob", nil, "bob", "tab"), ("", "", nil, nil, nil, nil),
    ] as [(String, String, String?, String?, String?, String?)])
  func deviceIsNamed(
    _ topic: String, _ query: String, _ user: String?, _ device: String?, _ expectedUser: String?,
    _ expectedDevice: String?
  ) {
    let body = "{\"_type\":\"location\",\(topic)\"tid\":\"ne\",\(Self.at)}"
    let report = Sample.report(.ownTracks, body, query: query, user: user, device: device)
    #expect(report.identity.user == expectedUser)
    #expect(report.identity.device == expectedDevice)
    #expect(report.identity.trackerID == "ne")
  }

  /// The phones of a household may share one name of HTTP Basic. It counts where nothing else names the user.
  @Test(
    arguments: [
      ("", "u=anna&d=phone", nil, "anna", "phone"), ("", "u=ben&d=phone", nil, "ben", "phone"),
      ("", "d=phone", nil, "family", "phone"), ("", "u=&d=phone", nil, "family", "phone"),
      ("", "u=anna", nil, "anna", nil), ("", "", nil, "family", nil),
      ("", "u=anna&d=phone", "bob", "bob", "phone"),
      (#""topic":"owntracks/cid/tab","#, "u=anna&d=phone", "bob", "cid", "tab"),
      (#""topic":"home/x/carl/ph9","#, "", nil, "carl", "ph9"),
    ] as [(String, String, String?, String?, String?)])
  func nameOfBasicIsTheLastOneToCount(
    _ topic: String, _ query: String, _ user: String?, _ expectedUser: String?, _ expectedDevice: String?
  ) {
    let body = Array("{\"_type\":\"location\",\(topic)\(Self.at)}".utf8)
    let request = PhoneRequest(
      query: query, user: user, basicUser: "family", body: body, arrival: Sample.arrival)
    let report = PhoneDialect.ownTracks.report(from: request)
    #expect(report.identity.user == expectedUser)
    #expect(report.identity.device == expectedDevice)
  }

  /// A request of several devices is divided, and a person looks for a damaged message in the whole one.
  @Test func damagedMessageOfAPartHasItsPlaceInTheRequest() {
    func message(_ device: String, _ rest: String) -> String {
      #"{"_type":"location","topic":"owntracks/ann/\#(device)",\#(rest)}"#
    }
    let phone = message("phone", Self.at), watch = message("watch", Self.at)
    let waypoints = #"{"_type":"waypoints","topic":"owntracks/ann/watch","waypoints":["#
    let before = ["[\(phone), \(watch), ", "\(phone),\(waypoints)", "]}, "]
    let body = before[0] + message("watch", #""lat":91,"lon":0"#) + "," + before[1] + "7" + before[2] + "8]"
    let request = PhoneRequest(body: Array(body.utf8), arrival: Sample.arrival)
    let reports = request.partsByTopic.map { PhoneDialect.ownTracks.report(from: $0) }
    #expect(reports.map { $0.fixes.map(\.row) } == [[0, 3], [1]])
    let rejections = reports.flatMap(\.rejections)
    #expect(rejections.map(\.row) == [2, 4, 5])
    for rejection in rejections {
      let place = body.utf8.dropFirst(rejection.byteOffset)
      #expect(place.starts(with: rejection.bytes), "\(rejection)")
    }
  }

  /// The letter with an accent is one character in the first name and two in the second.
  @Test func phonesWithNamesThatLookAlikeAreApart() {
    let messages = ["ren\u{E9}e", "rene\u{301}e"].map { name in
      #"{"_type":"location","topic":"owntracks/\#(name)/phone",\#(Self.at)}"#
    }
    let body = "[\(messages.joined(separator: ","))]"
    let request = PhoneRequest(body: Array(body.utf8), arrival: Sample.arrival)
    let reports = request.partsByTopic.map { PhoneDialect.ownTracks.report(from: $0) }
    #expect(reports.map { $0.fixes.map(\.row) } == [[0], [1]])
    // The same messages in a file of a Recorder.
    #expect(ImportText(messages.joined(separator: "\n"), as: .ownTracks).devices.count == 2)
  }

  @Test func restOfALocationIsRetained() throws {
    let body =
      #"{"_type":"location",\#(Self.at),"t":"u","SSID":"Home\u0000 net","inregions":["home","work",3],"#
      + #""motionactivities":["walking","cycling"],"source":"fused","poi":"Caf\u00e9","m":2,"conn":"w"}"#
    let fix = try #require(Sample.report(.ownTracks, body).fixes.first)
    #expect(fix.trigger == "u" && fix.provider == "fused" && fix.note == "Café" && fix.wifi == "Home  net")
    #expect(fix.activities == ["walking", "cycling"] && fix.regions == ["home", "work"])
    #expect(fix.fix.source == .phone && fix.fix.activity == .walking)
  }

  /// A ping has the current time, and a place that may be hours old.
  @Test(
    arguments: [
      ("", 0), (#","created_at":1715675200"#, 0), (#","created_at":1715675202"#, 0),
      // The time is that of the place.
      (#","created_at":1715676100"#, 1),
    ] as [(String, Int)])
  func pingIsNoNewFix(_ created: String, _ fixCount: Int) {
    let report = Sample.report(
      .ownTracks, #"{"_type":"location",\#(Self.at),"t":"p","batt":63,"bs":1\#(created)}"#)
    #expect(report.fixes.count == fixCount && report.rejectionCount == 0)
    #expect(report.battery == PhoneBattery(level: 0.63, isCharging: false))
    #expect(report.batteryTime == Sample.time("2024-05-14T08:26:40Z"))
    #expect(report.otherMessages.counts.map(\.name) == (fixCount == 0 ? ["ping"] : []))
    #expect(report.acceptance().text == "[]")
  }

  @Test(
    arguments: [
      (#"["stationary"]"#, .still), (#"["automotive","stationary"]"#, .driving), (#"["unknown"]"#, nil),
      (#"["unknown","running"]"#, .running), ("[]", nil),
    ] as [(String, Fix.StatedActivity?)])
  func motionActivitiesAreTheActivity(words: String, activity: Fix.StatedActivity?) throws {
    let body = #"{"_type":"location",\#(Self.at),"motionactivities":\#(words)}"#
    #expect(try #require(Sample.report(.ownTracks, body).fixes.first).fix.activity == activity)
  }

  // MARK: Other messages

  @Test func transitionsAreRead() throws {
    let body =
      #"{"_type":"transition","event":"leave","wtst":1500000000,"tst":1715675200,"acc":12,"lat":51.5,"lon":-0.1,"#
      + #""desc":"-Home|1|2","rid":"6da9cf","t":"c","tid":"ne"}"#
    let transition = try #require(Sample.report(.ownTracks, body).transitions.first)
    #expect(transition.kind == .exit && transition.time == Sample.time("2024-05-14T08:26:40Z"))
    #expect(transition.coordinate == Coordinate(latitude: 51.5, longitude: -0.1))
    #expect(
      transition.horizontalAccuracy == 12 && transition.name == "Home" && transition.regionID == "6da9cf")
    #expect(transition.created == 1_500_000_000 && transition.trigger == "c")
    // Old versions.
    let old = #"{"_type":"transition","event":"enter","tst":1715675200,"trigger":"b","acc":0}"#
    let beacon = try #require(Sample.report(.ownTracks, old).transitions.first)
    #expect(beacon.kind == .enter && beacon.trigger == "b" && beacon.coordinate == nil)
    #expect(beacon.horizontalAccuracy == nil)
    for event in [#""event":"stay","#, #""event":3,"#, ""] {
      let report = Sample.report(.ownTracks, #"{"_type":"transition",\#(event)"tst":1}"#)
      #expect(report.transitions.isEmpty && report.rejectionCount == 1)
    }
  }

  @Test func waypointsAreRead() throws {
    let home =
      #"{"_type":"waypoint","desc":"Home","tst":1500000000,"lat":51.5,"lon":-0.1,"rad":100,"rid":"a1"}"#
    let beacon = #"{"_type":"waypoint","desc":"Key","tst":3,"uuid":"CA27","major":1,"lat":0,"lon":0}"#
    let removed = #"{"_type":"waypoint","desc":"Old","tst":4,"lat":-1000000,"lon":-1000000,"rad":0}"#
    let follow = #"{"_type":"waypoint","desc":"+follow","tst":5,"lat":1,"lon":2,"rad":50}"#
    let body =
      "{\"_type\":\"waypoints\",\"_creator\":\"x\",\"waypoints\":[\(home),7,\(beacon),\(removed),\(follow)]}"
    let report = Sample.report(.ownTracks, body)
    #expect(report.waypoints.map(\.name) == ["Home", "Key", "Old", "+follow"])
    #expect(report.waypoints.map(\.created) == [1_500_000_000, 3, 4, 5])
    #expect(report.waypoints.map(\.isRemoved) == [false, false, true, false])
    #expect(report.waypoints.map(\.radius) == [100, nil, nil, 50])
    #expect(report.waypoints[1].beacon == "CA27" && report.waypoints[0].regionID == "a1")
    #expect(report.rejections.map(\.reason) == ["not a JSON object"])
    #expect(report.rejections.first.map { String(decoding: $0.bytes, as: UTF8.self) } == "7")
    #expect(Sample.report(.ownTracks, home).waypoints == [report.waypoints[0]])
  }

  @Test func otherTypesAreCounted() {
    for type in ["lwt", "cmd", "status", "steps", "beacon", "request", "configuration", "dump", "newThing"] {
      let report = Sample.report(.ownTracks, #"{"_type":"\#(type)","tst":1715675200}"#)
      #expect(report.otherMessages.counts.map(\.name) == [type])
      #expect(report.rejectionCount == 0 && report.fixes.isEmpty)
      #expect(report.acceptance().text == "[]")
    }
    let card = Sample.report(.ownTracks, #"{"_type":"card","tid":"ne","name":"Ann","face":"iVBOR"}"#)
    #expect(card.identity.displayName == "Ann" && card.identity.trackerID == "ne")
  }

  @Test func encryptedMessageIsReturnedAsCiphertext() throws {
    let data = String(repeating: "QUJD", count: 20)
    let report = Sample.report(.ownTracks, #"{"_type":"encrypted","data":"\#(data)"}"#)
    let ciphertext = try #require(report.ciphertexts.first)
    #expect(ciphertext.bytes.count == 60 && ciphertext.bytes.prefix(4) == [0x41, 0x42, 0x43, 0x41])
    #expect(report.rejectionCount == 0)
    let opened = #"{"_type":"location",\#(Self.at)}"#
    let request = PhoneRequest(body: Array("{}".utf8), arrival: Sample.arrival)
    let inner = PhoneDialect.ownTracks.report(fromOpened: Array(opened.utf8), of: ciphertext, in: request)
    #expect(inner.fixes.map(Sample.text) == [Self.place])
    for wrong in [#""data":"QUJD""#, #""data":"ä""#, #""data":7"#, #""nodata":"""#, #""data":"Q===Q""#] {
      #expect(Sample.report(.ownTracks, #"{"_type":"encrypted",\#(wrong)}"#).rejectionCount == 1)
    }
  }

  // MARK: Replies

  @Test func replyIsAnArrayOfMessages() throws {
    let report = Sample.report(.ownTracks, "{}")
    #expect(report.acceptance() == PhoneReply(contentType: "application/json", body: Array("[]".utf8)))
    let circle = try Area.Circle(center: Coordinate(uncheckedLatitude: 51.5, longitude: -0.1), radius: 99.6)
    let fence = Fence(id: "home", area: .circle(circle), name: "Our \"house\"")
    #expect(
      report.acceptance(fences: [fence], removed: ["old"]).text
        == #"[{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":["#
        + #"{"_type":"waypoint","desc":"Our \"house\"","lat":51.5,"lon":-0.1,"rad":100,"tst":112272737,"rid":"home"},"#
        + #"{"_type":"waypoint","desc":"old","lat":-1000000,"lon":-1000000,"rad":0,"tst":967796221,"rid":"old"}]}}]"#
    )
  }

  /// A region sent to the phone is returned unchanged.
  @Test func sentFencesAreReadAsWaypoints() throws {
    let circle = try Area.Circle(center: Coordinate(uncheckedLatitude: 51.5, longitude: -0.1), radius: 100)
    let reply = Sample.report(.ownTracks).acceptance(
      fences: [Fence(id: "home", area: .circle(circle))], removed: ["old"])
    let text = reply.text
    let start = try #require(text.firstRange(of: "{\"_type\":\"waypoints\""))
    let list = String(text[start.lowerBound...].dropLast(2))
    let waypoints = Sample.report(.ownTracks, list).waypoints
    #expect(waypoints.map(\.regionID) == ["home", "old"])
    #expect(waypoints.map(\.coordinate) == [circle.center, nil])
    #expect(waypoints.map(\.isRemoved) == [false, true])
  }
}
