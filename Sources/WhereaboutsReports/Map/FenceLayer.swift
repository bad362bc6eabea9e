import WhereaboutsModel
import WhereaboutsGeodesy

/// The fences of a map, and the crossings of their boundaries.
package struct FenceLayer {
  /// The maximum number of crossings and of fences drawn. A picture with more is not readable.
  private static let drawnLimit = 2000

  private let fences: [Fence]
  private let events: [ReportedFenceEvent]
  private let text: FenceEventText

  /// - Parameter events: the reported events of the fences.
  package init(_ fences: WatchedFences, events: [ReportedFenceEvent]) {
    self.fences = fences.fences
    self.events = Array(
      events.filter { $0.status != .revoked && $0.manner != .stayed }.prefix(Self.drawnLimit))
    text = fences.text
  }

  /// Returns the points that the picture must contain. These are the fences with events, unless a fence is far larger
  /// than the track.
  func places(beside track: [Coordinate]) -> [Coordinate] {
    let crossed = Set(events.map(\.fence))
    guard let box = BoundingBox(track) else { return [] }
    let size = max(box.width, box.height)
    return fences.filter { crossed.contains($0.id) }.flatMap { fence -> [Coordinate] in
      let corners = fence.area.boundingBox.corners
      let extent = corners[0].distance(to: corners[1])
      return extent <= max(2 * size, 500) ? corners : []
    }
  }

  /// Draws the fences below the track.
  func drawAreas(_ canvas: Canvas, in document: inout SVGDocument) {
    for (index, fence) in fences.enumerated() {
      guard let outline = outline(of: fence, canvas) else { continue }
      let fill = "fill=\"\(MapStyle.fence)\" fill-opacity=\"0.13\" fill-rule=\"evenodd\""
      let stroke = "stroke=\"\(MapStyle.fence)\" stroke-width=\"1.8\" stroke-linejoin=\"round\""
      if outline.line.isEmpty {
        document.path(outline.rings, "\(fill) \(stroke)")
      } else {
        Self.draw(corridor: outline, number: index, canvas.frame, in: &document)
      }
    }
  }

  /// Draws the edge of a corridor: a wide line minus a slightly narrower line.
  private static func draw(
    corridor: FenceOutline, number: Int, _ frame: MapFrame, in document: inout SVGDocument
  ) {
    func line(_ color: String, _ width: Double) -> String {
      "fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(max(width, 0.1).fixed(1))\" stroke-linecap=\"round\" "
        + "stroke-linejoin=\"round\""
    }
    document.group("opacity=\"0.13\"") {
      $0.path([corridor.line], line(MapStyle.fence, corridor.width))
    }
    let panel =
      "x=\"\(frame.left.fixed(1))\" y=\"\(frame.top.fixed(1))\" "
      + "width=\"\(frame.width.fixed(1))\" height=\"\(frame.height.fixed(1))\""
    document.raw("<mask id=\"corridor\(number)\" maskUnits=\"userSpaceOnUse\" \(panel)>")
    document.path([corridor.line], line("#ffffff", corridor.width + 1.8))
    document.path([corridor.line], line("#000000", corridor.width - 1.8))
    document.raw("</mask>")
    document.raw("<rect \(panel) fill=\"\(MapStyle.fence)\" mask=\"url(#corridor\(number))\"/>")
  }

  /// Draws markers at the crossings.
  func drawCrossings(_ canvas: Canvas, in document: inout SVGDocument) {
    for event in events {
      let pixel = canvas.pixel(event.place)
      guard canvas.frame.contains(pixel) else { continue }
      let color = Self.color(event)
      // The triangle points down for enter and up for exit, for readers without red-green vision.
      let shape = event.kind == .enter ? "l12 0l-6 10z" : "l12 0l-6 -10z"
      let top = event.kind == .enter ? pixel.y - 5 : pixel.y + 5
      let dash = event.manner == .unseen ? " stroke-dasharray=\"2 2\"" : ""
      document.raw(
        "<path d=\"M\((pixel.x - 6).fixed(1)) \(top.fixed(1))\(shape)\" "
          + "fill=\"\(event.manner == .unseen ? MapStyle.page : color)\" stroke=\"\(color)\" stroke-width=\"1.5\" "
          + "stroke-linejoin=\"round\"\(dash)/>")
    }
  }

  /// A label of the layer with its possible positions.
  struct Label {
    var text: String
    /// The points beside which the label may stand, the best first.
    var points: [PlanePoint]
    var color: String
    /// The maximum distance of the label, in steps of ``LabelPlacer``.
    var farthest: Int
  }

  /// The number of points on an outline that are tried for the name.
  private static let points = 12

  /// Returns the labels: the name of each fence and the time of each crossing.
  func labels(_ canvas: Canvas) -> [Label] {
    var labels: [Label] = []
    for fence in fences {
      guard let outline = outline(of: fence, canvas) else { continue }
      let shown = outline.extent.filter(canvas.frame.contains)
      guard let top = shown.indices.min(by: { shown[$0].y < shown[$1].y }) else { continue }
      // The points go all around from the top, because overlapping fences would share the top alone.
      let points = (0..<min(Self.points, shown.count)).map {
        shown[(top + $0 * shown.count / min(Self.points, shown.count)) % shown.count]
      }
      labels.append(
        Label(
          text: text.name(fence.id).sanitizedToOneLine, points: points, color: MapStyle.fence, farthest: 6))
    }
    for event in events {
      let pixel = canvas.pixel(event.place)
      guard canvas.frame.contains(pixel) else { continue }
      let word = event.kind == .enter ? "in" : "out"
      labels.append(
        Label(
          text: "\(word) \(event.time.clockText)", points: [pixel], color: Self.color(event), farthest: 4))
    }
    return labels
  }

  /// Adds legend entries for the drawn elements.
  func addLegendEntries(in legend: inout Legend) {
    legend.add(
      "fence", .box,
      "fill=\"\(MapStyle.fence)\" fill-opacity=\"0.13\" stroke=\"\(MapStyle.fence)\" stroke-width=\"1.8\"")
    if events.contains(where: { $0.kind == .enter }) {
      legend.add("entered", .down, "fill=\"\(MapStyle.start)\"")
    }
    if events.contains(where: { $0.kind == .exit }) { legend.add("left", .up, "fill=\"\(MapStyle.stop)\"") }
  }

  private static func color(_ event: ReportedFenceEvent) -> String {
    event.kind == .enter ? MapStyle.start : MapStyle.stop
  }

  /// Returns the outline of a fence; `nil` if the outline is outside the picture or all around the picture.
  private func outline(of fence: Fence, _ canvas: Canvas) -> FenceOutline? {
    let outline = FenceOutline(fence.area, pixelsPerMetre: canvas.frame.pixelsPerMetre, pixel: canvas.pixel)
    let points = outline.extent
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
      let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
    else { return nil }
    let frame = canvas.frame
    guard right >= frame.left, left <= frame.right, bottom >= frame.top, top <= frame.bottom else {
      return nil
    }
    return outline
  }
}

extension BoundingBox {
  /// The southwest and northeast corners.
  fileprivate var corners: [Coordinate] {
    [(south, west), (north, east)].compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }
  }
}
