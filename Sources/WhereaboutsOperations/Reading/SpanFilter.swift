package import WhereaboutsFormats
package import WhereaboutsModel

/// A filter for the elements of a recording that belong to a span of time: fixes in the span, tracks and segments with
/// such a fix, visits that overlap the span, and elements without a time.
///
/// A fix without a time does not belong to a span.
package struct SpanFilter {
  private let span: Range<UTCTime>?
  /// The beginnings of the track and of the segment, until a fix of them belongs to the span.
  private var beginnings: [RecordingElement] = []
  /// The number of fixes without a time so far.
  package private(set) var untimedFixes = 0

  /// Creates the filter at the beginning of a recording.
  ///
  /// - Parameter span: the span; `nil` for an empty one.
  package init(_ span: Range<UTCTime>?) { self.span = span }

  /// Removes the elements that do not belong to the span.
  package mutating func apply(to elements: inout [RecordingElement]) {
    var rest: [RecordingElement] = []
    for element in elements {
      switch element {
      case .trackBegan: beginnings = [element]
      case .segmentBegan:
        if beginnings.last == .segmentBegan { beginnings.removeLast() }
        beginnings.append(element)
      case .fix(let fix):
        if fix.time == nil { untimedFixes += 1 }
        guard let time = fix.time, span?.contains(time) == true else { continue }
        rest += beginnings
        beginnings = []
        rest.append(element)
      case .visit(let visit):
        guard let span, visit.arrival < span.upperBound, visit.departure >= span.lowerBound else { continue }
        rest.append(element)
      case .heading, .satellites, .waypoint, .routeBegan, .routePoint, .deviceBegan, .offset:
        rest.append(element)
      }
    }
    elements = rest
  }
}
