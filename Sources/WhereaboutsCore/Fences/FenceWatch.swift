import RealModule
import WhereaboutsGeodesy

/// What one device has seen of the fences in a book: on which side of each it is, and what happened.
///
/// Its JSON form is all that must outlive a process: read back, it goes on as if nothing had happened.
public struct FenceWatch: Sendable, Codable, Hashable {
  /// What it was made with.
  public let settings: FenceSettings
  private var sides: [FenceID: FenceState] = [:]
  private var last: Fix?
  private var lastID: UInt64 = 0

  /// A watch that has seen nothing yet.
  public init(_ settings: FenceSettings = FenceSettings()) { self.settings = settings }

  /// When something is due without a fix, by the time of fixes; `nil` where nothing is.
  public var nextTime: UTCTime? { nil }

  /// Takes a fix, in order or late, and appends what it has to say.
  public mutating func take(_ fix: Fix, in book: FenceBook, into notes: inout [FenceNote]) {
    guard let time = fix.time else { return notes.append(.decided(.timeless)) }
    for entry in book.entries {
      guard let fence = entry?.fence, let distance = Self.distance(of: fix, to: fence.area) else { continue }
      let deviation = (fix.horizontalAccuracy ?? 5) / 1.515
      let inside = 1 / (1 + Double.exp(1.702 * distance / deviation))
      let before = sides[fence.id]
      let side: FenceSide =
        inside >= fence.terms.enterConfidence
        ? .inside : 1 - inside >= fence.terms.exitConfidence ? .outside : before?.side ?? .unknown
      let isNew = side != before?.side
      sides[fence.id] = FenceState(
        side: side, since: isNew ? time : before?.since, probabilityInside: inside)
      guard isNew, let before, before.side != .unknown else { continue }
      lastID += 1
      notes.append(
        .event(
          FenceEvent(
            id: FenceEvent.ID(lastID), fence: fence.id, kind: side == .inside ? .enter : .exit,
            manner: .crossed, time: time, timeUncertainty: 1, lastBefore: last?.time, firstAfter: time,
            place: fix.coordinate, confidence: max(inside, 1 - inside), decidedBy: fix, decided: time,
            pending: .zero)))
    }
    last = fix
  }

  /// Tells what is due by a time without a fix.
  public mutating func passTime(to time: UTCTime, in book: FenceBook, into notes: inout [FenceNote]) {}

  /// What comes next does not continue what came before.
  public mutating func breakOff() {}

  /// How things stand with a fence.
  public func state(of id: FenceID, in book: FenceBook) -> FenceState {
    sides[id] ?? FenceState(side: .unknown)
  }

  /// How far the device is from all boundaries; `nil` before the first fix.
  public func clearance(in book: FenceBook) -> FenceClearance? {
    guard let last, let time = last.time else { return nil }
    var nearest = FenceClearance(metres: .infinity, fence: nil, time: time, isPending: false)
    for entry in book.entries {
      guard let fence = entry?.fence, let distance = Self.distance(of: last, to: fence.area) else { continue }
      let metres = max(0, distance.magnitude - 2 * (last.horizontalAccuracy ?? 5))
      if metres < nearest.metres {
        nearest.metres = metres
        nearest.fence = fence.id
      }
    }
    return nearest
  }

  private static func distance(of fix: Fix, to area: Area) -> Double? {
    guard case .circle(let circle) = area else { return nil }
    return circle.center.distance(to: fix.coordinate) - circle.radius
  }
}
