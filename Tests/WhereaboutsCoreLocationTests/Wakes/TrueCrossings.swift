import WhereaboutsEngine
import WhereaboutsGeodesy
import WhereaboutsModel

/// An event with its time and the time at which the program learned of it, in seconds since the start.
struct ReportedEvent {
  var event: FenceEvent
  var time: Double
  var reported: Double
}

/// The crossings of fences by the true places, one a second.
///
/// The time in a fence consists of pieces: a graze of seconds begins or ends one. Pieces less than ``graze`` apart are
/// one visit, since a sleeping device can't detect the time between. A visit has two edges: its enter, at any entry
/// until the device has been inside for a while, and its exit, at any of the last leavings.
struct TrueCrossings {
  /// The enter or the exit of a visit.
  struct Edge: CustomStringConvertible {
    var fence: FenceID
    var kind: FenceEvent.Kind
    /// The true times of crossing that an event may be for, in order.
    var times: [Double]
    /// Whether the visit lasts 5 min or more.
    var isStay: Bool
    /// Whether a watched region can notice the edge: the device is far enough on the new side for long enough. After an
    /// exit that no region can notice, the next enter is none either: the visit has not ended, as far as is known.
    var isNoticeable = false

    var description: String { "\(kind) \(fence) at \(times.map { Int($0) }) s" }

    /// Whether a true time is within three standard deviations of an event's, or between the fixes around it.
    func isDated(_ event: FenceEvent, epoch: Double) -> Bool {
      let time = event.time.secondsSince1970 - epoch
      let last = event.lastBefore.map { $0.secondsSince1970 - epoch } ?? -.infinity
      let first = event.firstAfter.secondsSince1970 - epoch
      return times.contains {
        abs($0 - time) <= 3 * event.timeUncertainty + 2 || last <= $0 + 2 && first >= $0 - 2
      }
    }
  }

  /// The longest time outside, or inside at the edges of a visit, that counts as a graze, in seconds.
  static let graze = 60.0
  /// The least duration of a stay in seconds.
  static let stay = 300.0
  /// The greatest difference between the time of an event and of its crossing, in seconds.
  static let tolerance = 900.0

  /// The distance outside, in metres, from which the platform's regions notice an exit.
  static let noticeableDistance = 200.0
  /// The distance inside, in metres, from which a few fixes show that the device is inside: three times their accuracy.
  static let noticeableDepth = 24.0
  /// The least time at such a distance, in seconds: the delay of the regions, and the time of a wake.
  static let noticeableTime = 30.0

  private(set) var edges: [Edge] = []
  /// Every single crossing, with its edge; a crossing within a visit has none.
  private var crossings: [(fence: FenceID, kind: FenceEvent.Kind, time: Double, edge: Int?)] = []

  /// A time inside; `nil` for one that began before the track or ends after it.
  private struct Piece {
    var enter: Double?
    var exit: Double?

    var duration: Double { (exit ?? .infinity) - (enter ?? -.infinity) }
  }

  init(of fences: [Fence], along track: [Coordinate]) {
    for fence in fences {
      let first = edges.count
      var visit: [Piece] = []
      for piece in Self.pieces(of: fence, along: track) {
        if let last = visit.last?.exit, let enter = piece.enter, enter - last >= Self.graze {
          add(visit, of: fence.id)
          visit.removeAll()
        }
        visit.append(piece)
      }
      if !visit.isEmpty { add(visit, of: fence.id) }
      markNoticeable(first..<edges.count, of: fence, along: track)
    }
  }

  /// Marks the edges of one fence that a watched region can notice.
  private mutating func markNoticeable(_ range: Range<Int>, of fence: Fence, along track: [Coordinate]) {
    var known = range.first.map { edges[$0].kind == .exit }
    for index in range {
      let end = index + 1 < range.upperBound ? Int(edges[index + 1].times[0]) : track.count
      let isEnter = edges[index].kind == .enter
      let start = Int(isEnter ? edges[index].times[0] : edges[index].times[edges[index].times.count - 1])
      let distance = isEnter ? -Self.noticeableDepth : Self.noticeableDistance
      let seconds = track[start..<max(start, end)].count {
        let place = fence.area.signedDistance(to: $0).metres
        return isEnter ? place <= distance : place >= distance
      }
      guard Double(seconds) >= Self.noticeableTime else { continue }
      edges[index].isNoticeable = known != isEnter
      known = isEnter
    }
  }

  private static func pieces(of fence: Fence, along track: [Coordinate]) -> [Piece] {
    var pieces: [Piece] = []
    var isInside = false
    for (second, place) in track.enumerated() where fence.area.contains(place) != isInside {
      isInside.toggle()
      if isInside {
        pieces.append(Piece(enter: second == 0 ? nil : Double(second), exit: nil))
      } else {
        pieces[pieces.count - 1].exit = Double(second)
      }
    }
    return pieces
  }

  private mutating func add(_ visit: [Piece], of fence: FenceID) {
    let duration = (visit.last?.exit ?? .infinity) - (visit.first?.enter ?? -.infinity)
    let isStay = duration >= Self.stay
    let first = visit.firstIndex { $0.duration > Self.graze } ?? visit.count - 1
    let last = visit.lastIndex { $0.duration > Self.graze } ?? 0
    add(.enter, visit.map(\.enter), first: 0, last: visit[0].enter == nil ? -1 : first, isStay, of: fence)
    add(
      .exit, visit.map(\.exit), first: visit[visit.count - 1].exit == nil ? visit.count : last,
      last: visit.count - 1, isStay, of: fence)
  }

  private mutating func add(
    _ kind: FenceEvent.Kind, _ times: [Double?], first: Int, last: Int, _ isStay: Bool, of fence: FenceID
  ) {
    var edge = Edge(fence: fence, kind: kind, times: [], isStay: isStay)
    for (index, time) in times.enumerated() {
      guard let time else { continue }
      let belongs = index >= first && index <= last
      if belongs { edge.times.append(time) }
      crossings.append((fence, kind, time, belongs ? edges.count : nil))
    }
    if !edge.times.isEmpty { edges.append(edge) }
  }

  /// Returns the event of each edge. Each event is for one crossing and each crossing has one event at most; the pairs
  /// that are nearest in time come first.
  func match(_ events: [ReportedEvent]) -> [ReportedEvent?] {
    var result = [ReportedEvent?](repeating: nil, count: edges.count)
    var byFence: [FenceID: [Int]] = [:]
    for (index, reported) in events.enumerated() { byFence[reported.event.fence, default: []].append(index) }
    var pairs: [(gap: Double, event: Int, crossing: Int)] = []
    for (index, crossing) in crossings.enumerated() {
      for event in byFence[crossing.fence] ?? [] where events[event].event.kind == crossing.kind {
        let gap = abs(events[event].time - crossing.time)
        if gap <= Self.tolerance { pairs.append((gap, event, index)) }
      }
    }
    var usedEvents: Set<Int> = [], usedCrossings: Set<Int> = []
    for pair in pairs.sorted(by: { ($0.gap, $0.event, $0.crossing) < ($1.gap, $1.event, $1.crossing) }) {
      guard !usedEvents.contains(pair.event), !usedCrossings.contains(pair.crossing) else { continue }
      usedEvents.insert(pair.event)
      usedCrossings.insert(pair.crossing)
      if let edge = crossings[pair.crossing].edge, result[edge] == nil { result[edge] = events[pair.event] }
    }
    return result
  }
}
