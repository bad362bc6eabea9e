import WhereaboutsModel

/// The lines of a plot.
struct PlotLines {
  static let speedColor = "#0b3d91"
  static let distanceColor = "#1f6f78"

  /// Stretches of points without gaps.
  private let parts: [[PlotBins.Sample]]
  private let frame: PlotFrame

  init(frame: PlotFrame, bins: [PlotBins.Bin]) {
    self.frame = frame
    var parts: [[PlotBins.Sample]] = []
    for bin in bins {
      if bin.isDetached || parts.isEmpty { parts.append([]) }
      parts[parts.count - 1] += bin.samples
    }
    self.parts = parts
  }

  /// The kinds of motion in the track, the slowest first.
  var motions: [Motion] {
    let found = Set(parts.joined().map(\.motion))
    return Motion.legendOrder.filter(found.contains)
  }

  /// Whether the standard deviation of the distance is wide enough to be visible.
  var hasBand: Bool {
    parts.joined().contains { height($0.uncertainty) >= 1 }
  }

  func drawSpeed(in document: inout SVGDocument) {
    let lines = parts.map { part in
      part.map { PlanePoint(x: frame.x($0.seconds), y: frame.speed.y($0.speed * 3.6)) }
    }
    let areas = lines.filter { $0.count > 1 }.map { line in
      [PlanePoint(x: line[0].x, y: frame.speed.bottom)] + Self.simplified(line)
        + [PlanePoint(x: line[line.count - 1].x, y: frame.speed.bottom)]
    }
    document.path(areas, "fill=\"\(Self.speedColor)\" fill-opacity=\"0.08\" stroke=\"none\"")
    draw(lines.map(Self.simplified), color: Self.speedColor, width: 1.5, in: &document)
  }

  func drawDistance(in document: inout SVGDocument) {
    let lines = parts.map { part in
      part.map { PlanePoint(x: frame.x($0.seconds), y: height(above: $0.distance)) }
    }
    if hasBand {
      let bands = parts.map { part in
        let upper = part.map {
          PlanePoint(x: frame.x($0.seconds), y: height(above: $0.distance + $0.uncertainty))
        }
        let lower = part.map {
          PlanePoint(x: frame.x($0.seconds), y: height(above: max($0.distance - $0.uncertainty, 0)))
        }
        return Self.simplified(upper) + Self.simplified(lower).reversed()
      }
      document.path(bands, "fill=\"\(Self.distanceColor)\" fill-opacity=\"0.22\" stroke=\"none\"")
    }
    let jumps = zip(lines, lines.dropFirst()).map { [$0[$0.count - 1], $1[0]] }
    document.path(
      jumps, "fill=\"none\" stroke=\"\(Self.distanceColor)\" stroke-width=\"1.5\" stroke-dasharray=\"4 4\"")
    draw(lines.map(Self.simplified), color: Self.distanceColor, width: 2, in: &document)
  }

  /// Draws the motion as a ribbon of colours, at most as fine as the picture's pixels.
  func drawRibbon(in document: inout SVGDocument) {
    for part in parts {
      var from = frame.x(part[0].seconds)
      for (index, sample) in part.enumerated().dropFirst() {
        let isLast = index == part.count - 1
        // A point states the motion up to that point.
        guard isLast || part[index + 1].motion != sample.motion else { continue }
        let to = frame.x(sample.seconds)
        guard isLast ? to - from >= 0.1 : to - from >= 1 else { continue }
        document.raw(
          "<rect x=\"\(from.fixed(1))\" y=\"\(frame.ribbon.top.fixed(1))\" width=\"\((to - from).fixed(1))\" "
            + "height=\"\(frame.ribbon.height.fixed(1))\" fill=\"\(sample.motion.color)\"/>")
        from = to
      }
    }
  }

  private func draw(
    _ lines: [[PlanePoint]], color: String, width: Double, in document: inout SVGDocument
  ) {
    document.path(
      lines,
      "fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(width.fixed(1))\" stroke-linejoin=\"round\" "
        + "stroke-linecap=\"round\"")
  }

  private func height(above metres: Double) -> Double { frame.distance.y(metres / frame.lengthUnit) }

  private func height(_ metres: Double) -> Double {
    metres / frame.lengthUnit / frame.distance.scale.top * frame.distance.height
  }

  private static func simplified(_ line: [PlanePoint]) -> [PlanePoint] {
    LineSimplifier.keptIndices(of: line, tolerance: MapStyle.tolerance).map { line[$0] }
  }
}
