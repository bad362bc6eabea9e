/// Finds room for names beside their places.
struct LabelPlacer {
  /// A label's box, in pixels.
  struct Box {
    var left: Double
    var top: Double
    var width: Double
    var height: Double

    func overlaps(_ other: Box) -> Bool {
      left < other.left + other.width && other.left < left + width
        && top < other.top + other.height && other.top < top + height
    }

    func holds(_ point: PlanePoint) -> Bool {
      point.x >= left && point.x <= left + width && point.y >= top && point.y <= top + height
    }
  }

  private let frame: MapFrame
  private let line: [PlanePoint]
  private var taken: [Box]

  /// Places labels inside the frame, off the points of the line where that can be, and never on what is taken.
  init(frame: MapFrame, line: [PlanePoint], taken: [Box]) {
    self.frame = frame
    self.line = line
    self.taken = taken
  }

  /// Where a text stands.
  struct Placement {
    /// On the baseline: where the text begins, has its middle or ends, as the anchor says.
    var point: PlanePoint
    /// The attribute that says which.
    var anchor: String
  }

  private enum Side: CaseIterable {
    case right, left, above, below, aboveRight, belowRight, aboveLeft, belowLeft
  }

  /// Finds a place for a text, or `nil` where there is no room for it.
  ///
  /// - Parameter distance: pixels from the place that its marker covers.
  mutating func place(_ text: String, beside point: PlanePoint, size: Double, distance: Double) -> Placement?
  {
    let width = Self.width(of: text, size: size)
    var best: (side: Side, box: Box, crossed: Int)?
    for side in Side.allCases {
      let box = Self.box(side, of: point, width: width, size: size, distance: distance)
      guard isFree(box) else { continue }
      let crossed = line.count { box.holds($0) }
      if crossed < best?.crossed ?? .max { best = (side, box, crossed) }
    }
    guard let best else { return nil }
    taken.append(best.box)
    let baseline = best.box.top + size * 0.95
    // Anchored on the marker's side, so that a font of another width does not run into it.
    switch best.side {
    case .right, .aboveRight, .belowRight:
      return Placement(point: PlanePoint(x: best.box.left, y: baseline), anchor: "text-anchor=\"start\"")
    case .left, .aboveLeft, .belowLeft:
      return Placement(
        point: PlanePoint(x: best.box.left + width, y: baseline), anchor: "text-anchor=\"end\"")
    case .above, .below:
      return Placement(point: PlanePoint(x: point.x, y: baseline), anchor: "text-anchor=\"middle\"")
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
      && !taken.contains { $0.overlaps(box) }
  }

  /// A guess at the width of text: fonts differ, and the picture names several.
  static func width(of text: String, size: Double) -> Double {
    Double(text.count) * size * 0.6
  }
}
