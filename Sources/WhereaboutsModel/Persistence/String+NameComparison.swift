/// Names are compared by their bytes, as in a store. Swift's own comparison takes all forms of a letter in Unicode for the
/// same one.
extension String {
  func hasSameBytes(as other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }

  /// Returns whether this name sorts before another one; among the forms of one name, by bytes.
  func sortsBefore(_ other: String) -> Bool {
    guard self == other else { return self < other }
    return utf8.lexicographicallyPrecedes(other.utf8)
  }
}
