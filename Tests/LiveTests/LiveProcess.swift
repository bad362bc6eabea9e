import Foundation

/// A program that runs beside a test: started, listened to line by line, and gone with the test that holds it.
///
/// It is unchecked because `Process` does not say that it may be used from anywhere; here it is touched by one test only,
/// and what its handlers touch is behind a lock.
final class LiveProcess: @unchecked Sendable {
  /// What it writes to standard output, line by line, without the ends of lines; ends with the program. For one reader.
  let lines: AsyncStream<String>

  private let process = Process()
  private let lock = NSLock()
  private var written = ""
  private var rest: [UInt8] = []
  private let ended: AsyncStream<Int32>

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: its path, or a name that is looked up as a shell does.
  ///   - environment: what is set besides what this process has.
  init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    let (lines, linesIn) = AsyncStream.makeStream(of: String.self)
    let (ended, endedIn) = AsyncStream.makeStream(of: Int32.self)
    self.lines = lines
    self.ended = ended
    process.executableURL = URL(filePath: program.contains("/") ? program : "/usr/bin/env")
    process.arguments = (program.contains("/") ? [] : [program]) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = Pipe(), errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.terminationHandler = { process in
      endedIn.yield(process.terminationStatus)
      endedIn.finish()
    }
    output.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      for line in self?.lines(completedBy: data) ?? [] { linesIn.yield(line) }
      guard data.isEmpty else { return }
      handle.readabilityHandler = nil
      linesIn.finish()
    }
    errors.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      self?.note(String(decoding: data, as: UTF8.self))
    }
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var identifier: Int32 { process.processIdentifier }

  /// What it has written to standard error until now.
  var errors: String { lock.withLock { written } }

  private func note(_ text: String) { lock.withLock { written += text } }

  /// The lines that are whole with these bytes; without any, all that is left.
  private func lines(completedBy data: Data) -> [String] {
    lock.withLock {
      rest += data
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let last = data.isEmpty ? [] : Array(lines.removeLast())
      if data.isEmpty, lines.last?.isEmpty ?? false { lines.removeLast() }
      defer { rest = last }
      return lines.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for its end. For one waiter.
  ///
  /// - Returns: its exit code, or the number of the signal that ended it.
  @discardableResult
  func end() async -> Int32 {
    for await status in ended { return status }
    return process.terminationStatus
  }

  /// Ends it with a signal, and waits for its end.
  func end(with signal: Int32) async {
    send(signal)
    await end()
  }
}

/// Whether a program is installed, to skip what needs it where it is not.
func isInstalled(_ program: String) -> Bool {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"]
  return program.contains("/")
    ? FileManager.default.isExecutableFile(atPath: program)
    : folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}
