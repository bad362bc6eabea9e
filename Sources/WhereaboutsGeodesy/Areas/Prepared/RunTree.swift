/// A tree of bounding boxes over runs of a line's pieces, over runs of those, and so on.
///
/// Consecutive pieces are neighbours, so their order is sufficient for a tree.
/// Piece i leads from point i to point i + 1. A NaN point separates lines, and every comparison with NaN is false.
struct RunTree<Point: SIMD>: Sendable where Point.Scalar == Double, Point: Sendable {
  struct Box: Sendable {
    var low, high: Point

    /// The empty box.
    static var none: Box { Box(low: Point(repeating: .infinity), high: Point(repeating: -.infinity)) }

    mutating func insert(_ other: Box) {
      low = low.replacing(with: other.low, where: other.low .< low)
      high = high.replacing(with: other.high, where: other.high .> high)
    }

    /// Returns the square of the distance from a point.
    @inline(__always)
    func distance²(from p: Point) -> Double {
      let below = low - p, above = p - high
      var outside = below.replacing(with: above, where: above .> below)
      outside.replace(with: 0, where: outside .< 0)
      return (outside * outside).sum()
    }

    func overlaps(_ other: Box) -> Bool { all(low .<= other.high) && all(other.low .<= high) }
  }

  /// The number of pieces in a run, and of runs in a longer run.
  private static var width: Int { 8 }
  private let pieces: Int
  /// The boxes of all levels, the shortest runs first.
  private var boxes: [Box] = []
  /// The start of each level in `boxes`, followed by the end of the last level.
  private var levels: [Int] = [0]

  /// Creates the tree over the pieces between points, with a margin around them.
  init(_ points: [Point], room: Double) {
    pieces = max(0, points.count - 1)
    let room = Point(repeating: room)
    for first in stride(from: 0, to: pieces, by: Self.width) {
      var box = Box.none
      for i in first...min(first + Self.width, pieces) {
        box.insert(Box(low: points[i] - room, high: points[i] + room))
      }
      boxes.append(box)
    }
    levels.append(boxes.count)
    while boxes.count - levels[levels.count - 2] > 1 {
      let below = levels[levels.count - 2]..<boxes.count
      for first in stride(from: below.lowerBound, to: below.upperBound, by: Self.width) {
        var box = Box.none
        for child in first..<min(first + Self.width, below.upperBound) { box.insert(boxes[child]) }
        boxes.append(box)
      }
      levels.append(boxes.count)
    }
  }

  /// The pieces of each node: of all runs, then of the longer ones.
  var spans: [Range<Int>] {
    var spans: [Range<Int>] = [], width = Self.width
    for (first, end) in zip(levels, levels.dropFirst()) {
      for node in 0..<end - first { spans.append(node * width..<min((node + 1) * width, pieces)) }
      width *= Self.width
    }
    return spans
  }

  private var top: Int { levels.count - 2 }

  /// Returns the child nodes of a node on the level below, or the pieces of a run.
  private func children(of node: Int, on level: Int) -> Range<Int> {
    let first = (node - levels[level]) * Self.width
    guard level > 0 else { return first..<min(first + Self.width, pieces) }
    return levels[level - 1] + first..<min(levels[level - 1] + first + Self.width, levels[level])
  }

  /// Visits runs of pieces in order, skipping boxes that need not be entered.
  func visit(entering: (Box) -> Bool, run: (Range<Int>) -> Void) {
    guard pieces > 0 else { return }
    visit(levels[top], on: top, entering, run)
  }

  private func visit(_ node: Int, on level: Int, _ entering: (Box) -> Bool, _ run: (Range<Int>) -> Void) {
    guard entering(boxes[node]) else { return }
    if level == 0 { return run(children(of: node, on: 0)) }
    for child in children(of: node, on: level) { visit(child, on: level - 1, entering, run) }
  }

  /// Visits runs of pieces near a point, the nearest boxes first, as long as they are nearer than a limit.
  ///
  /// - Parameter run: processes pieces and returns the square of the new limit.
  func visitNearest(to p: Point, limit²: Double = .infinity, run: (Range<Int>) -> Double) {
    guard pieces > 0 else { return }
    var limit² = limit²
    visit(levels[top], on: top, nearestTo: p, &limit², run)
  }

  private func visit(
    _ node: Int, on level: Int, nearestTo p: Point, _ limit²: inout Double, _ run: (Range<Int>) -> Double
  ) {
    let children = children(of: node, on: level)
    if level == 0 {
      limit² = run(children)
      return
    }
    var distances = SIMD8<Double>(repeating: .infinity)
    for (i, child) in children.enumerated() { distances[i] = boxes[child].distance²(from: p) }
    for _ in children {
      let least = distances.min()
      guard least < limit² else { return }
      var nearest = 0
      while distances[nearest] != least { nearest += 1 }
      distances[nearest] = .infinity
      visit(children.lowerBound + nearest, on: level - 1, nearestTo: p, &limit², run)
    }
  }

  /// Visits pairs of runs with overlapping boxes, including a run with itself, until a visit returns true.
  ///
  /// - Parameter entering: returns whether two nodes must be entered, by their indices in `spans`.
  func visitPairs(entering: (Int, Int) -> Bool, until isEnough: (Range<Int>, Range<Int>) -> Bool) {
    guard pieces > 0 else { return }
    _ = visitPairs(levels[top], levels[top], on: top, entering, isEnough)
  }

  private func visitPairs(
    _ a: Int, _ b: Int, on level: Int, _ entering: (Int, Int) -> Bool,
    _ isEnough: (Range<Int>, Range<Int>) -> Bool
  ) -> Bool {
    guard a == b || (boxes[a].overlaps(boxes[b]) && entering(a, b)) else { return false }
    let (first, second) = (children(of: a, on: level), children(of: b, on: level))
    if level == 0 { return isEnough(first, second) }
    for i in first {
      for j in second where i <= j {
        if visitPairs(i, j, on: level - 1, entering, isEnough) { return true }
      }
    }
    return false
  }
}
