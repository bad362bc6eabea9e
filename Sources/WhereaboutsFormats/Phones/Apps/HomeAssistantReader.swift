import WhereaboutsModel
import WhereaboutsGeodesy

// The webhook of Home Assistant's companion app: an object with a type and its data. A location has no time.
//
// Source: the native app integration of Home Assistant's documentation for developers, and mobile_app/webhook.py.

extension PhoneReportBuilder {
  /// The number of sensors that an answer names.
  private static let maxSensors = 256

  mutating func readHomeAssistant(_ text: UnsafeRawBufferPointer) {
    guard !text.isEmpty else { return countOther("empty") }
    readObjectRow(text) { (builder, object) throws(PhoneRowError) in
      try builder.readWebhookMessage(object)
    }
  }

  private mutating func readWebhookMessage(_ object: PhoneObject) throws(PhoneRowError) {
    guard let type = PhoneRow(object).text("type") else {
      throw PhoneRowError.misplaced(object) ?? PhoneRowError(.missing, "no type")
    }
    if type == "encrypted" || object.value("encrypted")?.flag == true {
      let inner = type == "encrypted" ? nil : type
      return report.ciphertexts.append(try ciphertext(object.value("encrypted_data"), type: inner))
    }
    switch type {
    case "update_location":
      guard let data = object.object("data") else { throw PhoneRowError(.missing, "no data") }
      return try readLocation(data)
    case "update_sensor_states":
      if let sensors = object.array("data") { readSensors(sensors) }
    case "register_sensor": report.webhookQuestions.append(.registration)
    case "get_zones": report.webhookQuestions.append(.zones)
    case "get_config": report.webhookQuestions.append(.configuration)
    default: break
    }
    countOther(type)
  }

  private mutating func readLocation(_ data: PhoneObject) throws(PhoneRowError) {
    var row = PhoneRow(data)
    let battery = PhoneBattery(level: row.level("battery", full: 100), isCharging: nil)
    let zone = row.text("location_name")
    guard let gps = data.array("gps") else {
      // A person may let the app send the zone alone.
      guard zone != nil else { throw PhoneRowError(.missing, "no gps and no location_name") }
      report.zoneName = zone
      report.battery = battery ?? report.battery
      return recordIgnored(row)
    }
    let numbers = gps.firstNumbers
    guard numbers.count >= 2, let latitude = numbers[0], let longitude = numbers[1] else {
      throw PhoneRowError(.badNumber, "gps is not two numbers")
    }
    let place = try PhoneRow<PhoneObject>.coordinate(latitude, longitude)
    var phone = makeFix(place, PhoneTime(time: request.arrival, origin: .arrival))
    phone.fix.horizontalAccuracy = row.positive("gps_accuracy")
    let height = row.number("altitude")
    let heightAccuracy = row.number("vertical_accuracy")
    // Android states 0 for an unknown height and its accuracy.
    if height != 0 || heightAccuracy != 0 { phone.fix.setHeight(height, accuracy: heightAccuracy) }
    // 0 stands for unknown too.
    phone.fix.speed = row.positive("speed")
    phone.fix.course = row.course("course", zeroIsUnknown: true)
    phone.battery = battery
    phone.note = zone
    append(phone)
    recordIgnored(row)
  }

  /// Reads the names of sensors, which the answer must repeat, and the level of the battery.
  private mutating func readSensors(_ array: UnsafeRawBufferPointer) {
    var names: [String] = []
    var scanner = JSONScanner.lenient(array)
    _ = scanner.forEachElement { bytes, _ in
      guard names.count < Self.maxSensors, let sensor = PhoneObject(bytes) else { return }
      var row = PhoneRow(sensor)
      guard let name = row.text("unique_id") else { return }
      names.append(name)
      guard name == "battery_level", let level = row.level("state", full: 100) else { return }
      report.battery = PhoneBattery(level: level, isCharging: report.battery?.isCharging)
    }
    report.webhookQuestions.append(.sensors(names))
  }
}
