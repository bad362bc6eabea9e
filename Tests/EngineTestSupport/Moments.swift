package import WhereaboutsModel

/// The wall time a number of seconds after the start of a test at 2024-06-01T12:00:00Z.
package func utc(_ seconds: Double) -> UTCTime {
  UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000).advanced(by: .seconds(seconds))
}

/// The moment a number of seconds after the start of a test, on a host with a correct wall clock.
package func t(_ seconds: Double) -> Moment {
  Moment(instant: Instant(.seconds(seconds)), wall: utc(seconds))
}

/// The same on a host with a wall clock that is wrong by a number of seconds, or unknown.
package func t(_ seconds: Double, wallOff: Double?) -> Moment {
  Moment(instant: Instant(.seconds(seconds)), wall: wallOff.map { utc(seconds + $0) })
}
