import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// A picture of a track with its accuracy or motion, its start and its end.
package struct TrackMap {
  /// The text above the picture.
  struct Caption {
    var title: String
    var subtitle: String
  }

  /// The maximum number of labelled gaps, the longest first. A picture with more labels is not readable.
  private static let labelledGaps = 50

  private let track: TrackCollector
  private let caption: Caption
  /// The duration without a fix, in seconds, that interrupts the line.
  private let gapThreshold: Double
  private let stops: [TrackStop]
  private let fences: FenceLayer?

  /// - Parameters:
  ///   - stops: the stops of a measured track.
  ///   - fences: the fences around the track, and their crossings.
  init(
    track: TrackCollector, caption: Caption, gapThreshold: Double, stops: [TrackStop] = [],
    fences: FenceLayer? = nil
  ) {
    self.stops = stops
    self.fences = fences
    self.track = track
    self.caption = caption
    self.gapThreshold = gapThreshold
  }

  /// Returns the picture as an SVG document.
  package func svg() -> [UInt8] {
    guard let canvas = Canvas(track, gapThreshold: gapThreshold, stops: stops, fences: fences) else {
      return Self.emptyPicture(caption, saying: "nothing to draw: no fix, place or route")
    }
    let frame = canvas.frame
    var legend = MapDecorations.legend(canvas)
    fences?.addLegendEntries(in: &legend)
    let height = frame.bottom + MapStyle.footerHeight + max(legend.height - 24, 0)
    var document = SVGDocument(width: MapStyle.width, height: height, title: caption.title)
    Self.drawPage(caption, height: height, in: &document)
    document.raw(
      "<clipPath id=\"panel\"><rect x=\"\(frame.left.fixed(1))\" y=\"\(frame.top.fixed(1))\" "
        + "width=\"\(frame.width.fixed(1))\" height=\"\(frame.height.fixed(1))\" rx=\"6\"/></clipPath>")
    document.group("clip-path=\"url(#panel)\"") { document in
      drawPanel(frame, in: &document)
      drawGraticule(canvas, in: &document)
      drawHalo(canvas, in: &document)
      fences?.drawAreas(canvas, in: &document)
      drawRoutes(canvas, in: &document)
      drawLines(canvas, in: &document)
      drawDirections(canvas, in: &document)
      drawPlaces(canvas, in: &document)
    }
    drawFrame(frame, in: &document)
    MapDecorations.drawScaleBar(frame, in: &document)
    if canvas.isNorthUp { MapDecorations.drawNorthArrow(frame, in: &document) }
    legend.draw(below: frame.bottom + 15, in: &document)
    document.finish()
    return document.bytes
  }

  /// Returns an empty picture with the reason for the emptiness.
  static func emptyPicture(_ caption: Caption, saying reason: String) -> [UInt8] {
    let height = 320.0
    var document = SVGDocument(width: MapStyle.width, height: height, title: caption.title)
    drawPage(caption, height: height, in: &document)
    let panelHeight = height - MapStyle.headerHeight - MapStyle.margin
    document.raw(
      "<rect x=\"\(MapStyle.margin.fixed(0))\" y=\"\(MapStyle.headerHeight.fixed(0))\" "
        + "width=\"\(MapStyle.panelWidth.fixed(0))\" height=\"\(panelHeight.fixed(0))\" rx=\"6\" "
        + "fill=\"\(MapStyle.panel)\" stroke=\"\(MapStyle.frame)\"/>")
    document.text(
      reason, at: PlanePoint(x: MapStyle.width / 2, y: 200), size: 18,
      "fill=\"\(MapStyle.faintInk)\" text-anchor=\"middle\"")
    document.finish()
    return document.bytes
  }

  /// Draws the background of a picture and its caption.
  static func drawPage(_ caption: Caption, height: Double, in document: inout SVGDocument) {
    document.raw(
      "<rect width=\"\(MapStyle.width.fixed(0))\" height=\"\(height.fixed(0))\" fill=\"\(MapStyle.page)\"/>")
    document.text(
      caption.title, at: PlanePoint(x: MapStyle.margin, y: 40), size: MapStyle.titleSize,
      "fill=\"\(MapStyle.ink)\" font-weight=\"600\"")
    document.text(
      caption.subtitle, at: PlanePoint(x: MapStyle.margin, y: 66), size: MapStyle.textSize,
      "fill=\"\(MapStyle.faintInk)\"")
  }

  private func drawPanel(_ frame: MapFrame, in document: inout SVGDocument) {
    document.raw(
      "<rect x=\"\(frame.left.fixed(1))\" y=\"\(frame.top.fixed(1))\" width=\"\(frame.width.fixed(1))\" "
        + "height=\"\(frame.height.fixed(1))\" fill=\"\(MapStyle.panel)\"/>")
  }

  private func drawFrame(_ frame: MapFrame, in document: inout SVGDocument) {
    document.raw(
      "<rect x=\"\(frame.left.fixed(1))\" y=\"\(frame.top.fixed(1))\" width=\"\(frame.width.fixed(1))\" "
        + "height=\"\(frame.height.fixed(1))\" rx=\"6\" fill=\"none\" stroke=\"\(MapStyle.frame)\"/>")
  }

  private func drawGraticule(_ canvas: Canvas, in document: inout SVGDocument) {
    let frame = canvas.frame
    let graticule = Graticule(canvas.plane, frame)
    document.path(
      (graticule.parallels + graticule.meridians).map(\.points),
      "fill=\"none\" stroke=\"\(MapStyle.grid)\" stroke-width=\"1\"")
    let attributes = "fill=\"\(MapStyle.faintInk)\""
    for line in graticule.parallels {
      guard let edge = Graticule.crossing(of: line, left: frame.left + 0.5),
        edge.y > frame.top + 24, edge.y < frame.bottom - 70
      else { continue }
      document.text(
        line.label, at: PlanePoint(x: frame.left + 6, y: edge.y - 4), size: MapStyle.smallSize, attributes)
    }
    var free = frame.left + 60
    let crossings = graticule.meridians.compactMap { line in
      Graticule.crossing(of: line, bottom: frame.top + 0.5).map { (line.label, $0.x) }
    }
    for (label, x) in crossings.sorted(by: { $0.1 < $1.1 }) where x > free && x < frame.right - 130 {
      document.text(label, at: PlanePoint(x: x + 4, y: frame.top + 15), size: MapStyle.smallSize, attributes)
      free = x + LabelPlacer.width(of: label, size: MapStyle.smallSize) + 12
    }
  }

  private func drawHalo(_ canvas: Canvas, in document: inout SVGDocument) {
    // A single group with one opacity keeps the shade the same where halos overlap.
    document.group(
      "opacity=\"0.2\" fill=\"none\" stroke=\"\(MapStyle.halo)\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
    ) { document in
      for (width, lines) in canvas.halos {
        document.path(lines, "stroke-width=\"\(width.fixed(1))\"")
      }
    }
  }

  private func drawRoutes(_ canvas: Canvas, in document: inout SVGDocument) {
    document.path(
      canvas.routes,
      "fill=\"none\" stroke=\"\(MapStyle.route)\" stroke-width=\"2\" stroke-dasharray=\"2 5\" stroke-linecap=\"round\""
    )
  }

  private func drawLines(_ canvas: Canvas, in document: inout SVGDocument) {
    for kind in MapGap.Kind.allCases {
      let lines = canvas.gaps.filter { $0.kind == kind }.map(\.line)
      document.path(lines, "fill=\"none\" \(kind.attributes)")
    }
    document.group("fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"") { document in
      document.path(
        canvas.lines.flatMap(\.lines),
        "stroke=\"\(MapStyle.page)\" stroke-width=\"5.5\" stroke-opacity=\"0.75\"")
      for (stroke, lines) in canvas.lines {
        document.path(lines, "stroke=\"\(stroke.color)\" stroke-width=\"3\"")
      }
    }
  }

  private func drawDirections(_ canvas: Canvas, in document: inout SVGDocument) {
    let heads = canvas.directions.map { direction in
      func corner(ahead: Double, aside: Double) -> PlanePoint {
        PlanePoint(
          x: direction.pixel.x + ahead * direction.right - aside * direction.down,
          y: direction.pixel.y + ahead * direction.down + aside * direction.right)
      }
      let tip = corner(ahead: 7, aside: 0)
      return [
        tip, corner(ahead: -5.5, aside: 6), corner(ahead: -3, aside: 0), corner(ahead: -5.5, aside: -6), tip,
      ]
    }
    document.path(
      heads,
      "fill=\"\(MapStyle.ink)\" stroke=\"\(MapStyle.page)\" stroke-width=\"1.2\" stroke-linejoin=\"round\"")
  }

  private func drawPlaces(_ canvas: Canvas, in document: inout SVGDocument) {
    drawMarkers(canvas, in: &document)
    fences?.drawCrossings(canvas, in: &document)
    drawLabels(canvas, in: &document)
  }

  private func drawMarkers(_ canvas: Canvas, in document: inout SVGDocument) {
    for waypoint in canvas.waypoints {
      let pixel = waypoint.pixel
      document.raw(
        "<path d=\"M\(pixel.x.fixed(1)) \((pixel.y - 6).fixed(1))l6 6l-6 6l-6 -6z\" fill=\"\(MapStyle.place)\" "
          + "stroke=\"\(MapStyle.page)\" stroke-width=\"1.5\"/>")
    }
    if let end = canvas.end {
      document.circle(
        at: end.pixel, radius: 8, "fill=\"\(MapStyle.page)\" stroke=\"\(MapStyle.end)\" stroke-width=\"3\"")
      document.circle(at: end.pixel, radius: 3, "fill=\"\(MapStyle.end)\"")
    }
    if let start = canvas.start {
      document.circle(
        at: start.pixel, radius: 7,
        "fill=\"\(MapStyle.start)\" stroke=\"\(MapStyle.page)\" stroke-width=\"2.5\"")
    }
    for stop in canvas.stops {
      document.circle(
        at: stop.pixel, radius: 5.5,
        "fill=\"\(MapStyle.stop)\" stroke=\"\(MapStyle.page)\" stroke-width=\"1.5\"")
    }
  }

  private func drawLabels(_ canvas: Canvas, in document: inout SVGDocument) {
    var placer = LabelPlacer(
      frame: canvas.frame, line: canvas.allPixels, occupied: MapDecorations.boxes(canvas.frame))
    let halo =
      "paint-order=\"stroke\" stroke=\"\(MapStyle.panel)\" stroke-width=\"4\" stroke-linejoin=\"round\""
    for (marker, color) in [(canvas.start, MapStyle.start), (canvas.end, MapStyle.end)] {
      guard let marker, let label = marker.label,
        let place = placer.place(label, beside: [marker.pixel], size: 15, distance: 13, farthest: 6)
      else { continue }
      draw(leader: place.leader, color, in: &document)
      document.text(
        label, at: place.point, size: 15, "\(place.anchor) font-weight=\"600\" fill=\"\(color)\" \(halo)")
    }
    func label(_ text: String?, _ points: [PlanePoint], size: Double, color: String, farthest: Int = 1) {
      guard let text,
        let place = placer.place(text, beside: points, size: size, distance: 9, farthest: farthest)
      else { return }
      draw(leader: place.leader, color, in: &document)
      document.text(text, at: place.point, size: size, "\(place.anchor) fill=\"\(color)\" \(halo)")
    }
    for mark in fences?.labels(canvas) ?? [] {
      label(mark.text, mark.points, size: MapStyle.labelSize, color: mark.color, farthest: mark.farthest)
    }
    for stop in canvas.stops {
      label(stop.label, [stop.pixel], size: MapStyle.labelSize, color: MapStyle.stop, farthest: 3)
    }
    for gap in canvas.gaps.sorted(by: { $0.length > $1.length }).prefix(Self.labelledGaps) {
      label(
        gap.label, gap.middle.map { [$0] } ?? [], size: MapStyle.smallSize, color: MapStyle.faintInk,
        farthest: 2)
    }
    for waypoint in canvas.waypoints {
      label(waypoint.label, [waypoint.pixel], size: MapStyle.labelSize, color: MapStyle.place, farthest: 4)
    }
  }

  /// Draws a thin leader line from a marker to its label.
  private func draw(leader: [PlanePoint], _ color: String, in document: inout SVGDocument) {
    guard !leader.isEmpty else { return }
    document.path([leader], "fill=\"none\" stroke=\"\(color)\" stroke-width=\"0.8\" stroke-opacity=\"0.7\"")
  }
}
