import Foundation
import Logging
import NIOCore

/// A pause of a listener that has no open file or no memory for a further connection.
///
/// SwiftNIO delays its next read then, but goes on waiting for the event of the client, which the system reports again
/// and again: that takes all of a processor core. Without `autoRead`, the listener does not wait for the event.
final class AcceptPause: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never
  typealias OutboundOut = Never

  private let duration: TimeAmount
  private let logger: Logger
  private let logLimit = HourlyLogLimit<CInt>()
  private var isPaused = false

  init(of duration: TimeAmount, logger: Logger) {
    self.duration = duration
    self.logger = logger
  }

  /// Adds a pause to a listener. A listener that has ended gets none.
  static func add(to listener: any Channel, of duration: TimeAmount = .seconds(1), logger: Logger) async {
    try? await listener.eventLoop.submit {
      // The nearest to the system: no read passes in a pause.
      try listener.pipeline.syncOperations.addHandler(
        AcceptPause(of: duration, logger: logger), position: .first)
    }.get()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A connection that its client has ended already is no reason to wait.
    if let error = error as? IOError, error.errnoCode != ECONNABORTED, !isPaused { pause(context, error) }
    context.fireErrorCaught(error)
  }

  func read(context: ChannelHandlerContext) {
    // The end of the pause reads.
    if !isPaused { context.read() }
  }

  private func pause(_ context: ChannelHandlerContext, _ error: IOError) {
    isPaused = true
    let channel = context.channel
    channel.setOption(.autoRead, value: false).whenFailure { _ in }
    context.eventLoop.assumeIsolated().scheduleTask(in: duration) {
      self.isPaused = false
      channel.setOption(.autoRead, value: true).whenFailure { _ in }
    }
    guard logLimit.claimLine(about: error.errnoCode, at: .now) else { return }
    logger.warning("connections wait: \(Self.reason(error.errnoCode))")
  }

  private static func reason(_ code: CInt) -> String {
    let text = String(cString: strerror(code)).lowercased()
    guard code == EMFILE else { return "could not accept one: \(text)" }
    return "could not accept one: \(text). \(openFilesRemedy)"
  }

  /// The remedy for a limit of open files that is too low.
  static let openFilesRemedy =
    "Raise the limit of open files, with LimitNOFILE= in a service, or with `ulimit -n`"
}
