import WhereaboutsGeodesy

/// A check for imports whose times are off by whole quarters of an hour: those of another time zone.
///
/// A fix in motion of one import is compared with the track of each other import of the last 14 hours. At rest, every
/// shift fits.
struct ShiftCheck {
  /// A quarter of an hour in nanoseconds, and the number of them: the widest difference of time zones in use is 26 h,
  /// of places near each other far less.
  private static let quarter: Int64 = 900_000_000_000
  private static let mostQuarters = 56
  /// The least interval between fixes of the compared track, and the longest interpolated one, in nanoseconds.
  private static let leastStep: Int64 = 10_000_000_000, longestStep: Int64 = 120_000_000_000
  private static let leastSpeed = 3.0
  /// Fixes in motion that prove a shift, and the share of them that fits.
  private static let leastVotes = 30, leastShare = 0.4
  /// The tolerated distance in metres, and as a share of the distance between two fixes, because roads bend.
  private static let tolerance = 150.0, bend = 0.2

  struct Votes {
    var counts = [Int](repeating: 0, count: ShiftCheck.mostQuarters + 1)
    var all = 0
    var first: Int64
    var last: Int64
  }

  /// The last hours of an import.
  private struct Track {
    var fixes: [PastFix] = []
    var last: PastFix

    mutating func trim(before time: Int64) {
      guard let first = fixes.first,
        first.key.time < time.clampedDifference(from: ShiftCheck.quarter)
      else { return }
      fixes.removeFirst(fixes.firstIndex { $0.key.time >= time } ?? fixes.count)
    }

    /// Returns whether a place is that of the track at a time; `nil` without fixes around it.
    func contains(_ place: Coordinate, at time: Int64) -> Bool? {
      var low = 0, high = fixes.count
      while low < high {
        let middle = (low + high) / 2
        if fixes[middle].key.time < time { low = middle + 1 } else { high = middle }
      }
      guard low > 0, low < fixes.count else { return nil }
      let before = fixes[low - 1], after = fixes[low]
      let step = after.key.time.clampedDifference(from: before.key.time)
      guard step > 0, step <= ShiftCheck.longestStep else { return nil }
      let share = Double(time - before.key.time) / Double(step)
      let length = after.coordinate.distance(to: before.coordinate)
      let distance = ShiftCheck.distance(
        of: place, from: before.coordinate, to: after.coordinate, at: share)
      return distance.map { $0 <= max(ShiftCheck.tolerance, ShiftCheck.bend * length) }
    }
  }

  /// Returns the distance of a place from the point at a share of a straight line; `nil` across the antimeridian.
  static func distance(
    of place: Coordinate, from: Coordinate, to: Coordinate, at share: Double
  ) -> Double? {
    guard (from.longitude - to.longitude).magnitude < 180 else { return nil }
    let latitude = from.latitude + share * (to.latitude - from.latitude)
    let longitude = from.longitude + share * (to.longitude - from.longitude)
    return Coordinate(latitude: latitude, longitude: longitude)?.distance(to: place)
  }

  private var tracks: [Int: Track] = [:]
  private var votes: [SourcePair: Votes] = [:]

  mutating func process(_ fix: PastFix) {
    guard fix.source != 0 else { return }
    guard let last = tracks[fix.source]?.last else {
      tracks[fix.source] = Track(fixes: [fix], last: fix)
      return
    }
    let step = fix.key.time.clampedDifference(from: last.key.time)
    // Taken out, so that the array is changed in its place.
    guard step >= Self.leastStep, var track = tracks.removeValue(forKey: fix.source) else { return }
    let isMoving =
      step <= Self.longestStep
      && fix.coordinate.distance(to: last.coordinate) > Self.leastSpeed * Double(step) / 1e9
    let oldest = fix.key.time.clampedDifference(from: Int64(Self.mostQuarters + 1) * Self.quarter)
    track.last = fix
    track.fixes.append(fix)
    track.trim(before: oldest)
    tracks[fix.source] = track
    if isMoving, tracks.count > 1 { compare(fix, oldest) }
  }

  private mutating func compare(_ fix: PastFix, _ oldest: Int64) {
    for (source, track) in tracks where source != fix.source {
      guard track.last.key.time >= oldest else {
        tracks[source] = nil
        continue
      }
      let pair = SourcePair(first: source, second: fix.source)
      var found = votes[pair] ?? Votes(first: fix.key.time, last: fix.key.time)
      var isComparable = false
      for quarters in 1...Self.mostQuarters {
        let time = fix.key.time.clampedDifference(from: Int64(quarters) * Self.quarter)
        guard let isThere = track.contains(fix.coordinate, at: time) else { continue }
        isComparable = true
        if isThere { found.counts[quarters] += 1 }
      }
      guard isComparable else { continue }
      found.all += 1
      found.last = fix.key.time
      votes[pair] = found
    }
  }

  /// The pairs in which the second import is later by a number of quarters of an hour.
  var shifts: [(pair: SourcePair, quarters: Int, votes: Votes)] {
    votes.compactMap { pair, votes -> (pair: SourcePair, quarters: Int, votes: Votes)? in
      let best = votes.counts.indices.max { votes.counts[$0] < votes.counts[$1] } ?? 0
      let count = votes.counts[best]
      // A device at rest fits every shift.
      let next = votes.counts.indices.filter { $0 != best }.map { votes.counts[$0] }.max() ?? 0
      guard count >= Self.leastVotes, Double(count) >= Self.leastShare * Double(votes.all), next * 2 <= count
      else { return nil }
      return (pair, best, votes)
    }.sorted { ($0.votes.first, $0.pair.second) < ($1.votes.first, $1.pair.second) }
  }
}
