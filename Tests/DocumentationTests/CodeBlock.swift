/// A piece of Swift in a page or in a doc comment, to be looked for in the examples.
struct CodeBlock {
  var file: String
  var line: Int
  /// Without the indentation that all of them share.
  var lines: [String]

  /// Every ```` ```swift ```` block of a text.
  ///
  /// - Parameter isSource: the text is Swift, and the blocks are in its doc comments.
  static func all(in text: String, of file: String, isSource: Bool) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: CodeBlock?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let content = isSource ? comment(in: line) : String(line) else { continue }
      let word = content.trimmed
      if var block = open {
        if word == "```" {
          block.lines = block.lines.outdented
          blocks.append(block)
          open = nil
        } else {
          block.lines.append(content)
          open = block
        }
      } else if word == "```swift" {
        open = CodeBlock(file: file, line: index + 1, lines: [])
      }
    }
    if let open { blocks.append(open) }
    return blocks
  }

  private static func comment(in line: some StringProtocol) -> String? {
    let text = String(line).trimmed
    guard text.hasPrefix("///") else { return nil }
    return String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3))
  }

  /// Whether the block stands in a source file, line by line and somewhat indented. Imports that it begins with may
  /// stand apart from the rest.
  func appears(in source: [String]) -> Bool {
    let imports = lines.prefix { $0.hasPrefix("import ") || $0.isEmpty }
    let rest = Array(lines.dropFirst(imports.count))
    guard imports.allSatisfy({ $0.isEmpty || source.contains($0) }) else { return false }
    guard !rest.isEmpty else { return true }
    return (0...max(0, source.count - rest.count)).contains { start in
      start + rest.count <= source.count
        && source[start].trimmed == rest[0].trimmed
        && Array(source[start..<start + rest.count]).outdented == rest.outdented
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension [String] {
  /// These lines without the indentation that all but the empty ones share.
  fileprivate var outdented: [String] {
    let indentation = filter { !$0.trimmed.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return map { $0.trimmed.isEmpty ? "" : String($0.dropFirst(indentation)) }
  }
}
