import WhereaboutsModel

/// The offsets from UTC that a recording states, reduced to changes.
struct OffsetStatements: Sendable {
  private var minutes: Int?
  /// The earliest time that was stated with the present offset.
  private var earliest = UTCTime(nanosecondsSince1970: 0)

  /// Appends a stated offset to a batch, unless the elements before it state the same.
  mutating func state(_ minutes: Int, at time: UTCTime?, into batch: inout RecordingBatch) {
    guard let time, let element = element(minutes: minutes, at: time) else { return }
    batch.elements.append(element)
  }

  /// Returns the element of a stated offset; `nil` if the elements before it state the same.
  ///
  /// An offset of a time before the last change is given again: a recording may begin with its newest point.
  mutating func element(minutes: Int, at time: UTCTime) -> RecordingElement? {
    guard minutes != self.minutes || time < earliest else { return nil }
    self.minutes = minutes
    earliest = time
    return .offset(minutes: minutes, at: time)
  }
}
