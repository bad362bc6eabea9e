import WhereaboutsModel

/// The times since which a device is outside of fences that are now far away and have no state.
struct SideChanges: Hashable, Sendable, Codable {
  /// A fence, by its serial, and the time since which the device is outside.
  private struct Change: Hashable, Sendable, Codable {
    var serial: UInt64
    var time: UTCTime
  }

  /// The changes by time. The order does not depend on the order in which the fences became far.
  private var changes: [Change] = []

  /// The greatest number of fences; those with the latest times are kept.
  static let capacity = 32

  /// Returns the time since which the device is outside of a fence; `nil` if unknown.
  subscript(serial: UInt64) -> UTCTime? { changes.last { $0.serial == serial }?.time }

  /// Stores the time for a fence.
  mutating func insert(_ serial: UInt64, _ time: UTCTime) {
    changes.removeAll { $0.serial == serial }
    let place = changes.lastIndex { ($0.time, $0.serial) < (time, serial) }.map { $0 + 1 } ?? 0
    changes.insert(Change(serial: serial, time: time), at: place)
    if changes.count > Self.capacity { changes.removeFirst() }
  }
}
