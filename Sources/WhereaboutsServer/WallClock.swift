package import WhereaboutsModel
import WhereaboutsSystem

extension UTCTime {
  /// The current time of the wall clock.
  package static var now: UTCTime { UTCTime(nanosecondsSince1970: WallClock.nanosecondsSince1970) }
}
