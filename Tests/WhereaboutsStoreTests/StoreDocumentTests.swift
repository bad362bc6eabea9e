import Dispatch
import Foundation
import GRDB
import Testing

@testable import WhereaboutsStore

/// Runs the `sqlite3` queries of `docs/store.md`.
@Suite struct StoreDocumentTests {
  private static let program = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
    .first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

  private func document() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent("docs/store.md"), encoding: .utf8)
  }

  private func queries() throws -> [String] {
    let text = try document()
    let blocks = text.components(separatedBy: "```sql\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    // A comment would be parsed as an option.
    let bare = blocks.map { block in
      block.components(separatedBy: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
    }
    return bare.flatMap { $0.components(separatedBy: ";") }
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
  }

  private func runQuery(_ query: String, of file: String, with program: String) throws -> (
    status: Int32, text: String
  ) {
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [file, query]
    process.standardOutput = pipe
    process.standardError = pipe
    // `waitUntilExit` may spin forever on a thread of the tests' pool.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    ended.wait()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  @Test(.enabled(if: program != nil, "there is no sqlite3 program"))
  func documentedQueriesRunWhileTheStoreIsOpen() async throws {
    let program = try #require(Self.program)
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try await StoreScenario.write(to: store)
    let queries = try queries()
    #expect(queries.count >= 8)
    for query in queries {
      let answer = try runQuery(query, of: folder.file, with: program)
      #expect(answer.status == 0 && !answer.text.isEmpty, "\(query): \(answer.text)")
    }
    let crossing = try runQuery("SELECT time, lat FROM crossings", of: folder.file, with: program)
    #expect(crossing.text == "2023-11-14T22:13:22.000Z|48.0\n")
    withExtendedLifetime(store) {}
  }

  @Test func everyTableAndColumnIsDocumented() throws {
    let text = try document(), folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let names = try store.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')
            AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'
          UNION SELECT name FROM pragma_table_info('fix') UNION SELECT name FROM pragma_table_info('device')
          """)
    }
    for name in names { #expect(text.contains("`\(name)`"), "\(name) is not in docs/store.md") }
  }
}
