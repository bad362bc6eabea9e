import WhereaboutsModel
import WhereaboutsGeodesy

/// A report while its request is read.
struct PhoneReportBuilder {
  let request: PhoneRequest
  let settings: PhoneSettings
  /// The settings of further devices whose rows the request holds, by the name that a row states.
  let furtherSettings: [DeviceID: PhoneSettings]
  /// The body; valid while it is read.
  let body: UnsafeRawBufferPointer
  var report: PhoneReport
  /// The index of the next row in the body.
  private var index = 0
  /// The device that the present row states.
  private var rowDevice: String?

  init(
    _ dialect: PhoneDialect, _ request: PhoneRequest, _ settings: PhoneSettings,
    _ furtherSettings: [DeviceID: PhoneSettings], body: UnsafeRawBufferPointer
  ) {
    self.body = body
    self.request = request
    self.settings = settings
    self.furtherSettings = furtherSettings
    report = PhoneReport(dialect)
    report.identity.user = request.user.flatMap(Self.name)
    report.identity.device = request.device.flatMap(Self.name)
  }

  private static func name(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { UnsafeRawBufferPointer($0).plainText(limit: 256) }
  }

  /// The place of the next row in the whole request; `nil` if the body is that of the whole request.
  private var rowPlace: PhoneRequest.RowPlace? {
    guard let places = request.rowPlaces, places.indices.contains(index) else { return nil }
    return places[index]
  }

  /// The index of the next row in the whole request.
  var row: Int { rowPlace?.row ?? index }

  /// Returns the settings for a row of the device that it states.
  func settings(of device: String?) -> PhoneSettings {
    device.flatMap { furtherSettings[DeviceID($0)] } ?? settings
  }

  // MARK: Rows

  /// Reads one row; an error sets it aside.
  ///
  /// - Parameter bytes: the row, a part of the body.
  mutating func readRow(
    _ bytes: UnsafeRawBufferPointer,
    _ read: (inout PhoneReportBuilder) throws(PhoneRowError) -> Void
  ) {
    rowDevice = nil
    do throws(PhoneRowError) {
      try read(&self)
    } catch {
      reject(error, bytes, at: body.offset(of: bytes))
    }
    index += 1
  }

  /// Reads each element of an array as a row.
  mutating func readRows(
    of array: UnsafeRawBufferPointer, ofWhat what: StaticString,
    _ read: (inout PhoneReportBuilder, PhoneObject) throws(PhoneRowError) -> Void
  ) {
    var scanner = JSONScanner.lenient(array)
    let isEnded = scanner.forEachElement { bytes, _ in
      readObjectRow(bytes, read)
    }
    guard !isEnded, scanner.peek() != nil else { return }
    let rest = UnsafeRawBufferPointer(rebasing: array[scanner.position...])
    readRow(rest) { _ throws(PhoneRowError) in
      throw PhoneRowError(.malformed, "not a list of \(what)")
    }
  }

  /// Reads an object as a row.
  mutating func readObjectRow(
    _ bytes: UnsafeRawBufferPointer,
    _ read: (inout PhoneReportBuilder, PhoneObject) throws(PhoneRowError) -> Void
  ) {
    readRow(bytes) { (builder) throws(PhoneRowError) in
      guard let object = PhoneObject(bytes) else { throw Self.error(for: bytes) }
      try read(&builder, object)
    }
  }

  /// Returns the reason why bytes are no object.
  static func error(for bytes: UnsafeRawBufferPointer) -> PhoneRowError {
    let text = bytes.withoutOuterSpace
    guard text.first == UInt8(ascii: "{") else { return PhoneRowError(.malformed, "not a JSON object") }
    guard text.last == UInt8(ascii: "}") else {
      return PhoneRowError(.truncated, "the JSON ends in the middle")
    }
    return PhoneRowError(.malformed, "the JSON is not well formed")
  }

  /// Reads the parameters of the query and of a form as a row.
  mutating func readParameterRow(
    form: UnsafeRawBufferPointer,
    _ read: (inout PhoneReportBuilder, inout PhoneRow<PhoneParameters>) throws(PhoneRowError) -> Void
  ) {
    var query = request.query
    query.withUTF8 { query in
      let texts = [UnsafeRawBufferPointer(query), form]
      PhoneParameters.read(texts) { parameters in
        rowDevice = nil
        do throws(PhoneRowError) {
          var values = PhoneRow(parameters)
          try read(&self, &values)
          recordIgnored(values)
        } catch {
          PhoneParameters.redacted(texts).withUnsafeBytes { reject(error, $0, at: 0) }
        }
        index += 1
      }
    }
  }

  mutating func reject(_ error: PhoneRowError, _ bytes: UnsafeRawBufferPointer, at offset: Int) {
    report.rejectionCount += 1
    guard report.rejections.count < PhoneReport.maxSamples else { return }
    report.rejections.append(
      PhoneRejection(
        kind: error.kind, reason: error.reason, row: row, device: rowDevice,
        byteOffset: offset + (rowPlace?.shift ?? 0), bytes: Array(bytes.prefix(PhoneRejection.maxBytes)),
        byteCount: bytes.count))
  }

  /// Records the values that were ignored in a row.
  mutating func recordIgnored<Fields>(_ values: PhoneRow<Fields>) {
    for (name, reason) in values.ignored { recordIgnored("\(name)", "\(reason)") }
  }

  mutating func recordIgnored(_ name: String, _ reason: String) {
    report.ignoredValueCount += 1
    guard report.ignoredValues.count < PhoneReport.maxSamples else { return }
    report.ignoredValues.append(PhoneIgnoredValue(row: row, name: name, reason: reason))
  }

  /// Counts a message without a position by its type.
  mutating func countOther(_ type: String) {
    var type = type
    type.withUTF8 { report.otherMessages.count(UnsafeRawBufferPointer($0)) }
  }

  // MARK: Content

  /// Returns a position of this row with nothing else.
  func makeFix(_ place: Coordinate, _ time: PhoneTime) -> PhoneFix {
    PhoneFix(
      Fix(coordinate: place, time: time.stated, source: .phone), time: time.time, timeOrigin: time.origin,
      row: row)
  }

  /// The difference of two units from which a speed states its error, in metres per second: less is a usual error of a
  /// receiver.
  private static let leastSpeedDifference = 0.3

  /// Sets a speed whose unit differs between apps.
  ///
  /// If the unit is unknown, the error of the speed reaches to the same number in m/s. A wrong speed without an error
  /// contradicts the places, and crossings would be missed.
  ///
  /// - Parameters:
  ///   - unit: the unit; `nil` if it is unknown.
  ///   - assumed: the unit of the protocol.
  mutating func setSpeed(
    _ speed: Double, in unit: PhoneSettings.SpeedUnit?, or assumed: PhoneSettings.SpeedUnit, of fix: inout Fix
  ) {
    let read = (unit ?? assumed).inMetresPerSecond(speed)
    fix.speed = read
    guard unit == nil else { return }
    report.hasAmbiguousSpeed = true
    if speed - read >= Self.leastSpeedDifference { fix.speedAccuracy = speed - read }
  }

  /// Adds a position, without a speed that is impossible: after it, right positions would be implausible. Our own form
  /// is kept as it is.
  mutating func append(_ fix: PhoneFix) {
    var fix = fix
    if report.dialect != .whereabouts, let speed = fix.fix.speed, Fix.isImpossible(speed: speed) {
      fix.fix.speed = nil
      fix.fix.speedAccuracy = nil
      recordIgnored("speed", PhoneReport.impossibleSpeed)
    }
    report.fixes.append(fix)
    if let battery = fix.battery { recordBattery(battery, at: fix.time) }
  }

  /// Records a battery with its time; `nil` if the message states none.
  mutating func recordBattery(_ battery: PhoneBattery, at time: UTCTime?) {
    report.battery = battery
    report.batteryTime = time
    report.batteryDevice = rowDevice
  }

  /// Records the device that a message states: of its row, and of the request if it is the first.
  mutating func recordDevice(_ name: String?) {
    rowDevice = name
    if report.identity.device == nil { report.identity.device = name }
  }

  /// Records the name of HTTP Basic, once the whole request is read: the phones of a household may share one.
  mutating func recordBasicUser() {
    report.identity.user = report.identity.user ?? request.basicUser.flatMap(Self.name)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the offset of a part of these bytes.
  func offset(of part: UnsafeRawBufferPointer) -> Int {
    guard let start = baseAddress, let partStart = part.baseAddress else { return 0 }
    return partStart - start
  }

  /// These bytes without a byte order mark.
  var withoutByteOrderMark: UnsafeRawBufferPointer {
    starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeRawBufferPointer(rebasing: self[3...]) : self
  }
}

extension Fix {
  /// Sets the height above mean sea level and its accuracy.
  ///
  /// Apple's platforms state a negative accuracy for an unknown height, which is then 0.
  mutating func setHeight(_ height: Double?, accuracy: Double?) {
    if let accuracy, accuracy < 0, height == 0 { return }
    heightAboveGeoid = height
    guard height != nil, let accuracy, accuracy > 0 else { return }
    verticalAccuracy = accuracy
  }
}
