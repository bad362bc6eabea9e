/// The scale bar, the north arrow and the legend of a map.
enum MapDecorations {
  private static let scaleWidth = 190.0

  /// Returns the parts of the panel that labels must not cover.
  static func boxes(_ frame: MapFrame) -> [LabelPlacer.Box] {
    [
      .init(left: frame.left, top: frame.bottom - 56, width: scaleWidth + 50, height: 56),
      .init(left: frame.right - 60, top: frame.top, width: 60, height: 84),
    ]
  }

  /// Draws a scale bar of a round length at the bottom left.
  static func drawScaleBar(_ frame: MapFrame, in document: inout SVGDocument) {
    let metres = frame.roundLength(within: scaleWidth)
    let length = metres * frame.pixelsPerMetre
    let left = frame.left + 18, bottom = frame.bottom - 18
    document.raw(
      "<rect x=\"\((left - 10).fixed(1))\" y=\"\((bottom - 30).fixed(1))\" width=\"\((length + 20).fixed(1))\" "
        + "height=\"42\" rx=\"4\" fill=\"\(MapStyle.page)\" fill-opacity=\"0.8\"/>")
    document.path(
      [
        [
          PlanePoint(x: left, y: bottom - 7), PlanePoint(x: left, y: bottom),
          PlanePoint(x: left + length, y: bottom), PlanePoint(x: left + length, y: bottom - 7),
        ]
      ], "fill=\"none\" stroke=\"\(MapStyle.ink)\" stroke-width=\"2\"")
    document.text(
      label(metres), at: PlanePoint(x: left + length / 2, y: bottom - 10), size: MapStyle.labelSize,
      "fill=\"\(MapStyle.ink)\" text-anchor=\"middle\"")
  }

  /// Returns a round number of metres as text.
  static func label(_ metres: Double) -> String {
    switch metres {
    case ..<0.995: "\((metres * 100).fixed(metres < 0.0095 ? 1 : 0)) cm"
    case ..<999: "\(metres.fixed(0)) m"
    default: "\(Int((metres / 1000).rounded()).grouped) km"
    }
  }

  /// Draws a north arrow at the top right. The projection has north up in its middle.
  static func drawNorthArrow(_ frame: MapFrame, in document: inout SVGDocument) {
    let x = frame.right - 32, y = frame.top + 22
    document.circle(
      at: PlanePoint(x: x, y: y + 22), radius: 27, "fill=\"\(MapStyle.page)\" fill-opacity=\"0.8\"")
    document.raw("<path d=\"M\(x.fixed(1)) \(y.fixed(1))l8 24l-8 -5z\" fill=\"\(MapStyle.ink)\"/>")
    document.raw(
      "<path d=\"M\(x.fixed(1)) \(y.fixed(1))l-8 24l8 -5z\" fill=\"\(MapStyle.page)\" stroke=\"\(MapStyle.ink)\" "
        + "stroke-width=\"1\" stroke-linejoin=\"round\"/>")
    document.text(
      "N", at: PlanePoint(x: x, y: y + 39), size: MapStyle.labelSize,
      "fill=\"\(MapStyle.ink)\" font-weight=\"600\" text-anchor=\"middle\"")
  }

  /// Returns the legend of the drawn lines.
  static func legend(_ canvas: Canvas) -> Legend {
    var legend = Legend()
    for (stroke, _) in canvas.lines {
      legend.add(
        stroke.legend, .line, "stroke=\"\(stroke.color)\" stroke-width=\"3.5\" stroke-linecap=\"round\"")
    }
    if !canvas.halos.isEmpty {
      legend.add(
        "where it is, 68 % sure", .line,
        "stroke=\"\(MapStyle.halo)\" stroke-width=\"13\" stroke-opacity=\"0.25\" stroke-linecap=\"round\"")
    }
    for kind in MapGap.Kind.allCases where canvas.gaps.contains(where: { $0.kind == kind }) {
      legend.add(kind.legend, .line, kind.attributes)
    }
    if !canvas.stops.isEmpty { legend.addStops() }
    if !canvas.routes.isEmpty {
      legend.add("route", .line, "stroke=\"\(MapStyle.route)\" stroke-width=\"2\" stroke-dasharray=\"2 5\"")
    }
    return legend
  }
}
