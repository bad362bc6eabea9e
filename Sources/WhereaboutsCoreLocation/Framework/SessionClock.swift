#if CORE_LOCATION
  import WhereaboutsModel

  /// The clock of a session: the machine's, or a stepped clock in a test.
  ///
  /// The sources have an internal clock of the same form. The stand-in for Core Location compiles this target in another
  /// package, which cannot use it.
  struct SessionClock: Sendable {
    let now: @Sendable () -> Instant
    let sleep: @Sendable (Instant) async throws -> Void

    init<C: Clock>(_ clock: C) where C.Duration == Duration {
      let start = clock.now
      now = { Instant(start.duration(to: clock.now)) }
      sleep = { try await clock.sleep(until: start.advanced(by: $0.since(.start)), tolerance: nil) }
    }
  }
#endif
