/// The wall clock of the system.
package enum WallClock {
  /// The time in nanoseconds since 1970; 0 if the clock cannot be read.
  package static var nanosecondsSince1970: Int64 { nanoseconds(of: CLOCK_REALTIME) }
}

/// The clock of the system that never goes back, and stands still while the machine sleeps.
package enum MonotonicClock {
  /// The time in nanoseconds since an unknown moment; 0 if the clock cannot be read.
  package static var nanoseconds: Int64 { WhereaboutsSystem.nanoseconds(of: CLOCK_MONOTONIC) }
}

private func nanoseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  guard clock_gettime(clock, &time) == 0 else { return 0 }
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
