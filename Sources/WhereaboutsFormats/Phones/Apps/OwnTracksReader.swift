import WhereaboutsModel
import WhereaboutsGeodesy

// Messages of OwnTracks: one JSON object with `_type` a request. Colota sends the same object, also without `_type`.
//
// Source: the booklet of OwnTracks (https://owntracks.org/booklet/tech/json/ and /tech/http/) and Colota's API
// reference.

extension PhoneReportBuilder {
  mutating func readOwnTracks(_ text: UnsafeRawBufferPointer) {
    readNamesOfQuery()
    switch text.first {
    case nil: countOther("empty")
    case UInt8(ascii: "["):
      readRows(of: text, ofWhat: "messages") { (builder, object) throws(PhoneRowError) in
        try builder.readOwnTracksMessage(object)
      }
    default:
      readObjectRow(text) { (builder, object) throws(PhoneRowError) in
        try builder.readOwnTracksMessage(object)
      }
    }
  }

  /// Reads the names that the Recorder's users write into the URL: `/pub?u=ann&d=phone`.
  private mutating func readNamesOfQuery() {
    var query = request.query
    query.withUTF8 {
      PhoneParameters.read([UnsafeRawBufferPointer($0)]) { parameters in
        let row = PhoneRow(parameters)
        if let user = row.text("u") { report.identity.user = report.identity.user ?? user }
        recordDevice(row.text("d"))
      }
    }
  }

  private mutating func readOwnTracksMessage(_ object: PhoneObject) throws(PhoneRowError) {
    var row = PhoneRow(object)
    if let topic = row.text("topic", limit: 1024) { recordNames(ofTopic: topic) }
    switch row.text("_type") {
    case "location"? where isPing(row): readPing(&row)
    case "location"?: append(try ownTracksFix(&row, isTyped: true))
    case nil where row.has("lat", "lon"): append(try ownTracksFix(&row, isTyped: false))
    case "transition"?: report.transitions.append(try ownTracksTransition(&row))
    case "waypoint"?: report.waypoints.append(try ownTracksWaypoint(&row))
    case "waypoints"?: try readWaypoints(of: object)
    case "encrypted"?: report.ciphertexts.append(try ciphertext(object.value("data"), type: nil))
    case "card"?:
      report.identity.displayName = row.text("name") ?? report.identity.displayName
      countOther("card")
    case let type?: countOther(type)
    case nil: throw PhoneRowError.misplaced(object) ?? PhoneRowError(.missing, "no _type")
    }
    if let trackerID = row.text("tid", limit: 16) { report.identity.trackerID = trackerID }
    recordIgnored(row)
  }

  /// Records the user and the device of a topic: `owntracks/ann/phone`, also with `/event` and the like after it.
  ///
  /// The last topic counts, before header fields: the app would publish under this topic. Of a topic with a base of its
  /// own the last two levels count, where the request names no device otherwise.
  private mutating func recordNames(ofTopic topic: String) {
    guard let names = Self.names(ofTopic: topic), names.hasStandardBase || report.identity.device == nil
    else { return }
    report.identity.user = names.user
    report.identity.device = names.device
  }

  /// Returns the user and the device of a topic, and whether its base is `owntracks`; `nil` for a topic of too few
  /// levels.
  fileprivate static func names(
    ofTopic topic: String
  ) -> (user: String, device: String, hasStandardBase: Bool)? {
    var levels = topic.split(separator: "/")
    if levels.count >= 3, levels[0] == "owntracks" { return (String(levels[1]), String(levels[2]), true) }
    if let last = levels.last, partsOfTopics.contains(String(last)) { levels.removeLast() }
    guard levels.count >= 2 else { return nil }
    return (String(levels[levels.count - 2]), String(levels[levels.count - 1]), false)
  }

  /// The levels after a phone's topic.
  private static let partsOfTopics: Set<String> = [
    "beacon", "cmd", "dump", "event", "info", "request", "status", "step", "waypoint", "waypoints",
  ]

  /// Returns whether a location is a ping whose time is not that of its place.
  ///
  /// A ping repeats the last place, which may be hours old, with the current time. One that was created long after its
  /// `tst` states the time of the place. The app may take some seconds from the one to the other.
  private func isPing(_ row: PhoneRow<PhoneObject>) -> Bool {
    guard row.text("t") == "p" else { return false }
    guard let created = row.fields.value("created_at")?.number, let time = row.fields.value("tst")?.number
    else { return true }
    return created - time <= 5
  }

  /// Reads a ping as a heartbeat: its battery alone.
  private mutating func readPing(_ row: inout PhoneRow<PhoneObject>) {
    if let battery = battery(&row) {
      let time = try? row.statedTime("tst", scale: .ownTracks, arrival: request.arrival)
      recordBattery(battery, at: time?.stated)
    }
    countOther("ping")
  }

  private func battery(_ row: inout PhoneRow<PhoneObject>) -> PhoneBattery? {
    PhoneBattery(level: row.level("batt", full: 100), isCharging: row.isCharging("bs"))
  }

  private mutating func ownTracksFix(
    _ row: inout PhoneRow<PhoneObject>, isTyped: Bool
  ) throws(PhoneRowError) -> PhoneFix {
    let place = try row.coordinate(["lat"], ["lon"])
    var phone = makeFix(place, try row.statedTime("tst", scale: .ownTracks, arrival: request.arrival))
    phone.fix.horizontalAccuracy = row.positive("acc")
    phone.fix.setHeight(row.number("alt"), accuracy: row.number("vac"))
    if let speed = row.positiveOrZero("vel") {
      setSpeed(speed, in: unitOfVelocity(row, isTyped: isTyped), or: .kilometresPerHour, of: &phone.fix)
    }
    // A course of 0 is left out, as an unknown one is.
    phone.fix.course = row.course("cog", "bear")
    phone.battery = battery(&row)
    phone.trigger = row.text("t")
    phone.provider = row.text("source")
    phone.activities = row.texts("motionactivities")
    phone.fix.activity = Fix.StatedActivity(words: phone.activities)
    phone.wifi = row.text("SSID")
    phone.regions = row.texts("inregions")
    phone.note = row.text("poi", "tag", limit: 1024)
    return phone
  }

  /// Returns the unit of `vel`: OwnTracks' apps write km/h. Colota writes m/s in the same form, which the device's
  /// setting states; without `_type` the message can only be Colota's. Otherwise the unit is unknown.
  private func unitOfVelocity(
    _ row: PhoneRow<PhoneObject>, isTyped: Bool
  ) -> PhoneSettings.SpeedUnit? {
    let isOwnTracks = row.has("topic") || request.userAgent?.lowercased().contains("owntracks") == true
    if isOwnTracks { return .kilometresPerHour }
    if let unit = settings.speedUnit { return unit }
    return isTyped ? nil : .metresPerSecond
  }

  private func ownTracksTransition(_ row: inout PhoneRow<PhoneObject>) throws(PhoneRowError)
    -> PhoneTransition
  {
    let kind: PhoneTransition.Kind
    switch row.text("event") {
    case "enter"?: kind = .enter
    case "leave"?: kind = .exit
    case _?: throw PhoneRowError(.malformed, "event is neither enter nor leave")
    case nil: throw PhoneRowError(.missing, "no event")
    }
    let time = try row.statedTime("tst", scale: .ownTracks, arrival: request.arrival)
    var transition = PhoneTransition(kind, time: time.time, timeOrigin: time.origin, row: self.row)
    if row.has("lat", "lon") { transition.coordinate = try row.coordinate(["lat"], ["lon"]) }
    transition.horizontalAccuracy = row.positive("acc")
    transition.name = row.text("desc").map(PhoneWaypoint.displayName)
    transition.regionID = row.text("rid")
    transition.created = row.integer("wtst")
    // Old versions write `trigger`.
    transition.trigger = row.text("t", "trigger")
    return transition
  }

  // MARK: Regions

  private mutating func readWaypoints(of object: PhoneObject) throws(PhoneRowError) {
    guard let array = object.array("waypoints") else { throw PhoneRowError(.missing, "no waypoints") }
    var scanner = JSONScanner.lenient(array)
    _ = scanner.forEachElement { bytes, _ in
      do throws(PhoneRowError) {
        guard let element = PhoneObject(bytes) else { throw Self.error(for: bytes) }
        var row = PhoneRow(element)
        report.waypoints.append(try ownTracksWaypoint(&row))
        recordIgnored(row)
      } catch {
        reject(error, bytes, at: body.offset(of: bytes))
      }
    }
  }

  private func ownTracksWaypoint(_ row: inout PhoneRow<PhoneObject>) throws(PhoneRowError) -> PhoneWaypoint {
    guard let name = row.text("desc", "rid") else { throw PhoneRowError(.missing, "no desc") }
    var waypoint = PhoneWaypoint(name: name, row: self.row)
    waypoint.created = row.integer("tst")
    waypoint.regionID = row.text("rid")
    waypoint.radius = row.positive("rad")
    waypoint.beacon = row.text("uuid")
    if row.has("lat"), row.has("lon"), waypoint.beacon == nil {
      let place = row.number("lat").flatMap { latitude in
        row.number("lon").flatMap { Coordinate(latitude: latitude, longitude: $0) }
      }
      waypoint.coordinate = place
      waypoint.isRemoved = place == nil
    }
    return waypoint
  }

  // MARK: Encryption

  /// Returns the bytes of an encrypted message: a nonce of 24 bytes, a code of 16 and the ciphertext.
  func ciphertext(_ value: PhoneValue?, type: String?) throws(PhoneRowError) -> PhoneCiphertext {
    guard let value, case .text = value.kind else { throw PhoneRowError(.missing, "no encrypted data") }
    guard let bytes = value.withBytes({ Base64.decode($0) }), bytes.count >= 40 else {
      throw PhoneRowError(.badEncoding, "the encrypted data is not base64, or too short")
    }
    return PhoneCiphertext(bytes, messageType: type, row: row)
  }
}

extension PhoneRequest {
  /// The request divided by the devices that the topics of OwnTracks' messages name, in the order of their first ones;
  /// the request alone if the topics name one device or none.
  ///
  /// A message whose topic names no device, or without one, stays with the message before it, and at the beginning with
  /// the first one that names a device.
  package var partsByTopic: [PhoneRequest] {
    let parts = body.withUnsafeBytes { body -> [(body: [UInt8], rows: [RowPlace])] in
      var scanner = JSONScanner.lenient(body.withoutByteOrderMark.withoutOuterSpace)
      var places: [[UInt8]: Int] = [:]
      var parts: [(body: [UInt8], rows: [RowPlace])] = []
      var place = 0, row = 0
      let isEnded = scanner.forEachElement { bytes, _ in
        if let topic = PhoneObject(bytes).flatMap({ PhoneRow($0).text("topic", limit: 1024) }),
          let names = PhoneReportBuilder.names(ofTopic: topic)
        {
          // No name has a slash. Names of devices are equal by their bytes.
          let key = Array("\(names.user)/\(names.device)".utf8)
          place = places[key] ?? places.count
          places[key] = place
        }
        if place == parts.count {
          parts.append((body: [UInt8(ascii: "[")], rows: []))
        } else {
          parts[place].body.append(UInt8(ascii: ","))
        }
        parts[place].rows.append(RowPlace(row: row, shift: body.offset(of: bytes) - parts[place].body.count))
        parts[place].body += bytes
        row += 1
      }
      if isEnded {
        for index in parts.indices { parts[index].body.append(UInt8(ascii: "]")) }
      }
      return parts
    }
    guard parts.count > 1 else { return [self] }
    return parts.map { own in
      var part = self
      part.body = own.body
      part.rowPlaces = own.rows
      return part
    }
  }
}

extension PhoneRow {
  /// Returns whether the device charges, by OwnTracks' number: 0 unknown, 1 unplugged, 2 charging, 3 full.
  fileprivate mutating func isCharging(_ name: StaticString) -> Bool? {
    switch integer(name) {
    case 1: return false
    case 2, 3: return true
    case nil, 0: return nil
    case _?:
      ignore(name, "is no state of a battery")
      return nil
    }
  }
}
