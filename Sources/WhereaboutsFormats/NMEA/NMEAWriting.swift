import WhereaboutsModel
import WhereaboutsGeodesy

/// The parts that sentences of NMEA 0183 are made of.
extension [UInt8] {
  /// Appends a sentence: dollar sign, the closure's output, checksum and line end.
  mutating func appendSentence(_ body: (inout [UInt8]) -> Void) {
    append(UInt8(ascii: "$"))
    let start = count
    body(&self)
    let checksum = self[start...].reduce(0, ^)
    append(UInt8(ascii: "*"))
    append(Self.hexDigit(checksum >> 4))
    append(Self.hexDigit(checksum & 15))
    append(UInt8(ascii: "\r"))
    append(UInt8(ascii: "\n"))
  }

  /// Appends a sentence whose text is known.
  mutating func appendSentence(_ body: StaticString) {
    appendSentence { $0.append(body) }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 48 + value : UInt8(ascii: "A") + value - 10
  }

  /// Appends `ddmm.mmmmmm,N,dddmm.mmmmmm,E`.
  mutating func appendNMEA(_ coordinate: Coordinate) {
    appendAngle(coordinate.latitude, degrees: 2)
    append(coordinate.latitude < 0 ? ",S," : ",N,")
    appendAngle(coordinate.longitude, degrees: 3)
    append(coordinate.longitude < 0 ? ",W" : ",E")
  }

  /// Degrees and minutes, counted in whole millionths of a minute, so that none is ever rounded up to sixty.
  private mutating func appendAngle(_ angle: Double, degrees: Int) {
    let millionths = Int((angle.magnitude * 60_000_000).rounded())
    let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 60_000_000)
    appendDigits(whole, count: degrees)
    appendDigits(rest / 1_000_000, count: 2)
    append(UInt8(ascii: "."))
    appendDigits(rest % 1_000_000, count: 6)
  }

  /// Appends `hhmmss.ss`, with three decimals where the time has them; nothing where there is none.
  mutating func appendTimeOfDay(_ time: UTCTime?) {
    guard let civil = time?.civil else { return }
    appendDigits(civil.hour, count: 2)
    appendDigits(civil.minute, count: 2)
    appendDigits(civil.second, count: 2)
    append(UInt8(ascii: "."))
    let thousandths = civil.nanosecond / 1_000_000
    if thousandths % 10 == 0 {
      appendDigits(thousandths / 10, count: 2)
    } else {
      appendDigits(thousandths, count: 3)
    }
  }

  /// Appends `ddmmyy`; nothing where there is no time.
  mutating func appendDate(_ time: UTCTime?) {
    guard let civil = time?.civil else { return }
    appendDigits(civil.day, count: 2)
    appendDigits(civil.month, count: 2)
    appendDigits(civil.year % 100, count: 2)
  }

  /// Appends an angle in [0, 360), which rounding must not bring to 360; nothing where there is none.
  mutating func appendDegrees(_ degrees: Double?, places: Int) {
    guard let degrees else { return }
    let isNearlyRound = degrees + (places == 1 ? 0.05 : 0.005) >= 360
    appendFixed(isNearlyRound ? 0 : degrees, places: places)
  }

  /// Appends a number with so many decimals; nothing where there is none, or one that nothing on Earth has.
  mutating func appendFixed(_ value: Double?, places: Int) {
    guard let value, value.magnitude < 1e9 else { return }
    appendFixed(value, places: places, digits: 1)
  }
}
