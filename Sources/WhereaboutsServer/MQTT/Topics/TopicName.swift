import Whereabouts

/// A name that may be a level of a topic and an id of Home Assistant's discovery: letters, digits, `_` and `-`.
///
/// Another character becomes `_`, and eight digits of a hash distinguish such names, and names that are too long for a
/// topic.
struct TopicName: Hashable, Sendable {
  let text: String

  init(_ name: String) {
    let isPlain =
      !name.isEmpty && name.utf8.count <= DeviceID.maximumLength && name.utf8.allSatisfy(Self.isPlain)
    text = isPlain ? name : Self.replaced(name)
  }

  init(_ device: DeviceID) { self.init(device.rawValue) }

  /// The name as a part of an entity's id: small letters, digits and `_`.
  var entity: String { text.lowercased().replacing("-", with: "_") }

  private static func replaced(_ name: String) -> String {
    let kept = name.utf8.prefix(40).map { isPlain($0) ? $0 : UInt8(ascii: "_") }
    return String(decoding: kept, as: UTF8.self) + "_" + StableHash.digits(of: name)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Returns whether a text may be one level of a topic.
  static func isLevel(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.count <= 100
      && text.unicodeScalars.allSatisfy {
        $0.value > 0x20 && $0.value != 0x7F && !"/+#".unicodeScalars.contains($0)
      }
  }

  /// Returns whether a text may be the first levels of topics.
  static func isPrefix(_ text: some StringProtocol) -> Bool {
    text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { isLevel($0) }
      && !text.hasPrefix("$")
  }
}

/// A hash that is the same in every process.
enum StableHash {
  /// Returns eight hexadecimal digits.
  ///
  /// - Source: FNV-1a (draft-eastlake-fnv), 32 bits.
  static func digits(of text: String) -> String {
    var hash: UInt32 = 0x811C_9DC5
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
