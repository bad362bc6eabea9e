package import WhereaboutsModel
import WhereaboutsSystem

extension UTCTime {
  /// The current time of the wall clock.
  package static var now: UTCTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UTCTime(nanosecondsSince1970: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
