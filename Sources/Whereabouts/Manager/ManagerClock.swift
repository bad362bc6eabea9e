#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a manager takes for the time: chosen by the program or the test, never by the library.
public struct ManagerClock: Sendable {
  enum Kind: Sendable {
    case free(now: @Sendable () -> Moment, sleep: @Sendable (Instant) async throws -> Void)
    case drivenBySource
  }

  let kind: Kind

  /// The machine's clocks: a monotonic one that goes on while the machine sleeps, and its wall clock.
  public static var system: ManagerClock {
    ManagerClock(ContinuousClock()) { UTCTime(secondsSince1970: Date().timeIntervalSince1970) }
  }

  /// Time passes only as the source says: for recordings, at any speed, always with the same result.
  public static let drivenBySource = ManagerClock(kind: .drivenBySource)

  /// Any clock, together with what the wall clock says; ``Instant/start`` is now.
  public init<C: Clock>(_ clock: C, wall: @escaping @Sendable () -> UTCTime?) where C.Duration == Duration {
    let start = clock.now
    kind = .free(
      now: { Moment(instant: Instant(start.duration(to: clock.now)), wall: wall()) },
      sleep: { try await clock.sleep(until: start.advanced(by: $0.since(.start)), tolerance: nil) })
  }

  private init(kind: Kind) {
    self.kind = kind
  }

  /// The moment to stamp on what happens now; `nil` where the source's last moment goes on.
  func stamp() -> Moment? {
    switch kind {
    case .free(let now, _): now()
    case .drivenBySource: nil
    }
  }
}
