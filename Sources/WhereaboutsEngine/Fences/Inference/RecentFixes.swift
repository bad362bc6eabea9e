/// A ring buffer of the last few fixes, from which the device can be followed once a fence is near.
///
/// Far from every fence a fix is only stored here, at the cost of a copy. A dozen fixes are enough for the velocity
/// and the receiver's noise.
struct RecentFixes: Hashable, Sendable, Codable {
  private var ring: [CompactFix] = []
  /// The index of the oldest fix once the ring is full.
  private var start = 0

  var count: Int { ring.count }

  static let capacity = 12

  mutating func append(_ fix: CompactFix) {
    if ring.count < Self.capacity {
      if ring.isEmpty { ring.reserveCapacity(Self.capacity) }
      ring.append(fix)
    } else {
      ring[start] = fix
      start = start + 1 == Self.capacity ? 0 : start + 1
    }
  }

  mutating func removeAll() {
    ring.removeAll(keepingCapacity: true)
    start = 0
  }

  /// Calls a closure with each fix, from the oldest to the newest.
  func forEach(_ body: (CompactFix) -> Void) {
    for offset in 0..<ring.count { body(ring[(start + offset) % ring.count]) }
  }
}
