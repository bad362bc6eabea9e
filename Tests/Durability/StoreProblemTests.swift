import Dispatch
import Foundation
import Testing

/// Real problems with the file: the process still answers, reports the problem, and recovers when the cause ends.
@Suite struct StoreProblemTests {
  /// A small disk of a process's own can be had where namespaces are allowed.
  private static let hasSmallDisks = canMountDisks()

  @Test(.enabled(if: hasSmallDisks, "a disk of 3 MB can't be mounted here"))
  func fullDiskDelaysOnlyWriting() async throws {
    try await expectSuccess("full", onSmallDisk: true)
  }

  @Test(.enabled(if: hasSmallDisks, "a disk of 3 MB can't be mounted here"))
  func forgettingWorksOnAFullDisk() async throws { try await expectSuccess("full-forget", onSmallDisk: true) }

  @Test func storeInAReadOnlyFolderIsRead() async throws {
    try await expectSuccess("read-only-medium", asNobody: true)
  }

  @Test func failedWriteIsRetried() async throws { try await expectSuccess("limit") }

  @Test(.enabled(if: hasProgram("sqlite3"), "there is no sqlite3 program here"))
  func lockOfAnotherProgramIsWaitedFor() async throws { try await expectSuccess("locked") }

  @Test func damagedFileIsReportedAndUnchanged() async throws { try await expectSuccess("corrupt") }

  @Test func damageWhileOpenDoesNotStopEvents() async throws {
    try await expectSuccess("corrupt-while-open")
  }

  @Test(
    .enabled(if: hasProgram("sqlite3"), "there is no sqlite3 program here"),
    arguments: ["newer", "newer-state", "no-database", "others"])
  func otherOrNewerFileIsNotChanged(kind: String) async throws {
    try await expectSuccess(kind)
  }

  @Test(.enabled(if: hasProgram("sqlite3"), "there is no sqlite3 program here"))
  func fileOpenedTwiceRetainsItsLog() async throws { try await expectSuccess("twice") }

  @Test(arguments: ["read-only-file", "read-only-folder"])
  func readOnlyFileIsReported(kind: String) async throws { try await expectSuccess(kind, asNobody: true) }

  private func expectSuccess(_ kind: String, onSmallDisk: Bool = false, asNobody: Bool = false) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("problem-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var arguments = ["problem", "--kind", kind, "--folder", folder.path]
    if asNobody { arguments += ["--as-nobody", "yes"] }
    let run = try await Runner(arguments, onDiskAt: onSmallDisk ? folder.path : nil)
    #expect(run.succeeded, run.text)
  }
}

/// Many processes at one file.
@Suite struct ConcurrentWriterTests {
  @Test func concurrentProcessesCreatingTheFileLoseNothing() async throws {
    let run = try await Runner(["crowd", "--processes", "5", "--devices", "2", "--commits", "40"])
    #expect(run.succeeded, run.text)
  }
}

/// Whether a program is to be found.
private func hasProgram(_ name: String) -> Bool {
  succeeds(["/usr/bin/env", "sh", "-c", "command -v \(name)"])
}

/// Whether a process can mount a separate disk.
private func canMountDisks() -> Bool {
  let folder = FileManager.default.temporaryDirectory.path
  return succeeds(Runner.onSmallDisk(["true"], at: folder))
}

private func succeeds(_ command: [String]) -> Bool {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: command[0])
  process.arguments = Array(command.dropFirst())
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  // `waitUntilExit` may spin forever on a thread of the tests' pool.
  let ended = DispatchSemaphore(value: 0)
  process.terminationHandler = { _ in ended.signal() }
  guard (try? process.run()) != nil else { return false }
  ended.wait()
  return process.terminationStatus == 0
}
