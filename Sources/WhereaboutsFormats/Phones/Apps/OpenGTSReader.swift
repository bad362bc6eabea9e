import WhereaboutsModel
import WhereaboutsGeodesy

// OpenGTS' protocol, as GPSLogger's mode for it sends it: a parameter with a sentence GPRMC, beside the device's name.
// Degrees have no leading zeros, and unknown values are 0.
//
// Source: GPSLogger's OpenGTSManager.

extension PhoneReportBuilder {
  /// Reads a row with a sentence in place of a latitude and a longitude.
  mutating func readOpenGTSRow<Fields>(_ row: inout PhoneRow<Fields>) throws(PhoneRowError) {
    let device = row.text("dev", "id")
    recordDevice(device)
    let words = (row.text("gprmc") ?? "").split(separator: ",", omittingEmptySubsequences: false)
    guard words.count >= 10, words[0].hasSuffix("RMC") else {
      throw PhoneRowError(.malformed, "gprmc is no sentence RMC")
    }
    guard words[2] == "A" else {
      throw PhoneRowError(.missing, "the tracker marks its position as invalid")
    }
    guard let latitude = Self.degrees(words[3], words[4], "N", "S"),
      let longitude = Self.degrees(words[5], words[6], "E", "W")
    else { throw PhoneRowError(.badNumber, "gprmc has no readable latitude and longitude") }
    guard let time = Self.instant(words[1], date: words[9]) else {
      throw PhoneRowError(.badTime, "gprmc has no readable time")
    }
    var phone = makeFix(
      try PhoneRow<Fields>.coordinate(latitude, longitude), time.corrected(.bySize, arrival: request.arrival))
    phone.device = device
    phone.fix.speed = Self.positive(words[7]).map { $0 * 1852 / 3600 }
    phone.fix.course = Self.positive(words[8]).flatMap { $0 < 360 ? $0 : nil }
    if let height = row.number("alt"), height != 0 { phone.fix.heightAboveGeoid = height }
    let level = row.level("batt", full: 100)
    phone.battery = PhoneBattery(level: level == 0 ? nil : level, isCharging: nil)
    append(phone)
  }

  private static func positive(_ text: Substring) -> Double? {
    var text = text
    return text.withUTF8 { Decimal.parse(UnsafeRawBufferPointer($0)) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Returns the degrees of `DDDMM.MMMMM` and its hemisphere. The minutes may read 60.
  private static func degrees(
    _ text: Substring, _ letter: Substring, _ positive: Substring, _ negative: Substring
  ) -> Double? {
    var text = text
    guard letter == positive || letter == negative,
      let number = text.withUTF8({ Decimal.parse(UnsafeRawBufferPointer($0)) }), number >= 0
    else { return nil }
    let whole = (number / 100).rounded(.down)
    let degrees = whole + (number - whole * 100) / 60
    return letter == negative ? 0 - degrees : degrees
  }

  /// Returns the instant of `HHMMSS` and `DDMMYY`.
  private static func instant(_ time: Substring, date: Substring) -> UTCTime? {
    guard time.utf8.count >= 6, date.utf8.count == 6 else { return nil }
    func pair(_ text: Substring, _ index: Int) -> Substring { text.dropFirst(2 * index).prefix(2) }
    let day = "20\(pair(date, 2))-\(pair(date, 1))-\(pair(date, 0))"
    return UTCTime(
      iso8601: "\(day)T\(pair(time, 0)):\(pair(time, 1)):\(pair(time, 2))\(time.dropFirst(6))Z")
  }
}
