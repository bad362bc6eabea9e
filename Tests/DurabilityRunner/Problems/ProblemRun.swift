import Foundation
import Whereabouts
import WhereaboutsStore

/// Causes a real problem with a store's file, and checks the reports during the problem and the content afterwards.
struct ProblemRun {
  let options: RunnerOptions
  let folder: String
  private(set) var violations: [String] = []

  var path: String { folder + "/store/whereabouts.sqlite" }

  init(_ options: RunnerOptions) throws {
    self.options = options
    folder = try options.text("folder")
    if options.optionalText("as-nobody") != nil { try Self.becomeNobody(owning: folder) }
  }

  /// Changes from root to an unprivileged user, since root ignores file permissions.
  private static func becomeNobody(owning folder: String) throws {
    guard getuid() == 0 else { return }
    let nobody: uid_t = 65_534
    guard chown(folder, nobody, nobody) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else {
      throw RunnerError("can't become nobody")
    }
  }

  mutating func run() async throws {
    let kind = try options.text("kind")
    switch kind {
    case "full": try await runTransient(.full, FullDisk(folder: folder))
    case "limit": try await runTransient(.failed, FileLimit(path: path))
    case "full-forget": try await runForgetOnFullDisk()
    case "read-only-medium": try await runReadOnlyMedium()
    case "locked": try await runTransient(.locked, DatabaseLock(path: path))
    case "corrupt": try await runCorruptPage()
    case "corrupt-while-open": try await runCorruptWhileOpen()
    case "newer-state": try await runNewerState()
    case "twice": try await runOpenTwice()
    case "read-only-file", "read-only-folder", "no-database", "newer", "others":
      try await runRefusal(try OpeningRefusal(kind, path: path))
    default: throw RunnerError("no problem \(kind)")
    }
    for violation in violations { printLine("violated: \(violation)") }
    printLine(violations.isEmpty ? "done" : "violated")
  }

  mutating func expect(_ isSo: Bool, _ claim: String) { if !isSo { violations.append(claim) } }

  func openStore() throws(StoreError) -> SQLiteStore {
    var settings = StoreSettings()
    settings.commitTimeout = .milliseconds(20)
    settings.openTimeout = .milliseconds(200)
    return try SQLiteStore.open(at: path, settings: settings)
  }

  // MARK: Temporary problems

  /// Checks that the manager continues during a write problem, reports the problem, and writes everything afterwards.
  private mutating func runTransient(_ code: StoreError.Code, _ problem: some TransientProblem) async throws {
    let store = try openStore()
    var stage = try await ProblemFixture(store)
    await stage.drive(200)
    expect(await stage.reportedError() == nil, "no error is reported at first")
    try problem.begin()
    for _ in 0..<300 {
      await stage.drive(1)
      try problem.sustain()
    }
    let found = await stage.reportedError()
    expect(found == code, "the reported error is \(code), not \(found.map { "\($0)" } ?? "nothing")")
    try problem.end()
    await stage.drive(90)
    expect(await stage.reportedError() == nil, "no error is reported at the end")
    await stage.end()
    expect(await stage.recorder.storeErrors.contains(code), "fence listeners receive the store error")
    expect(await stage.recorder.recoveryCount > 0, "fence listeners receive the recovery")
    store.close()
    try await expectAllEvents(reported: stage.recorder.events, seconds: stage.seconds)
  }

  /// Checks that the reported events equal those of a run without problems, and that the store contains all of them.
  private mutating func expectAllEvents(reported: [FenceEvent], seconds: Int) async throws {
    let expected = try await ProblemFixture.expectedEvents(seconds: seconds)
    expect(
      reported == expected, "\(reported.count) events of \(expected.count) are reported, or others")
    let store = try openStore()
    let record = try await store.load(.this)
    var stored: [FenceEvent] = []
    for case .event(let event) in record.fenceRecords.map(\.record) { stored.append(event) }
    expect(stored == expected, "\(stored.count) events of \(expected.count) are stored, or others")
    var fixes = 0
    try store.history(of: .this) { _ in fixes += 1 }
    expect(fixes == seconds, "\(fixes) fixes of \(seconds) are stored")
    store.close()
    let wrong = SQLiteCheck.problem(of: path)
    expect(wrong == nil, "integrity_check reports \(wrong ?? "")")
  }

  // MARK: Problems that a person must solve

  /// Checks a file that can't be opened: the error states the cause, the file is unchanged, and a repair is enough.
  private mutating func runRefusal(_ refusal: OpeningRefusal) async throws {
    let whole = try openStore()
    var stage = try await ProblemFixture(whole)
    await stage.drive(100)
    await stage.end()
    whole.close()
    try refusal.begin()
    let before = FileManager.default.contents(atPath: path)
    do {
      let store = try openStore()
      // A readable file can be opened; then the first write reports the problem.
      var other = try await ProblemFixture(store, after: stage.seconds)
      await other.drive(150)
      let found = await other.reportedError()
      expect(
        refusal.codes.contains { $0 == found }, "the reported error is \(found.map { "\($0)" } ?? "nothing")")
      await other.end()
      expect(await other.recorder.events.count > 1, "events are still reported")
      store.close()
    } catch let problem as StoreError {
      printLine("opening error: \(problem)")
      expect(refusal.codes.contains(problem.code), "the opening error is \(problem.code)")
    }
    expect(FileManager.default.contents(atPath: path) == before, "the file is unchanged")
    try refusal.end()
    guard refusal.isRecoverable else { return }
    let store = try openStore(), record = try await store.load(.this)
    expect(record.lastRecordNumber > 0 && record.fences.count == 1, "the content is available afterwards")
    var next = try await ProblemFixture(store, after: stage.seconds)
    await next.drive(30)
    expect(await next.reportedError() == nil, "no error is reported after the repair")
    await next.end()
  }

  /// Checks a file with garbage in the middle.
  private mutating func runCorruptPage() async throws {
    let good = folder + "/good.sqlite"
    let seconds = try await makeStore()
    try FileManager.default.copyItem(atPath: path, toPath: good)
    try Garbage.write(into: path)
    let before = FileManager.default.contents(atPath: path)
    do {
      try await expectError(.corrupt, of: openStore(), after: seconds)
      expect(FileManager.default.contents(atPath: path) == before, "the damaged file is unchanged")
    } catch let problem as StoreError {
      printLine("opening error: \(problem)")
      expect(problem.code == .corrupt, "the opening error is \(problem.code)")
    }
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try FileManager.default.copyItem(atPath: good, toPath: path)
    let store = try openStore()
    expect(try await store.load(.this).lastRecordNumber > 0, "a good copy is opened")
  }

  /// Checks a file that is damaged while it is open: no crash, and all events are reported.
  private mutating func runCorruptWhileOpen() async throws {
    let store = try openStore()
    var stage = try await ProblemFixture(store)
    await stage.drive(400)
    try store.sync()
    try Garbage.write(into: path)
    await stage.drive(3000)
    let problem = await stage.reportedError()
    printLine("reported error: \(problem.map { "\($0)" } ?? "nothing")")
    expect(problem == nil || problem == .corrupt, "the reported error is \(problem.map { "\($0)" } ?? "")")
    await stage.end()
    let expected = try await ProblemFixture.expectedEvents(seconds: stage.seconds)
    expect(await stage.recorder.events == expected, "all events are reported")
  }

  /// Checks a file with the engine state of a newer version: nothing is overwritten.
  private mutating func runNewerState() async throws {
    let seconds = try await makeStore()
    try SQLiteProgram.run("UPDATE snapshot SET version = 99", on: path)
    try await expectError(.newerVersion, of: openStore(), after: seconds)
    try SQLiteProgram.run("UPDATE snapshot SET version = 1", on: path)
    var fixes = 0
    try openStore().history(of: .this) { _ in fixes += 1 }
    expect(fixes == seconds, "no fix was written")
  }

  /// Checks a file opened twice by one process while another opens and closes it: none deletes the log of the others.
  private mutating func runOpenTwice() async throws {
    let first = try openStore()
    var stage = try await ProblemFixture(first)
    await stage.drive(100)
    let log = try inodeNumber(of: path + "-wal")
    let second = try openStore()
    try SQLiteProgram.run("SELECT count(*) FROM fix", on: path)
    expect(try inodeNumber(of: path + "-wal") == log, "the log file is the same")
    await stage.drive(100)
    await stage.end()
    second.close()
    first.close()
    try await expectAllEvents(reported: stage.recorder.events, seconds: stage.seconds)
  }

  /// Returns the inode number of a file.
  private func inodeNumber(of path: String) throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
  }

  /// Drives on over a store that can't be loaded, checks the reported error and events, and closes the store.
  private mutating func expectError(
    _ code: StoreError.Code, of store: SQLiteStore, after seconds: Int
  ) async throws {
    var stage = try await ProblemFixture(store, after: seconds)
    await stage.drive(150)
    let found = await stage.reportedError()
    expect(found == code, "the reported error is \(found.map { "\($0)" } ?? "nothing")")
    await stage.end()
    expect(await stage.recorder.events.count > 1, "events are still reported")
    store.close()
  }

  /// - Returns: the number of seconds with stored fixes.
  private func makeStore() async throws -> Int {
    let store = try openStore()
    var stage = try await ProblemFixture(store)
    await stage.drive(2000)
    await stage.end()
    store.close()
    return stage.seconds
  }

  // MARK: Erasing and reading during a problem

  /// Checks a disk that stays full: forgetting still works, leaves no byte, and frees space.
  private mutating func runForgetOnFullDisk() async throws {
    let disk = FullDisk(folder: folder)
    var store = try openStore()
    var stage = try await ProblemFixture(store)
    // So many that the log is not empty when the disk fills: an empty one leaves nothing to free, and writes wait for
    // space on the disk.
    await stage.drive(2_400)
    try disk.begin()
    for _ in 0..<300 {
      await stage.drive(1)
      try disk.sustain()
    }
    expect(await stage.reportedError() == .full, "the full disk is reported")
    await forget(0..<1_500, of: store, "while it is open")
    await stage.drive(90)
    expect(await stage.reportedError() == nil, "forgetting frees space for writes")
    await stage.end()
    store.close()
    // With free space the store recreates its reserve.
    try disk.end()
    store = try openStore()
    stage = try await ProblemFixture(store, after: 2_790)
    await stage.drive(10)
    await stage.end()
    store.close()
    // Another opening, on a full disk again.
    try disk.begin()
    store = try openStore()
    await forget(1_500..<2_450, of: store, "after another opening")
    store.close()
    let wrong = SQLiteCheck.problem(of: path)
    expect(wrong == nil, "integrity_check reports \(wrong ?? "")")
    try disk.end()
  }

  private mutating func forget(_ seconds: Range<Int>, of store: SQLiteStore, _ hint: String) async {
    let span = ProblemFixture.time(seconds.lowerBound)..<ProblemFixture.time(seconds.upperBound)
    do throws(StoreError) {
      let erased = try store.forget(.span(span, of: .this))
      expect(erased >= seconds.count - 1, "\(hint): \(erased) rows of \(seconds.count) are erased")
      expect(try !store.isErasurePending, "\(hint): the erasure is complete")
    } catch {
      return expect(false, "\(hint): forgetting failed on a full disk: \(error)")
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size] as? Int ?? 0
    expect(size == 0, "\(hint): the log is empty, not \(size) bytes")
    expect(rows(in: span, of: store) == 0, "\(hint): no fix of the span is left")
  }

  private func rows(in span: Range<UTCTime>, of store: SQLiteStore) -> Int {
    var rows = 0
    try? store.history(of: .this, in: span, uses: Set(LoggedFix.Use.allCases)) { _ in rows += 1 }
    return rows
  }

  /// Checks a folder without write permission, as on a read-only disk.
  private mutating func runReadOnlyMedium() async throws {
    let seconds = try await makeStore()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    for suffix in ["-lock", "-reserve"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
    let store = try SQLiteStore.open(at: path, access: .readOnly)
    var fixes = 0
    try store.history(of: .this) { _ in fixes += 1 }
    expect(fixes == seconds, "\(fixes) fixes of \(seconds) are read")
    expect(try await store.load(.this).lastRecordNumber > 0, "the events are read")
    expect(try store.check().faults.isEmpty, "the store has no faults")
    store.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    // A log contains the last commits, and can't be read in such a folder.
    let writer = try openStore()
    var stage = try await ProblemFixture(writer, after: seconds)
    await stage.drive(10)
    let copy = folder + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + "/store.sqlite" + suffix)
    }
    await stage.end()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: copy)
    do {
      _ = try SQLiteStore.open(at: copy + "/store.sqlite", access: .readOnly)
      expect(false, "an unreadable log is not ignored")
    } catch {
      expect(error.code == .readOnly && error.message.contains("-wal"), "the error states a remedy: \(error)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: copy)
  }
}
