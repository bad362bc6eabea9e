import WhereaboutsModel
import WhereaboutsGeodesy

/// A place of a KML document: longitude, latitude and a number that may be a height.
struct KMLPlace {
  let coordinate: Coordinate
  private let altitude: Double?

  /// Returns the height above the sea, if the mode of the geometry makes the third number one.
  func height(_ isAbsolute: Bool) -> Double? { isAbsolute ? altitude : nil }

  /// Creates the place of numbers between commas; `nil` if it is none.
  init?(_ tuple: UnsafeRawBufferPointer) { self.init(tuple, separator: UInt8(ascii: ",")) }

  /// Creates the place of numbers between blanks; `nil` if it is none.
  init?(separatedByBlanks text: UnsafeRawBufferPointer) { self.init(text, separator: 0x20) }

  private init?(_ text: UnsafeRawBufferPointer, separator: UInt8) {
    var numbers = (0.0, 0.0, 0.0), count = 0, start = 0
    while start <= text.count {
      var end = start
      while end < text.count, text[end] != separator { end += 1 }
      // Several blanks are one separator.
      if end > start || separator != 0x20 {
        guard count < 3, let number = Decimal.parse(UnsafeRawBufferPointer(rebasing: text[start..<end]))
        else {
          return nil
        }
        switch count {
        case 0: numbers.0 = number
        case 1: numbers.1 = number
        default: numbers.2 = number
        }
        count += 1
      }
      start = end + 1
    }
    guard count >= 2, let coordinate = Coordinate(latitude: numbers.1, longitude: numbers.0) else {
      return nil
    }
    self.coordinate = coordinate
    altitude = count > 2 ? numbers.2 : nil
  }
}

/// A parser of `coordinates`: tuples between white space, in pieces of any size.
struct KMLTupleParser {
  private var tuple: [UInt8] = []
  /// Longer tuples are no places.
  private static let limit = 128

  /// Passes the place of each tuple that these bytes complete; `nil` for one that is no place.
  mutating func parse(_ bytes: UnsafeRawBufferPointer, _ body: (KMLPlace?) -> Void) {
    for byte in bytes {
      if byte.isXMLSpace {
        finish(body)
      } else if tuple.count <= Self.limit {
        tuple.append(byte)
      }
    }
  }

  /// Passes the last tuple.
  mutating func finish(_ body: (KMLPlace?) -> Void) {
    guard !tuple.isEmpty else { return }
    body(tuple.count > Self.limit ? nil : tuple.withUnsafeBytes { KMLPlace($0) })
    tuple.removeAll(keepingCapacity: true)
  }
}
