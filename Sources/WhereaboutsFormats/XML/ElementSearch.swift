/// An element at which reading can resume after a failure of the parser.
struct ElementLandmark: Sendable {
  /// A made-up beginning of a document, up to and with the opening bracket and the element's name.
  let beginning: String
  /// The number of bytes at the end of the beginning that are in the recording: the bracket and the name.
  let overlap: Int
  let nameHash: UInt64
  private let name: String
  private let parents: String

  /// - Parameters:
  ///   - name: the name of the element.
  ///   - parents: the opening tags of the elements around it, without attributes.
  init(_ name: String, after parents: String) {
    beginning = parents + "<" + name
    overlap = 1 + name.utf8.count
    nameHash = name.utf8.reduce(Self.emptyHash) { Self.hash($0, $1) }
    self.name = name
    self.parents = parents
  }

  /// Returns this landmark with a prefix of a namespace, as in `<g:trkpt>`. The elements around it have the same prefix,
  /// which their end tags state.
  func prefixed(by prefix: [UInt8]) -> ElementLandmark {
    let prefix = String(decoding: prefix, as: UTF8.self) + ":"
    return ElementLandmark(prefix + name, after: parents.replacing("<", with: "<" + prefix))
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
  /// The bytes of that name.
  private var nameBytes: [UInt8] = []
  /// The prefix of a namespace before that name.
  private var prefix: [UInt8]?

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
        prefix = nil
        beginName()
      } else if let bracket {
        if byte.isXMLSpace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
          if let landmark = landmarks.first(where: { $0.nameHash == name && $0.overlap == nameLength + 1 }) {
            let found = prefix.map { landmark.prefixed(by: $0) } ?? landmark
            return (Finding(landmark: found, offset: bracket.offset, line: bracket.line), index)
          }
          self.bracket = nil
        } else if byte == UInt8(ascii: ":"), prefix == nil, Self.isPrefix(nameBytes) {
          prefix = nameBytes
          beginName()
        } else if nameLength < Self.longestName {
          name = ElementLandmark.hash(name, byte)
          nameLength += 1
          nameBytes.append(byte)
        } else {
          self.bracket = nil
        }
      }
    }
    return nil
  }

  private mutating func beginName() {
    (name, nameLength) = (ElementLandmark.emptyHash, 0)
    nameBytes.removeAll(keepingCapacity: true)
  }

  /// Returns whether bytes are a prefix of a namespace in ASCII, whatever the encoding of the document.
  private static func isPrefix(_ bytes: [UInt8]) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { byte in
      isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
  }
}
