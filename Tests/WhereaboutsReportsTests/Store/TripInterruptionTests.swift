import Testing
import WhereaboutsModel
import WhereaboutsReports

/// Interruptions of a trip, for which nothing is counted.
@Suite struct TripInterruptionTests {
  private func time(_ second: Int64) -> UTCTime { UTCTime(nanosecondsSince1970: second * 1_000_000_000) }

  private func gap(to second: Int64, counted: Double, uncertainty: Double) -> Trip.Gap {
    Trip.Gap(
      trip: "way", end: time(second),
      gap: TrackPoint.Gap(duration: 16, geodesic: 240, counted: counted, uncertainty: uncertainty))
  }

  private func beginnings(_ gaps: [Trip.Gap]) -> [Int64] {
    var segments = HistorySegmenter(gap: .seconds(20), gaps: gaps)
    let seconds: [Int64] = Array(0...60) + Array(76...100) + Array(130...140)
    return seconds.filter { segments.begins(at: time($0)) }
  }

  @Test func segmentBeginsAfterAnInterruption() {
    #expect(beginnings([]) == [0, 130])
    #expect(beginnings([gap(to: 76, counted: 0, uncertainty: 0)]) == [0, 76, 130])
    // The interruption is also longer than the limit, or ends before the first fix.
    let others = [gap(to: 130, counted: 0, uncertainty: 0), gap(to: -5, counted: 0, uncertainty: 0)]
    #expect(beginnings(others) == [0, 130])
  }

  /// A device may stand during a gap: then the bridge is 0 m long, with an uncertainty.
  @Test func bridgedGapBeginsNoSegment() {
    #expect(beginnings([gap(to: 76, counted: 250, uncertainty: 20)]) == [0, 130])
    #expect(beginnings([gap(to: 76, counted: 0, uncertainty: 3)]) == [0, 130])
  }

  @Test func tripStatesItsInterruptions() {
    var trip = Trip(id: "way", began: time(0), settledTo: time(140), ended: time(140))
    trip.totals.segments = 1
    #expect(TripText.row(trip).allSatisfy { !$0.contains("interruption") })
    trip.totals.segments = 2
    #expect(TripText.row(trip).contains("1 interruption"))
    (trip.totals.segments, trip.totals.gaps) = (3, 1)
    #expect(TripText.row(trip).contains("1 gap, 2 interruptions"))
    let lines = TripText.lines(trip, gaps: [gap(to: 76, counted: 0, uncertainty: 0)], resumption: "")
    #expect(lines.last == "Gaps      1970-01-01 00:01:00 UTC for 16 s: not counted (240 m straight)")
  }
}
