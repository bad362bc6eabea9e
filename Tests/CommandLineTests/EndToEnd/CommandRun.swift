import CommandTestSupport
import Foundation
import Testing

/// One run of the built `whereabouts` binary, as a person would run it.
struct CommandRun {
  var output: String
  var errors: String
  var code: Int32

  /// The binary that was built together with these tests.
  static let binary = BuiltCommand.url

  /// The package's sample recordings.
  static let drive = SampleTests.folder.appending(path: "city-drive.nmea").path()
  static let walk = SampleTests.folder.appending(path: "meridian-walk.gpx").path()
  /// Places along the drive.
  static let places = SampleTests.folder.appending(path: "places.geojson").path()
  static let sail = SampleTests.folder.appending(path: "equator-sail.nmea").path()

  /// Runs it and waits for its end.
  ///
  /// - Parameter input: bytes on its standard input, which is empty otherwise.
  init(_ arguments: [String], input: [UInt8] = []) async throws {
    try await self.init(Self.binary, arguments, input: input)
  }

  /// Runs a command line of the shell in which `whereabouts` is the binary, and `wait_for PROCESS COMMAND…` waits until a
  /// command succeeds. Once the process has ended, nothing is waited for any more.
  init(shell line: String) async throws {
    // The first program that dash runs ends the inheritance of blocked signals. With SIGCHLD blocked, `wait` would miss
    // the end of a child.
    let functions = """
      env true
      whereabouts() { '\(Self.binary.path())' "$@"; }
      wait_for() {
        awaited=$1
        shift
        until "$@" >/dev/null 2>&1; do
          if ! kill -0 "$awaited" 2>/dev/null; then
            "$@" >/dev/null 2>&1 && return
            echo "the process has ended without: $*" >&2
            return 1
          fi
          sleep 0.02
        done
      }
      """
    try await self.init(URL(filePath: "/bin/sh"), ["-c", "\(functions)\n\(line)"], input: [])
  }

  /// Runs it over a pipe as its recording, and presses Ctrl-C when all of the file but its end has gone through.
  ///
  /// - Parameter file: what comes through the pipe; `nil` for nothing at all.
  static func interrupted(_ arguments: [String], while file: String?) async throws -> CommandRun {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    // Opening the pipe waits until the command reads from it, and filling it until it has read enough.
    return try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        '\(binary.path())' \(arguments.joined(separator: " ")) --source 'replay:\(pipe)?speed=max' &
        exec 3> '\(pipe)'
        \(file.map { "cat '\($0)' >&3" } ?? "")
        kill -INT $!
        wait $!
        exit $?
        """)
  }

  /// Runs the command as a user without read permissions.
  static func asUnprivilegedUser(_ arguments: [String]) async throws -> CommandRun {
    let line = arguments.map { "'\($0)'" }.joined(separator: " ")
    let user = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
    return try await CommandRun(shell: "\(user)'\(binary.path())' \(line)")
  }

  /// Whether ``asNobody(_:)`` works here.
  static let canRunUnprivileged =
    geteuid() != 0
    || ["/usr/bin/setpriv", "/bin/setpriv"].contains { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether the system has a device that is always full.
  static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")

  /// Runs the command on a terminal with a number of columns; both outputs are one there.
  ///
  /// - Parameter kind: the value of `TERM`.
  static func onTerminal(_ arguments: [String], columns: Int, kind: String = "xterm") async throws
    -> CommandRun
  {
    let line = arguments.map { "'\($0)'" }.joined(separator: " ")
    let command = "stty cols \(columns); TERM=\(kind) '\(binary.path())' \(line)"
    let quoted = command.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    return try await CommandRun(shell: "script -qec '\(quoted)' /dev/null")
  }

  /// Runs the command on such a terminal, and presses Ctrl-C as soon as text is there that matches a pattern of grep.
  ///
  /// - Parameter signal: another signal than that of Ctrl-C, which is ignored here by a command that does not handle it.
  static func onTerminal(
    _ arguments: [String], columns: Int, interruptedAfter pattern: String, by signal: String = "INT"
  ) async throws -> CommandRun {
    let folder = try TemporaryFolder()
    let (screen, number) = (folder.path("screen"), folder.path("number"))
    let line = arguments.map { "'\($0)'" }.joined(separator: " ")
    let command =
      "stty cols \(columns); echo $$ > '\(number)'; TERM=xterm exec '\(binary.path())' \(line)"
    let quoted = command.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    return try await CommandRun(
      shell: """
        script -qec '\(quoted)' /dev/null > '\(screen)' &
        wait_for $! grep -q '\(pattern)' '\(screen)'
        kill -\(signal) "$(cat '\(number)')"
        wait $!
        code=$?
        cat '\(screen)'
        exit $code
        """)
  }

  /// Whether ``onTerminal(_:columns:)`` works here.
  static let hasTerminals = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

  /// Hundreds at once would be slow.
  private static let limiter = ConcurrencyLimiter(8)

  private init(_ executable: URL, _ arguments: [String], input: [UInt8]) async throws {
    self = try await Self.limiter.run { try await Self.run(executable, arguments, input: input) }
  }

  private init(output: String, errors: String, code: Int32) {
    self.output = output
    self.errors = errors
    self.code = code
  }

  private static func run(_ executable: URL, _ arguments: [String], input: [UInt8]) async throws -> CommandRun
  {
    let folder = try TemporaryFolder()
    // Files instead of pipes: a pipe must be drained and can block.
    let output = folder.path("output"), errors = folder.path("errors")
    try Data(input).write(to: URL(filePath: folder.path("input")))
    for path in [output, errors] { try Data().write(to: URL(filePath: path)) }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let files = [
      try FileHandle(forReadingFrom: URL(filePath: folder.path("input"))),
      try FileHandle(forWritingTo: URL(filePath: output)),
      try FileHandle(forWritingTo: URL(filePath: errors)),
    ]
    // Foundation keeps a process that has ended, and its files with it; and where a process has more than 1,300 files open,
    // Foundation's search for the highest of them reads over the end of the list and crashes.
    defer { for file in files { try? file.close() } }
    (process.standardInput, process.standardOutput, process.standardError) = (files[0], files[1], files[2])
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    return CommandRun(
      output: String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self),
      code: process.terminationStatus)
  }

  var lines: [Substring] { output.split(separator: "\n") }

  /// A line of the output, the first is 0; fails the test if there is none.
  func line(_ index: Int) throws -> Substring {
    try #require(lines.indices.contains(index), "no line \(index) in: \(output)\n\(errors)")
    return lines[index]
  }
}

/// A temporary folder, removed with its owner.
final class TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "whereabouts-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path() }

  /// Writes a file and returns its path.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path()).sorted() }
  }
}
