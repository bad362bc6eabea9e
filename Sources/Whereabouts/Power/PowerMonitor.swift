/// Watches the host's power for a manager: whether it is fed from outside, how full its battery is, whether somebody looks.
///
/// A program that is told by its platform, as an app is, needs none: it calls ``LocationManager/setPower(_:)``.
public protocol PowerMonitor: Sendable {
  /// Runs until the task is cancelled.
  ///
  /// - Parameter link: says while what is needed, and takes what was seen.
  /// - Cancellation: the manager is gone; return soon.
  func run(_ link: PowerLink) async
}

/// What a power monitor is connected to.
public struct PowerLink: Sendable {
  /// Whether anything is asked of the source, each time that changes; begins with the first `true`. While nothing is, the
  /// host's power is nobody's business: a monitor then wakes up for nothing. Values that nobody took are replaced by newer
  /// ones.
  public let needs: AsyncStream<Bool>
  private let take: @Sendable (PowerState) -> Void

  /// A link of one's own, for a monitor that is made of others, and for tests.
  public init(needs: AsyncStream<Bool>, take: @escaping @Sendable (PowerState) -> Void) {
    self.needs = needs
    self.take = take
  }

  /// Says how it stands. The same again costs nothing.
  public func tell(_ state: PowerState) { take(state) }
}
