/// A detector of the protocol in a line's first bytes, used where they contain no sentences.
struct ProtocolDetector: Sendable {
  /// A kind of bytes.
  enum Kind: Hashable, Sendable {
    case ublox, sirf, rtcm, gpsd, uncheckedSentences, text, noise
  }

  private static let sampleLimit = 512
  private var bytes: [UInt8] = []
  /// The number of bytes in all.
  private(set) var count = 0

  mutating func append(_ new: UnsafeRawBufferPointer) {
    count += new.count
    guard bytes.count < Self.sampleLimit else { return }
    bytes.append(contentsOf: new.prefix(Self.sampleLimit - bytes.count))
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Whether the bytes are certainly a receiver's binary protocol, so that the line's speed is right.
  var isBinaryProtocol: Bool {
    switch kind {
    case .ublox, .sirf: true
    case .rtcm, .gpsd, .uncheckedSentences, .text, .noise: false
    }
  }

  /// The kind of bytes detected.
  ///
  /// - Source: the frames of UBX (u-blox 8 / M8 interface description, 32.2: B5 62, class, number) and of SiRF binary
  ///   (SiRF binary protocol reference manual, 2.1: A0 A2 … B0 B3), and RTCM 10403 (D3, six bits of zero).
  var kind: Kind {
    if count(of: { $0 == 0xB5 && $1 == 0x62 && Self.ubxClasses.contains($2) }) >= 2 { return .ublox }
    if count(of: { $0 == 0xB0 && $1 == 0xB3 && $2 == 0xA0 }) >= 1 { return .sirf }
    if contains("{\"class\":") { return .gpsd }
    let printable = bytes.count { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }
    if !bytes.isEmpty, printable * 20 >= bytes.count * 19 {
      return contains("$GP") || contains("$GN") ? .uncheckedSentences : .text
    }
    if count(of: { first, second, _ in first == 0xD3 && second & 0xFC == 0 }) >= 3 { return .rtcm }
    return .noise
  }

  private static let ubxClasses: Set<UInt8> = [
    0x01, 0x02, 0x04, 0x05, 0x06, 0x09, 0x0A, 0x0B, 0x0D, 0x10, 0x13, 0x21, 0x27, 0x28,
  ]

  private func count(of isFrame: (UInt8, UInt8, UInt8) -> Bool) -> Int {
    guard bytes.count >= 3 else { return 0 }
    return (0...bytes.count - 3).count { isFrame(bytes[$0], bytes[$0 + 1], bytes[$0 + 2]) }
  }

  private func contains(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard bytes.count >= length else { return false }
    return (0...bytes.count - length).contains { start in
      (0..<length).allSatisfy { bytes[start + $0] == text.utf8Start[$0] }
    }
  }
}
