import WhereaboutsModel
import WhereaboutsGeodesy

/// A `B` record: `B HHMMSS DDMMmmmN DDDMMmmmE A PPPPP GGGGG` without the spaces, and extensions after it.
struct IGCPosition {
  /// The length without extensions.
  static let length = 35

  /// The time of day; `nil` if there is no such time.
  let time: TimeOfDay?
  /// Whether the solution was in three dimensions.
  let isValid: Bool
  /// The GNSS altitude in metres.
  let altitude: Double?
  private let latitude: (degrees: Int, thousandths: Int, isNegative: Bool)
  private let longitude: (degrees: Int, thousandths: Int, isNegative: Bool)

  /// - Returns: `nil` for a line of another form.
  init?(_ line: UnsafeRawBufferPointer) {
    guard line.count >= Self.length, let hour = line.digits(1..<3), let minute = line.digits(3..<5),
      let second = line.digits(5..<7), let latitude = line.digits(7..<9),
      let longitude = line.digits(15..<18),
      let latitudeMinutes = line.digits(9..<14), let longitudeMinutes = line.digits(18..<23)
    else { return nil }
    let north = line[14], east = line[23], validity = line[24]
    guard north == UInt8(ascii: "N") || north == UInt8(ascii: "S"),
      east == UInt8(ascii: "E") || east == UInt8(ascii: "W"),
      validity == UInt8(ascii: "A") || validity == UInt8(ascii: "V")
    else { return nil }
    let seconds = Int64(hour * 3600 + minute * 60 + second)
    let isTime = hour < 24 && minute < 60 && second < 60
    time = isTime ? TimeOfDay(nanoseconds: seconds * 1_000_000_000) : nil
    self.latitude = (latitude, latitudeMinutes, north == UInt8(ascii: "S"))
    self.longitude = (longitude, longitudeMinutes, east == UInt8(ascii: "W"))
    isValid = validity == UInt8(ascii: "A")
    altitude = line.signedNumber(30..<35)
  }

  /// Returns the place, with the further digits of the extensions; `nil` if it is none.
  func coordinate(_ extensions: IGCExtensions, in line: UnsafeRawBufferPointer) -> Coordinate? {
    func degrees(_ value: (degrees: Int, thousandths: Int, isNegative: Bool), _ further: Double) -> Double? {
      guard value.thousandths < 60_000 else { return nil }
      let magnitude = Double(value.degrees) + (Double(value.thousandths) + further) / 60_000
      return value.isNegative ? -magnitude : magnitude
    }
    guard let latitude = degrees(latitude, extensions.fraction("LAD", in: line)),
      let longitude = degrees(longitude, extensions.fraction("LOD", in: line))
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the number of some digits; `nil` if there are other characters.
  func digits(_ range: Range<Int>) -> Int? {
    guard range.upperBound <= count, range.count <= 9 else { return nil }
    var number = 0
    for index in range {
      guard let digit = self[index].asciiDigit else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Returns the number of a field that may have a minus sign among its leading zeros, as in `-0012`.
  func signedNumber(_ range: Range<Int>) -> Double? {
    guard range.upperBound <= count else { return nil }
    return Decimal.parse(UnsafeRawBufferPointer(rebasing: self[range]))
  }
}
