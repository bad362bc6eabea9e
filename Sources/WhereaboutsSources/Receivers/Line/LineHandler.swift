import NIOCore
import WhereaboutsCore

/// What a line tells whoever keeps it.
enum LineReport: Sendable {
  case signal(SourceSignal)
  /// The first sentence was read, at that speed where the line has one.
  case understood(speed: Int?)
  /// There is nothing more: whether it is this side that gave it up because nothing came.
  case over(wasSilent: Bool)
}

/// So many reports have been dealt with.
struct ReportsTaken: Sendable {
  var count: Int
}

/// Turns the bytes of a line into signals, on its event loop, and wakes itself where time alone brings news.
///
/// When more than some hundred reports are waiting to be dealt with, it stops reading until they are: the sender then
/// has to wait, or what the system can't hold is lost.
final class LineHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private static let most = 256
  private static let few = 64

  private var session: ReceiverSession
  private let serial: SerialLine?
  private let reports: AsyncStream<LineReport>.Continuation
  /// How long nothing may come before the line is taken for dead.
  private let patience: Duration?
  private var waiting = 0
  private var isPaused = false
  private var hasSaidUnderstood = false
  private var wasSilent = false
  private var wake: (task: Scheduled<Void>, at: Instant)?

  init(
    session: ReceiverSession, serial: SerialLine?, patience: Duration?,
    reports: AsyncStream<LineReport>.Continuation
  ) {
    self.session = session
    self.serial = serial
    self.patience = patience
    self.reports = reports
  }

  func channelActive(context: ChannelHandlerContext) {
    act(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let now = Instant.now
    unwrapInboundIn(data).withUnsafeReadableBytes { session.take($0, at: now) }
    act(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case let taken as ReportsTaken:
      waiting -= taken.count
      if isPaused, waiting <= Self.few {
        isPaused = false
        context.channel.setOption(.autoRead, value: true).whenFailure { _ in }
      }
    case let change as SenderLockHandler.SenderChanged:
      session.changeSender(from: change.old, to: change.new, at: .now)
      act(context)
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A datagram that could not be received says nothing about the next one.
    if context.channel is any MulticastChannel { return }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    wake?.task.cancel()
    wake = nil
    session.cut(at: .now)
    report()
    reports.yield(.over(wasSilent: wasSilent))
    reports.finish()
    context.fireChannelInactive()
  }

  // MARK: -

  /// Carries out what the session wants.
  private func act(_ context: ChannelHandlerContext) {
    report()
    if let speed = session.speedWanted {
      session.speedWanted = nil
      serial?.set(speed)
    }
    if waiting > Self.most, !isPaused {
      isPaused = true
      context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
    }
    arm(context)
  }

  private func report() {
    if session.isUnderstood, !hasSaidUnderstood {
      hasSaidUnderstood = true
      reports.yield(.understood(speed: session.search?.speed))
      waiting += 1
    }
    for signal in session.signals { reports.yield(.signal(signal)) }
    waiting += session.signals.count
    session.signals.removeAll(keepingCapacity: true)
  }

  private func arm(_ context: ChannelHandlerContext) {
    var next = session.nextWake
    if let patience {
      let end = session.lastBytes.advanced(by: patience)
      next = next.map { min($0, end) } ?? end
    }
    guard let next, wake.map({ next < $0.at }) ?? true else { return }
    wake?.task.cancel()
    let pause = max(.zero, next.since(.now))
    let task = context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(pause.clampedNanoseconds)) {
      self.wake = nil
      self.wakeUp(context)
    }
    wake = (task, next)
  }

  private func wakeUp(_ context: ChannelHandlerContext) {
    let now = Instant.now
    session.wake(at: now)
    if let patience, now >= session.lastBytes.advanced(by: patience), !isPaused {
      wasSilent = true
      context.close(promise: nil)
      return
    }
    act(context)
  }
}
