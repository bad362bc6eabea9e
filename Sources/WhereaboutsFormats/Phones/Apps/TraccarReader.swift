import WhereaboutsModel
import WhereaboutsGeodesy

// The JSON of Traccar Client from version 9, which is that of Transistorsoft: -1 for unknown.
//
// Source: https://www.traccar.org/osmand/ and the decoder of Traccar's server; Transistorsoft's location schema.

extension PhoneReportBuilder {
  mutating func readTraccar(_ text: UnsafeRawBufferPointer) {
    if text.first == UInt8(ascii: "[") {
      return readRows(of: text, ofWhat: "locations") { (builder, object) throws(PhoneRowError) in
        try builder.readTraccarObject(object)
      }
    }
    guard let envelope = PhoneObject(tolerant: text), let locations = envelope.array("location") else {
      return readObjectRow(text) { (builder, object) throws(PhoneRowError) in
        try builder.readTraccarObject(object)
      }
    }
    recordDevice(PhoneRow(envelope).text("device_id", "id"))
    readRows(of: locations, ofWhat: "locations") { (builder, object) throws(PhoneRowError) in
      try builder.readTraccarLocation(object, of: nil)
    }
    if !envelope.isComplete { recordIgnored("location", "is followed by malformed JSON") }
  }

  /// Reads an object that holds a location, is one, or has the names of OsmAnd's parameters.
  ///
  /// - Parameter device: the device of a location whose object states none by a name of Traccar.
  mutating func readTraccarObject(_ object: PhoneObject, of device: String? = nil) throws(PhoneRowError) {
    if let location = object.object("location") {
      try readTraccarLocation(location, of: PhoneRow(object).text("device_id", "id") ?? device)
    } else if object.object("coords") != nil || object.value("latitude") != nil {
      try readTraccarLocation(object, of: PhoneRow(object).text("device_id", "id") ?? device)
    } else {
      guard object.array("locations") == nil else { throw PhoneRowError.overlandBatch }
      var row = PhoneRow(object)
      guard !row.has("_type"), row.has("timestamp") || !row.has("tst") else {
        throw PhoneRowError.ownTracksMessage
      }
      try readOsmAndRow(&row)
      recordIgnored(row)
    }
  }

  /// Reads a location of the device that its object states; `nil` where only the envelope states one.
  private mutating func readTraccarLocation(
    _ object: PhoneObject, of device: String?
  ) throws(PhoneRowError) {
    recordDevice(device)
    let battery = traccarBattery(of: object)
    if object.value("coords") == nil, object.value("latitude") == nil, let battery {
      // Traccar repeats the last position then.
      let time = try? PhoneRow(object).statedTime("timestamp", arrival: request.arrival)
      recordBattery(battery, at: time?.stated)
      return countOther("heartbeat")
    }
    // Dawarich's form has the coordinates in the location itself.
    var coordinates = PhoneRow(object.object("coords") ?? object)
    let row = PhoneRow(object)
    let place = try coordinates.coordinate(["latitude"], ["longitude"])
    let time = try row.statedTime("timestamp", arrival: request.arrival)
    let isSimulated = object.value("mock")?.flag == true
    if let geofence = object.object("geofence") {
      // Our own crossings state a confidence; their place is computed and was not measured.
      let isOwnCrossing = object.object("extras")?.value("confidence") != nil
      let accuracy = coordinates.positive("accuracy")
      do throws(PhoneRowError) {
        var transition = try traccarTransition(geofence, time)
        transition.coordinate = place
        transition.horizontalAccuracy = accuracy
        transition.isSimulated = isSimulated
        report.transitions.append(transition)
      } catch {
        // The app measured the position, whatever it states about a geofence.
        guard !isOwnCrossing else { throw error }
        recordIgnored("geofence", error.reason)
      }
      if isOwnCrossing { return }
    }
    var phone = makeFix(place, time)
    phone.fix.isSimulated = isSimulated
    setTraccarCoordinates(of: &phone.fix, &coordinates)
    phone.device = device
    phone.battery = battery
    phone.trigger = row.text("event")
    phone.provider = row.text("provider")
    phone.activities = object.object("activity").flatMap { PhoneRow($0).text("type") }.map { [$0] } ?? []
    phone.fix.activity = Fix.StatedActivity(words: phone.activities)
    append(phone)
    recordIgnored(coordinates)
  }

  private mutating func traccarBattery(of object: PhoneObject) -> PhoneBattery? {
    guard let battery = object.object("battery") else { return nil }
    var values = PhoneRow(battery)
    let level = values.level("level", full: 1)
    let isCharging = values.flag("is_charging")
    recordIgnored(values)
    return PhoneBattery(level: level, isCharging: isCharging)
  }

  private func setTraccarCoordinates(of fix: inout Fix, _ row: inout PhoneRow<PhoneObject>) {
    fix.horizontalAccuracy = row.positive("accuracy")
    let heightAccuracy = row.number("altitude_accuracy")
    // -1 is unknown, unless the app knows its accuracy.
    func known(_ height: Double?) -> Double? { height == -1 && (heightAccuracy ?? 0) <= 0 ? nil : height }
    fix.setHeight(known(row.number("altitude")), accuracy: heightAccuracy)
    fix.heightAboveEllipsoid = known(row.number("ellipsoidal_altitude"))
    fix.speed = row.positiveOrZero("speed")
    fix.speedAccuracy = row.positive("speed_accuracy")
    fix.course = row.course("heading")
    fix.courseAccuracy = row.positive("heading_accuracy")
  }

  private func traccarTransition(
    _ geofence: PhoneObject, _ locationTime: PhoneTime
  ) throws(PhoneRowError) -> PhoneTransition {
    let row = PhoneRow(geofence)
    let kind: PhoneTransition.Kind
    switch row.text("action") {
    case "ENTER"?: kind = .enter
    case "EXIT"?: kind = .exit
    case "DWELL"?: kind = .dwell
    default: throw PhoneRowError(.malformed, "the action of the geofence is neither ENTER, EXIT nor DWELL")
    }
    var time = try row.statedTime("timestamp", arrival: request.arrival)
    if time.origin == .arrival { time = locationTime }
    var transition = PhoneTransition(kind, time: time.time, timeOrigin: time.origin, row: self.row)
    transition.regionID = row.text("identifier")
    return transition
  }
}
