/// A placement of labels beside their points.
struct LabelPlacer {
  /// The box of a label, in pixels.
  struct Box {
    var left: Double
    var top: Double
    var width: Double
    var height: Double

    func overlaps(_ other: Box) -> Bool {
      left < other.left + other.width && other.left < left + width
        && top < other.top + other.height && other.top < top + height
    }

    /// Returns the point of the box that is nearest to another point.
    func nearest(to point: PlanePoint) -> PlanePoint {
      PlanePoint(x: min(max(point.x, left), left + width), y: min(max(point.y, top), top + height))
    }
  }

  private let frame: MapFrame
  private let track: CoveredCells
  private var occupied: [Box]

  /// Creates a placer for labels inside the frame, off the line and off the occupied boxes.
  ///
  /// - Parameter line: points of the line at distances of at most ``CoveredCells/size``.
  init(frame: MapFrame, line: [PlanePoint], occupied: [Box]) {
    self.frame = frame
    self.occupied = occupied
    track = CoveredCells(line, in: frame)
  }

  /// The position of a label.
  struct Placement {
    /// A point on the baseline: the start, the middle or the end of the text, according to `anchor`.
    var point: PlanePoint
    /// The SVG attribute `text-anchor`.
    var anchor: String
    /// The box of the text.
    var box: Box
    /// A leader line from the point to the text, if the text is not adjacent.
    var leader: [PlanePoint] = []
  }

  private enum Side: CaseIterable {
    case right, left, above, below, aboveRight, belowRight, aboveLeft, belowLeft
  }

  /// The distances of labels, as multiples of the standard distance from the point.
  private static let distanceFactors = [1, 2, 3.5, 5.5, 8, 12]

  /// Finds a position for a label near one of the points; returns `nil` if there is no room.
  ///
  /// - Parameters:
  ///   - points: the points beside which the label may stand, the best first.
  ///   - distance: the radius of the marker, in pixels.
  ///   - farthest: the maximum distance of the label, in steps; 1 is adjacent.
  mutating func place(
    _ text: String, beside points: [PlanePoint], size: Double, distance: Double, farthest: Int = 1
  ) -> Placement? {
    let width = Self.width(of: text, size: size)
    for reach in Self.distanceFactors.prefix(farthest) {
      for point in points {
        for side in Side.allCases {
          let box = Self.box(side, of: point, width: width, size: size, distance: distance * reach)
          guard isFree(box), !track.touches(box) else { continue }
          occupied.append(box)
          var placement = Self.placement(side, in: box, of: point, size: size)
          if reach > 1 { placement.leader = [point, box.nearest(to: point)] }
          return placement
        }
      }
    }
    return nil
  }

  private static func placement(_ side: Side, in box: Box, of point: PlanePoint, size: Double) -> Placement {
    let baseline = box.top + size * 0.95
    // The anchor is on the side of the marker, so that a wider font does not run into the marker.
    switch side {
    case .right, .aboveRight, .belowRight:
      return Placement(
        point: PlanePoint(x: box.left, y: baseline), anchor: "text-anchor=\"start\"", box: box)
    case .left, .aboveLeft, .belowLeft:
      return Placement(
        point: PlanePoint(x: box.left + box.width, y: baseline), anchor: "text-anchor=\"end\"", box: box)
    case .above, .below:
      return Placement(
        point: PlanePoint(x: point.x, y: baseline), anchor: "text-anchor=\"middle\"", box: box)
    }
  }

  private static func box(
    _ side: Side, of point: PlanePoint, width: Double, size: Double, distance: Double
  ) -> Box {
    let left =
      switch side {
      case .right: point.x + distance
      case .left: point.x - distance - width
      case .above, .below: point.x - width / 2
      case .aboveRight, .belowRight: point.x + distance * 0.7
      case .aboveLeft, .belowLeft: point.x - distance * 0.7 - width
      }
    let top =
      switch side {
      case .right, .left: point.y - size * 0.6
      case .above: point.y - distance - size * 1.1
      case .below: point.y + distance - size * 0.1
      case .aboveRight, .aboveLeft: point.y - distance * 0.7 - size * 1.1
      case .belowRight, .belowLeft: point.y + distance * 0.7 - size * 0.1
      }
    return Box(left: left, top: top, width: width, height: size * 1.2)
  }

  private func isFree(_ box: Box) -> Bool {
    box.left >= frame.left + 4 && box.left + box.width <= frame.right - 4
      && box.top >= frame.top + 4 && box.top + box.height <= frame.bottom - 4
      && !occupied.contains { $0.overlaps(box) }
  }

  /// Estimates the width of a text. Fonts differ, and the picture names several.
  static func width(of text: String, size: Double) -> Double {
    Double(text.count) * size * 0.6
  }
}

/// The small squares of the picture that a line crosses.
struct CoveredCells {
  /// The side of a square, in pixels.
  static let size = 4.0

  private let frame: MapFrame
  private let columns: Int
  private let rows: Int
  private var covered: [Bool]

  init(_ line: [PlanePoint], in frame: MapFrame) {
    self.frame = frame
    columns = Int(frame.width / Self.size) + 1
    rows = Int(frame.height / Self.size) + 1
    covered = [Bool](repeating: false, count: columns * rows)
    for point in line where frame.contains(point) { covered[row(point.y) * columns + column(point.x)] = true }
  }

  /// Returns whether the line crosses a box or passes close to the box.
  func touches(_ box: LabelPlacer.Box) -> Bool {
    for row in row(box.top)...row(box.top + box.height) {
      for column in column(box.left)...column(box.left + box.width) where covered[row * columns + column] {
        return true
      }
    }
    return false
  }

  private func column(_ x: Double) -> Int { min(max(Int((x - frame.left) / Self.size), 0), columns - 1) }
  private func row(_ y: Double) -> Int { min(max(Int((y - frame.top) / Self.size), 0), rows - 1) }
}
