import WhereaboutsModel

/// The division of a track into lines with one style each.
enum TrackRuns {
  /// A point of the picture with the attributes of its style.
  struct Point {
    var pixel: PlanePoint
    var accuracy: Double?
    var motion: Motion?
  }

  /// The attributes that determine the style of a stretch.
  struct StretchAttributes {
    /// The mean accuracy of the stretch's points.
    var accuracy: Double?
    /// The motion at the last point, which states the motion up to that point.
    var motion: Motion?
  }

  /// A line of one style.
  struct Run<Key: Hashable> {
    var key: Key
    var points: [PlanePoint]
  }

  /// The shortest stretch with its own style, in pixels.
  private static let shortestRun = 6.0

  /// Divides a line where the style changes. Successive runs share a point.
  ///
  /// The mean accuracy over a few pixels decides, so that a flickering accuracy does not fragment the line.
  static func runs<Key: Hashable>(of points: [Point], by key: (StretchAttributes) -> Key) -> [Run<Key>] {
    guard let first = points.first else { return [] }
    var runs: [Run<Key>] = []
    var stretch = Stretch(first)
    for (index, point) in points.enumerated().dropFirst() {
      stretch.add(point)
      guard stretch.length >= shortestRun || index == points.count - 1 else { continue }
      append(stretch, key(stretch.attributes), to: &runs)
      stretch = Stretch(point)
    }
    if points.count == 1 { append(stretch, key(stretch.attributes), to: &runs) }
    return runs.map { run in
      let kept = LineSimplifier.keptIndices(of: run.points, tolerance: MapStyle.tolerance)
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
      accumulate(point)
    }

    mutating func add(_ point: Point) {
      length += points[points.count - 1].distance(to: point.pixel)
      points.append(point.pixel)
      accumulate(point)
    }

    private mutating func accumulate(_ point: Point) {
      motion = point.motion
      guard let accuracy = point.accuracy else { return }
      sum += accuracy
      known += 1
    }

    var attributes: StretchAttributes {
      StretchAttributes(accuracy: known > 0 ? sum / Double(known) : nil, motion: motion)
    }
  }
}
