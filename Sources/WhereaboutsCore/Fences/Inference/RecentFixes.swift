/// The last few fixes, so that the device can be followed from before the moment that a fence came near.
///
/// Far from every fence it is all that is done with a fix: a dozen are enough to know the velocity and how the receiver
/// errs, and keeping one costs a copy.
struct RecentFixes: Hashable, Sendable, Codable {
  private var ring: [BriefFix] = []
  /// Where the oldest is once the ring is full.
  private var start = 0

  static let most = 12

  mutating func append(_ fix: BriefFix) {
    if ring.count < Self.most {
      if ring.isEmpty { ring.reserveCapacity(Self.most) }
      ring.append(fix)
    } else {
      ring[start] = fix
      start = start + 1 == Self.most ? 0 : start + 1
    }
  }

  mutating func removeAll() {
    ring.removeAll(keepingCapacity: true)
    start = 0
  }

  /// Each from the oldest to the newest.
  func forEach(_ body: (BriefFix) -> Void) {
    for offset in 0..<ring.count { body(ring[(start + offset) % ring.count]) }
  }
}
