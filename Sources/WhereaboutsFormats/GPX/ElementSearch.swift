/// A search for the next element of a GPX document in bytes that the parser can't read.
struct ElementSearch {
  /// An element at which reading can resume.
  struct Landmark {
    /// A made-up beginning of a document, up to and with the element's name.
    let beginning: StaticString
    /// The number of bytes at the end of the beginning that are in the recording: the opening bracket and the name.
    let overlap: Int
    /// The offset of the opening bracket.
    let offset: Int
    /// The line of that bracket.
    let line: Int
  }

  private var offset: Int
  private var line: Int
  /// The bracket that may open an element, and the name after it so far, up to six bytes packed in a number below
  /// a 1, so that zeros count.
  private var bracket: (offset: Int, line: Int)?
  private var name: UInt64 = 1

  /// A search that begins at a place of the recording.
  init(offset: Int, line: Int) {
    self.offset = offset
    self.line = line
  }

  /// Looks through bytes, and gives the landmark and how many bytes come before the one that ended its name.
  mutating func find(in bytes: UnsafeRawBufferPointer) -> (landmark: Landmark, consumed: Int)? {
    for (index, byte) in bytes.enumerated() {
      defer {
        offset += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
      }
      if byte == UInt8(ascii: "<") {
        bracket = (offset, line)
        name = 1
      } else if let bracket {
        if byte.isXMLSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
          if let landmark = landmark(at: bracket) { return (landmark, index) }
          self.bracket = nil
        } else if name >> 56 == 0 {
          name = name << 8 | UInt64(byte)
        } else {
          self.bracket = nil
        }
      }
    }
    return nil
  }

  private func landmark(at bracket: (offset: Int, line: Int)) -> Landmark? {
    let found: (beginning: StaticString, overlap: Int)? =
      switch name {
      case Self.trkpt: ("<gpx><trk><trkseg><trkpt", 6)
      case Self.trkseg: ("<gpx><trk><trkseg", 7)
      case Self.trk: ("<gpx><trk", 4)
      case Self.wpt: ("<gpx><wpt", 4)
      case Self.rtept: ("<gpx><rte><rtept", 6)
      case Self.rte: ("<gpx><rte", 4)
      default: nil
      }
    return found.map {
      Landmark(beginning: $0.beginning, overlap: $0.overlap, offset: bracket.offset, line: bracket.line)
    }
  }

  // Names packed as they are read: a 1, then the letters.
  private static let trkpt: UInt64 = 0x01_74_72_6B_70_74
  private static let trkseg: UInt64 = 0x01_74_72_6B_73_65_67
  private static let trk: UInt64 = 0x01_74_72_6B
  private static let wpt: UInt64 = 0x01_77_70_74
  private static let rtept: UInt64 = 0x01_72_74_65_70_74
  private static let rte: UInt64 = 0x01_72_74_65
}
