/// A simplifier that removes points without a visible change of the line.
enum LineSimplifier {
  /// The longest stretch simplified at once. The worst case of the algorithm grows with the square of this number.
  private static let windowSize = 1024

  /// Returns the indices of the kept points. No removed point is farther from the new line than the tolerance.
  ///
  /// - Source: Douglas and Peucker, "Algorithms for the reduction of the number of points required to represent a
  ///   digitized line" (1973), in windows that share their ends.
  /// - Complexity: O(n log n) as a rule, O(1024 n) at worst.
  static func keptIndices(of points: [PlanePoint], tolerance: Double) -> [Int] {
    guard points.count > 2 else { return Array(points.indices) }
    var keeps = Array(repeating: false, count: points.count)
    var start = 0
    while start < points.count - 1 {
      let end = min(start + windowSize, points.count - 1)
      mark(points, from: start, to: end, tolerance: tolerance, in: &keeps)
      start = end
    }
    return points.indices.filter { keeps[$0] }
  }

  private static func mark(
    _ points: [PlanePoint], from start: Int, to end: Int, tolerance: Double, in keeps: inout [Bool]
  ) {
    keeps[start] = true
    keeps[end] = true
    var stretches = [(start, end)]
    while let (first, last) = stretches.popLast() {
      var farthest = (index: first, distance: tolerance)
      for index in first + 1..<max(last, first + 1) {
        let distance = points[index].distance(toLineFrom: points[first], to: points[last])
        if distance > farthest.distance { farthest = (index, distance) }
      }
      guard farthest.index > first else { continue }
      keeps[farthest.index] = true
      stretches.append((first, farthest.index))
      stretches.append((farthest.index, last))
    }
  }
}

/// A point of a flat picture or plane, in the unit of that picture or plane.
struct PlanePoint: Hashable, Sendable {
  var x: Double
  var y: Double

  func distance(to other: PlanePoint) -> Double {
    let dx = other.x - x, dy = other.y - y
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Returns the distance to the nearest point of a line segment.
  func distance(toLineFrom start: PlanePoint, to end: PlanePoint) -> Double {
    let dx = end.x - start.x, dy = end.y - start.y
    let squared = dx * dx + dy * dy
    guard squared > 0 else { return distance(to: start) }
    let along = min(max(((x - start.x) * dx + (y - start.y) * dy) / squared, 0), 1)
    return distance(to: PlanePoint(x: start.x + along * dx, y: start.y + along * dy))
  }
}
