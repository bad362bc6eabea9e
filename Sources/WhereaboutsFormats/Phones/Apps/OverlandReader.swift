import WhereaboutsModel
import WhereaboutsGeodesy

// Batches of Overland: features of GeoJSON, -1 for unknown.
//
// Source: the API in the read-me of Overland (https://github.com/aaronpk/Overland-iOS).

extension PhoneReportBuilder {
  mutating func readOverland(_ text: UnsafeRawBufferPointer) {
    guard !text.isEmpty else { return countOther("empty") }
    guard let batch = PhoneObject(tolerant: text), let locations = batch.array("locations") else {
      return readRow(text) { _ throws(PhoneRowError) in
        guard let object = PhoneObject(text) else { throw Self.error(for: text) }
        throw PhoneRowError.misplaced(object) ?? PhoneRowError(.missing, "no list of locations")
      }
    }
    readRows(of: locations, ofWhat: "locations") { (builder, feature) throws(PhoneRowError) in
      try builder.readOverlandFeature(feature)
    }
    if !batch.isComplete { recordIgnored("locations", "is followed by malformed JSON") }
    readCurrent(of: batch)
    if let trip = batch.object("trip") {
      var row = PhoneRow(trip)
      report.trips.append(overlandTrip(&row, row: nil))
      recordIgnored(row)
    }
  }

  private mutating func readCurrent(of batch: PhoneObject) {
    guard let feature = batch.object("current"), let properties = feature.object("properties") else { return }
    var row = PhoneRow(properties)
    do throws(PhoneRowError) {
      report.current = try overlandFix(&row, try feature.position())
    } catch {
      recordIgnored("current", error.reason)
    }
  }

  private mutating func readOverlandFeature(_ feature: PhoneObject) throws(PhoneRowError) {
    guard let properties = feature.object("properties") else {
      throw PhoneRowError(.missing, "no properties")
    }
    var row = PhoneRow(properties)
    recordDevice(row.text("device_id", "unique_id"))
    if row.text("type") == "trip" {
      report.trips.append(overlandTrip(&row, row: self.row))
    } else if row.text("action") == "visit" {
      report.visits.append(overlandVisit(&row, try feature.position()))
    } else if row.has("action"), !row.has("horizontal_accuracy") {
      // An event of the app, such as the end of a pause, has the last known place, which may be hours old, and the
      // present time.
      if let battery = overlandBattery(&row) {
        recordBattery(battery, at: try row.statedTime("timestamp", arrival: request.arrival).stated)
      }
      countOther("event")
    } else {
      append(try overlandFix(&row, try feature.position()))
    }
    recordIgnored(row)
  }

  private func overlandFix(
    _ row: inout PhoneRow<PhoneObject>, _ place: Coordinate
  ) throws(PhoneRowError) -> PhoneFix {
    var phone = makeFix(place, try row.statedTime("timestamp", arrival: request.arrival))
    phone.fix.horizontalAccuracy = row.positive("horizontal_accuracy")
    phone.fix.setHeight(row.number("altitude"), accuracy: row.number("vertical_accuracy"))
    phone.fix.speed = row.positiveOrZero("speed")
    phone.fix.speedAccuracy = row.positive("speed_accuracy")
    phone.fix.course = row.course("course")
    phone.fix.courseAccuracy = row.positive("course_accuracy")
    phone.battery = overlandBattery(&row)
    phone.device = row.text("device_id", "unique_id")
    phone.trigger = row.text("action")
    phone.activities = row.texts("motion")
    phone.fix.activity = Fix.StatedActivity(words: phone.activities)
    phone.trip = row.text("trip_id")
    phone.wifi = row.text("wifi")
    return phone
  }

  private func overlandBattery(_ row: inout PhoneRow<PhoneObject>) -> PhoneBattery? {
    let isCharging: Bool? =
      switch row.text("battery_state") {
      case "charging"?, "full"?: true
      case "unplugged"?: false
      default: nil
      }
    return PhoneBattery(level: row.level("battery_level", full: 1), isCharging: isCharging)
  }

  private func overlandVisit(_ row: inout PhoneRow<PhoneObject>, _ place: Coordinate) -> PhoneVisit {
    var visit = PhoneVisit(place, row: self.row)
    visit.horizontalAccuracy = row.positive("horizontal_accuracy")
    visit.arrived = row.visitTime("arrival_date")
    visit.departed = row.visitTime("departure_date")
    return visit
  }

  private func overlandTrip(_ row: inout PhoneRow<PhoneObject>, row index: Int?) -> PhoneTrip {
    var trip = PhoneTrip(row: index)
    trip.mode = row.text("mode")
    trip.started = row.optionalTime("start")
    trip.ended = row.optionalTime("end")
    trip.distance = row.positiveOrZero("distance")
    trip.steps = row.integer("steps")
    return trip
  }
}

extension PhoneRow {
  /// Returns a date of a visit; iOS states the years 1 and 4001 for an open end.
  fileprivate mutating func visitTime(_ name: StaticString) -> UTCTime? {
    guard let text = text(name), !text.hasPrefix("0001-"), !text.hasPrefix("4001-") else { return nil }
    return optionalTime(name)
  }
}

extension PhoneObject {
  /// Returns the place of a feature with a point: longitude first.
  fileprivate func position() throws(PhoneRowError) -> Coordinate {
    guard let geometry = object("geometry"), let array = geometry.array("coordinates") else {
      throw PhoneRowError(.missing, "no geometry with coordinates")
    }
    let numbers = array.firstNumbers
    guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1] else {
      throw PhoneRowError(.badNumber, "the coordinates are not two numbers")
    }
    return try PhoneRow<PhoneObject>.coordinate(latitude, longitude)
  }
}

extension UnsafeRawBufferPointer {
  /// The first three elements of an array as numbers; `nil` for an element that is none.
  var firstNumbers: [Double?] {
    var numbers: [Double?] = []
    var scanner = JSONScanner.lenient(self)
    _ = scanner.forEachElement { bytes, _ in
      guard numbers.count < 3, let first = bytes.first else { return }
      numbers.append(PhoneValue(bytes, first: first)?.number)
    }
    return numbers
  }
}
