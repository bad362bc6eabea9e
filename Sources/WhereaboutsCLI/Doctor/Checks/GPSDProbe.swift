import NIOCore
import NIOPosix
import WhereaboutsModel
import WhereaboutsFormats

/// The version and the devices of a gpsd server. The probe does not activate any device.
struct GPSDProbe: Equatable {
  var release: String
  var devices: [GPSDDevice]

  /// Queries a gpsd server; returns `nil` if no server answers with the protocol of gpsd.
  static func query(host: String, port: Int, timeout: Duration) async -> GPSDProbe? {
    let (reports, continuation) = AsyncStream.makeStream(of: GPSDReport.self)
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.nanoseconds(Int64(min(timeout.inSeconds, 60) * 1e9)))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Listener(continuation))
        }
      }
    // gpsd listens on IPv4 and IPv6 loopback alike; the name would need a resolver.
    let address = host == "localhost" ? "127.0.0.1" : host
    let connecting = bootstrap.connect(host: address, port: port)
    // A connection attempt cannot be cancelled; a late connection is closed.
    let outcome = connecting.eventLoop.makePromise(of: (any Channel).self)
    connecting.cascade(to: outcome)
    let timing = connecting.eventLoop.scheduleTask(in: .nanoseconds(Int64(min(timeout.inSeconds, 60) * 1e9)))
    {
      outcome.fail(ChannelError.connectTimeout(.zero))
      continuation.finish()
    }
    defer { timing.cancel() }
    guard let channel = try? await outcome.futureResult.get() else {
      connecting.whenSuccess { $0.close(promise: nil) }
      return nil
    }
    var release: String?
    var devices: [GPSDDevice]?
    for await report in reports {
      switch report {
      case .version(let version):
        release = version.release
        // A server with another protocol gets no query.
        channel.writeAndFlush(ByteBuffer(string: "?DEVICES;\n"), promise: nil)
      case .devices(let list): devices = list
      default: break
      }
      if release != nil, devices != nil { break }
    }
    channel.close(promise: nil)
    return release.map { GPSDProbe(release: $0, devices: devices ?? []) }
  }

  private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var decoder = GPSDDecoder()
    private var batch = GPSDBatch()
    private let reports: AsyncStream<GPSDReport>.Continuation

    init(_ reports: AsyncStream<GPSDReport>.Continuation) { self.reports = reports }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      unwrapInboundIn(data).withUnsafeReadableBytes { decoder.decode($0, into: &batch) }
      for report in batch.reports {
        // A server may send unrequested reports faster than the probe reads.
        switch report {
        case .version, .devices: reports.yield(report)
        default: break
        }
      }
      batch.removeAll()
    }

    func channelInactive(context: ChannelHandlerContext) { reports.finish() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }

  /// The facts as text: `gpsd 3.22, with /dev/ttyACM0 (u-blox)`.
  var facts: [String] {
    let names = devices.map { device in
      let driver = device.driver.map { " (\($0))" } ?? ""
      return "\(device.path)\(driver)\(device.isActive ? "" : ", not open")"
    }
    let version = release.isEmpty ? "gpsd" : "gpsd \(release)"
    return ["\(version), with \(names.isEmpty ? "no device" : names.joined(separator: ", "))"]
  }
}
