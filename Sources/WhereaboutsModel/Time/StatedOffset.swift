/// An offset of local time from UTC that a recording states for an instant.
package struct StatedOffset: Hashable, Sendable {
  /// The instant.
  package var time: UTCTime
  /// The offset ahead of UTC in minutes; negative behind UTC.
  package var minutes: Int

  /// Creates an offset at an instant.
  package init(time: UTCTime, minutes: Int) {
    self.time = time
    self.minutes = minutes
  }

  /// Returns offsets in the order of time, without those that equal the one before.
  package static func changes(_ offsets: [StatedOffset]) -> [StatedOffset] {
    var changes: [StatedOffset] = []
    for offset in offsets.sorted(by: { $0.time < $1.time }) where changes.last?.minutes != offset.minutes {
      changes.append(offset)
    }
    return changes
  }
}
