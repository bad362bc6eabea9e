import Foundation
import Testing

@Suite struct StoreCheckTests {
  private func makeStore() async throws -> TestStore {
    let store = try TestStore()
    _ = try await store.fenceCommand("import", CommandRun.places)
    let run = try await store.command("track", "--source", CommandRun.driveSource, "--trip", "drive")
    #expect(run.code == 0, "\(run.errors)")
    return store
  }

  private func check(_ store: TestStore, _ more: String...) async throws -> CommandRun {
    try await CommandRun(["store", "check", "--store", store.path] + more)
  }

  @Test func wholeStoreIsReportedWhole() async throws {
    let store = try await makeStore()
    let fixes = try await store.command("history", "--json", "--all", "--since", "2000-01-01").lines.count
    let run = try await check(store)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.lines.count == 1 && run.output.contains(" is whole: \(fixes) fixes"), "\(run.output)")
    let json = try await check(store, "--json")
    #expect(json.code == 0 && json.lines.count == 1 && json.output.contains(#""whole":true,"faults":0"#))
  }

  @Test func damagedPageIsReportedWithARemedy() async throws {
    let store = try await makeStore()
    let file = try FileHandle(forUpdating: URL(filePath: store.path))
    let pages = try file.seekToEnd() / 4096
    try #require(pages > 12)
    // In the midst of the history. At the end of the file are pages that hold nothing yet.
    try file.seek(toOffset: pages / 2 * 4096)
    file.write(Data(repeating: 0x5A, count: 4096))
    try file.close()
    let run = try await check(store)
    #expect(run.code == 1, "\(run.output)")
    #expect(run.lines.contains { $0.hasPrefix("file: ") }, "\(run.output)")
    #expect(run.errors.contains("is damaged") && run.errors.contains(".recover"), "\(run.errors)")
    let json = try await check(store, "--json")
    #expect(json.code == 1 && json.output.contains(#""whole":false"#), "\(json.output)")
    #expect(json.lines.contains { $0.hasPrefix(#"{"fault":"file","message":"#) })
  }

  @Test(
    .enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"),
    arguments: [
      ("UPDATE fix SET source = 'mars' WHERE seq = 7", "row: device this: 1 fixes can't be understood"),
      ("UPDATE fix SET device = 99 WHERE seq < 5", "reference: table fix: 4 rows of no device"),
      ("UPDATE snapshot SET state = '{}'", "state: device this: "),
      ("UPDATE fence SET fence = 'x'", "state: device this: "),
      (
        "UPDATE fix SET seq = 9 WHERE seq = 8",
        "number: device this: 1 fixes have a number that another one has"
      ),
    ])
  func damagedRowIsReported(sql: String, fault: String) async throws {
    let store = try await makeStore()
    _ = try await CommandRun(shell: "sqlite3 '\(store.path)' \"\(sql)\"")
    let run = try await check(store)
    #expect(run.code == 1 && run.output.contains(fault), "\(sql): \(run.output)\(run.errors)")
  }
}
