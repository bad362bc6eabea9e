import Foundation
import WhereaboutsGeodesy

/// A fixed grid over the Earth, whose cells are nowhere narrower than a given size.
///
/// Every place of a cell snaps to the same place, so no number of fixes reveals more than their cells. A snapped place
/// snaps to itself.
struct CoarseGrid {
  /// The least length of a degree of latitude, at the equator, in metres.
  private static let latitudeDegree = 110_574.0
  /// A lower bound of the length of a degree of longitude at the equator, in metres.
  private static let longitudeDegree = 111_319.0

  /// A cell of the grid.
  struct Cell: Hashable {
    var south: Double
    var north: Double
    var west: Double
    var east: Double

    /// The middle, to which the places of the cell snap.
    var center: Coordinate {
      Coordinate(uncheckedLatitude: south + (north - south) / 2, longitude: west + (east - west) / 2)
    }

    /// An upper bound of the distance from the middle to a place of the cell, to the metre.
    var reach: Double {
      let corners = [south, north].map { Coordinate(uncheckedLatitude: $0, longitude: west) }
      return (corners.map { center.distance(to: $0, within: 0.5) }.max() ?? 0).rounded(.up)
    }
  }

  /// The least width and height of a cell, in metres.
  let size: Double
  private let rows: Int

  init(size: Double) {
    self.size = size
    rows = max(1, Int(180 * Self.latitudeDegree / size))
  }

  /// Returns the cell of a place.
  func cell(of place: Coordinate) -> Cell {
    let height = 180 / Double(rows)
    let row = min(rows - 1, Int((place.latitude + 90) / height))
    let south = -90 + Double(row) * height
    let north = row == rows - 1 ? 90 : -90 + Double(row + 1) * height
    // A cell is narrowest at the edge nearer to a pole, which may lie around the pole.
    let narrowest = max(0, cos(max(south.magnitude, north.magnitude) * .pi / 180))
    let columns = max(1, Int(360 * Self.longitudeDegree * narrowest / size))
    let width = 360 / Double(columns)
    // 180° and -180° are one meridian.
    let longitude = place.longitude == 180 ? -180 : place.longitude
    let column = min(columns - 1, Int((longitude + 180) / width))
    let west = -180 + Double(column) * width
    return Cell(
      south: south, north: north, west: west,
      east: column == columns - 1 ? 180 : -180 + Double(column + 1) * width)
  }

  /// Returns the accuracy to report for a cell: the size, doubled until it covers the cell and the accuracy of the
  /// fix. The doubling hides the exact accuracy, which could identify a place.
  func accuracy(in cell: Cell, of accuracy: Double?) -> Double {
    let needed = max(cell.reach, accuracy.map { $0.isNaN ? 0 : min($0, Self.earth) } ?? 0)
    var reported = size
    while reported < needed { reported *= 2 }
    return reported
  }

  /// Half the way around the Earth, in metres.
  private static let earth = 20_004_000.0
}
