import ArgumentParser
import Foundation
import Testing
import WhereaboutsFormats

@testable import WhereaboutsCLI
@testable import WhereaboutsOperations

/// `whereabouts queue`, with a server that is not there. What a server answers is tried out beside the uploader.
@Suite struct QueueTests {
  /// An address without a server.
  private static let unreachableURL = "http://127.0.0.1:1/log"

  private func storeOption(_ folder: TemporaryFolder) -> [String] { ["--store", folder.path("here.sqlite")] }

  private func queue(_ arguments: [String], _ folder: TemporaryFolder) async throws -> CommandRun {
    try await CommandRun(["queue"] + arguments + storeOption(folder))
  }

  @Test func unsentItemsStayQueued() async throws {
    let folder = try TemporaryFolder()
    let watched = try await CommandRun(
      ["watch", "--source", "replay:\(CommandRun.drive)?speed=max"] + storeOption(folder))
    #expect(watched.code == 0)
    let added = try await queue(
      ["add", "log", Self.unreachableURL, "--every-fix", "--all-history", "--as", "car", "--no-gzip"], folder)
    #expect(
      added.output
        == "log added: whereabouts, as car, fixes and crossings, every fix, within 1 min 00 s, 100 in a request\n"
    )
    #expect(added.code == 0 && added.errors.isEmpty)

    let flushed = try await queue(["flush", "log"], folder)
    #expect(flushed.code == 1)
    #expect(flushed.output == "log: 0 requests sent, 7 left\n")
    #expect(flushed.errors == "whereabouts: could not send to log: no connection: connection refused\n")

    let status = try await queue(["status"], folder)
    #expect(status.code == 0)
    #expect(status.lines.contains("Waiting   7 requests with 671 items, the oldest from 2024-05-14 08:15:06"))
    #expect(status.lines.contains { $0.hasPrefix("State     failed 1 time") })
    let json = try await queue(["status", "log", "--json"], folder)
    #expect(json.output.contains(#""waiting":7,"waitingItems":671"#) && json.lines.count == 1)

    let refused = try await queue(["remove", "log"], folder)
    #expect(refused.code == 1 && refused.errors.contains("7 requests would be deleted"))
    #expect(try await queue(["purge", "log", "--all"], folder).code == 2)
    #expect(
      try await queue(["purge", "log", "--all", "--yes"], folder).output == "log: 7 requests deleted\n")
    #expect(try await queue(["flush"], folder).output == "log: 0 requests sent\n")
    #expect(try await queue(["retry", "log"], folder).output == "log: 0 requests to be sent again\n")
    #expect(try await queue(["remove", "log"], folder).output == "log: 0 requests deleted with it\n")
    for command in ["flush", "retry", "purge", "remove"] {
      let run = try await queue([command, "log"], folder)
      let message = "no endpoint has the name log. Run `whereabouts queue add`"
      #expect(run.code == 1 && run.errors.contains(message), "\(run.errors)")
    }
    #expect(try await queue(["list"], folder).output.isEmpty)
  }

  @Test func statusNamesTheFormatOfUnconfirmedAnswers() {
    #expect(
      QueueText.unconfirmed(2, .overland)
        == "2 answers not from a server for overland, such as a login page; the data is kept")
  }

  @Test func endpointIsForTheOnlyDeviceWithData() async throws {
    let folder = try TemporaryFolder()
    func store(_ device: String) async throws {
      let run = try await CommandRun(
        ["import", CommandRun.walk, "--device", device] + storeOption(folder))
      #expect(run.code == 0, "\(run.errors)")
    }
    try await store("van1")
    let added = try await queue(["add", "log", Self.unreachableURL], folder)
    #expect(added.code == 0 && added.output.contains("of van1"), "\(added.output)\(added.errors)")
    let given = try await queue(["add", "own", Self.unreachableURL, "--device", "this"], folder)
    #expect(given.code == 0 && !given.output.contains("of van1"), "\(given.output)\(given.errors)")
    try await store("van2")
    let refused = try await queue(["add", "more", Self.unreachableURL], folder)
    #expect(refused.code == 2 && refused.errors.contains("the store has van1, van2"), "\(refused.errors)")
    #expect(try await queue(["add", "all", Self.unreachableURL, "--every-device"], folder).code == 0)
  }

  @Test func replacedEndpointKeepsItsDevice() async throws {
    let folder = try TemporaryFolder()
    func replace(_ options: [String] = []) async throws -> CommandRun {
      try await queue(["add", "log", Self.unreachableURL, "--replace", "--json"] + options, folder)
    }
    // A device that has no data yet.
    #expect(try await queue(["add", "log", Self.unreachableURL, "--device", "van2"], folder).code == 0)
    for other in ["van1", "van3"] {
      let run = try await CommandRun(["import", CommandRun.walk, "--device", other] + storeOption(folder))
      #expect(run.code == 0, "\(run.errors)")
      let replaced = try await replace()
      #expect(replaced.output.contains(#""device":"van2""#), "\(replaced.output)\(replaced.errors)")
    }
    let given = try await replace(["--device", "van1"])
    #expect(given.output.contains(#""device":"van1""#), "\(given.output)\(given.errors)")
  }

  @Test func importReportsAnEndpointThatUploadsItsFixes() async throws {
    let folder = try TemporaryFolder()
    #expect(try await queue(["add", "log", Self.unreachableURL], folder).code == 0)
    let first = try await CommandRun(["import", CommandRun.walk] + storeOption(folder))
    #expect(first.code == 0, "\(first.errors)")
    #expect(first.errors.contains("endpoint log uploads imported fixes"), "\(first.errors)")
    #expect(first.errors.contains("`whereabouts queue purge log --all --yes --store "), "\(first.errors)")
    // The endpoint sends this device only, whose fixes it has still to read.
    let other = try await CommandRun(["import", CommandRun.walk, "--device", "old"] + storeOption(folder))
    #expect(other.code == 0 && !other.errors.contains("endpoint log"), "\(other.errors)")
    #expect(try await queue(["purge", "log", "--all", "--yes"], folder).code == 0)
    let again = try await CommandRun(["import", CommandRun.walk] + storeOption(folder))
    #expect(again.code == 0 && !again.errors.contains("endpoint log"), "\(again.errors)")
  }

  /// The credentials may be right by now. Nothing is sent before the endpoint is resumed.
  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to stop the endpoint with"))
  func flushOfAStoppedEndpointNamesTheCommandThatResumesIt() async throws {
    let folder = try TemporaryFolder()
    #expect(try await queue(["add", "log", Self.unreachableURL, "--all-history"], folder).code == 0)
    #expect(try await CommandRun(["import", CommandRun.walk] + storeOption(folder)).code == 0)
    let stop =
      "sqlite3 '\(folder.path("here.sqlite"))' \"UPDATE endpoint SET stopped = 'it wants other credentials'\""
    #expect(try await CommandRun(shell: stop).code == 0)
    let flushed = try await queue(["flush", "log"], folder)
    #expect(flushed.code == 1)
    #expect(
      flushed.errors
        == "whereabouts: could not send to log: it wants other credentials. `whereabouts queue retry log` resumes it\n"
    )
  }

  @Test(.enabled(if: CommandRun.hasSQLite, "there is no sqlite3 to spoil the store with"))
  func unreadableEndpointCanBeRemoved() async throws {
    let folder = try TemporaryFolder()
    #expect(try await queue(["add", "home", "https://example.org/pub"], folder).code == 0)
    let spoil = "sqlite3 '\(folder.path("here.sqlite"))' \"UPDATE endpoint SET settings = '{'\""
    #expect(try await CommandRun(shell: spoil).code == 0)
    #expect(try await queue(["status"], folder).code == 1)
    let removed = try await queue(["remove", "home"], folder)
    #expect(removed.output == "home: 0 requests deleted with it\n", "\(removed)")
    #expect(try await queue(["list"], folder).code == 0)
  }

  @Test func endpointSettingsAreShownAndReplaced() async throws {
    let folder = try TemporaryFolder()
    let add = [
      "add", "home", "https://example.org/pub", "--template", "owntracks", "--user", "ann", "--as", "phone",
    ]
    #expect(try await queue(add, folder).code == 0)
    let again = try await queue(add, folder)
    #expect(again.code == 1 && again.errors.contains("--replace"))
    let replaced = try await queue(add + ["--replace", "--interval", "5m", "--json"], folder)
    #expect(
      replaced.output
        == #"{"endpoint":"home","url":"https://example.org/pub","template":"owntracks","device":"this","#
        + #""as":"phone","user":"ann","fixes":true,"crossings":true,"everyFix":false,"interval":300,"batch":100,"#
        + #""gzip":false,"timeout":30}"# + "\n")
    #expect(try await queue(["list", "--json"], folder).output == replaced.output)
  }

  @Test(
    arguments: [
      (["add", "a", "ftp://example.org"], 2, "Error: the URL does not begin with https://"),
      (["add", "a", "https://ann:secret@example.org"], 2, "a file of its own"),
      (["add", "a", "https://example.org", "--template", "smoke"], 2, "'smoke' is not an upload format"),
      (["add", "a", "https://example.org", "--template", "owntracks", "--as", "a/b"], 2, "part of a topic"),
      (
        ["add", "a", "https://example.org", "--template", "overland", "--only", "crossings"], 2,
        "cannot express"
      ),
      (
        ["add", "a", "https://example.org", "--every-fix", "--apart", "10"], 2,
        "--every-fix can't be combined"
      ),
      (["add", "a", "https://example.org", "--batch", "0"], 2, "between 1 and 1000"),
      (["add", "a", "https://example.org", "--auth-file", "/nowhere/at/all"], 1, "no such file"),
      (["add", "a", "https://example.org", "--ca-file", "/nowhere/at/all"], 1, "no such file"),
      (["add", "a", "https://example.org", "--ca-file", "/"], 1, "is a directory"),
      (["status", "a"], 1, "no endpoint has the name a"), (["retry", "a"], 1, "no store exists at "),
      (["flush", "a"], 1, "no store exists at "), (["purge", "a"], 1, "no store exists at "),
    ])
  func invalidCommandIsReported(_ arguments: [String], _ code: Int32, _ words: String) async throws {
    let run = try await queue(arguments, try TemporaryFolder())
    #expect(run.code == code && run.errors.contains(words), "\(run.errors)")
  }

  /// A timer may run the command before the store exists.
  @Test func flushOfAMissingStoreSucceedsAndCreatesNoStore() async throws {
    let folder = try TemporaryFolder()
    let run = try await queue(["flush"], folder)
    #expect(run.code == 0 && run.output.isEmpty)
    #expect(
      run.errors
        == "no store exists at \(folder.path("here.sqlite")). Run `whereabouts queue add` to add an endpoint.\n"
    )
    #expect(try folder.names == [])
  }

  @Test func credentialsReadableByOthersAreRejected() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("auth", Array("Bearer secret".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let run = try await queue(["add", "a", "https://example.org", "--auth-file", file], folder)
    #expect(run.code == 4 && run.errors.contains("chmod 600") && !run.errors.contains("secret"))
  }

  @Test func filePathsAreStoredAbsolute() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("auth", Array("Bearer secret".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let here = FileManager.default.currentDirectoryPath
    let up = here.split(separator: "/").map { _ in ".." }.joined(separator: "/")
    let run = try await queue(
      [
        "add", "a", "https://example.org", "--auth-file", "\(up)\(file)", "--ca-file", "\(up)\(file)",
        "--json",
      ], folder)
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains(#""authFile":"/"#) && run.output.contains(#""caFile":"/"#))
    #expect(!run.output.contains(".."))
  }

  @Test func secretsInURLAreRefusedWithRemedy() async throws {
    let folder = try TemporaryFolder()
    let run = try await queue(["add", "a", "https://example.org/log?token=s3cret"], folder)
    #expect(
      run.code == 2 && run.errors.contains("--auth-file") && run.errors.contains("?token=…"), "\(run.errors)")
    #expect(!run.errors.contains("s3cret") && !run.output.contains("s3cret"))
  }

  /// The examples of the help speak of servers that are not there, so they are only read.
  @Test(
    arguments: [
      QueueGroup.configuration, QueueAdd.configuration, QueueList.configuration, QueueStatus.configuration,
      QueueFlush.configuration, QueueRetry.configuration, QueuePurge.configuration, QueueRemove.configuration,
    ].map(\.discussion))
  func examplesParse(_ discussion: String) throws {
    let examples = discussion.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("whereabouts ") }
    #expect(!examples.isEmpty)
    for example in examples {
      _ = try WhereaboutsCommand.parseAsRoot(example.split(separator: " ").dropFirst().map(String.init))
    }
  }
}
