import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsTesting

@testable import WhereaboutsServer

@Suite struct SentSegmentsTests {
  private static let calendar = DayCalendar(.utc)

  private static func visit(latitude: Double) -> Segment {
    .visit(
      VisitSegment(
        id: SegmentID(.visit, startingAt: t(0), window: 0),
        coordinate: DisclosureFixture.place(latitude, 0), accuracy: 5,
        arrival: EstimatedTime(time: t(0), uncertainty: 1, earliest: nil, latest: t(0)),
        departure: EstimatedTime(time: t(900), uncertainty: 1, earliest: t(900), latest: nil),
        lastFix: t(900), fixes: 9, gaps: []))
  }

  private static func change(_ kind: SegmentChange.Kind, latitude: Double) -> SegmentChange {
    let segment = visit(latitude: latitude)
    return SegmentChange(kind, id: segment.id, segment: segment)
  }

  /// A revision is sent only if the client sees a difference.
  @Test func revisionWithoutADifferenceIsNotSent() {
    var sent = SentSegments()
    let closed = Self.change(.closed, latitude: 51)
    #expect(sent.withoutRepetitions([closed], Self.calendar) == [closed])
    // A ten-thousandth of a millimetre is less than the digits that are sent.
    #expect(sent.withoutRepetitions([Self.change(.revised, latitude: 51 + 1e-12)], Self.calendar).isEmpty)
    let moved = Self.change(.revised, latitude: 51.001)
    #expect(sent.withoutRepetitions([moved], Self.calendar) == [moved])
    #expect(sent.withoutRepetitions([moved], Self.calendar).isEmpty)
    // A withdrawn segment that returns is new.
    let withdrawn = SegmentChange(.withdrawn, id: moved.id)
    #expect(sent.withoutRepetitions([withdrawn], Self.calendar) == [withdrawn])
    #expect(sent.withoutRepetitions([moved], Self.calendar) == [moved])
  }
}
