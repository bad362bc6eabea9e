/// The open elements of a document, from its root inwards, each with the level that the handler assigns.
///
/// An element without a level is skipped with everything in it. Nesting is limited, since each open element costs the
/// parser memory.
struct XMLElementPath<Level: Equatable> {
  /// Deeper nesting than any schema has.
  private static var maxDepth: Int { 100 }
  static var tooDeep: StaticString { "elements nested more than 100 deep" }

  enum Beginning {
    /// An element in one that has a level.
    case child(of: Level)
    /// An element in one that is skipped.
    case skipped
    /// Deeper than the limit.
    case tooDeep
  }

  private(set) var levels: [Level]
  /// Open elements within the one that is skipped, that one included.
  private var skippedCount = 0

  /// Begins outside of the root element.
  init(document: Level) { levels = [document] }

  var isSkipping: Bool { skippedCount > 0 }
  var level: Level? { levels.last }
  /// Whether no element with a level is open.
  var isAtDocument: Bool { levels.count == 1 }

  /// Places an element that begins. A child is then entered or skipped.
  mutating func begin() -> Beginning {
    guard levels.count + skippedCount <= Self.maxDepth else { return .tooDeep }
    guard skippedCount == 0, let level = levels.last else {
      skippedCount += 1
      return .skipped
    }
    return .child(of: level)
  }

  mutating func enter(_ level: Level) { levels.append(level) }

  mutating func skip() { skippedCount = 1 }

  /// Ends the innermost element.
  ///
  /// - Returns: its level; `nil` if it was skipped.
  mutating func end() -> Level? {
    guard skippedCount == 0 else {
      skippedCount -= 1
      return nil
    }
    return levels.removeLast()
  }
}
