import Foundation

/// The canonical form of typed text: keyboards differ in how they compose the same characters.
enum UserText {
  /// Returns the text in Unicode's normalization form C.
  static func normalized(_ text: String) -> String {
    text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
  }
}
