import WhereaboutsGeodesy

/// A pair of imports.
struct SourcePair: Hashable {
  var first: Int
  var second: Int
}

/// A check for stretches that two imports hold, with slightly different places.
struct OverlapCheck {
  /// Fixes between two of another import that prove an overlap, and the share of them on its path.
  private static let leastCount = 50, leastShare = 0.9
  /// The longest time between the neighbours, in seconds.
  private static let longestStep = 120.0

  struct Pair {
    var near = 0, far = 0
    var first: Int64
    var last: Int64
  }

  /// The tolerated distance, in metres.
  private static let tolerance = 150.0

  private var earlier: PastFix?
  private var before: PastFix?
  private var pairs: [SourcePair: Pair] = [:]

  mutating func process(_ fix: PastFix) {
    if let earlier, let before { compare(before, between: earlier, and: fix) }
    earlier = before
    before = fix
  }

  /// Compares a fix of one import with the straight line between its neighbours of another import.
  private mutating func compare(_ fix: PastFix, between first: PastFix, and last: PastFix) {
    let time = last.seconds(after: first)
    guard first.source == last.source, fix.source != first.source, fix.source != 0, first.source != 0,
      time > 0, time <= Self.longestStep,
      let distance = ShiftCheck.distance(
        of: fix.coordinate, from: first.coordinate, to: last.coordinate, at: fix.seconds(after: first) / time)
    else { return }
    let key = SourcePair(first: min(fix.source, last.source), second: max(fix.source, last.source))
    var pair = pairs[key] ?? Pair(first: fix.key.time, last: fix.key.time)
    if distance <= Self.tolerance + min(fix.errorAllowance(with: first), 200) {
      pair.near += 1
    } else {
      pair.far += 1
    }
    pair.last = fix.key.time
    pairs[key] = pair
  }

  var overlaps: [(SourcePair, Pair)] {
    pairs.filter { _, pair in
      pair.near >= Self.leastCount && Double(pair.near) >= Self.leastShare * Double(pair.near + pair.far)
    }.sorted { ($0.value.first, $0.key.second) < ($1.value.first, $1.key.second) }
      .map { ($0.key, $0.value) }
  }
}

/// A selection of one import's fixes where another import has fixes, too.
package struct OverlapSelector {
  /// The longest time between two fixes of the other import between which fixes are selected, in nanoseconds.
  private static let longestStep: Int64 = 600_000_000_000

  private let source: Int
  private let other: Int
  private var lastOther: Int64?
  private var waiting: [PastFix.Key] = []
  /// The selected fixes.
  package private(set) var keys: [PastFix.Key] = []

  init(source: Int, other: Int) {
    self.source = source
    self.other = other
  }

  mutating func process(_ fix: PastFix) {
    let isNear = lastOther.map { fix.key.time.clampedDifference(from: $0) <= Self.longestStep } ?? false
    if !isNear { waiting.removeAll() }
    if fix.source == source {
      if isNear { waiting.append(fix.key) }
    } else if fix.source == other {
      keys += waiting
      waiting.removeAll()
      lastOther = fix.key.time
    }
  }
}
