import Foundation
import Whereabouts
import WhereaboutsStore

/// Real problem with a store's file: what the process does meanwhile, what it says, and what is there afterwards.
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

  /// Whom permissions mean nothing to is to be somebody whom they do.
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

  // MARK: Problems that passes

  /// Goes on while nothing can be written, says so, and writes everything when it can again.
  private mutating func runTransient(_ code: StoreError.Code, _ problem: some TransientProblem) async throws {
    let store = try openStore()
    var stage = try await ProblemFixture(store)
    await stage.drive(200)
    expect(await stage.reportedError(expecting: nil) == nil, "it is well at first")
    try problem.begin()
    for _ in 0..<300 {
      await stage.drive(1)
      try problem.sustain()
    }
    let found = await stage.reportedError(expecting: code)
    expect(found == code, "it says \(code) and not \(found.map { "\($0)" } ?? "nothing")")
    expect(await stage.recorder.storeErrors.contains(code), "whoever listens to the fences is told")
    try problem.end()
    await stage.drive(90)
    expect(await stage.reportedError(expecting: nil) == nil, "it is well again")
    expect(await stage.recorder.recoveryCount > 0, "whoever listens to the fences is told that it is")
    await stage.end()
    store.close()
    try await expectAllEvents(told: stage.recorder.events, seconds: stage.seconds)
  }

  /// What was told is what is told where nothing is wrong, and all of it is in the store.
  private mutating func expectAllEvents(told: [FenceEvent], seconds: Int) async throws {
    let expected = try await ProblemFixture.expectedEvents(seconds: seconds)
    expect(told == expected, "it told \(told.count) events of \(expected.count), or others")
    let store = try openStore()
    let record = try await store.load(.this)
    var kept: [FenceEvent] = []
    for case .event(let event) in record.fenceRecords.map(\.record) { kept.append(event) }
    expect(kept == expected, "\(kept.count) events of \(expected.count) are kept, or others")
    var fixes = 0
    try store.history(of: .this) { _ in fixes += 1 }
    expect(fixes == seconds, "\(fixes) fixes of \(seconds) are kept")
    store.close()
    let wrong = SQLiteCheck.problem(of: path)
    expect(wrong == nil, "integrity_check says \(wrong ?? "")")
  }

  // MARK: Problems that a person must end

  /// A file that can't be opened: it says why, changes nothing, and goes on once that is mended.
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
      // What can be read can be opened; then it is writing that says so.
      var other = try await ProblemFixture(store, after: stage.seconds)
      await other.drive(150)
      let found = await other.reportedError(expecting: refusal.codes.first),
        told = await other.recorder.events.count
      expect(refusal.codes.contains { $0 == found }, "it says \(found.map { "\($0)" } ?? "nothing")")
      expect(told > 1, "it goes on telling")
      await other.end()
      store.close()
    } catch let problem as StoreError {
      printLine("opening says: \(problem)")
      expect(refusal.codes.contains(problem.code), "opening says \(problem.code)")
    }
    expect(FileManager.default.contents(atPath: path) == before, "the file is as it was")
    try refusal.end()
    guard refusal.isRecoverable else { return }
    let store = try openStore(), record = try await store.load(.this)
    expect(record.lastRecordNumber > 0 && record.fences.count == 1, "everything is there afterwards")
    var next = try await ProblemFixture(store, after: stage.seconds)
    await next.drive(30)
    expect(await next.reportedError(expecting: nil) == nil, "and it is well")
    await next.end()
  }

  /// A file with garbage in its midst.
  private mutating func runCorruptPage() async throws {
    let good = folder + "/good.sqlite"
    let seconds = try await makeStore()
    try FileManager.default.copyItem(atPath: path, toPath: good)
    try Garbage.write(into: path)
    let before = FileManager.default.contents(atPath: path)
    do {
      let store = try openStore()
      var stage = try await ProblemFixture(store, after: seconds)
      await stage.drive(150)
      let found = await stage.reportedError(expecting: .corrupt), told = await stage.recorder.events.count
      expect(found == .corrupt, "it says \(found.map { "\($0)" } ?? "nothing")")
      expect(told > 1, "it goes on telling")
      await stage.end()
      store.close()
      expect(FileManager.default.contents(atPath: path) == before, "the damaged file is as it was")
    } catch let problem as StoreError {
      printLine("opening says: \(problem)")
      expect(problem.code == .corrupt, "opening says \(problem.code)")
    }
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try FileManager.default.copyItem(atPath: good, toPath: path)
    let store = try openStore()
    expect(try await store.load(.this).lastRecordNumber > 0, "a good copy is taken")
  }

  /// A file that is damaged while it is open: no crash, and everything is told.
  private mutating func runCorruptWhileOpen() async throws {
    let store = try openStore()
    var stage = try await ProblemFixture(store)
    await stage.drive(400)
    try store.sync()
    try Garbage.write(into: path)
    await stage.drive(3000)
    let problem = await stage.reportedError(expecting: .corrupt)
    printLine("it says: \(problem.map { "\($0)" } ?? "nothing")")
    expect(problem == nil || problem == .corrupt, "it says \(problem.map { "\($0)" } ?? "")")
    await stage.end()
    let expected = try await ProblemFixture.expectedEvents(seconds: stage.seconds)
    expect(await stage.recorder.events == expected, "it told all events")
  }

  /// A file in which a newer version has left the state of its engine: nothing is overwritten.
  private mutating func runNewerState() async throws {
    let seconds = try await makeStore()
    try SQLiteProgram.run("UPDATE snapshot SET version = 99", on: path)
    let store = try openStore()
    var stage = try await ProblemFixture(store, after: seconds)
    await stage.drive(150)
    let found = await stage.reportedError(expecting: .newerVersion), told = await stage.recorder.events.count
    expect(found == .newerVersion, "it says \(found.map { "\($0)" } ?? "nothing")")
    expect(told > 1, "it goes on telling")
    await stage.end()
    store.close()
    try SQLiteProgram.run("UPDATE snapshot SET version = 1", on: path)
    var fixes = 0
    try openStore().history(of: .this) { _ in fixes += 1 }
    expect(fixes == seconds, "nothing was written meanwhile")
  }

  /// A file that one process has open twice while another comes and goes: none of them takes the log from the others.
  private mutating func runOpenTwice() async throws {
    let first = try openStore()
    var stage = try await ProblemFixture(first)
    await stage.drive(100)
    let log = try inodeNumber(of: path + "-wal")
    let second = try openStore()
    try SQLiteProgram.run("SELECT count(*) FROM fix", on: path)
    expect(try inodeNumber(of: path + "-wal") == log, "the log is the one that was there")
    await stage.drive(100)
    await stage.end()
    second.close()
    first.close()
    try await expectAllEvents(told: stage.recorder.events, seconds: stage.seconds)
  }

  /// The number by which the disk knows a file.
  private func inodeNumber(of path: String) throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
  }

  /// - Returns: for how many seconds there are fixes in it.
  private func makeStore() async throws -> Int {
    let store = try openStore()
    var stage = try await ProblemFixture(store)
    await stage.drive(2000)
    await stage.end()
    store.close()
    return stage.seconds
  }

  // MARK: Erasing and reading under problem

  /// A disk that is full and stays full: forgetting works all the same, leaves no byte, and makes room.
  private mutating func runForgetOnFullDisk() async throws {
    let disk = FullDisk(folder: folder)
    var store = try openStore()
    var stage = try await ProblemFixture(store)
    await stage.drive(2_500)
    try disk.begin()
    for _ in 0..<300 {
      await stage.drive(1)
      try disk.sustain()
    }
    expect(await stage.reportedError(expecting: .full) == .full, "it says that the disk is full")
    await forget(0..<1_500, of: store, "while it is open")
    await stage.drive(90)
    expect(await stage.reportedError(expecting: nil) == nil, "what is forgotten makes room to write")
    await stage.end()
    store.close()
    // With room again the store makes its reserve anew.
    try disk.end()
    store = try openStore()
    stage = try await ProblemFixture(store, after: 2_890)
    await stage.drive(10)
    await stage.end()
    store.close()
    // Another process, on a disk that is full again.
    try disk.begin()
    store = try openStore()
    await forget(1_500..<2_450, of: store, "after another opening")
    store.close()
    let wrong = SQLiteCheck.problem(of: path)
    expect(wrong == nil, "integrity_check says \(wrong ?? "")")
    try disk.end()
  }

  private mutating func forget(_ seconds: Range<Int>, of store: SQLiteStore, _ hint: String) async {
    let span = ProblemFixture.time(seconds.lowerBound)..<ProblemFixture.time(seconds.upperBound)
    do throws(StoreError) {
      let erased = try store.forget(.span(span, of: .this))
      expect(erased >= seconds.count - 1, "\(hint): \(erased) rows of \(seconds.count) are erased")
      expect(try !store.isErasurePending, "\(hint): nothing is left to be erased")
    } catch {
      return expect(false, "\(hint): a full disk keeps nobody from forgetting: \(error)")
    }
    let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal"))?[.size] as? Int ?? 0
    expect(size == 0, "\(hint): the log is empty, and not \(size) bytes")
    expect(rows(in: span, of: store) == 0, "\(hint): no fix of the span is left")
  }

  private func rows(in span: Range<UTCTime>, of store: SQLiteStore) -> Int {
    var rows = 0
    try? store.history(of: .this, in: span, uses: Set(LoggedFix.Use.allCases)) { _ in rows += 1 }
    return rows
  }

  /// A folder in which nothing can be made, as on a disk that may only be read.
  private mutating func runReadOnlyMedium() async throws {
    let seconds = try await makeStore()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    for suffix in ["-lock", "-reserve"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
    let store = try SQLiteStore.open(at: path, access: .readOnly)
    var fixes = 0
    try store.history(of: .this) { _ in fixes += 1 }
    expect(fixes == seconds, "\(fixes) fixes of \(seconds) are read")
    expect(try await store.load(.this).lastRecordNumber > 0, "and so are the events")
    expect(try store.check().faults.isEmpty, "and it is whole")
    store.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    // A log holds what came last, and can't be read there.
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
      expect(false, "a log that can't be read is not passed over")
    } catch {
      expect(error.code == .readOnly && error.message.contains("-wal"), "it says what to do: \(error)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: copy)
  }
}
