import WhereaboutsModel

/// A clock that counts from the clock's creation.
struct RelativeClock: Sendable {
  let now: @Sendable () -> Instant
  let sleep: @Sendable (Instant) async throws -> Void

  init<C: Clock>(_ clock: C) where C.Duration == Duration {
    let start = clock.now
    now = { Instant(start.duration(to: clock.now)) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0.since(.start)), tolerance: nil) }
  }
}
