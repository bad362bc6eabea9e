public import Whereabouts

/// The task that notices changes of tokens and privacy zones by other processes.
public struct RegistryRefresher: Sendable {
  /// The time between two checks, so that a change takes effect within a second.
  public static let interval = Duration.milliseconds(900)

  private let tokens: TokenRegistry
  private let zones: ZoneRegistry
  private let report: @Sendable (StoreError) -> Void

  /// Creates a refresher.
  ///
  /// - Parameters:
  ///   - tokens: the tokens.
  ///   - zones: the privacy zones.
  ///   - report: called with an error, once until a check succeeds or fails with another code. The registries retain
  ///     their content without the revoked tokens, and are read again at the next check.
  public init(
    tokens: TokenRegistry, zones: ZoneRegistry, report: @escaping @Sendable (StoreError) -> Void
  ) {
    self.tokens = tokens
    self.zones = zones
    self.report = report
  }

  /// Checks for changes until the task is cancelled.
  ///
  /// - Parameter clock: the clock for the time between two checks.
  public func run(clock: some Clock<Duration> = .continuous) async {
    var reported: StoreError.Code?
    while !Task.isCancelled {
      do throws(StoreError) {
        try tokens.refresh(with: zones)
        reported = nil
      } catch {
        if reported != error.code { report(error) }
        reported = error.code
      }
      // A cancelled sleep ends the loop.
      try? await clock.sleep(for: Self.interval)
    }
  }
}
