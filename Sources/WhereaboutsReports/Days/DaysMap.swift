import WhereaboutsGeodesy
import WhereaboutsModel

/// A picture of days: the journeys by mode of transport, the visits with their places and times, and the gaps.
package struct DaysMap {
  private let report: DaysReport

  /// Creates the picture of a report.
  package init(_ report: DaysReport) { self.report = report }

  /// Returns the picture as an SVG document.
  package func svg() -> [UInt8] {
    let caption = TrackMap.Caption(title: title, subtitle: subtitle)
    let segments = report.segments
    let places = segments.flatMap(Self.places)
    guard let box = BoundingBox(places) else {
      return TrackMap.emptyPicture(caption, saying: "nothing to draw: no visit and no journey")
    }
    let plane = LocalPlane(around: box.center)
    let frame = MapFrame(holding: places.map(plane.point(of:)), leastRoom: 60)
    let legend = Self.legend(of: segments)
    let height = frame.bottom + MapStyle.footerHeight + max(legend.height - 24, 0)
    var document = SVGDocument(width: MapStyle.width, height: height, title: caption.title)
    TrackMap.drawPage(caption, height: height, in: &document)
    document.raw(
      "<rect x=\"\(frame.left.fixed(1))\" y=\"\(frame.top.fixed(1))\" width=\"\(frame.width.fixed(1))\" "
        + "height=\"\(frame.height.fixed(1))\" rx=\"6\" fill=\"\(MapStyle.panel)\" stroke=\"\(MapStyle.frame)\"/>"
    )
    draw(segments, plane, frame, in: &document)
    MapDecorations.drawScaleBar(frame, in: &document)
    MapDecorations.drawNorthArrow(frame, in: &document)
    legend.draw(below: frame.bottom + 15, in: &document)
    document.finish()
    return document.bytes
  }

  private var title: String {
    guard let first = report.days.first?.number, let last = report.days.last?.number else { return "No days" }
    let date = DayCalendar.date(of: first)
    return first == last
      ? "\(DayCalendar.weekday(of: first)) \(date)" : "\(date) to \(DayCalendar.date(of: last))"
  }

  private var subtitle: String {
    var visits = 0, journeys = 0, distance = 0.0, variance = 0.0
    for segment in report.segments {
      switch segment {
      case .visit: visits += 1
      case .journey(let journey):
        journeys += 1
        distance += journey.distance
        variance += journey.uncertainty * journey.uncertainty
      case .gap: break
      }
    }
    return [
      Quantities.count(visits, "visit"), Quantities.count(journeys, "journey"),
      "\(Quantities.length(distance)) ±\(Quantities.length(variance.squareRoot()))",
      report.calendar.namesOffsets ? "times of the stated offsets" : "times of \(report.calendar.zone.name)",
    ].joined(separator: " · ")
  }

  private static func places(_ segment: Segment) -> [Coordinate] {
    switch segment {
    case .visit(let visit): [visit.coordinate]
    case .journey(let journey): journey.path.map(\.coordinate)
    case .gap: []
    }
  }

  // MARK: Lines and places

  private func draw(
    _ segments: [Segment], _ plane: LocalPlane, _ frame: MapFrame, in document: inout SVGDocument
  ) {
    func pixel(_ coordinate: Coordinate) -> PlanePoint { frame.pixel(plane.point(of: coordinate)) }
    for case .journey(let journey) in segments {
      for (mode, line) in Self.lines(of: journey) {
        document.path(
          [line.map(pixel)],
          "fill=\"none\" stroke=\"\(mode.color)\" stroke-width=\"3.5\" stroke-linejoin=\"round\" "
            + "stroke-linecap=\"round\"")
      }
    }
    var labels: [String: (point: PlanePoint, name: String, times: [String])] = [:]
    var order: [String] = []
    for case .visit(let visit) in segments {
      let place = report.places[visit.id]
      let point = pixel(visit.coordinate)
      document.circle(
        at: point, radius: 7, "fill=\"\(MapStyle.place)\" stroke=\"\(MapStyle.page)\" stroke-width=\"2\"")
      let key = place?.id ?? visit.id.description
      if labels[key] == nil {
        labels[key] = (point, place.map(report.label(of:)) ?? key, [])
        order.append(key)
      }
      labels[key]?.times.append(times(of: visit))
    }
    for key in order { if let label = labels[key] { draw(label, frame, in: &document) } }
  }

  private func draw(
    _ label: (point: PlanePoint, name: String, times: [String]), _ frame: MapFrame,
    in document: inout SVGDocument
  ) {
    let shown = label.times.prefix(3).joined(separator: ", ") + (label.times.count > 3 ? " …" : "")
    let isRight = label.point.x > frame.left + frame.width * 0.7
    let x = label.point.x + (isRight ? -11 : 11), anchor = isRight ? "end" : "start"
    for (text, dy, weight) in [(label.name, -1.0, "600"), (shown, 13.0, "400")] {
      document.text(
        text, at: PlanePoint(x: x, y: label.point.y + dy), size: MapStyle.smallSize,
        "fill=\"\(MapStyle.ink)\" text-anchor=\"\(anchor)\" font-weight=\"\(weight)\" paint-order=\"stroke\" "
          + "stroke=\"\(MapStyle.panel)\" stroke-width=\"3\"")
    }
  }

  private func times(of visit: VisitSegment) -> String {
    let clocks = report.calendar.clocks(visit.arrival.time, visit.departure?.time)
    return "\(clocks.start ?? "")–\(clocks.end ?? "…")"
  }

  /// Returns the lines of a journey by the modes of its legs; each begins where the one before ends.
  private static func lines(of journey: JourneySegment) -> [(TransportMode, [Coordinate])] {
    var lines: [(TransportMode, [Coordinate])] = []
    var leg = 0
    for point in journey.path {
      while leg + 1 < journey.legs.count, point.time > journey.legs[leg].end { leg += 1 }
      let mode = journey.legs.indices.contains(leg) ? journey.legs[leg].mode : .unknown
      if lines.last?.0 != mode {
        lines.append((mode, lines.last?.1.suffix(1).map { $0 } ?? []))
      }
      lines[lines.count - 1].1.append(point.coordinate)
    }
    return lines
  }

  // MARK: Legend

  private static func legend(of segments: [Segment]) -> Legend {
    var legend = Legend()
    var modes = Set<TransportMode>(), hasVisits = false
    for segment in segments {
      switch segment {
      case .journey(let journey): modes.formUnion(journey.legs.map(\.mode))
      case .visit: hasVisits = true
      case .gap: break
      }
    }
    for mode in TransportMode.allCases where modes.contains(mode) {
      legend.add(
        mode == .unknown ? "mode unknown" : mode.rawValue, .line,
        "stroke=\"\(mode.color)\" stroke-width=\"3.5\" stroke-linecap=\"round\"")
    }
    if hasVisits { legend.add("visit", .dot, "fill=\"\(MapStyle.place)\"") }
    return legend
  }
}
