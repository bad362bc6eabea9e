import Foundation
import NIOCore
import NIOPosix

/// A server on loopback that behaves like gpsd or an NMEA 0183 server, with one fault.
final class HostilePeer: Sendable {
  /// The fault of the peer.
  enum Fault: String, CaseIterable, Sendable {
    // gpsd
    case closesAtOnce
    case greetsAndCloses
    case greetsAndResets
    case sendsNothing
    case hasNoReceiver
    /// The receiver is open and sends nothing.
    case hasSilentReceiver
    /// The receiver has no fix.
    case hasNoFix
    /// Sends a report without a fix and closes the connection.
    case reportsAndCloses
    /// Sends two fixes and nothing more.
    case fallsSilent
    case repeatsOneInstant
    /// The receiver is 1024 weeks behind.
    case isWeeksBehind
    case hasAbsurdSpeed
    /// Sends fixes as fast as they are read.
    case floods
    case answersInHTML
    // NMEA 0183
    /// Sends valid sentences without a position.
    case sendsTimesOnly
    case sendsOneInstant
    case sendsTLS
    /// Sends sentences with fixes every tenth of a second, without a fault.
    case sendsFixes
    case floodsSentences
  }

  let port: Int
  private let server: any Channel

  init(_ fault: Fault, port: Int = 0) async throws {
    server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 65_536, high: 262_144))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(HostileSession(fault))
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    self.port = server.localAddress?.port ?? 0
  }

  func stop() async { try? await server.close() }

  /// The source argument of the command.
  var gpsd: String { "gpsd://127.0.0.1:\(port)" }
  var nmea: String { "nmea:tcp://127.0.0.1:\(port)" }
}

/// One connection to a hostile peer.
private final class HostileSession: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private static let greeting =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  private static let noDevices = #"{"class":"DEVICES","devices":[]}"#
  private static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyS9","activated":"2026-06-01T12:00:00.000Z"}]}"#
  private static let watching = #"{"class":"WATCH","enable":true,"json":true}"#
  private static let rollover: TimeInterval = 1024 * 7 * 86_400

  private let fault: HostilePeer.Fault
  private var ticks = 0
  private var flood: ByteBuffer?

  init(_ fault: HostilePeer.Fault) { self.fault = fault }

  func channelActive(context: ChannelHandlerContext) {
    switch fault {
    case .closesAtOnce: context.close(promise: nil)
    case .sendsNothing: break
    case .answersInHTML: send("HTTP/1.1 400 Bad Request", context)
    case .sendsTLS: context.writeAndFlush(wrap([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46]), promise: nil)
    case .sendsTimesOnly, .sendsFixes: repeatTicks(context, .milliseconds(100))
    // A pause completes the instant for the reader.
    case .sendsOneInstant: repeatTicks(context, .seconds(1))
    case .floodsSentences: startFlood(Self.sentences, context)
    case .greetsAndCloses, .greetsAndResets:
      if fault == .greetsAndResets {
        // Unread bytes are discarded, and the client receives a reset.
        _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      }
      send(Self.greeting, context)
      context.close(promise: nil)
    default: send(Self.greeting, context)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let text = String(buffer: unwrapInboundIn(data))
    if text.contains("?VERSION") { send(Self.greeting, context) }
    if text.contains("?DEVICES") { send(fault == .hasNoReceiver ? Self.noDevices : Self.devices, context) }
    guard text.contains("\"enable\":true") else { return }
    switch fault {
    case .hasNoReceiver: send(Self.noDevices, Self.watching, context)
    case .hasSilentReceiver: send(Self.devices, Self.watching, context)
    case .hasNoFix, .fallsSilent, .repeatsOneInstant, .isWeeksBehind, .hasAbsurdSpeed:
      send(Self.devices, Self.watching, context)
      repeatTicks(context, .milliseconds(200))
    case .reportsAndCloses:
      send(Self.devices, Self.watching, tpv(mode: 1, time: Date()), context)
      context.close(promise: nil)
    case .floods:
      send(Self.devices, Self.watching, context)
      startFlood(Self.reports, context)
    default: break
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    fill(context)
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  // MARK: - Output

  private func repeatTicks(_ context: ChannelHandlerContext, _ pace: TimeAmount) {
    let channel = context.channel
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let task = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: pace) { _ in
      let (session, context) = bound.value
      session.tick(context)
    }
    channel.closeFuture.whenComplete { _ in task.cancel() }
  }

  private func tick(_ context: ChannelHandlerContext) {
    ticks += 1
    switch fault {
    case .hasNoFix: send(tpv(mode: 1, time: Date()), context)
    case .fallsSilent: if ticks < 3 { send(tpv(time: Date()), context) }
    case .repeatsOneInstant: send(tpv(time: Date(timeIntervalSince1970: 1_780_000_000)), context)
    case .isWeeksBehind: send(tpv(time: Date() - Self.rollover), context)
    case .hasAbsurdSpeed:
      send(tpv(time: Date(), more: #","speed":1e308,"climb":-1e300,"altHAE":1e200"#), context)
    case .sendsTimesOnly:
      context.writeAndFlush(wrap(ReceiverSamples.sentence("GPZDA,120000.00,01,06,2026,00,00")), promise: nil)
    case .sendsOneInstant: context.writeAndFlush(wrap(ReceiverSamples.instant(0)), promise: nil)
    case .sendsFixes: context.writeAndFlush(wrap(ReceiverSamples.instant(ticks % 3600)), promise: nil)
    default: break
    }
  }

  private func tpv(mode: Int = 3, time: Date, more: String = "") -> String {
    let place = mode >= 2 ? #","lat":47.5,"lon":8.25,"eph":8"# : ""
    let text = time.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
    return #"{"class":"TPV","device":"/dev/ttyS9","mode":\#(mode),"time":"\#(text)Z"\#(place)\#(more)}"#
  }

  private func send(_ lines: String..., context: ChannelHandlerContext) {
    context.writeAndFlush(wrap(Array(lines.map { $0 + "\r\n" }.joined().utf8)), promise: nil)
  }

  private func send(_ first: String, _ context: ChannelHandlerContext) { send(first, context: context) }
  private func send(_ first: String, _ second: String, _ context: ChannelHandlerContext) {
    send(first, second, context: context)
  }
  private func send(_ first: String, _ second: String, _ third: String, _ context: ChannelHandlerContext) {
    send(first, second, third, context: context)
  }

  private func wrap(_ bytes: [UInt8]) -> NIOAny { NIOAny(ByteBuffer(bytes: bytes)) }

  // MARK: - Floods

  private func startFlood(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    flood = bytes
    fill(context)
  }

  private func fill(_ context: ChannelHandlerContext) {
    guard let flood else { return }
    while context.channel.isActive, context.channel.isWritable {
      context.writeAndFlush(NIOAny(flood), promise: nil)
    }
  }

  /// Reports without times: each place that differs from the previous one is a separate fix.
  private static let reports = ByteBuffer(
    string: (0..<1_000).map { number in
      let place = 47.5 + Double(number) / 1e7
      return #"{"class":"TPV","device":"/dev/ttyS9","mode":3,"lat":\#(place),"lon":8.25,"eph":8}"# + "\r\n"
    }.joined())

  private static let sentences = ByteBuffer(bytes: (0..<3_600).flatMap { ReceiverSamples.instant($0) })
}
