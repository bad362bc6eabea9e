import Foundation
import Testing

/// The code that pages and doc comments show is code of this target, so it compiles, and most of it runs.
@Suite struct CodeBlockTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func files(in folder: String, _ suffix: String) throws -> [URL] {
    let url = package.appending(path: folder)
    let names = try #require(FileManager.default.enumerator(atPath: url.path())).compactMap { $0 as? String }
    return names.filter { $0.hasSuffix(suffix) }.sorted().map { url.appending(path: $0) }
  }

  private static func blocks() throws -> [CodeBlock] {
    let pages =
      [package.appending(path: "README.md")]
      + (try files(in: "Sources", ".md")) + (try files(in: "docs", ".md"))
    let sources = try files(in: "Sources", ".swift")
    return try (pages.map { ($0, false) } + sources.map { ($0, true) }).flatMap { file, isSource in
      let name = String(file.path().dropFirst(package.path().count))
      return CodeBlock.all(
        in: try String(contentsOf: file, encoding: .utf8), of: name, isSource: isSource)
    }
  }

  @Test func documentedBlocksAppearInExamples() throws {
    let files =
      try Self.files(in: "Tests/DocumentationTests", "Examples.swift")
      + Self.files(in: "StandIns/CoreLocation/Tests", "Examples.swift")
    let examples = try files.map {
      try String(contentsOf: $0, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    }
    let blocks = try Self.blocks()
    #expect(blocks.count >= 10, "the pages were found")
    for block in blocks where !examples.contains(where: block.appears) {
      Issue.record("\(block.file):\(block.line) is in no example:\n\(block.lines.joined(separator: "\n"))")
    }
  }

  @Test func indentedBlocksMatchAndDifferentOnesDoNot() {
    let page = """
      Text.

      ```swift
      import Whereabouts

      let one = 1
      if one == 1 {
        use(one)
      }
      ```
      """
    let blocks = CodeBlock.all(in: page, of: "page", isSource: false)
    #expect(blocks.map(\.line) == [3])
    let example = [
      "import Testing", "import Whereabouts", "func example() {", "  let one = 1", "  if one == 1 {",
      "    use(one)",
      "  }", "}",
    ]
    #expect(blocks.allSatisfy { $0.appears(in: example) })
    #expect(!blocks.contains { $0.appears(in: example.filter { $0 != "import Whereabouts" }) })
    #expect(!blocks.contains { $0.appears(in: example.map { $0 == "    use(one)" ? "  use(one)" : $0 }) })
    #expect(!blocks.contains { $0.appears(in: Array(example.dropLast(3))) })
    let comment = page.split(separator: "\n", omittingEmptySubsequences: false).map { "  /// \($0)" }
    #expect(
      CodeBlock.all(in: comment.joined(separator: "\n"), of: "source", isSource: true).map(\.lines)
        == blocks.map(\.lines))
  }
}
