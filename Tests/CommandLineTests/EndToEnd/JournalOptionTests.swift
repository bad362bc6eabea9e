import Foundation
import Testing

@Suite struct JournalOptionTests {
  static let runs: [[String]] = [
    ["now", "--source", "replay:\(CommandRun.drive)?speed=max"],
    ["now", "--source", "replay:\(CommandRun.drive)?speed=max", "--accuracy", "1", "--settle", "20s"],
    ["watch", "--source", "replay:\(CommandRun.drive)?speed=max", "--visits", "--stay", "10s"],
    [
      "watch", "--source", "replay:\(CommandRun.drive)?speed=max", "--distance-filter", "50", "--timeout",
      "20s",
    ],
    ["heading", "--source", "replay:\(CommandRun.sail)?speed=max", "--filter", "10"],
    ["now", "--source", "replay:/nowhere/at-all"],
  ]

  @Test(arguments: runs) func journalCanBeExplainedAndReplayed(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let journal = folder.path("run.journal")
    let plain = try await CommandRun(command)
    let written = try await CommandRun(command + ["--journal", journal])
    #expect(written.code == plain.code && written.output == plain.output && written.errors == plain.errors)
    let again = try await CommandRun(["replay", journal])
    #expect(again.code == 0 && again.output.hasSuffix(": all the same as recorded\n"), "\(again.output)")
    let explained = try await CommandRun(["explain", journal])
    #expect(explained.code == 0 && explained.output.contains("source asked for "))
  }

  @Test func controlCIsRecordedInJournal() async throws {
    let folder = try TemporaryFolder()
    let journal = folder.path("run.journal")
    let run = try await CommandRun.interrupted(
      ["now", "--accuracy", "0.5", "--journal", "'\(journal)'"], while: CommandRun.drive)
    #expect(run.code == 130)
    let explained = try await CommandRun(["explain", journal])
    #expect(
      explained.code == 0 && explained.output.contains("request 1 ended early"), "\(explained.output)")
    #expect(try await CommandRun(["replay", journal]).code == 0)
  }

  /// The store creates the folder.
  @Test func journalMayLieBesideANewStore() async throws {
    let folder = try TemporaryFolder(), journal = folder.path("new/run.journal")
    let run = try await CommandRun(
      ["watch", "--source", CommandRun.driveSource, "--count", "1", "--journal", journal]
        + ["--store", folder.path("new/store.sqlite")])
    #expect(run.code == 0, "\(run.errors)")
    #expect(try await CommandRun(["replay", journal]).code == 0)
  }

  /// The tracker and the command both end the trip.
  @Test func endOfATripIsExplainedOnce() async throws {
    let folder = try TemporaryFolder(), journal = folder.path("run.journal")
    let options = ["--store", "'\(folder.path("store.sqlite"))'", "--journal", "'\(journal)'"]
    let run = try await CommandRun.interrupted(
      ["track", "--trip", "drive"] + options, while: CommandRun.drive)
    #expect(run.code == 0, "\(run.errors)")
    let explained = try await CommandRun(["explain", journal])
    #expect(explained.lines.count { $0.hasSuffix("trip drive is over") } == 1, "\(explained.output)")
  }

  @Test func existingFileIsNotReplacedWithoutForce() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("run.journal", Array("precious\n".utf8))
    let command = Self.runs[0] + ["--journal", file]
    let refused = try await CommandRun(command)
    #expect(refused.code == 1 && refused.output.isEmpty)
    #expect(
      refused.errors
        == "whereabouts: could not write \(file): the file exists. Pass --force to replace the file.\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious\n")
    #expect(try await CommandRun(command + ["--force"]).code == 0)
    #expect(try await CommandRun(["replay", file]).code == 0)
  }

  @Test(arguments: [[], ["--force"]]) func folderIsRejectedAsJournal(options: [String]) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(Self.runs[0] + ["--journal", folder.path(".")] + options)
    #expect(run.code == 1 && run.output.isEmpty && run.errors.hasSuffix(": it is a folder\n"))
  }

  @Test func journalNeverReplacesRecording() async throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: CommandRun.drive)))
    let file = try folder.file("drive.nmea", bytes)
    let run = try await CommandRun([
      "now", "--source", "replay:\(file)?speed=max", "--journal", file, "--force",
    ])
    #expect(run.code == 1 && run.errors.hasSuffix("the command reads this recording\n"))
    #expect([UInt8](try Data(contentsOf: URL(filePath: file))) == bytes)
  }

  @Test(.enabled(if: CommandRun.hasFullDevice, "there is no /dev/full here"))
  func unwritableJournalIsReportedAndRequestCompletes() async throws {
    let run = try await CommandRun(Self.runs[0] + ["--journal", "/dev/full"])
    #expect(run.code == 0 && run.lines.count == 3)
    #expect(
      run.errors
        == "whereabouts: could not write /dev/full: no space left on device; the journal is incomplete\n")
  }

  @Test(arguments: [
    (["--journal", "-"], "--journal requires a file"), (["--force"], "--force requires --journal"),
  ])
  func invalidOptionsAreUsageErrors(arguments: [String], message: String) async throws {
    for command in Self.runs {
      let run = try await CommandRun(command + arguments)
      #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(message))
    }
  }
}
