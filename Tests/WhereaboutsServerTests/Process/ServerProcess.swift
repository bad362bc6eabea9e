import CommandTestSupport
import Foundation
import Testing

/// `whereabouts serve` as a separate process.
///
/// The conformance is unchecked because `Process` is not `Sendable`; one test uses a process.
final class ServerProcess: @unchecked Sendable {
  private let process = Process()
  private let ended: AsyncStream<Int32>
  private let errorLines: AsyncStream<String>
  private var iterator: AsyncStream<String>.Iterator
  private let outputPipe = Pipe()
  /// The lines of standard error that were waited for or passed over.
  private(set) var seenErrors: [String] = []

  /// The binary that was built together with these tests.
  static let binary = BuiltCommand.url

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - command: the command; `nil` if the arguments begin with it.
  ///   - openFiles: the limit of open files; `nil` for that of this process.
  init(
    _ arguments: [String], command: String? = "serve", environment: [String: String] = [:],
    openFiles: Int? = nil
  ) throws {
    let (ended, endedIn) = AsyncStream.makeStream(of: Int32.self)
    let (lines, linesIn) = AsyncStream.makeStream(of: String.self)
    self.ended = ended
    errorLines = lines
    iterator = lines.makeAsyncIterator()
    process.executableURL = Self.binary
    process.arguments = [command].compactMap(\.self) + arguments
    if let openFiles {
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments =
        ["-c", "ulimit -n \(openFiles) && exec \"$0\" \"$@\"", Self.binary.path()] + (process.arguments ?? [])
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = outputPipe
    let errors = Pipe()
    process.standardError = errors
    process.terminationHandler = { process in
      endedIn.yield(
        process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
      endedIn.finish()
    }
    try process.run()
    Thread.detachNewThread {
      var rest: [UInt8] = []
      while true {
        // `availableData` returns with the first bytes; reading a number of bytes would wait for all of them.
        let data = errors.fileHandleForReading.availableData
        guard !data.isEmpty else { break }
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          linesIn.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeSubrange(...end)
        }
      }
      linesIn.finish()
    }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Waits for a line of standard error that contains a text.
  func line(with text: String) async throws -> String {
    while let line = await iterator.next() {
      seenErrors.append(line)
      if line.contains(text) { return line }
    }
    return try #require(nil, "no line with '\(text)' in: \(seenErrors)")
  }

  /// Waits until the server answers, unless the line that says so was passed over.
  ///
  /// - Returns: its port.
  func ready() async throws -> Int {
    var ready = seenErrors.first { $0.contains("ready: ") }
    if ready == nil { ready = try await line(with: "ready: ") }
    return try #require(ready?.split(separator: ":").last.flatMap { Int($0) }, "\(seenErrors)")
  }

  /// The token that a server prints at its first start on a store. Call it once.
  func token() throws -> String {
    let text = String(decoding: outputPipe.fileHandleForReading.availableData, as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("token: ") })
    return String(line.dropFirst(7))
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end.
  ///
  /// - Returns: the exit code; the negative number of a signal that ended it.
  func end() async -> Int32 {
    for await status in ended { return status }
    return process.terminationStatus
  }

  /// The seen lines without their first word, the time of a line of the log.
  var seenTexts: [String] { seenErrors.map { String($0.drop { $0 != " " }) } }

  /// Reads standard error to its end.
  func readRest() async {
    while let line = await iterator.next() { seenErrors.append(line) }
  }

  /// Runs the command to its end.
  static func run(
    _ arguments: [String], command: String? = "serve", environment: [String: String] = [:]
  ) async throws -> (output: String, errors: String, code: Int32) {
    let server = try ServerProcess(arguments, command: command, environment: environment)
    let output = try server.outputPipe.fileHandleForReading.readToEnd() ?? Data()
    await server.readRest()
    return (
      String(decoding: output, as: UTF8.self), server.seenErrors.joined(separator: "\n"), await server.end()
    )
  }
}
