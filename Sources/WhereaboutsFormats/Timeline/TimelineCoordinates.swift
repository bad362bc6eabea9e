import WhereaboutsModel
import WhereaboutsGeodesy

/// Coordinates as a Timeline writes them.
enum TimelineCoordinates {
  /// Returns the place of whole numbers in 10⁻⁷ degrees; `nil` if it is no place.
  ///
  /// Old exports wrote negative numbers without their sign: 2³² too much.
  static func place(latitudeE7: JSONItem?, longitudeE7: JSONItem?) -> Coordinate? {
    guard var latitude = latitudeE7?.number, var longitude = longitudeE7?.number else { return nil }
    if latitude > 900_000_000 { latitude -= 4_294_967_296 }
    if longitude > 1_800_000_000 { longitude -= 4_294_967_296 }
    return Coordinate(latitude: latitude / 1e7, longitude: longitude / 1e7)
  }

  /// Returns the place of an object with E7 members of either spelling.
  static func place(of object: JSONItem?) -> Coordinate? {
    guard let object else { return nil }
    return place(
      latitudeE7: object.member("latitudeE7") ?? object.member("latE7"),
      longitudeE7: object.member("longitudeE7") ?? object.member("lngE7"))
  }

  /// Returns the place of a text, or of an object whose `latLng` is one; `nil` if it is no place.
  static func place(ofText item: JSONItem?) -> Coordinate? {
    guard let item else { return nil }
    if item.isObject { return place(ofText: item.member("latLng") ?? item.member("LatLng")) }
    return item.withText { place($0) }
  }

  /// Returns the place of a text such as `52.5163°, 13.3777°` or `geo:52.5163,13.3777`; `nil` if it is no place.
  ///
  /// A third number is a height. Any bytes may follow a number: the sign of degrees in any encoding.
  static func place(_ text: UnsafeRawBufferPointer) -> Coordinate? {
    var numbers: [Double] = []
    var position = text.starts(with: "geo:".utf8) ? 4 : 0
    // Parameters of a URI.
    let end = text.firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "?") } ?? text.count
    while position <= end {
      while position < end, text[position] == 0x20 { position += 1 }
      let start = position
      while position < end, text[position].isPartOfNumber { position += 1 }
      guard position > start, numbers.count < 3,
        let number = Decimal.parse(UnsafeRawBufferPointer(rebasing: text[start..<position]))
      else { return nil }
      numbers.append(number)
      while position < end, text[position] != UInt8(ascii: ",") {
        // Two numbers without a comma between them are something else.
        guard !text[position].isDigit else { return nil }
        position += 1
      }
      guard position < end else { break }
      position += 1
    }
    guard numbers.count >= 2 else { return nil }
    return Coordinate(latitude: numbers[0], longitude: numbers[1])
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self &- 48 < 10 }

  fileprivate var isPartOfNumber: Bool {
    isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "+") || self == UInt8(ascii: ".")
      || self == UInt8(ascii: "e") || self == UInt8(ascii: "E")
  }
}
