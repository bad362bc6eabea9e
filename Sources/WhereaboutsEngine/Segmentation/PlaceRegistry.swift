package import WhereaboutsModel
import WhereaboutsGeodesy

/// Gathers visits in places.
///
/// A visit belongs to the nearest place in whose radius its middle lies: to one that a person has changed before one
/// that was found. Otherwise the visit founds a place. The middle of a found place is the mean of its visits, weighted
/// by their accuracy, and its identifier that of its first visit.
package struct PlaceRegistry: Sendable {
  private var kept: [Entry]
  private var found: [Entry] = []
  /// The indices of found places by cells of a grid.
  private var cells: [Cell: [Int]] = [:]

  private struct Entry: Sendable {
    var visited: VisitedPlace
    var weight = 0.0
  }

  private struct Cell: Hashable, Sendable {
    var row: Int
    var column: Int
  }

  /// Creates a registry of places that a person has named or merged.
  package init(_ kept: [Place]) {
    self.kept = kept.map { Entry(visited: VisitedPlace($0)) }
  }

  /// Adds a visit, and returns its place.
  ///
  /// Visits have to be added in the order of time, so that the places are the same in each run.
  @discardableResult
  package mutating func add(_ visit: VisitSegment) -> Place {
    if let index = nearest(in: kept, kept.indices, to: visit) {
      let index = target(of: index)
      kept[index].visited.count(visit)
      return kept[index].visited.place
    }
    let near = neighbours(of: cell(of: visit.coordinate)).flatMap { cells[$0] ?? [] }
    if let index = nearest(in: found, near, to: visit) {
      found[index].visited.count(visit)
      move(index, towards: visit)
      return found[index].visited.place
    }
    let place = Place(id: visit.id.placeID, coordinate: visit.coordinate)
    var entry = Entry(visited: VisitedPlace(place), weight: Self.weight(of: visit))
    entry.visited.count(visit)
    cells[cell(of: visit.coordinate), default: []].append(found.count)
    found.append(entry)
    return place
  }

  /// The places with visits, and those that a person has named; the most visited first.
  package var places: [VisitedPlace] {
    (kept.map(\.visited).filter { $0.place.mergedInto == nil } + found.map(\.visited)).sorted {
      ($1.duration, $0.place.id) < ($0.duration, $1.place.id)
    }
  }

  /// Returns the place into which a place is merged, directly or over others.
  private func target(of index: Int) -> Int {
    var index = index
    for _ in 0..<kept.count {
      guard let id = kept[index].visited.place.mergedInto,
        let next = kept.firstIndex(where: { $0.visited.place.id == id })
      else { break }
      index = next
    }
    return index
  }

  private func nearest(
    in entries: [Entry], _ indices: some Sequence<Int>, to visit: VisitSegment
  ) -> Int? {
    var best: (index: Int, distance: Double)?
    for index in indices {
      let place = entries[index].visited.place
      let distance = place.coordinate.distance(to: visit.coordinate, within: 0.1)
      if distance <= place.radius, distance < best?.distance ?? .infinity { best = (index, distance) }
    }
    return best?.index
  }

  private static func weight(of visit: VisitSegment) -> Double {
    1 / (visit.accuracy * visit.accuracy + 100)
  }

  private mutating func move(_ index: Int, towards visit: VisitSegment) {
    let place = found[index].visited.place
    let weight = Self.weight(of: visit), share = weight / (found[index].weight + weight)
    found[index].weight += weight
    let plane = LocalPlane(around: place.coordinate)
    let off = plane.point(of: visit.coordinate)
    let mean = LocalPlane.Point(east: off.east * share, north: off.north * share)
    guard let coordinate = plane.coordinate(at: mean) else { return }
    let (before, after) = (cell(of: place.coordinate), cell(of: coordinate))
    found[index].visited.place.coordinate = coordinate
    guard before != after else { return }
    cells[before]?.removeAll { $0 == index }
    cells[after, default: []].append(index)
  }

  // MARK: Grid

  /// The height of a cell in degrees of latitude: more than the radius of a place.
  private static let cellHeight = 0.002

  private func cell(of coordinate: Coordinate) -> Cell {
    let row = Int((coordinate.latitude / Self.cellHeight).rounded(.down))
    return Cell(row: row, column: Int((coordinate.longitude / Self.cellWidth(row)).rounded(.down)))
  }

  /// Returns the degrees of longitude of the cells of a row, which are at least as wide as high.
  private static func cellWidth(_ row: Int) -> Double {
    let latitude = min(89, (Double(row) * cellHeight).magnitude + cellHeight)
    let share = 1 - (latitude / 90) * (latitude / 90)
    // A lower bound of the cosine up to a factor.
    return min(360, cellHeight / max(share * 0.9, 1e-4))
  }

  private func neighbours(of cell: Cell) -> [Cell] {
    var cells: [Cell] = []
    for row in (cell.row - 1)...(cell.row + 1) {
      // Columns of another row have another width.
      let longitude = (Double(cell.column) + 0.5) * Self.cellWidth(cell.row)
      let middle = Int((longitude / Self.cellWidth(row)).rounded(.down))
      for column in (middle - 2)...(middle + 2) { cells.append(Cell(row: row, column: column)) }
    }
    return cells
  }
}

extension VisitedPlace {
  /// Counts a visit.
  fileprivate mutating func count(_ visit: VisitSegment) {
    let end = visit.departure?.time ?? visit.lastFix
    visits += 1
    duration += visit.duration
    first = min(first ?? visit.arrival.time, visit.arrival.time)
    last = max(last ?? end, end)
  }
}
