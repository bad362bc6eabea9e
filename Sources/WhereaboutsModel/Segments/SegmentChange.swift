/// A change of a segment, as reported to a follower of a device's past.
package struct SegmentChange: Hashable, Sendable {
  /// The kinds of changes.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The segment was there when the following began.
    case current
    /// The segment is new and continues.
    case opened
    /// The segment continues and has more fixes.
    case grown
    /// The segment has ended. It may be new, too.
    case closed
    /// The segment had ended, and a late or a later fix has changed it.
    case revised
    /// The segment is withdrawn: other segments have its place.
    case withdrawn
  }

  /// The kind.
  package var kind: Kind
  /// The identifier.
  package var id: SegmentID
  /// The segment as it is now; `nil` if it is withdrawn.
  package var segment: Segment?
  /// The place of a visit.
  package var place: Place?

  /// Creates a change.
  package init(_ kind: Kind, id: SegmentID, segment: Segment? = nil, place: Place? = nil) {
    self.kind = kind
    self.id = id
    self.segment = segment
    self.place = place
  }
}

extension Segment {
  /// Whether the segment continues: a visit without a departure, or a journey that has not ended.
  package var isOpen: Bool {
    switch self {
    case .visit(let visit): visit.departure == nil
    case .journey(let journey): journey.isOpen
    case .gap: false
    }
  }
}
