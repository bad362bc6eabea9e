import NIOPosix
import Synchronization
import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// The events about visits, journeys and gaps of one stream.
///
/// The stored fixes are read when the stream wakes: with a fix, also a late one, and every 15 s. A stream that does not
/// ask for segments costs nothing.
final class SegmentEvents: Sendable {
  /// The least growth that is reported at once, in seconds by the times of the fixes. Less growth is reported when no
  /// fix arrives for a while.
  private static let growth = 5.0

  private let device: DeviceID
  private let calendar: DayCalendar
  // One stream uses the state, on one thread of the pool at a time. A value that is passed to the pool and back would
  // be copied with all its fixes.
  private let state: Mutex<State>

  fileprivate struct State {
    var follower: PastFollower
    var reportedTime: UTCTime?
    var hasBegun = false
    var sent = SentSegments()
  }

  /// Reads the past of a device.
  init(of device: DeviceID, _ calendar: DayCalendar, in store: SQLiteStore) async throws {
    self.device = device
    self.calendar = calendar
    let follower = try await NIOThreadPool.singleton.runIfActive { try PastFollower(of: device, in: store) }
    state = Mutex(State(follower: follower))
  }

  /// Appends the segments of the last day at first, and later the changes since the last call.
  ///
  /// - Parameter isIdle: whether no fix has arrived since the last call.
  func append(isIdle: Bool, position: UInt64, to bytes: inout [UInt8]) async throws {
    let changes = try await NIOThreadPool.singleton.runIfActive { [self] in
      try state.withLock { state in
        let changes = try state.changes(isIdle: isIdle, leastGrowth: Self.growth)
        return state.sent.withoutRepetitions(changes, calendar)
      }
    }
    for change in changes {
      bytes.append(contentsOf: "id: \(position)\nevent: segment\ndata: ".utf8)
      bytes += DaysJSON.object(change, calendar: calendar, device: device).bytes
      bytes.append(contentsOf: "\n\n".utf8)
    }
  }
}

extension SegmentEvents.State {
  fileprivate mutating func changes(isIdle: Bool, leastGrowth: Double) throws -> [SegmentChange] {
    guard hasBegun else {
      hasBegun = true
      reportedTime = follower.newestTime
      return try follower.begin()
    }
    try follower.read()
    if !isIdle, let before = reportedTime, let newest = follower.newestTime {
      let later = newest.seconds(since: before)
      if later > 0, later < leastGrowth { return [] }
    }
    reportedTime = follower.newestTime
    return try follower.changes()
  }
}

/// The segments of a stream in the form that was sent.
///
/// A fix may change a segment by less than the digits that are sent, or in a part that is not sent.
struct SentSegments: Sendable {
  /// The greatest number of segments in memory. Without them, a revision may be sent once more.
  private static let limit = 1_000

  private var texts: [SegmentID: [UInt8]] = [:]

  /// Returns the changes without the revisions by which nothing has changed for the client.
  mutating func withoutRepetitions(
    _ changes: [SegmentChange], _ calendar: DayCalendar
  ) -> [SegmentChange] {
    if texts.count > Self.limit { texts = [:] }
    return changes.filter { change in
      let text = change.segment.map { segment in
        let current = SegmentChange(.current, id: change.id, segment: segment, place: change.place)
        return DaysJSON.object(current, calendar: calendar).bytes
      }
      let before = texts[change.id]
      texts[change.id] = text
      return change.kind != .revised || text != before
    }
  }
}
