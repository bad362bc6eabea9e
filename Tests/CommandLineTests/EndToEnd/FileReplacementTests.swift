import Foundation
import Testing

/// Files that `--force` may replace, and the attributes that remain.
@Suite struct FileReplacementTests {
  @Test(arguments: [0o600, 0o640, 0o644, 0o604])
  func forcedConversionRetainsThePermissions(mode: Int) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("out.csv", Array("old\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    #expect(try await CommandRun(["convert", "--force", CommandRun.drive, file]).code == 0)
    #expect(try Self.mode(of: file) == mode)
  }

  /// A temporary file of a killed process holds places, and nobody else knows its name. `split` makes files of names
  /// that end in a number.
  @Test func abandonedTemporaryFilesAreRemoved() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("out.csv")
    let run = try await CommandRun(
      shell: """
        true & dead=$!
        wait $dead
        sleep 3600 >/dev/null 2>&1 & alive=$!
        part='\(file).whereabouts-part-' other='\(folder.path("other.csv")).whereabouts-part-'
        split='\(file).part-'
        for name in "$part$dead" "$part$alive" "${part}x" "$other$dead" "$split$dead"; do echo places > "$name"; done
        whereabouts convert '\(CommandRun.drive)' '\(file)'
        echo "code $?"
        [ -e "$part$dead" ] || echo gone
        [ -e "$part$alive" ] && [ -e "${part}x" ] && echo kept
        [ -e "$other$dead" ] && echo other
        [ -e "$split$dead" ] && echo split
        kill -KILL $alive
        """)
    #expect(run.lines == ["code 0", "gone", "kept", "other", "split"], "\(run)")
  }

  /// `nohup` is for commands that outlive their terminal.
  @Test func ignoredHangUpStaysIgnored() async throws {
    let folder = try TemporaryFolder()
    let (pipe, file) = (folder.path("pipe"), folder.path("out.csv"))
    // The drive is longer than the buffer of a pipe: once all of it is written, the command has read a part.
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        nohup '\(CommandRun.binary.path())' convert '\(pipe)' '\(file)' &
        exec 3> '\(pipe)'
        cat '\(CommandRun.drive)' >&3
        has_begun() { ls '\(file)'.whereabouts-part-*; }
        wait_for $! has_begun
        kill -HUP $!
        exec 3>&-
        wait $!
        """)
    #expect(run.code == 0, "\(run.errors)")
    #expect(try folder.names == ["out.csv", "pipe"])
  }

  @Test func forcedTrackFileRetainsThePermissions() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("way.gpx", Array("old\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let run = try await CommandRun([
      "track", "--no-store", "--save", file, "--force", "--source", "replay:\(CommandRun.drive)?speed=max",
    ])
    #expect(run.code == 0, "\(run.errors)")
    #expect(try Self.mode(of: file) == 0o600)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("<?xml"))
  }

  @Test(arguments: [
    ["convert", CommandRun.drive, "--to", "csv", ""], ["days", "--svg", "", "--store", ""],
    ["track", "--source", CommandRun.driveSource, "--store", "", "--save", ""],
    ["watch", "--source", CommandRun.driveSource, "--store", "", "--journal", ""],
  ])
  func forcedOutputNeverReplacesAStore(arguments: [String]) async throws {
    let store = try TestStore()
    #expect(try await store.fenceCommand("import", CommandRun.places).code == 0)
    let run = try await CommandRun(arguments.map { $0.isEmpty ? store.path : $0 } + ["--force"])
    #expect(run.code == 1 && run.output.isEmpty, "\(run)")
    #expect(
      run.errors.hasPrefix("whereabouts: could not write \(store.path): it is an SQLite database"),
      "\(run.errors)")
    #expect(try await store.fenceCommand("list").lines.count == 6)
    #expect(try await CommandRun(["store", "check", "--store", store.path]).code == 0)
  }

  /// The run would create its store after the check of the track's file, and replace the store with the track.
  @Test(arguments: [
    "", "-wal", "-shm", "-journal", "-reserve", "-lock", "-lock-anna", "-lock-a-lock-b", "-upload", "-server",
  ])
  func forcedTrackNeverReplacesTheNewStoreOfItsRun(end: String) async throws {
    let store = try TestStore()
    let file = store.folder.path("./store.sqlite\(end)")
    let run = try await store.command(
      "track", "--source", CommandRun.driveSource, "--save", file, "--force")
    #expect(run.code == 1 && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("it is the store \(store.path) or a part of it"), "\(run.errors)")
    #expect(try store.folder.names == [])
  }

  /// The run would create a file of this name later, or SQLite would remove the journal as its own.
  @Test(arguments: ["-wal", "-shm", "-journal", "-reserve", "-lock", "-lock-anna", "-upload", "-server"])
  func forcedJournalNeverTakesTheNameOfAPartOfItsStore(end: String) async throws {
    let store = try TestStore()
    let file = store.folder.path("./store.sqlite\(end)")
    let run = try await store.command(
      "watch", "--source", CommandRun.driveSource, "--count", "2", "--journal", file, "--force")
    #expect(run.code == 1 && run.output.isEmpty, "\(run)")
    #expect(run.errors.hasPrefix("whereabouts: could not write \(file): it is "), "\(run.errors)")
    #expect(run.errors.hasSuffix(". Write to another file.\n"), "\(run.errors)")
    #expect(try store.folder.names == [], "a failure leaves no new store")
  }

  /// A process that holds a lock would go on, and a second one would lock the file that replaced it.
  @Test(arguments: ["-lock", "-lock-anna", "-lock-a-lock-b", "-upload", "-server"])
  func forcedOutputNeverReplacesALockOfAStore(end: String) async throws {
    let store = try TestStore()
    #expect(try await store.fenceCommand("import", CommandRun.places).code == 0)
    let lock = try store.folder.file("store.sqlite\(end)", [])
    let run = try await CommandRun(["convert", "--to", "csv", "--force", CommandRun.drive, lock])
    let message = "could not write \(lock): it is a part of the SQLite database \(store.path). "
    #expect(run.code == 1 && run.errors == "whereabouts: \(message)Write to another file.\n", "\(run)")
    #expect(try Data(contentsOf: URL(filePath: lock)).isEmpty)
    // Without a database of that name it is a file as any other.
    let other = try store.folder.file("other.sqlite\(end)", [])
    #expect(try await CommandRun(["convert", "--to", "csv", "--force", CommandRun.drive, other]).code == 0)
  }

  /// SQLite would use such a file as its own, or remove it.
  @Test(arguments: ["-wal", "-shm", "-journal", "-lock-anna", "-upload"])
  func newOutputNeverTakesTheNameOfAPartOfADatabase(end: String) async throws {
    let store = try TestStore(), file = store.path + end
    #expect(try await store.fenceCommand("import", CommandRun.places).code == 0)
    let commands = [
      ["convert", "--to", "csv", CommandRun.drive, file],
      ["export", "--to", "gpx", "--store", store.path, file],
      ["track", "--source", CommandRun.driveSource, "--save", file],
      ["watch", "--no-store", "--source", CommandRun.driveSource, "--count", "2", "--journal", file],
    ]
    for command in commands {
      let run = try await CommandRun(command)
      let message = "could not write \(file): it is a part of the SQLite database \(store.path). "
      #expect(run.code == 1 && run.errors == "whereabouts: \(message)Write to another file.\n", "\(run)")
    }
    #expect(try await CommandRun(["store", "check", "--store", store.path]).code == 0)
  }

  /// The locks lie beside the store, not beside the link.
  @Test(arguments: ["-lock-anna", "-server"])
  func forcedJournalNeverTakesTheNameOfAPartOfALinkedStore(end: String) async throws {
    let store = try TestStore(), link = store.folder.path("link.sqlite")
    #expect(try await store.fenceCommand("import", CommandRun.places).code == 0)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store.path)
    let journal = store.path + end
    let run = try await CommandRun([
      "watch", "--store", link, "--source", CommandRun.driveSource, "--count", "2", "--journal", journal,
      "--force",
    ])
    let message = "could not write \(journal): it is the store \(link) or a part of it. "
    #expect(run.code == 1 && run.errors == "whereabouts: \(message)Write to another file.\n", "\(run)")
    #expect(!FileManager.default.fileExists(atPath: journal))
  }

  /// `--force` does not help: no command replaces a database.
  @Test(arguments: ["convert", "journal"]) func refusalOfADatabaseDoesNotAdviseForce(kind: String)
    async throws
  {
    let store = try TestStore()
    #expect(try await store.fenceCommand("import", CommandRun.places).code == 0)
    let run = try await CommandRun(
      kind == "convert"
        ? ["convert", CommandRun.drive, "--to", "csv", store.path]
        : ["watch", "--no-store", "--source", CommandRun.driveSource, "--journal", store.path])
    #expect(run.code == 1 && run.errors.contains("it is an SQLite database"), "\(run)")
    #expect(!run.errors.contains("--force"), "\(run.errors)")
  }

  @Test(arguments: ["--map", "--plot"]) func pictureNeverReplacesItsRecording(option: String) async throws {
    let folder = try TemporaryFolder()
    let file = try Self.copyOfWalk(in: folder)
    let before = try Data(contentsOf: URL(filePath: file))
    let run = try await CommandRun(["replay", "--track", option, file, "--force", file])
    #expect(run.code == 1)
    #expect(run.errors == "whereabouts: could not write \(file): the command reads it\n")
    #expect(try Data(contentsOf: URL(filePath: file)) == before)
  }

  @Test func pictureNeverReplacesARecordingOfAnotherName() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.copyOfWalk(in: folder)
    let link = folder.path("link.gpx")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    let linked = try await CommandRun(["replay", "--map", file, "--force", CommandRun.drive, link])
    #expect(linked.code == 1)
    #expect(linked.errors == "whereabouts: could not write \(file): the command reads it as \(link)\n")
    let redirected = try await CommandRun(shell: "whereabouts replay --map '\(file)' --force - < '\(file)'")
    #expect(redirected.code == 1)
    #expect(
      redirected.errors == "whereabouts: could not write \(file): the command reads it on standard input\n")
    #expect(FileManager.default.contentsEqual(atPath: file, andPath: CommandRun.walk))
  }

  @Test func pictureNeverReplacesItsFences() async throws {
    let folder = try TemporaryFolder()
    let fences = folder.path("places.geojson")
    try FileManager.default.copyItem(atPath: CommandRun.places, toPath: fences)
    let run = try await CommandRun([
      "replay", "--fences", fences, "--map", fences, "--force", CommandRun.drive,
    ])
    #expect(run.code == 1)
    #expect(FileManager.default.contentsEqual(atPath: fences, andPath: CommandRun.places))
  }

  @Test func conversionNeverReplacesItsInput() async throws {
    let folder = try TemporaryFolder()
    let file = try Self.copyOfWalk(in: folder)
    #expect(try await CommandRun(["convert", "--to", "csv", "--force", file, file]).code == 1)
    #expect(FileManager.default.contentsEqual(atPath: file, andPath: CommandRun.walk))
  }

  @Test func exportNeverReplacesItsStore() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("places.sqlite")
    #expect(try await CommandRun(["fence", "import", CommandRun.places, "--store", store]).code == 0)
    for export in [["fence", "export"], ["export", "--to", "gpx"]] {
      let run = try await CommandRun(export + ["--store", store, "--force", store])
      #expect(run.code == 1)
      #expect(run.errors == "whereabouts: could not write \(store): the command reads it\n")
    }
    #expect(try await CommandRun(["fence", "list", "--store", store]).code == 0)
  }

  private static func copyOfWalk(in folder: TemporaryFolder) throws -> String {
    let file = folder.path("walk.gpx")
    try FileManager.default.copyItem(atPath: CommandRun.walk, toPath: file)
    return file
  }

  private static func mode(of path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }
}
