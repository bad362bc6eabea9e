/// An element at which reading can resume after a failure of the parser.
struct ElementLandmark: Sendable {
  /// A made-up beginning of a document, up to and with the opening bracket and the element's name.
  let beginning: String
  /// The number of bytes at the end of the beginning that are in the recording: the bracket and the name.
  let overlap: Int
  let nameHash: UInt64

  /// - Parameters:
  ///   - name: the name of the element.
  ///   - parents: the opening tags of the elements around it.
  init(_ name: String, after parents: String) {
    beginning = parents + "<" + name
    overlap = 1 + name.utf8.count
    nameHash = name.utf8.reduce(Self.emptyHash) { Self.hash($0, $1) }
  }

  /// The hash of no bytes.
  static let emptyHash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Returns the hash of some bytes and one more, by FNV-1a.
  static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}

/// A search for the next landmark of a document in bytes that the parser can't read.
struct ElementSearch {
  /// A landmark in the recording.
  struct Finding {
    let landmark: ElementLandmark
    /// The offset of the opening bracket.
    let offset: Int
    /// The line of that bracket.
    let line: Int
  }

  private let landmarks: [ElementLandmark]
  private var offset: Int
  private var line: Int
  /// The bracket that may open an element, and the hash and length of the name after it so far.
  private var bracket: (offset: Int, line: Int)?
  private var name = ElementLandmark.emptyHash
  private var nameLength = 0

  /// No landmark's name is longer.
  private static let longestName = 32

  /// Creates a search that begins at a place of the recording.
  init(_ landmarks: [ElementLandmark], offset: Int, line: Int) {
    self.landmarks = landmarks
    self.offset = offset
    self.line = line
  }

  /// Searches bytes for a landmark; returns it with the number of bytes before the end of its name.
  mutating func find(in bytes: UnsafeRawBufferPointer) -> (finding: Finding, consumed: Int)? {
    for (index, byte) in bytes.enumerated() {
      defer {
        offset += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
      }
      if byte == UInt8(ascii: "<") {
        bracket = (offset, line)
        (name, nameLength) = (ElementLandmark.emptyHash, 0)
      } else if let bracket {
        if byte.isXMLSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
          if let landmark = landmarks.first(where: { $0.nameHash == name && $0.overlap == nameLength + 1 }) {
            return (Finding(landmark: landmark, offset: bracket.offset, line: bracket.line), index)
          }
          self.bracket = nil
        } else if nameLength < Self.longestName {
          name = ElementLandmark.hash(name, byte)
          nameLength += 1
        } else {
          self.bracket = nil
        }
      }
    }
    return nil
  }
}
