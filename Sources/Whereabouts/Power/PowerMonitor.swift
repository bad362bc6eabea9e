/// A monitor of the host's power for a manager: external power, battery level, and foreground state.
///
/// An app whose platform reports power changes needs no monitor and calls ``LocationManager/setPower(_:)``.
public protocol PowerMonitor: Sendable {
  /// Runs until the task is cancelled.
  ///
  /// - Parameter link: the connection to the manager, which reports the needs and receives the power states.
  /// - Cancellation: the manager is gone; return soon.
  func run(_ link: PowerLink) async
}

/// The connection of a power monitor to its manager.
public struct PowerLink: Sendable {
  /// Whether anything is demanded of the source, with each demand; values may repeat. Nothing comes before the first
  /// demand. While the value is false, and before the first, a monitor should not wake up. Newer values replace
  /// unconsumed ones.
  public let needs: AsyncStream<Bool>
  private let submit: @Sendable (PowerState) -> Void

  /// Creates a link, for a monitor that combines others, and for tests.
  public init(needs: AsyncStream<Bool>, submit: @escaping @Sendable (PowerState) -> Void) {
    self.needs = needs
    self.submit = submit
  }

  /// Reports the power state. Repeating the same state costs nothing.
  public func report(_ state: PowerState) { submit(state) }
}
