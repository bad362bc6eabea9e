import WhereaboutsCore

/// Cuts a track into the lines that are drawn.
enum TrackRuns {
  /// A point of the picture with what decides how it is drawn.
  struct Point {
    var pixel: PlanePoint
    var accuracy: Double?
    var motion: Motion?
  }

  /// What decides how a stretch is drawn.
  struct Look {
    /// The mean of its points.
    var accuracy: Double?
    /// That of its last point, which says how the device moved until then.
    var motion: Motion?
  }

  /// A line drawn in one way.
  struct Run<Key: Hashable> {
    var key: Key
    var points: [PlanePoint]
  }

  /// Shortest stretch, in pixels, that is drawn in a way of its own.
  private static let shortest = 6.0

  /// Cuts a line where the way to draw it changes. Successive runs share a point.
  ///
  /// An accuracy that flickers around a limit would cut the line to crumbs, so its mean over a few pixels decides.
  static func runs<Key: Hashable>(of points: [Point], by key: (Look) -> Key) -> [Run<Key>] {
    guard let first = points.first else { return [] }
    var runs: [Run<Key>] = []
    var stretch = Stretch(first)
    for (index, point) in points.enumerated().dropFirst() {
      stretch.add(point)
      guard stretch.length >= shortest || index == points.count - 1 else { continue }
      append(stretch, key(stretch.look), to: &runs)
      stretch = Stretch(point)
    }
    if points.count == 1 { append(stretch, key(stretch.look), to: &runs) }
    return runs.map { run in
      let kept = LineSimplifier.kept(of: run.points, tolerance: MapStyle.tolerance)
      return Run(key: run.key, points: kept.map { run.points[$0] })
    }
  }

  private static func append<Key>(_ stretch: Stretch, _ key: Key, to runs: inout [Run<Key>]) {
    if let last = runs.indices.last, runs[last].key == key {
      runs[last].points += stretch.points.dropFirst()
    } else {
      runs.append(Run(key: key, points: stretch.points))
    }
  }

  private struct Stretch {
    var points: [PlanePoint]
    var length = 0.0
    private var sum = 0.0
    private var known = 0
    private var motion: Motion?

    init(_ point: Point) {
      points = [point.pixel]
      take(point)
    }

    mutating func add(_ point: Point) {
      length += points[points.count - 1].distance(to: point.pixel)
      points.append(point.pixel)
      take(point)
    }

    private mutating func take(_ point: Point) {
      motion = point.motion
      guard let accuracy = point.accuracy else { return }
      sum += accuracy
      known += 1
    }

    var look: Look { Look(accuracy: known > 0 ? sum / Double(known) : nil, motion: motion) }
  }
}
