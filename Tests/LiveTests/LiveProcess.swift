import Foundation

/// A program run by a test, whose output is read line by line. It ends with its owner.
///
/// Blocking threads read the output. `FileHandle.readabilityHandler` would be shorter, but sometimes crashes in the
/// dispatch library if a handle is released while data arrives.
///
/// `Sendable` is unchecked because `Process` is not declared as `Sendable`. Only one test uses it, and a lock guards
/// the state shared with its threads.
final class LiveProcess: @unchecked Sendable {
  /// The lines of standard output, without line ends. The stream ends with the program. For one reader.
  let lines: AsyncStream<String>

  private let process = Process()
  private let errorOutput = ErrorOutput()
  private let ended: AsyncStream<Int32>

  private final class ErrorOutput: @unchecked Sendable {
    private let lock = NSLock()
    private var text = ""

    var all: String { lock.withLock { text } }
    func append(_ line: String) { lock.withLock { text += line + "\n" } }
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name that is looked up as in a shell.
  ///   - environment: variables in addition to those of this process.
  init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    let (lines, linesIn) = AsyncStream.makeStream(of: String.self)
    let (ended, endedIn) = AsyncStream.makeStream(of: Int32.self)
    self.lines = lines
    self.ended = ended
    process.executableURL = URL(filePath: program.contains("/") ? program : "/usr/bin/env")
    process.arguments = (program.contains("/") ? [] : [program]) + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.terminationHandler = { process in
      endedIn.yield(process.terminationStatus)
      endedIn.finish()
    }
    let output = try Self.pipe(), errors = try Self.pipe()
    process.standardOutput = FileHandle(fileDescriptor: output.in, closeOnDealloc: false)
    process.standardError = FileHandle(fileDescriptor: errors.in, closeOnDealloc: false)
    let started = Result { try process.run() }
    close(output.in)
    close(errors.in)
    Self.read(output.out, { linesIn.yield($0) }, atEnd: { linesIn.finish() })
    Self.read(errors.out, { [errorOutput] in errorOutput.append($0) }, atEnd: {})
    try started.get()
  }

  private static func pipe() throws -> (out: Int32, in: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw CocoaError(.fileNoSuchFile) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads lines until all writers have closed.
  private static func read(
    _ descriptor: Int32, _ notify: @escaping @Sendable (String) -> Void, atEnd: @escaping @Sendable () -> Void
  ) {
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 4096)
      var rest: [UInt8] = []
      while true {
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { break }
        rest += bytes[..<count]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          notify(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeSubrange(...end)
        }
      }
      if !rest.isEmpty { notify(String(decoding: rest, as: UTF8.self)) }
      close(descriptor)
      atEnd()
    }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var identifier: Int32 { process.processIdentifier }

  var isRunning: Bool { process.isRunning }

  /// The output on standard error so far.
  var errors: String { errorOutput.all }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end of the program. For one waiter.
  ///
  /// - Returns: the exit code, or the number of the signal that ended the program.
  @discardableResult
  func end() async -> Int32 {
    for await status in ended { return status }
    return process.terminationStatus
  }

  /// Ends the program with a signal and waits for its end.
  func end(with signal: Int32) async {
    send(signal)
    await end()
  }
}

/// Whether a program is installed, to skip tests without it.
func isInstalled(_ program: String) -> Bool {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
  let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"]
  return program.contains("/")
    ? FileManager.default.isExecutableFile(atPath: program)
    : folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}
