package import WhereaboutsModel

/// Wall time so many seconds after the start of a test, which is at 2024-06-01T12:00:00Z.
package func utc(_ seconds: Double) -> UTCTime {
  UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000).advanced(by: .seconds(seconds))
}

/// The moment so many seconds after the start of a test, on a host whose wall clock is right.
package func t(_ seconds: Double) -> Moment {
  Moment(instant: Instant(.seconds(seconds)), wall: utc(seconds))
}

/// The same on a host whose wall clock is wrong by so many seconds, or unknown.
package func t(_ seconds: Double, wallOff: Double?) -> Moment {
  Moment(instant: Instant(.seconds(seconds)), wall: wallOff.map { utc(seconds + $0) })
}
