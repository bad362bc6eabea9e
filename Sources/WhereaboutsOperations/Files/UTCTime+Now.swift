import WhereaboutsModel

extension UTCTime {
  /// The current time of the wall clock.
  static var now: UTCTime { UTCTime(nanosecondsSince1970: System.wallClock) }
}
