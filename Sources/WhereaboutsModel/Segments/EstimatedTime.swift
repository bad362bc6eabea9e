/// An instant that was estimated from fixes before and after it.
package struct EstimatedTime: Hashable, Sendable {
  /// The most likely time.
  package var time: UTCTime
  /// Half-width of the 68 % interval around ``time``, in seconds.
  package var uncertainty: Double
  /// The earliest possible time: that of the last fix before the instant. `nil` where no fix precedes it.
  package var earliest: UTCTime?
  /// The latest possible time: that of the first fix after the instant. `nil` where no fix follows.
  package var latest: UTCTime?

  /// Creates an estimate.
  package init(time: UTCTime, uncertainty: Double, earliest: UTCTime? = nil, latest: UTCTime? = nil) {
    self.time = time
    self.uncertainty = uncertainty
    self.earliest = earliest
    self.latest = latest
  }
}
