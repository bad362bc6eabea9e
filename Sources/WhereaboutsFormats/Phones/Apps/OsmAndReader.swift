import WhereaboutsModel
import WhereaboutsGeodesy

// The query protocol of OsmAnd as Traccar reads it: a position in a query or in a form.
//
// Source: https://www.traccar.org/osmand/ and the decoder of Traccar's server.

extension PhoneReportBuilder {
  mutating func readOsmAnd(_ text: UnsafeRawBufferPointer) {
    switch text.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): readTraccar(text)
    default:
      readParameterRow(form: text) { (builder, row) throws(PhoneRowError) in
        guard !row.fields.isEmpty else { return builder.countOther("empty") }
        try builder.readOsmAndRow(&row)
      }
    }
  }

  /// Reads a row with the names of OsmAnd's parameters.
  mutating func readOsmAndRow<Fields>(_ row: inout PhoneRow<Fields>) throws(PhoneRowError) {
    if row.has("gprmc"), !row.has("lat", "location") { return try readOpenGTSRow(&row) }
    let device = row.text("id", "deviceid", "device_id")
    recordDevice(device)
    let battery = PhoneBattery(level: row.level("batt", full: 100), isCharging: row.flag("charge"))
    guard row.has("lat", "lon", "location") else {
      // Traccar repeats the last position then.
      guard device != nil || battery != nil else { throw PhoneRowError(.missing, "no lat") }
      if let battery {
        let time = try? row.statedTime("timestamp", scale: .osmAnd, arrival: request.arrival)
        recordBattery(battery, at: time?.stated)
      }
      return countOther("heartbeat")
    }
    if let isValid = row.fields.value("valid"), isValid.flag != true {
      throw PhoneRowError(.missing, "the tracker marks its position as invalid")
    }
    let place = try row.has("lat", "lon") ? row.coordinate(["lat"], ["lon"]) : row.pairOfDegrees("location")
    let time = try row.statedTime("timestamp", scale: .osmAnd, arrival: request.arrival)
    if let kind = row.text("event").flatMap(PhoneTransition.Kind.init(rawValue:)), row.has("fence") {
      return report.transitions.append(osmAndTransition(&row, kind, place, time))
    }
    var phone = makeFix(place, time)
    phone.device = device
    phone.battery = battery
    setOsmAndValues(of: &phone, &row)
    append(phone)
  }

  private mutating func setOsmAndValues<Fields>(of phone: inout PhoneFix, _ row: inout PhoneRow<Fields>) {
    phone.fix.isSimulated = row.isSimulated
    phone.fix.horizontalAccuracy = row.positive("accuracy")
    // OsmAnd and Traccar Client always send a height, and Android states 0 for an unknown one. In a tunnel or a house,
    // several false ones in a row would count as a descent.
    phone.fix.heightAboveGeoid = row.number("altitude").flatMap { $0 == 0 ? nil : $0 }
    if let speed = row.positiveOrZero("speed") {
      let unit = unitOfSpeed(&row, of: phone.device)
      setSpeed(speed, in: unit, or: .knots, of: &phone.fix)
    }
    // Android states 0 for an unknown course, and a wrong course makes fences miss crossings.
    phone.fix.course = row.course("bearing", "heading", zeroIsUnknown: true)
    phone.fix.horizontalDilution = row.dilution("hdop")
    phone.trigger = row.text("event", "alarm")
  }

  /// Returns the unit by the settings of the device, by the request or by its app; `nil` if none of them shows it.
  private func unitOfSpeed<Fields>(
    _ row: inout PhoneRow<Fields>, of device: String?
  ) -> PhoneSettings.SpeedUnit? {
    if let unit = settings(of: device).speedUnit { return unit }
    guard let text = row.text("speedunit", "speedUnit") else { return isOfTraccarClient ? .knots : nil }
    let unit = PhoneSettings.SpeedUnit(rawValue: text)
    if unit == nil { row.ignore("speedunit", "is none of m/s, km/h and kn") }
    return unit
  }

  /// Whether the query is Traccar Client's before version 9, which writes knots.
  ///
  /// The order of the parameters shows it. Their names do not: users of GPSLogger send m/s with the same ones.
  private var isOfTraccarClient: Bool {
    let names = request.query.split(separator: "&").map { $0.prefix { $0 != "=" } }
    let order: [Substring] = ["timestamp", "lat", "lon", "speed", "bearing", "altitude"]
    return names.contains("batt") && names.drop { $0 != "timestamp" }.starts(with: order)
  }

  /// Returns a crossing as this package uploads it.
  private func osmAndTransition<Fields>(
    _ row: inout PhoneRow<Fields>, _ kind: PhoneTransition.Kind, _ place: Coordinate, _ time: PhoneTime
  ) -> PhoneTransition {
    var transition = PhoneTransition(kind, time: time.time, timeOrigin: time.origin, row: self.row)
    transition.coordinate = place
    transition.horizontalAccuracy = row.positive("accuracy")
    transition.regionID = row.text("fence")
    transition.isSimulated = row.isSimulated
    return transition
  }
}

extension PhoneRow {
  /// Whether the app marks its position as made by a simulator.
  fileprivate var isSimulated: Bool {
    fields.value("mock")?.flag == true || fields.value("simulated")?.flag == true
  }

  /// Returns the place of a member `latitude,longitude`.
  fileprivate func pairOfDegrees(_ name: StaticString) throws(PhoneRowError) -> Coordinate {
    let numbers = fields.value(name)?.withBytes { bytes in
      bytes.split(separator: UInt8(ascii: ","), maxSplits: 2).map {
        Decimal.parse(UnsafeRawBufferPointer(rebasing: $0).withoutOuterSpace)
      }
    }
    guard let numbers, numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
      throw PhoneRowError(.badNumber, "\(name) is not two numbers")
    }
    return try Self.coordinate(latitude, longitude)
  }
}
