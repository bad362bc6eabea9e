import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsTesting

@Suite struct UploadTemplateTests {
  typealias Sample = UploadSamples

  private func body(_ template: UploadTemplate, _ items: UploadItem...) -> String? {
    Sample.encoder(template).message(items, key: "k1")?.text
  }

  // MARK: OwnTracks

  @Test func owntracksWritesAFixInWholeNumbers() {
    #expect(
      body(.owntracks, Sample.item(Sample.fix))
        == #"{"_type":"location","lat":51.4779,"lon":-0.0015,"tst":1715675200,"acc":5,"alt":47,"vac":1,"vel":48,"#
        + #""tid":"ne","topic":"owntracks/Ann/phone","_id":"k1"}"#)
  }

  @Test func owntracksOmitsZerosAndUnknownFields() {
    var still = Sample.minimalFix
    (still.horizontalAccuracy, still.speed, still.course, still.heightAboveGeoid) = (0, 0, 0, 0)
    let bare =
      #"{"_type":"location","lat":0,"lon":0,"tst":1715675200,"tid":"ne","topic":"owntracks/Ann/phone","_id":"k1"}"#
    #expect(body(.owntracks, Sample.item(still)) == bare)
    #expect(body(.owntracks, Sample.item(Sample.minimalFix)) == bare)
  }

  @Test func owntracksIdentifiesTheDeviceInHeaders() throws {
    let message = try #require(
      Sample.encoder(.owntracks).message([Sample.item(Sample.fix)], key: "k1"))
    #expect(message.method == .post && message.query == nil)
    #expect(
      message.fields == [
        .init("Content-Type", "application/json"), .init("X-Limit-U", "Ann"), .init("X-Limit-D", "phone"),
      ])
  }

  @Test func owntracksWritesACrossingAsATransition() {
    #expect(
      body(.owntracks, Sample.crossing(.exit))
        == #"{"_type":"transition","event":"leave","wtst":533034697,"tst":1715675220,"acc":6,"lat":51.4781,"#
        + #""lon":-0.0017,"desc":"home & \"garden\"","rid":"home & \"garden\"","t":"l","tid":"ne","#
        + #""topic":"owntracks/Ann/phone/event","_id":"k1"}"#)
    #expect(body(.owntracks, Sample.crossing(.enter))?.contains(#""event":"enter""#) == true)
  }

  @Test func owntracksWritesFenceNameAndCreationTime() throws {
    let crossing = try #require(
      UploadItem(.event(Sample.event(.enter)), number: 3, fenceName: "Our house"))
    let text = try #require(body(.owntracks, crossing))
    #expect(text.contains(#""desc":"Our house","rid":"home & \"garden\"""#))
    let encoder = Sample.encoder(.owntracks), item = Sample.item(Sample.fix)
    let later = encoder.message([item], key: "k1", at: Sample.time("2024-05-14T09:00:00.9Z"))?.text
    #expect(later?.contains(#""tst":1715675200,"created_at":1715677200,"#) == true)
    let atOnce = encoder.message([item], key: "k1", at: Sample.time("2024-05-14T08:26:40.9Z"))?.text
    #expect(atOnce?.contains("created_at") == false)
    let unset = encoder.message([item], key: "k1", at: UTCTime(nanosecondsSince1970: 0))?.text
    #expect(unset?.contains("created_at") == false)
  }

  @Test(
    arguments: [
      ("phone", nil, "ne"), ("p", nil, "p"), ("phone", "abcdef", "ab"), ("👩‍👩‍👧‍👦", nil, "\u{200D}👦"),
    ] as [(String, String?, String)])
  func trackerIDHasAtMostTwoCharacters(_ device: String, _ given: String?, _ expected: String) {
    #expect(UploadIdentity(device: device, trackerID: given).trackerID == expected)
  }

  @Test(arguments: UploadTemplate.allCases) func simulatedFixesAreMarkedOrOmitted(_ template: UploadTemplate)
    throws
  {
    var fix = Sample.minimalFix
    fix.isSimulated = true
    var encoder = Sample.encoder(template)
    let message = encoder.message([Sample.item(fix)], key: "k1")
    switch template {
    case .whereabouts: #expect(message?.text.contains("\"simulated\":true") == true)
    case .traccar: #expect(message?.text.contains("\"mock\":true") == true)
    case .owntracks, .overland, .osmand: #expect(message == nil)
    }
    encoder.sendsSimulated = true
    #expect(encoder.message([Sample.item(fix)], key: "k1") != nil)
  }

  @Test(arguments: ["", "a/b", "a+b", "#", "a b", "line\nbreak"])
  func owntracksRefusesInvalidTopicNames(_ name: String) {
    #expect(UploadIdentity(device: name).problem(in: .owntracks) != nil)
    #expect(UploadIdentity(device: "phone", user: name).problem(in: .owntracks) != nil)
    #expect((UploadIdentity(device: name).problem(in: .overland) == nil) == !name.isEmpty)
  }

  // MARK: Overland

  @Test func overlandWritesAFixInWholeNumbersWithLongitudeFirst() {
    #expect(
      body(.overland, Sample.item(Sample.fix))
        == #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.0015,51.4779]},"#
        + #""properties":{"timestamp":"2024-05-14T08:26:40Z","altitude":47,"speed":13,"course":0,"#
        + #""horizontal_accuracy":5,"vertical_accuracy":1,"speed_accuracy":0.5,"course_accuracy":2.25,"#
        + #""battery_state":"unknown","wifi":"","device_id":"phone","locations_in_payload":1}}]}"#)
  }

  @Test func overlandWritesMinusOneForUnknownFields() {
    #expect(
      body(.overland, Sample.item(Sample.minimalFix))
        == #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"#
        + #""properties":{"timestamp":"2024-05-14T08:26:40Z","speed":-1,"course":-1,"#
        + #""horizontal_accuracy":-1,"vertical_accuracy":-1,"#
        + #""battery_state":"unknown","wifi":"","device_id":"phone","locations_in_payload":1}}]}"#)
  }

  @Test func overlandBatchesFixesAndOmitsCrossings() {
    let text = body(.overland, Sample.item(Sample.fix), Sample.crossing(), Sample.item(Sample.minimalFix))
    #expect(text?.components(of: "\"Feature\"") == 2)
    #expect(text?.contains("home") == false)
    #expect(body(.overland, Sample.crossing()) == nil)
  }

  // MARK: OsmAnd

  @Test func osmandWritesAFixInKnotsAndMilliseconds() throws {
    let message = try #require(Sample.encoder(.osmand).message([Sample.item(Sample.fix)], key: "k1"))
    #expect(message.method == .get && message.body.isEmpty)
    #expect(
      message.query
        == "id=phone&lat=51.4779&lon=-0.0015&timestamp=1715675200750&accuracy=4.6&altitude=46.7&speed=26.048"
        + "&bearing=359.7&hdop=0.9")
  }

  @Test func osmandOmitsUnknownFields() {
    #expect(
      Sample.encoder(.osmand).message([Sample.item(Sample.minimalFix)], key: "k1")?.query
        == "id=phone&lat=0&lon=0&timestamp=1715675200")
  }

  @Test func osmandWritesACrossingAsAPositionWithAttributes() throws {
    var encoder = Sample.encoder(.osmand)
    encoder.usesForm = true
    let message = try #require(encoder.message([Sample.crossing(.dwell)], key: "k1"))
    #expect(message.method == .post && message.query == nil)
    #expect(message.fields == [.init("Content-Type", "application/x-www-form-urlencoded")])
    #expect(
      message.text
        == "id=phone&lat=51.4781&lon=-0.0017&timestamp=1715675220500&accuracy=6.4&event=dwell"
        + "&fence=home%20%26%20%22garden%22&eventId=17&confidence=0.988")
  }

  /// Servers take what is below 2^31 - 1 for seconds and the rest for milliseconds.
  @Test(
    arguments: [
      ("2024-05-14T08:26:40Z", "1715675200"), ("2024-05-14T08:26:40.5Z", "1715675200500"),
      ("2038-01-19T03:14:06Z", "2147483646"), ("2038-01-19T03:14:07Z", "2147483647000"),
      ("1970-01-25T00:00:00.5Z", "2073600"), ("1970-01-26T00:00:00.5Z", "2160000500"),
      ("1969-12-31T23:59:59.5Z", "-1"),
    ])
  func osmandTimesAreUnambiguous(_ time: String, _ expected: String) throws {
    var fix = Sample.minimalFix
    fix.time = Sample.time(time)
    let query = try #require(Sample.encoder(.osmand).message([Sample.item(fix)], key: "k1")?.query)
    #expect(query.hasSuffix("timestamp=\(expected)"))
  }

  // MARK: Traccar

  @Test func traccarWritesAFix() {
    #expect(
      body(.traccar, Sample.item(Sample.fix))
        == #"{"location":{"timestamp":"2024-05-14T08:26:40.750Z","uuid":"k1","coords":{"latitude":51.4779,"#
        + #""longitude":-0.0015,"accuracy":4.6,"speed":13.4,"speed_accuracy":0.5,"heading":359.7,"#
        + #""heading_accuracy":2.25,"altitude":46.7,"altitude_accuracy":0.3}},"device_id":"phone"}"#)
  }

  @Test func traccarWritesRequiredFieldsWhenUnknown() {
    var fix = Sample.minimalFix
    fix.isSimulated = true
    #expect(
      body(.traccar, Sample.item(fix))
        == #"{"location":{"timestamp":"2024-05-14T08:26:40.000Z","uuid":"k1","coords":{"latitude":0,"#
        + #""longitude":0,"accuracy":-1,"speed":-1,"heading":-1,"altitude":0,"altitude_accuracy":-1},"#
        + #""mock":true},"device_id":"phone"}"#)
  }

  @Test func traccarWritesACrossingAsAGeofence() {
    #expect(
      body(.traccar, Sample.crossing(.enter))
        == #"{"location":{"timestamp":"2024-05-14T08:27:00.500Z","uuid":"k1","coords":{"latitude":51.4781,"#
        + #""longitude":-0.0017,"accuracy":6.4,"speed":-1,"heading":-1,"altitude":0,"altitude_accuracy":-1},"#
        + #""event":"geofence","geofence":{"identifier":"home & \"garden\"","action":"ENTER","#
        + #""timestamp":"2024-05-14T08:27:00.500Z"},"extras":{"event":17,"confidence":0.988}},"#
        + #""device_id":"phone"}"#)
  }

  // MARK: Our own

  @Test func whereaboutsTemplateWritesAllFields() {
    let text = body(
      .whereabouts, Sample.item(Sample.minimalFix), Sample.crossing(.enter), Sample.withdrawal)
    #expect(
      text
        == #"{"whereabouts":"upload","version":1,"batch":"k1","origin":"o1","device":"phone","items":["#
        + #"{"id":"fix/12","fix":{"time":"2024-05-14T08:26:40.000Z","lat":0,"lon":0,"source":"scripted"}},"#
        + #"{"id":"note/3","crossing":{"fence":"home & \"garden\"","event":"enter","id":17,"manner":"crossed","#
        + #""time":"2024-05-14T08:27:00.500Z","timeUncertainty":1.5,"lastBefore":"2024-05-14T08:26:59.000Z","#
        + #""firstAfter":"2024-05-14T08:27:02.000Z","lat":51.4781,"lon":-0.0017,"confidence":0.98765,"#
        + #""decided":"2024-05-14T08:27:02.000Z","decidedBy":{"time":"2024-05-14T08:27:02.000Z","lat":51.4782,"#
        + #""lon":-0.0018,"hacc":6.4,"source":"scripted"},"pending":1}},"#
        + #"{"id":"note/4","revised":17,"withdrawn":true}]}"#)
  }

  @Test func whereaboutsTemplateWritesRevisionsAndReceptionTimes() throws {
    var fix = Sample.minimalFix
    fix.time = nil
    let seen = LoggedFix(fix, seen: Sample.time("2024-05-14T08:26:41Z"))
    let revision = try #require(UploadItem(.revised(FenceEvent.ID(17), Sample.event()), number: 5))
    let text = try #require(body(.whereabouts, UploadItem(seen, number: 1), revision))
    #expect(text.contains(#"{"id":"fix/1","seen":"2024-05-14T08:26:41.000Z","fix":{"lat":0"#))
    #expect(text.contains(#"{"id":"note/5","revised":17,"crossing":{"fence""#))
  }

  // MARK: All of them

  @Test(arguments: UploadTemplate.allCases) func unsupportedItemsAreOmittedByEachTemplate(
    _ template: UploadTemplate
  ) {
    var timeless = Sample.minimalFix
    timeless.time = nil
    let items = [
      Sample.item(Sample.fix), Sample.item(timeless), Sample.crossing(.enter), Sample.crossing(.dwell),
      Sample.withdrawal,
    ]
    for item in items {
      let isSaid = Sample.encoder(template).message([item], key: "k1") != nil
      #expect(isSaid == (template.unsupportedContent(of: item) == nil), "\(item.id)")
    }
  }

  @Test func removedFenceIsNoUploadItem() {
    #expect(UploadItem(.removed("home", because: .once), number: 1) == nil)
  }

  /// NaN and values too large for a server's numbers are treated as unknown. Nothing traps.
  @Test(arguments: UploadTemplate.allCases) func nonFiniteNumbersAreOmitted(_ template: UploadTemplate)
    throws
  {
    for bad in [Double.nan, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude] {
      var fix = Sample.fix
      (fix.horizontalAccuracy, fix.verticalAccuracy) = (bad, bad)
      (fix.speed, fix.course, fix.speedAccuracy, fix.courseAccuracy) = (bad, bad, bad, bad)
      (fix.heightAboveGeoid, fix.horizontalDilution) = (bad, Float(bad))
      let message = try #require(Sample.encoder(template).message([Sample.item(fix)], key: "k1"))
      let text = (message.query ?? "") + message.text
      #expect(!text.contains("nan") && !text.contains("inf"), "\(bad): \(text)")
    }
    for nanoseconds in [Int64.min, .max, 0, -1] {
      var fix = Sample.minimalFix
      fix.time = UTCTime(nanosecondsSince1970: nanoseconds)
      #expect(Sample.encoder(template).message([Sample.item(fix)], key: "k1") != nil)
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
