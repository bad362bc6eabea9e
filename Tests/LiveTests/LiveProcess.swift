import Foundation

/// A program that runs beside a test: started, listened to line by line, and gone with the test that holds it.
///
/// What it writes is read by threads that wait for it. `FileHandle.readabilityHandler` would be shorter, and now and then
/// crashes in the dispatch library where a handle is let go of while something comes.
///
/// It is unchecked because `Process` does not say that it may be used from anywhere; here it is touched by one test only,
/// and what its threads touch is behind a lock.
final class LiveProcess: @unchecked Sendable {
  /// What it writes to standard output, line by line, without the ends of lines; ends with the program. For one reader.
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

  /// Reads lines until nobody writes any more.
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

  /// What it has written to standard error until now.
  var errors: String { errorOutput.all }

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
