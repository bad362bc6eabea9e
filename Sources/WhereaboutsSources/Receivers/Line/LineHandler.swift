import NIOCore
import WhereaboutsModel

/// A report of a line to its connection.
enum LineReport: Sendable {
  case signal(SourceSignal)
  /// The first sentence was read, at this speed if the line has one.
  case firstSentence(speed: Int?)
  /// The receiver has stated its first date.
  case dateStated
  /// The longest pause of a server that occurred twice, once the line has shown how often the server sends; each time it
  /// has grown.
  case usualPause(Duration)
  /// The line has ended; `wasSilent` if this side closed a silent line. The time from the opening to the first data is
  /// `nil` for a line without data; the other is that from the first data to the last.
  case ended(wasSilent: Bool, firstDataAfter: Duration?, dataDuration: Duration)
}

/// An event that a number of reports has been processed.
struct ReportsProcessed: Sendable {
  var count: Int
}

/// A channel handler that turns the bytes of a line into signals, on its event loop, with its own timer.
///
/// With some hundred reports unprocessed, the handler stops reading. The sender then waits, or the system drops
/// bytes. The time until the handler reads again does not count: the line is not silent.
final class LineHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private static let highWaterMark = 256
  private static let lowWaterMark = 64

  private var session: ReceiverSession
  private let serial: SerialLine?
  private let reports: AsyncStream<LineReport>.Continuation
  /// The time without data after which the line counts as dead.
  private let silenceTimeout: Duration?
  private var pendingReports = 0
  /// The time since which the handler does not read; `nil` while it reads.
  private var pausedAt: Instant?
  /// The time in which the handler did not read.
  private var uncountedTime = Duration.zero
  private var hasReportedFirstSentence = false
  private var hasReportedDate: Bool
  private var reportedPause: Duration?
  private var wasSilent = false
  /// The time at which the line was open, and that of its first data.
  private var openedAt: Instant?
  private var firstDataAt: Instant?
  private var timer: (task: Scheduled<Void>, at: Instant)?

  init(
    session: ReceiverSession, serial: SerialLine?, silenceTimeout: Duration?,
    reports: AsyncStream<LineReport>.Continuation
  ) {
    self.session = session
    hasReportedDate = session.hasStatedDate
    self.serial = serial
    self.silenceTimeout = silenceTimeout
    self.reports = reports
  }

  /// The present time of the session.
  private var now: Instant { (pausedAt ?? .now).advanced(by: .zero - uncountedTime) }

  func channelActive(context: ChannelHandlerContext) {
    openedAt = now
    applySessionOutput(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let now = now, wall = ReceiverSource.plausibleWallClock
    firstDataAt = firstDataAt ?? now
    unwrapInboundIn(data).withUnsafeReadableBytes { session.process($0, at: now, wall: wall) }
    applySessionOutput(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case let taken as ReportsProcessed:
      pendingReports -= taken.count
      if let pausedAt, pendingReports <= Self.lowWaterMark {
        uncountedTime += Instant.now.since(pausedAt)
        self.pausedAt = nil
        context.channel.setOption(.autoRead, value: true).whenFailure { _ in }
        scheduleTimer(context)
      }
    case let change as SenderLockHandler.SenderChanged:
      session.changeSender(from: change.old, to: change.new, at: now)
      applySessionOutput(context)
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // One datagram that could not be received does not affect the next.
    if context.channel is any MulticastChannel { return }
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.task.cancel()
    timer = nil
    session.endInput(at: now)
    forwardSignals()
    let firstDataAfter = openedAt.flatMap { opened in firstDataAt?.since(opened) }
    let dataDuration = firstDataAt.map { session.lastBytes.since($0) } ?? .zero
    reports.yield(
      .ended(wasSilent: wasSilent, firstDataAfter: firstDataAfter, dataDuration: dataDuration))
    reports.finish()
    context.fireChannelInactive()
  }

  // MARK: -

  /// Applies the session's output.
  private func applySessionOutput(_ context: ChannelHandlerContext) {
    forwardSignals()
    if let speed = session.requestedSpeed {
      session.requestedSpeed = nil
      serial?.setSpeed(speed)
    }
    if pendingReports > Self.highWaterMark, pausedAt == nil {
      pausedAt = .now
      context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
    }
    scheduleTimer(context)
  }

  private func forwardSignals() {
    if session.hasReadSentence, !hasReportedFirstSentence {
      hasReportedFirstSentence = true
      reports.yield(.firstSentence(speed: session.search?.speed))
      pendingReports += 1
    }
    if session.hasStatedDate, !hasReportedDate {
      hasReportedDate = true
      reports.yield(.dateStated)
      pendingReports += 1
    }
    if silenceTimeout != nil, let pause = session.longestPause, pause != reportedPause {
      reportedPause = pause
      reports.yield(.usualPause(pause))
      pendingReports += 1
    }
    for signal in session.signals { reports.yield(.signal(signal)) }
    pendingReports += session.signals.count
    session.signals.removeAll(keepingCapacity: true)
  }

  private func scheduleTimer(_ context: ChannelHandlerContext) {
    var next = session.nextWake
    if let silenceTimeout {
      let end = session.lastBytes.advanced(by: silenceTimeout)
      next = next.map { min($0, end) } ?? end
    }
    guard let next, timer.map({ next < $0.at }) ?? true else { return }
    timer?.task.cancel()
    let pause = max(.zero, next.since(now))
    let task = context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(pause.clampedNanoseconds)) {
      self.timer = nil
      self.timerFired(context)
    }
    timer = (task, next)
  }

  private func timerFired(_ context: ChannelHandlerContext) {
    // The timer is set again when the handler reads again.
    guard pausedAt == nil else { return }
    let now = now
    session.handleTimer(at: now)
    if let silenceTimeout, now >= session.lastBytes.advanced(by: silenceTimeout) {
      wasSilent = true
      context.close(promise: nil)
      return
    }
    applySessionOutput(context)
  }
}
