import Whereabouts
package import WhereaboutsModel
import WhereaboutsReports

extension OpenStore {
  /// Returns a journey of the past that a token can show: it has ended, and fixes of it are stored.
  package func journeyToShow(_ id: SegmentID) throws -> JourneySegment {
    var history = DayHistory()
    try fixes(all: true) { history.add($0) }
    history.finish()
    for case .journey(let journey) in history.segments where journey.id == id {
      guard !journey.isOpen else {
        throw CommandError("could not create the token: the journey has not ended")
      }
      let end = journey.end.time.advanced(by: .nanoseconds(1))
      var hasFix = false
      try fixes(in: journey.start.time..<end, all: true, newest: 1) { _ in hasFix = true }
      guard hasFix else {
        throw CommandError(
          "could not create the token: no fix is stored between the start and the end of the journey")
      }
      return journey
    }
    throw CommandError(
      """
      could not create the token: device \(device) has no journey \(id). Run `whereabouts days --json` to see \
      the ids.
      """)
  }
}
