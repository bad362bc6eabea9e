import WhereaboutsModel
import WhereaboutsGeodesy

// GPSLogger's custom URL: the names that people give its placeholders, in a query, a form or a JSON object. An
// unknown value is 0.0.
//
// Source: https://gpslogger.app and GPSLogger's CustomUrlManager; Home Assistant's and Traccar's templates for it.

extension PhoneReportBuilder {
  mutating func readGPSLogger(_ text: UnsafeRawBufferPointer) {
    switch text.first {
    case UInt8(ascii: "["):
      readRows(of: text, ofWhat: "positions") { (builder, object) throws(PhoneRowError) in
        try builder.readGPSLoggerObject(object)
      }
    case UInt8(ascii: "{"):
      // A placeholder without quotes may leave nothing, as in `"hdop":,`.
      readRow(text) { (builder) throws(PhoneRowError) in
        guard let object = PhoneObject(tolerant: text), object.isComplete else { throw Self.error(for: text) }
        try builder.readGPSLoggerObject(object)
      }
    default:
      readParameterRow(form: text) { (builder, row) throws(PhoneRowError) in
        try builder.readGPSLoggerRow(&row)
      }
    }
  }

  private mutating func readGPSLoggerObject(_ object: PhoneObject) throws(PhoneRowError) {
    var row = PhoneRow(PhoneObjectIgnoringCase(object: object))
    if !row.has("lat", "latitude"), let error = PhoneRowError.misplaced(object) { throw error }
    try readGPSLoggerRow(&row)
    recordIgnored(row)
  }

  private mutating func readGPSLoggerRow<Fields>(_ row: inout PhoneRow<Fields>) throws(PhoneRowError) {
    if row.has("gprmc"), !row.has("lat", "latitude") { return try readOpenGTSRow(&row) }
    // A template may have the form of OwnTracks' locations. Its other messages state no position of the device.
    if let type = row.text("_type"), type != "location" { throw PhoneRowError.ownTracksMessage }
    // Newer versions of Android state "unknown" as the serial number of every phone.
    let serial = row.text("ser").flatMap { $0 == "unknown" ? nil : $0 }
    let device = row.text("device", "id", "deviceid", "device_id") ?? serial ?? row.text("aid")
    recordDevice(device)
    let place = try row.coordinate(["lat", "latitude"], ["lon", "longitude", "lng", "long"])
    let time = try row.statedTime("timestamp", "time", "timeoffset", "tst", arrival: request.arrival)
    var phone = makeFix(place, time)
    phone.device = device
    phone.fix.horizontalAccuracy = row.positive("acc", "accuracy")
    if let height = row.number("alt", "altitude"), height != 0 { phone.fix.heightAboveGeoid = height }
    phone.fix.speed = row.positive("spd", "speed") ?? row.positive("spd_kph").map { $0 / 3.6 }
    phone.fix.course = row.course("dir", "direction", "bearing", "heading", zeroIsUnknown: true)
    phone.fix.satellitesUsed = row.count("sat", "satellites")
    phone.fix.horizontalDilution = row.dilution("hdop")
    phone.fix.verticalDilution = row.dilution("vdop")
    phone.fix.positionDilution = row.dilution("pdop")
    phone.battery = PhoneBattery(
      level: row.level("batt", "battery", full: 100), isCharging: row.flag("ischarging", "charging"))
    phone.provider = row.text("prov", "provider")
    phone.activities = row.text("act", "activity").map { [$0] } ?? []
    phone.fix.activity = Fix.StatedActivity(words: phone.activities)
    phone.note = row.text("desc", limit: 1024)
    append(phone)
  }
}
