import Foundation
import GRDB
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

@Suite struct StoreOpeningTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func storeError(_ body: () throws -> Void) -> StoreError? {
    do {
      try body()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private func execute(_ file: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: file)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func storeIsReadableByItsOwnerOnly() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/a/b/store.sqlite"
    let store = try SQLiteStore.open(at: file)
    try await store.commit(commit([LoggedFix(try fix(0))]))
    #expect(try mode(folder.path + "/a") == 0o700)
    #expect(try mode(folder.path + "/a/b") == 0o700)
    for suffix in ["", "-wal", "-shm"] { #expect(try mode(file + suffix) == 0o600) }
    // Existing files retain their permissions.
    #expect(try mode(folder.path) != 0o700)
  }

  @Test func closedStoreIsOneFile() async throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try await StoreScenario.write(to: store)
    _ = try await store.load(.this)
    store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["whereabouts.sqlite"])
  }

  @Test func readOnlyOpenDoesNotCreateAFile() throws {
    let folder = try TemporaryFolder()
    let problem = storeError { _ = try SQLiteStore.open(at: folder.file, access: .readOnly) }
    #expect(problem?.code == .missing)
    #expect(!FileManager.default.fileExists(atPath: folder.file))
  }

  @Test func otherFileIsNotChanged() throws {
    let folder = try TemporaryFolder()
    let text = Data("Not a database, but somebody's notes. ".utf8) + Data(repeating: 65, count: 5_000)
    try text.write(to: URL(fileURLWithPath: folder.file))
    #expect(storeError { _ = try SQLiteStore.open(at: folder.file) }?.code == .corrupt)
    #expect(FileManager.default.contents(atPath: folder.file) == text)
  }

  @Test func otherDatabaseIsNotChanged() throws {
    let folder = try TemporaryFolder()
    try execute(folder.file, "CREATE TABLE notes (text TEXT)")
    let problem = storeError { _ = try SQLiteStore.open(at: folder.file) }
    #expect(problem?.code == .corrupt)
    #expect(problem?.message.contains("another program") == true)
  }

  @Test func newerSchemaIsRefusedWithARemedy() async throws {
    let folder = try TemporaryFolder()
    try SQLiteStore.open(at: folder.file).close()
    try execute(folder.file, "PRAGMA user_version = 99")
    let problem = storeError { _ = try SQLiteStore.open(at: folder.file) }
    #expect(problem?.code == .newerVersion)
    #expect(
      problem?.message.contains("form 99") == true && problem?.message.contains("use that version") == true)
  }

  /// As a file that was restored from a dump, which leaves out the form.
  @Test(arguments: [SQLiteStore.Access.readWrite, .readOnly], [0, -3])
  func storeWithoutAValidFormIsRefusedWithARemedy(access: SQLiteStore.Access, form: Int) async throws {
    let folder = try TemporaryFolder()
    try SQLiteStore.open(at: folder.file).close()
    try execute(folder.file, "PRAGMA user_version = \(form)")
    let before = FileManager.default.contents(atPath: folder.file)
    let problem = storeError { _ = try SQLiteStore.open(at: folder.file, access: access) }
    #expect(problem?.code == .corrupt)
    let remedy = "PRAGMA user_version = \(StoreSchema.version)"
    let message = problem?.message ?? ""
    #expect(message.contains("its form is \(form),") && message.contains(remedy), "\(message)")
    #expect(FileManager.default.contents(atPath: folder.file) == before)

    try execute(folder.file, remedy)
    try SQLiteStore.open(at: folder.file, access: access).close()

    try execute(folder.file, "PRAGMA user_version = \(form); DROP TABLE grdb_migrations")
    let other = storeError { _ = try SQLiteStore.open(at: folder.file, access: access) }?.message ?? ""
    #expect(other.contains("user_version = FORM'`, where FORM is the form of the dumped store"), "\(other)")
  }

  @Test func unreadableStateIsReportedAndRetained() async throws {
    for (sql, code) in [
      ("UPDATE snapshot SET version = 99", StoreError.Code.newerVersion),
      ("UPDATE snapshot SET state = '{\"version\":1,'", .corrupt),
      ("UPDATE snapshot SET state = '{}'", .corrupt), ("UPDATE fence SET fence = 'x'", .corrupt),
      ("UPDATE fix SET source = 'mars'", .corrupt),
    ] {
      let folder = try TemporaryFolder()
      var store = try SQLiteStore.open(at: folder.file)
      try await StoreScenario.write(to: store)
      store.close()
      try execute(folder.file, sql)
      store = try SQLiteStore.open(at: folder.file)
      let problem = await #expect(throws: StoreError.self) { _ = try await store.load(.this) }
      #expect(problem?.code == code, "\(sql): \(problem?.message ?? "")")
      if sql.contains("snapshot") {
        try store.forget(.state(of: .this))
        #expect(try await store.load(.this).fixesSinceSnapshot.count == 2)
      }
    }
  }

  @Test func readOnlyStoreIsNotWritten() async throws {
    let folder = try TemporaryFolder()
    let writer = try SQLiteStore.open(at: folder.file)
    try await StoreScenario.write(to: writer)
    let reader = try SQLiteStore.open(at: folder.file, access: .readOnly)
    #expect(try await reader.load(.this).fixesSinceSnapshot.count == 2)
    let problem = await #expect(throws: StoreError.self) { try await reader.commit(commit([])) }
    #expect(problem?.code == .readOnly)
    // A read-only store reads rows committed while it is open.
    try await writer.commit(commit([LoggedFix(try fix(20))]))
    #expect(try reader.lastFix(of: .this)?.rowTime == t(20))
  }

  @Test func dataVersionChangesAfterAnEdit() throws {
    let folder = try TemporaryFolder()
    let watcher = try SQLiteStore.open(at: folder.file), editor = try SQLiteStore.open(at: folder.file)
    let before = try watcher.dataVersion
    #expect(try watcher.dataVersion == before)
    try editor.edit([.removed("x")], of: .this)
    #expect(try watcher.dataVersion != before)
  }

  @Test func deviceIsClaimedByOneProcess() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file), other = try SQLiteStore.open(at: folder.file)
    do {
      let claim = try store.claim(.this, as: "the first")
      let problem = storeError { _ = try other.claim(.this, as: "the second") }
      #expect(problem?.code == .locked && problem?.message.contains("the first") == true)
      _ = try other.claim("another/device", as: "the second")
      withExtendedLifetime(claim) {}
    }
    _ = try other.claim(.this, as: "the second")
  }

  // MARK: Links and pipes

  @Test func symbolicLinkToAStoreHasTheSameClaim() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.sqlite", withDestinationPath: "whereabouts.sqlite")
    let linked = try SQLiteStore.open(at: folder.path + "/link.sqlite")
    #expect(linked.path == store.path)
    let claim = try store.claim(.this, as: "the first")
    #expect(storeError { _ = try linked.claim(.this, as: "the second") }?.code == .locked)
    withExtendedLifetime(claim) {}
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix("link.sqlite-") })
  }

  @Test func symbolicLinkToAMissingFileIsRefused() throws {
    let folder = try TemporaryFolder()
    let link = folder.path + "/link.sqlite"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.path + "/disk/store.sqlite")
    let problem = storeError { _ = try SQLiteStore.open(at: link) }
    #expect(problem?.code == .missing && problem?.message.contains("symbolic link") == true)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/disk"))
  }

  @Test(arguments: [true, false]) func linkedLockFileIsRefusedAndItsTargetUnchanged(isSymbolic: Bool)
    throws
  {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    let target = folder.path + "/letter.txt", text = Data("Dear Bob".utf8)
    try text.write(to: URL(fileURLWithPath: target))
    if isSymbolic {
      try FileManager.default.createSymbolicLink(atPath: store.path + "-lock", withDestinationPath: target)
    } else {
      try FileManager.default.linkItem(atPath: target, toPath: store.path + "-lock")
    }
    let problem = storeError { _ = try store.claim(.this, as: "the first") }
    #expect(problem?.code == .notPermitted && problem?.message.contains("remove it") == true)
    #expect(FileManager.default.contents(atPath: target) == text)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can change the owner"))
  func lockThatRootCreatesBelongsToTheOwnerOfTheStore() throws {
    let folder = try TemporaryFolder(), store = try SQLiteStore.open(at: folder.file)
    try #require(chown(store.path, 65_534, 65_534) == 0)
    let claim = try store.claim(.this, as: "root")
    var status = stat()
    try #require(stat(store.path + "-lock", &status) == 0)
    #expect(status.st_uid == 65_534 && status.st_gid == 65_534)
    withExtendedLifetime(claim) {}
  }

  @Test func emptyFileIsNoStoreToRead() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.file))
    let problem = storeError { _ = try SQLiteStore.open(at: folder.file, access: .readOnly) }
    #expect(problem?.code == .corrupt && problem?.message.contains("is empty and no store") == true)
    try SQLiteStore.open(at: folder.file).close()
    try SQLiteStore.open(at: folder.file, access: .readOnly).close()
  }

  @Test(arguments: [SQLiteStore.Access.readOnly, .readWrite])
  func pipeAsAStoreIsRefusedAtOnce(access: SQLiteStore.Access) throws {
    let folder = try TemporaryFolder()
    try #require(mkfifo(folder.file, 0o600) == 0)
    let problem = storeError { _ = try SQLiteStore.open(at: folder.file, access: access) }
    #expect(problem?.code == .corrupt && problem?.message.contains("pipe") == true)
  }
}
