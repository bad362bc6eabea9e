import WhereaboutsGeodesy
import WhereaboutsModel

/// Two plain rules of the literature, on the fixes as they are.
enum PlainRules {
  /// Stays within a distance of their first fix for a time: Li et al., "Mining user similarity based on location
  /// history" (ACM GIS 2008), with its 200 m, and 10 minutes.
  static func anchored(_ fixes: [Fix], since beginning: UTCTime) -> [FoundStay] {
    let plane = LocalPlane(around: fixes[0].coordinate)
    let points = fixes.map { plane.point(of: $0.coordinate) }
    let times = fixes.map { $0.time?.seconds(since: beginning) ?? 0 }
    var stays: [FoundStay] = [], first = 0
    while first < points.count {
      var next = first + 1
      while next < points.count, points[first].distance(to: points[next]) <= 200 { next += 1 }
      if times[next - 1] - times[first] >= 600 {
        stays.append(stay(points[first..<next], times[first..<next], plane))
        first = next
      } else {
        first += 1
      }
    }
    return stays
  }

  /// Density clusters in space and time: Birant and Kut, "ST-DBSCAN" (Data & Knowledge Engineering 60, 2007), with
  /// 100 m, 15 minutes to either side and four neighbours; a stay is a run of one cluster of 10 minutes.
  static func density(_ fixes: [Fix], since beginning: UTCTime) -> [FoundStay] {
    let plane = LocalPlane(around: fixes[0].coordinate)
    let points = fixes.map { plane.point(of: $0.coordinate) }
    let times = fixes.map { $0.time?.seconds(since: beginning) ?? 0 }
    func neighbours(_ index: Int) -> [Int] {
      var found: [Int] = [], other = index - 1
      while other >= 0, times[index] - times[other] <= 900 {
        if points[index].distance(to: points[other]) <= 100 { found.append(other) }
        other -= 1
      }
      other = index + 1
      while other < points.count, times[other] - times[index] <= 900 {
        if points[index].distance(to: points[other]) <= 100 { found.append(other) }
        other += 1
      }
      return found
    }
    var labels = [Int](repeating: -1, count: points.count), cluster = -1
    for index in points.indices where labels[index] < 0 {
      let seeds = neighbours(index)
      guard seeds.count >= 4 else { continue }
      cluster += 1
      labels[index] = cluster
      var queue = seeds
      while let next = queue.popLast() {
        guard labels[next] < 0 else { continue }
        labels[next] = cluster
        let more = neighbours(next)
        if more.count >= 4 { queue += more.filter { labels[$0] < 0 } }
      }
    }
    return runs(of: labels, points, times, plane)
  }

  private static func runs(
    of labels: [Int], _ points: [LocalPlane.Point], _ times: [Double], _ plane: LocalPlane
  ) -> [FoundStay] {
    var stays: [FoundStay] = [], run: [Int] = []
    func close() {
      if let first = run.first, let last = run.last, times[last] - times[first] >= 600 {
        stays.append(stay(run.map { points[$0] }[...], run.map { times[$0] }[...], plane))
      }
      run.removeAll()
    }
    for index in labels.indices where labels[index] >= 0 {
      if let last = run.last, labels[last] != labels[index] { close() }
      run.append(index)
    }
    close()
    return stays
  }

  private static func stay(
    _ points: ArraySlice<LocalPlane.Point>, _ times: ArraySlice<Double>, _ plane: LocalPlane
  ) -> FoundStay {
    let count = Double(points.count)
    let middle = LocalPlane.Point(
      east: points.reduce(0) { $0 + $1.east } / count, north: points.reduce(0) { $0 + $1.north } / count)
    return FoundStay(
      coordinate: plane.coordinate(at: middle) ?? plane.origin, arrival: times[times.startIndex],
      departure: times[times.endIndex - 1])
  }
}
