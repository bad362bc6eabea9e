import Foundation
import Testing

/// Real trouble with the file: the process goes on answering, says so, and recovers when the cause goes away.
@Suite struct TroubleTests {
  /// A small disk of a process's own can be had where namespaces are allowed.
  private static let hasSmallDisks = canMountDisks()

  @Test(.enabled(if: hasSmallDisks, "a disk of 3 MB can't be mounted here"))
  func aFullDiskKeepsNobodyFromTellingAndIsWrittenOnceThereIsRoom() async throws {
    try await expectFine("full", onSmallDisk: true)
  }

  @Test(.enabled(if: hasSmallDisks, "a disk of 3 MB can't be mounted here"))
  func forgettingWorksOnAFullDisk() async throws { try await expectFine("full-forget", onSmallDisk: true) }

  @Test func storeInAFolderThatMayOnlyBeReadIsRead() async throws {
    try await expectFine("read-only-medium", asNobody: true)
  }

  @Test func aWriteThatFailsIsTriedAgainUntilItWorks() async throws { try await expectFine("limit") }

  @Test(.enabled(if: hasProgram("sqlite3"), "there is no sqlite3 program here"))
  func aLockOfAnotherProgramIsWaitedOut() async throws { try await expectFine("locked") }

  @Test func aDamagedFileIsSaidToBeAndLeftAsItIs() async throws { try await expectFine("corrupt") }

  @Test func aFileThatIsDamagedWhileItIsOpenStopsNothing() async throws {
    try await expectFine("corrupt-while-open")
  }

  @Test(
    .enabled(if: hasProgram("sqlite3"), "there is no sqlite3 program here"),
    arguments: ["newer", "newer-state", "no-database", "others"])
  func aFileOfSomebodyElseOrOfANewerVersionIsNotTouched(kind: String) async throws {
    try await expectFine(kind)
  }

  @Test(.enabled(if: hasProgram("sqlite3"), "there is no sqlite3 program here"))
  func aFileThatIsOpenTwiceKeepsItsLogWhenAnotherComesAndGoes() async throws { try await expectFine("twice") }

  @Test(arguments: ["read-only-file", "read-only-folder"])
  func whatMayOnlyBeReadIsSaidToBe(kind: String) async throws { try await expectFine(kind, asNobody: true) }

  private func expectFine(_ kind: String, onSmallDisk: Bool = false, asNobody: Bool = false) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trouble-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var arguments = ["trouble", "--kind", kind, "--folder", folder.path]
    if asNobody { arguments += ["--as-nobody", "yes"] }
    let run = try await Runner(arguments, onDiskAt: onSmallDisk ? folder.path : nil)
    #expect(run.isFine, run.text)
  }
}

/// Many processes at one file.
@Suite struct CrowdTests {
  @Test func tenDevicesOfFiveProcessesThatMakeTheFileTogetherLoseNothing() async throws {
    let run = try await Runner(["crowd", "--processes", "5", "--devices", "2", "--commits", "40"])
    #expect(run.isFine, run.text)
  }
}

/// Whether a program is to be found.
private func hasProgram(_ name: String) -> Bool {
  succeeds(["/usr/bin/env", "sh", "-c", "command -v \(name)"])
}

/// Whether a process may have a disk of its own.
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
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}
