package import WhereaboutsFormats
package import WhereaboutsModel

/// Days with their visits, journeys and gaps.
package struct DaysReport: Sendable {
  /// A day.
  package struct Day: Sendable {
    /// The number of the day, counted from 1970-01-01.
    package var number: Int
    /// The instants of the day, in UTC.
    package var span: Range<UTCTime>
    /// The segments that the day touches, whole.
    package var segments: [Segment]
    /// Whether the whole day lies in a gap.
    var isSilent: Bool {
      guard segments.count == 1, case .gap(let gap) = segments[0] else { return false }
      return gap.start <= span.lowerBound && gap.end >= span.upperBound
    }
  }

  /// The days, in order; a day without segments is left out, and so is one that the clock skipped.
  package let days: [Day]
  /// The calendar.
  package let calendar: DayCalendar
  /// The places of visits, by the identifiers of the visits.
  package let places: [SegmentID: Place]
  /// The visits that a recording states and fixes do not show, by their identifiers.
  package let statedVisits: [SegmentID: RecordedVisit]
  /// Whether a part of a recording could not be read.
  package let isIncomplete: Bool
  private let statedNames: [String: String]

  /// The greatest number of days.
  private static let maximumDays = 100_000

  /// Creates the report.
  ///
  /// - Parameters:
  ///   - history: the history, finished.
  ///   - calendar: the calendar of the days.
  ///   - range: the numbers of the days to report; `nil` for all.
  package init(_ history: DayHistory, calendar: DayCalendar, range: ClosedRange<Int>? = nil) {
    self.calendar = calendar
    places = history.placesOfVisits()
    statedVisits = history.statedVisits
    statedNames = history.statedNames
    isIncomplete = history.isIncomplete
    var days: [Day] = []
    var indices: [Int: Int] = [:]
    for segment in history.segments {
      var first = calendar.day(of: segment.start), last = calendar.day(of: Self.lastInstant(of: segment))
      if let range {
        first = max(first, range.lowerBound)
        last = min(last, range.upperBound)
      }
      guard first <= last else { continue }
      for number in first...min(last, first + Self.maximumDays) {
        // A stated visit may lie in the middle of a gap of many days.
        if let index = indices[number] {
          days[index].segments.append(segment)
        } else if days.last.map({ $0.number < number }) ?? true {
          let span = calendar.start(of: number)..<calendar.start(of: number + 1)
          // The clock skipped the day, as Samoa did at the date line.
          guard !span.isEmpty else { continue }
          indices[number] = days.count
          days.append(Day(number: number, span: span, segments: [segment]))
        }
      }
    }
    self.days = days
  }

  /// Returns the last instant of a segment. An end at midnight is no part of the next day, where the next segment begins.
  ///
  /// The last segment and a gap end with a fix of that day, which may be its only one.
  private static func lastInstant(of segment: Segment) -> UTCTime {
    if case .gap = segment { return segment.end }
    guard !segment.isOpen, segment.end > segment.start else { return segment.end }
    return segment.end.advanced(by: .nanoseconds(-1))
  }

  /// Returns the name that a recording states for a place without a name; `nil` if there is none.
  func proposedName(of place: Place) -> String? { place.name == nil ? statedNames[place.id] : nil }

  /// Returns the name of a place, the proposed one with a question mark, or the identifier: `Home`, `Home?`, `psdg2kg`.
  func label(of place: Place) -> String {
    place.name ?? proposedName(of: place).map { "\($0)?" } ?? place.id
  }

  /// All segments of the days, each once, in the order of time.
  package var segments: [Segment] {
    var known = Set<SegmentID>()
    return days.flatMap(\.segments).filter { known.insert($0.id).inserted }
  }
}
