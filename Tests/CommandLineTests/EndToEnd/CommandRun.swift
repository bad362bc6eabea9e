import Foundation
import Testing

/// One run of the built `whereabouts` binary, as a person would run it.
struct CommandRun {
  var output: String
  var errors: String
  var code: Int32

  /// The binary that was built together with these tests.
  static let binary: URL = {
    // The test bundle's path is an argument of the runner; the products lie beside it.
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(filePath: bundle)
    while folder.pathComponents.contains(where: { $0.hasSuffix(".xctest") }) {
      folder.deleteLastPathComponent()
    }
    return folder.appending(path: "whereabouts")
  }()

  /// The package's sample recordings.
  static let drive = SampleTests.folder.appending(path: "city-drive.nmea").path()
  static let walk = SampleTests.folder.appending(path: "meridian-walk.gpx").path()

  /// Runs it and waits for its end.
  ///
  /// - Parameter input: bytes on its standard input, which is empty otherwise.
  init(_ arguments: [String], input: [UInt8] = []) async throws {
    try await self.init(Self.binary, arguments, input: input)
  }

  /// Runs a command line of the shell in which `whereabouts` is the binary.
  init(shell line: String) async throws {
    let function = "whereabouts() { '\(Self.binary.path())' \"$@\"; }"
    try await self.init(URL(filePath: "/bin/sh"), ["-c", "\(function)\n\(line)"], input: [])
  }

  private init(_ executable: URL, _ arguments: [String], input: [UInt8]) async throws {
    let folder = try TemporaryFolder()
    // Files and not pipes: nothing to drain, nothing to block on.
    let output = folder.path("output"), errors = folder.path("errors")
    try Data(input).write(to: URL(filePath: folder.path("input")))
    for path in [output, errors] { try Data().write(to: URL(filePath: path)) }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder.path("input")))
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do { try process.run() } catch { ended.resume(throwing: error) }
    }
    self.output = String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
    self.errors = String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self)
    code = process.terminationStatus
  }

  var lines: [Substring] { output.split(separator: "\n") }
}

/// A folder that is gone when nobody holds it any more.
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
