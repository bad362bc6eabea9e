package import WhereaboutsFormats
package import WhereaboutsModel

extension RecordingElement {
  /// Returns whether the element belongs to a span of time: a fix in the span, a visit that overlaps the span, or an
  /// element without a time. A fix without a time does not belong to a span.
  ///
  /// - Parameter span: the span; `nil` for an empty one.
  package func belongs(to span: Range<UTCTime>?) -> Bool {
    switch self {
    case .fix(let fix): fix.time.map { span?.contains($0) == true } ?? false
    case .visit(let visit):
      span.map { visit.arrival < $0.upperBound && visit.departure >= $0.lowerBound } ?? false
    case .heading, .satellites, .trackBegan, .segmentBegan, .waypoint, .routeBegan, .routePoint, .deviceBegan,
      .offset:
      true
    }
  }
}
