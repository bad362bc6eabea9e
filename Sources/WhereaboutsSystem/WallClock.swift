/// The wall clock of the system.
package enum WallClock {
  /// The time in nanoseconds since 1970; 0 if the clock cannot be read.
  package static var nanosecondsSince1970: Int64 {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
