import NIOCore
import NIOPosix
import WhereaboutsCore
import WhereaboutsFormats

/// What gpsd tells of itself: its version and the devices it has. Nothing is switched on for it.
struct GPSDProbe: Equatable {
  var release: String
  var devices: [GPSDDevice]

  /// Asks; `nil` where nobody answers as gpsd does.
  static func ask(host: String, port: Int, patience: Duration) async -> GPSDProbe? {
    let (reports, continuation) = AsyncStream.makeStream(of: GPSDReport.self)
    let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.nanoseconds(Int64(min(patience.inSeconds, 60) * 1e9)))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Listener(continuation))
        }
      }
    // It listens at both addresses of this computer where it listens at all; asking for the name would take a resolver.
    let address = host == "localhost" ? "127.0.0.1" : host
    let connecting = bootstrap.connect(host: address, port: port)
    // Asking for a name can't be cut short; what still comes of it is closed.
    let outcome = connecting.eventLoop.makePromise(of: (any Channel).self)
    connecting.cascade(to: outcome)
    let timing = connecting.eventLoop.scheduleTask(in: .nanoseconds(Int64(min(patience.inSeconds, 60) * 1e9)))
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
        // Whoever answers with something else gets no question.
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
        // Who sends what was not asked for may send it faster than it is read.
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

  /// In words: `gpsd 3.22, with /dev/ttyACM0 (u-blox)`.
  var facts: [String] {
    let names = devices.map { device in
      let driver = device.driver.map { " (\($0))" } ?? ""
      return "\(device.path)\(driver)\(device.isActive ? "" : ", not open")"
    }
    let version = release.isEmpty ? "gpsd" : "gpsd \(release)"
    return ["\(version), with \(names.isEmpty ? "no device" : names.joined(separator: ", "))"]
  }
}
