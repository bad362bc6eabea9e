import Dispatch
import Foundation
import NIOCore
import NIOPosix

/// The system's real location service on a private bus and network, with NMEA sentences from a socket.
struct LocationDaemon {
  static let program = "/usr/libexec/geoclue"
  static let agentProgram = "/usr/libexec/geoclue-2.0/demos/agent"

  /// Whether the service can run here. Its configuration has a fixed path, so a mount namespace must replace the file,
  /// which requires root.
  static let canRun: Bool = {
    guard getuid() == 0, isInstalled(program), isInstalled(agentProgram), isInstalled("dbus-daemon"),
      isInstalled("unshare"), FileManager.default.fileExists(atPath: "/etc/geoclue/geoclue.conf")
    else { return false }
    let attempt = Process()
    attempt.executableURL = URL(filePath: "/usr/bin/env")
    attempt.arguments = ["unshare", "-mn", "true"]
    attempt.standardError = FileHandle.nullDevice
    // `waitUntilExit` may spin forever on a thread of the tests' pool.
    let ended = DispatchSemaphore(value: 0)
    attempt.terminationHandler = { _ in ended.signal() }
    guard (try? attempt.run()) != nil else { return false }
    ended.wait()
    return attempt.terminationStatus == 0
  }()

  let bus: PrivateBus
  let receiver: SentenceSocket
  private var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": bus.address] }

  init() async throws {
    bus = try await PrivateBus()
    receiver = try await SentenceSocket(path: "\(bus.folder)/nmea")
    try Self.configuration(socket: receiver.path)
      .write(toFile: "\(bus.folder)/geoclue.conf", atomically: true, encoding: .utf8)
  }

  /// Starts the service. A caller that needs its bus name must wait for the name.
  func start() throws -> LiveProcess {
    let command = """
      ip link set lo up 2>/dev/null
      mount --bind \(bus.folder)/geoclue.conf /etc/geoclue/geoclue.conf && exec \(Self.program) -t 300
      """
    return try LiveProcess("unshare", ["-mn", "sh", "-c", command], environment: environment)
  }

  func startAgent() throws -> LiveProcess {
    try LiveProcess(Self.agentProgram, environment: environment)
  }

  private static func configuration(socket: String) -> String {
    let off = ["3g", "cdma", "modem-gps", "wifi", "compass"].map { "[\($0)]\nenable=false\n" }.joined()
    return """
      [agent]
      whitelist=geoclue-demo-agent
      [network-nmea]
      enable=true
      nmea-socket=\(socket)
      \(off)
      [whereabouts]
      allowed=true
      system=true
      users=
      [forbidden]
      allowed=false
      system=true
      users=

      """
  }
}

/// A receiver behind a socket: sends each client a position every tenth of a second, with the current time.
final class SentenceSocket: Sendable {
  let path: String
  private let server: any Channel

  init(path: String) async throws {
    self.path = path
    server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        let loop = channel.eventLoop
        nonisolated(unsafe) var count = 0
        let task = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(100)) { _ in
          count += 1
          channel.writeAndFlush(ByteBuffer(string: Self.epoch(count)), promise: nil)
        }
        channel.closeFuture.whenComplete { _ in task.cancel() }
        return loop.makeSucceededVoidFuture()
      }
      .bind(unixDomainSocketPath: path).get()
    chmod(path, 0o666)
  }

  deinit { server.close(promise: nil) }

  /// Returns the sentences of a place north of 48° 51.5' N, 2° 17.67' E, at 2.6 kn.
  private static func epoch(_ number: Int) -> String {
    var now = time_t(wallSeconds())
    var civil = tm()
    gmtime_r(&now, &civil)
    let time = pad(civil.tm_hour) + pad(civil.tm_min) + pad(civil.tm_sec)
    let date = pad(civil.tm_mday) + pad(civil.tm_mon + 1) + pad(civil.tm_year % 100)
    let north = "4851.\(5000 + number % 1000),N"
    return sentence("GPGGA,\(time),\(north),00217.6700,E,1,08,0.8,35.0,M,47.0,M,,")
      + sentence("GPRMC,\(time),A,\(north),00217.6700,E,2.6,84.4,\(date),,,A")
  }

  private static func pad(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }
}
