import Foundation
import Synchronization
import Testing

/// A mosquitto broker on a separate port, as a process that can be killed and restarted.
///
/// It is unchecked because `Process` does not say that it may be used from anywhere; one test uses it.
final class MosquittoBroker: @unchecked Sendable {
  private struct Failure: Error {}

  private static let program = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  private static let passwordProgram = "/usr/bin/mosquitto_passwd"

  /// Whether the broker is installed.
  static var isInstalled: Bool { program != nil }
  /// Whether the broker can have passwords and certificates.
  static var canBeSecured: Bool {
    isInstalled && Certificates.canBeMade && FileManager.default.isExecutableFile(atPath: passwordProgram)
  }

  let port: Int
  let folder: TemporaryPlace
  private let configuration: String
  private var process: Process?
  private var ended: AsyncStream<Void>?

  /// Writes the configuration of a broker that keeps its memory on disk.
  ///
  /// - Parameter security: the lines about logins and certificates.
  init(in folder: TemporaryPlace, security: [String] = ["allow_anonymous true"]) throws {
    self.folder = folder
    port = try Self.freePort()
    // Started by the superuser, mosquitto would become a user who can't read the folder.
    let lines =
      ["user root", "listener \(port) 127.0.0.1"] + security + [
        "persistence true", "persistence_location \(folder.path(""))", "autosave_on_changes true",
        "autosave_interval 1", "log_dest stderr",
      ]
    configuration = try folder.write(lines.joined(separator: "\n") + "\n", to: "mosquitto.conf")
  }

  deinit { if let process, process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

  /// Starts the broker, and waits until it listens.
  func start() async throws {
    let process = Process(), errors = Pipe()
    let (ended, endedIn) = AsyncStream.makeStream(of: Void.self)
    let (lines, linesIn) = AsyncStream.makeStream(of: String.self)
    process.executableURL = URL(filePath: try #require(Self.program))
    process.arguments = ["-c", configuration]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    process.terminationHandler = { _ in endedIn.finish() }
    try Self.withoutBlockedSignals { try process.run() }
    self.process = process
    self.ended = ended
    Thread.detachNewThread {
      while true {
        let data = errors.fileHandleForReading.availableData
        guard !data.isEmpty else { break }
        linesIn.yield(String(decoding: data, as: UTF8.self))
      }
      linesIn.finish()
    }
    var text = ""
    for await part in lines {
      text += part
      if text.contains(" running") { return }
    }
    try #require(Bool(false), "mosquitto ended: \(text)")
  }

  /// Runs a body on a thread that blocks no signal. A process inherits what its starter blocks: threads that run tasks block
  /// nearly all signals, and mosquitto would see neither SIGHUP nor SIGTERM.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var none = sigset_t(), before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  func send(_ signal: Int32) { if let process { Foundation.kill(process.processIdentifier, signal) } }

  /// Kills the broker without a farewell, and waits for its end.
  func kill() async {
    send(SIGKILL)
    if let ended { for await _ in ended {} }
    process = nil
  }

  /// Removes the broker's memory.
  func wipe() throws { try FileManager.default.removeItem(atPath: folder.path("mosquitto.db")) }

  /// Writes a file with the password of one user.
  static func writePassword(_ password: String, of user: String, to file: String) async throws {
    try await run(passwordProgram, ["-c", "-b", file, user, password])
  }

  /// Makes `NAME.cert.pem` and `NAME.key.pem`.
  static func writeCertificate(_ name: String, in folder: TemporaryPlace) async throws {
    try await run(
      "/usr/bin/openssl",
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30"]
        + ["-subj", "/CN=\(name)", "-keyout", folder.path("\(name).key.pem")]
        + ["-out", folder.path("\(name).cert.pem")])
  }

  /// Runs a program to its end. `Process.waitUntilExit` may never return on a thread that runs tasks.
  private static func run(_ program: String, _ arguments: [String]) async throws {
    let process = Process()
    let (ended, endedIn) = AsyncStream.makeStream(of: Int32.self)
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { process in
      endedIn.yield(process.terminationStatus)
      endedIn.finish()
    }
    try process.run()
    for await status in ended where status == 0 { return }
    throw Failure()
  }

  private static let nextPort = Mutex(Int.random(in: 10_000..<31_000))

  /// Returns a free port below those that the system gives to others, so that nobody takes it while the broker does not run.
  private static func freePort() throws -> Int {
    for _ in 0..<1000 {
      let port = nextPort.withLock { next in
        next = next < 31_999 ? next + 1 : 10_000
        return next
      }
      if try isFree(port) { return port }
    }
    throw Failure()
  }

  private static func isFree(_ port: Int) throws -> Bool {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw Failure() }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
