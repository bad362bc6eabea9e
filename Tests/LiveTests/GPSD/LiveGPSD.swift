import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Whereabouts
import WhereaboutsSources

/// The real gpsd, with datagrams of sentences as its receiver.
final class LiveGPSD: Sendable {
  static let isInstalled = isProgramInstalled("gpsd") && isProgramInstalled("gpsdctl")

  let port: Int
  let device: String
  private let folder: URL

  init() throws {
    port = try FreePort.tcp()
    device = "udp://127.0.0.1:\(try FreePort.udp())"
    folder = FileManager.default.temporaryDirectory.appending(path: "gpsd-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// gpsd ended instead of listening.
  struct StartError: Error {
    let messages: String
  }

  /// Starts gpsd and waits until it listens.
  func start(with devices: [String]? = nil) async throws -> LiveProcess {
    let process = try LiveProcess(
      "gpsd", ["-N", "-n", "-S", "\(port)", "-F", socket] + (devices ?? [device]))
    while true {
      let attempt = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: port)
      if let channel = try? await attempt.get() {
        try? await channel.close()
        return process
      }
      guard process.isRunning else { throw StartError(messages: process.errors) }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Adds or removes the device, as udev does.
  func control(_ word: String) async throws {
    await (try LiveProcess("gpsdctl", [word, device], environment: ["GPSD_SOCKET": socket])).end()
  }

  private var socket: String { folder.appending(path: "control").path }

  /// Returns a feeder for the receiver.
  func feeder() async throws -> DatagramFeeder {
    try await DatagramFeeder(port: Int(device.split(separator: ":").last ?? "") ?? 0)
  }
}

/// Free ports below those that the system gives to others, so that nobody takes one while a test does not listen there.
enum FreePort {
  private static let last = Mutex(Int.random(in: 10_000..<31_000))

  static func tcp() throws -> Int {
    try first {
      try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: $0)
        .wait()
    }
  }

  static func udp() throws -> Int {
    try first {
      try DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: $0)
        .wait()
    }
  }

  private static func first(_ bind: (Int) throws -> any Channel) throws -> Int {
    var failures = 0
    while true {
      let port = last.withLock { last in
        last = last < 31_999 ? last + 1 : 10_000
        return last
      }
      do {
        let channel = try bind(port)
        try? channel.close().wait()
        return port
      } catch {
        // As where there is no loopback.
        failures += 1
        if failures == 1000 { throw error }
      }
    }
  }
}

/// Sends sentences to a port, each in a datagram.
final class DatagramFeeder: Sendable {
  private let channel: any Channel
  private let target: SocketAddress

  init(port: Int) async throws {
    target = try SocketAddress(ipAddress: "127.0.0.1", port: port)
    channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
  }

  func send(_ bytes: some Sequence<UInt8>) {
    channel.writeAndFlush(
      AddressedEnvelope(remoteAddress: target, data: ByteBuffer(bytes: bytes)), promise: nil)
  }

  /// Sends, and waits until the receiver has read it. A datagram that finds a full buffer would be lost.
  func deliver(_ bytes: some Sequence<UInt8>) async throws {
    try await channel.writeAndFlush(
      AddressedEnvelope(remoteAddress: target, data: ByteBuffer(bytes: bytes)))
    while waitingBytes ?? 0 > 0 { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Waits until the receiver has opened its port, or has ended.
  func wait(for receiver: LiveProcess) async throws {
    #if os(Linux)
      while waitingBytes == nil, receiver.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    #endif
  }

  /// The number of bytes that the receiver has not read, as the system counts them; `nil` without a receiver.
  private var waitingBytes: Int? {
    let port = String(target.port ?? 0, radix: 16, uppercase: true)
    let place = ":" + String(repeating: "0", count: max(0, 4 - port.count)) + port
    let table = (try? String(contentsOfFile: "/proc/net/udp", encoding: .utf8)) ?? ""
    for line in table.split(separator: "\n") {
      // The number of the line, the local and the remote address, the state, and what waits to be sent and to be read.
      let fields = line.split(separator: " ")
      guard fields.count > 4, fields[1].hasSuffix(place) else { continue }
      return fields[4].split(separator: ":").last.flatMap { Int($0, radix: 16) }
    }
    return nil
  }

  func close() async { try? await channel.close() }
}

/// Instants of a receiver that moves north. The place encodes the number of the instant, which reveals invented fixes.
enum SyntheticTrack {
  /// 2024-06-01T12:00:00Z
  private static let start = UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000)

  static func time(_ number: Int) -> UTCTime { start.advanced(by: .milliseconds(100 * number)) }

  /// The sentences of an instant.
  static func sentences(_ number: Int) -> [String] {
    let civil = time(number).civil
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let clock =
      "\(two(civil.hour))\(two(civil.minute))\(two(civil.second)).\(two(civil.nanosecond / 10_000_000))"
    let minutes = String(format: "%07.4f", Double(number) / 1000)
    return [
      "GPRMC,\(clock),A,47\(minutes),N,00815.0000,E,5.00,0.00,010624,,,A",
      "GPGGA,\(clock),47\(minutes),N,00815.0000,E,1,08,1.0,400.0,M,48.0,M,,",
      "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,1.0,1.5",
    ].map { body in
      let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
      return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
    }
  }

  /// Returns the number of a fix's instant; `nil` if the fix is not on this track.
  static func number(of fix: Fix) -> Int? {
    let number = Int(((fix.coordinate.latitude - 47) * 60_000).rounded())
    let isThere = abs(fix.coordinate.latitude - 47 - Double(number) / 60_000) < 1e-8
    return isThere && fix.time == time(number) ? number : nil
  }
}

/// A running source with a demand, whose signals a test reads.
final class ObservedSource: Sendable {
  /// The signals with their arrival times, for one reader.
  let signals: AsyncStream<(signal: SourceSignal, at: ContinuousClock.Instant)>
  private let demands: AsyncStream<Demand>.Continuation
  private let task: Task<Void, Never>

  init(_ source: some LocationSource, _ demand: Demand) {
    let (signals, inlet) = AsyncStream.makeStream(
      of: (signal: SourceSignal, at: ContinuousClock.Instant).self)
    let (demands, outlet) = AsyncStream.makeStream(of: Demand.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    self.demands = outlet
    let link = SourceLink(
      demands: demands, authorizationRequests: AsyncStream { $0.finish() },
      background: ManagerSettings.Background()
    ) { signal, _ in
      if let signal { inlet.yield((signal, ContinuousClock.now)) }
      return SourceLink.Status(demand: demand)
    }
    task = Task {
      await source.run(link)
      inlet.finish()
    }
    outlet.yield(demand)
  }

  /// Cancels the source and waits for its return.
  func cancel() async {
    task.cancel()
    await task.value
  }
}

private func isProgramInstalled(_ program: String) -> Bool { isInstalled(program) }
