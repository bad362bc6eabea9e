import WhereaboutsCore
import WhereaboutsGeodesy

/// Fences of a map, and where their boundaries were crossed.
struct FenceLayer {
  /// Crossings and fences that are drawn at most; of more nobody could see anything.
  private static let limit = 2000

  private let fences: [Fence]
  private let events: [ToldEvent]
  private let text: FenceEventText

  /// - Parameter events: those of them that are told.
  init(_ fences: WatchedFences, events: [ToldEvent]) {
    self.fences = fences.fences
    self.events = Array(events.filter { $0.news != .revoked && $0.manner != .stayed }.prefix(Self.limit))
    text = fences.text
  }

  /// Places that the picture has to hold: the fences where something happened, as far as they are not far larger than the
  /// track.
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

  /// Draws the fences, for the track to go over them.
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

  /// The edge of a corridor is what a broad line covers and a slightly narrower one does not.
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

  /// Marks where boundaries were crossed.
  func drawCrossings(_ canvas: Canvas, in document: inout SVGDocument) {
    for event in events {
      let pixel = canvas.pixel(event.place)
      guard canvas.frame.holds(pixel) else { continue }
      let color = Self.color(event)
      // Whoever sees no red or green sees a triangle that points down or up: in, or out.
      let shape = event.kind == .enter ? "l12 0l-6 10z" : "l12 0l-6 -10z"
      let top = event.kind == .enter ? pixel.y - 5 : pixel.y + 5
      let dash = event.manner == .unseen ? " stroke-dasharray=\"2 2\"" : ""
      document.raw(
        "<path d=\"M\((pixel.x - 6).fixed(1)) \(top.fixed(1))\(shape)\" "
          + "fill=\"\(event.manner == .unseen ? MapStyle.page : color)\" stroke=\"\(color)\" stroke-width=\"1.5\" "
          + "stroke-linejoin=\"round\"\(dash)/>")
    }
  }

  /// A text of the layer and where it may stand.
  struct Label {
    var text: String
    /// What it may stand beside, the best first.
    var points: [PlanePoint]
    var color: String
    /// How far off it may stand, as ``LabelPlacer`` counts.
    var farthest: Int
  }

  /// Points of an outline that its name may stand beside.
  private static let points = 12

  /// What stands beside them: the name of each fence, the time of each crossing.
  func labels(_ canvas: Canvas) -> [Label] {
    var labels: [Label] = []
    for fence in fences {
      guard let outline = outline(of: fence, canvas) else { continue }
      let shown = outline.extent.filter(canvas.frame.holds)
      guard let top = shown.indices.min(by: { shown[$0].y < shown[$1].y }) else { continue }
      // From the top on, all around: fences that lie on each other have the top in common.
      let points = (0..<min(Self.points, shown.count)).map {
        shown[(top + $0 * shown.count / min(Self.points, shown.count)) % shown.count]
      }
      labels.append(
        Label(text: text.name(fence.id).onOneLine, points: points, color: MapStyle.fence, farthest: 6))
    }
    for event in events {
      let pixel = canvas.pixel(event.place)
      guard canvas.frame.holds(pixel) else { continue }
      let word = event.kind == .enter ? "in" : "out"
      labels.append(
        Label(
          text: "\(word) \(event.time.clockText)", points: [pixel], color: Self.color(event), farthest: 4))
    }
    return labels
  }

  /// Only what the picture has.
  func explain(in legend: inout Legend) {
    legend.add(
      "fence", .box,
      "fill=\"\(MapStyle.fence)\" fill-opacity=\"0.13\" stroke=\"\(MapStyle.fence)\" stroke-width=\"1.8\"")
    if events.contains(where: { $0.kind == .enter }) {
      legend.add("entered", .down, "fill=\"\(MapStyle.start)\"")
    }
    if events.contains(where: { $0.kind == .exit }) { legend.add("left", .up, "fill=\"\(MapStyle.stop)\"") }
  }

  private static func color(_ event: ToldEvent) -> String {
    event.kind == .enter ? MapStyle.start : MapStyle.stop
  }

  /// `nil` where nothing of it is in the picture, or it surrounds all of it.
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
  /// The southwest and the northeast.
  fileprivate var corners: [Coordinate] {
    [(south, west), (north, east)].compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }
  }
}
