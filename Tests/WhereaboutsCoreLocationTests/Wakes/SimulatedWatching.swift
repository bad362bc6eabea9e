import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

/// Core Location's regions and significant changes as they are documented, without a framework: driven by true places.
///
/// Regions stay registered while the program is not running. A crossing is noticed once the device is past the line by
/// 200 m, or inside, and reported once that has lasted 20 s.
struct SimulatedWatching {
  enum Lateness: CaseIterable, Sendable {
    /// As documented.
    case documented
    /// Up to 5 min later, and one in fifty is lost.
    case badDay
  }

  enum Occurrence: Hashable {
    case crossed(String, WakeRegion.Crossing)
    case significantChange
  }

  private struct Watched {
    var region: WakeRegion
    var isInside: Bool
    var crossingSince: Double?
    var extraDelay: Double
  }

  static let limit = 20

  let lateness: Lateness
  let foreignCount: Int
  private var random: SeededGenerator
  private var regions: [String: Watched] = [:]
  var watchesChanges = false
  private var lastChange: (place: Coordinate, time: Double)?
  private(set) var greatestCount = 0
  private(set) var registrations = 0
  /// The removed regions whose crossing was noticed and not yet reported, without a fix since that the program could
  /// judge by.
  private(set) var lostCrossings: [String] = []
  /// The number of those with such a fix: a report would only have led to a fix.
  private(set) var knownCrossings = 0

  init(_ lateness: Lateness, foreignCount: Int = 0, seed: UInt64) {
    self.lateness = lateness
    self.foreignCount = foreignCount
    random = SeededGenerator(seed: seed)
  }

  /// All regions of the process, own and foreign.
  var identifiers: Set<String> {
    Set(regions.keys).union((0..<foreignCount).map { "com.example.\($0)" })
  }

  /// Registers a region; returns whether there was room.
  mutating func start(_ region: WakeRegion, at place: Coordinate) -> Bool {
    guard regions[region.identifier] != nil || regions.count + foreignCount < Self.limit else { return false }
    registrations += 1
    regions[region.identifier] = Watched(
      region: region, isInside: contains(region, place), crossingSince: nil, extraDelay: nextDelay())
    greatestCount = max(greatestCount, regions.count + foreignCount)
    return true
  }

  /// A fix that the program was given.
  struct KnownFix {
    var place: Coordinate
    var accuracy: Double
    /// Seconds since the start.
    var time: Double

    /// Whether the fix may change the plan of the regions.
    var isFine: Bool { accuracy <= 100 }
  }

  /// - Parameter lastFix: the program's last fix; `nil` before the first.
  mutating func stop(_ identifier: String, lastFix: KnownFix?, at time: Double = 0) {
    guard let removed = regions.removeValue(forKey: identifier), let since = removed.crossingSince,
      isWatched(removed, !removed.isInside)
    else { return }
    if let lastFix, lastFix.time >= since, lastFix.isFine {
      knownCrossings += 1
    } else {
      let off = lastFix.map {
        removed.region.circle.center.distance(to: $0.place) - removed.region.circle.radius
      }
      lostCrossings.append(
        "\(identifier): noticed at \(Int(since)) s, removed at \(Int(time)) s, fix of \(Int(lastFix?.time ?? -1)) s"
          + " \(Int(off ?? 0)) m past the line, ±\(Int(lastFix?.accuracy ?? -1)) m")
    }
  }

  /// Returns the side of a region that the system knows.
  func isInside(_ identifier: String) -> Bool? { regions[identifier]?.isInside }

  /// Begins to watch significant changes; the present place is the first.
  mutating func startChanges(at place: Coordinate, time: Double) {
    watchesChanges = true
    lastChange = (place, time)
  }

  /// Returns what the system reports at a place and time, in seconds.
  mutating func advance(to place: Coordinate, time: Double) -> [Occurrence] {
    var found: [Occurrence] = []
    for (identifier, watched) in regions.sorted(by: { $0.key < $1.key }) {
      let distance = watched.region.circle.center.distance(to: place)
      let radius = watched.region.circle.radius
      let side = distance <= radius ? true : distance >= radius + 200 ? false : watched.isInside
      guard side != watched.isInside else {
        regions[identifier]?.crossingSince = nil
        continue
      }
      let since = watched.crossingSince ?? time
      regions[identifier]?.crossingSince = since
      guard time - since >= 20 + watched.extraDelay else { continue }
      regions[identifier]?.isInside = side
      regions[identifier]?.crossingSince = nil
      let delay = nextDelay()
      regions[identifier]?.extraDelay = delay
      let isLost = lateness == .badDay && Double.random(in: 0..<1, using: &random) < 0.02
      if isWatched(watched, side), !isLost { found.append(.crossed(identifier, side ? .enter : .exit)) }
    }
    if watchesChanges, let last = lastChange, time - last.time >= 300, last.place.distance(to: place) >= 500 {
      lastChange = (place, time)
      found.append(.significantChange)
    }
    return found
  }

  private func isWatched(_ watched: Watched, _ side: Bool) -> Bool {
    watched.region.crossing == (side ? .enter : .exit)
  }

  private func contains(_ region: WakeRegion, _ place: Coordinate) -> Bool {
    region.circle.center.distance(to: place) <= region.circle.radius
  }

  private mutating func nextDelay() -> Double {
    lateness == .badDay ? .random(in: 0...300, using: &random) : 0
  }
}
