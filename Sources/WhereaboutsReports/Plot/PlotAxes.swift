import WhereaboutsModel

/// The panels, axes, gaps and stops of a plot.
struct PlotAxes {
  static let bridgedColor = "#ded8c8"
  /// The width of the narrowest gap with a label, in pixels.
  private static let narrowestLabelled = 8.0
  static let uncountedColor = "#f4dfd6"

  let frame: PlotFrame
  let collector: PlotCollector

  func drawPanels(in document: inout SVGDocument) {
    for panel in [frame.speed, frame.distance] { rect(panel, "fill=\"\(MapStyle.panel)\"", in: &document) }
    rect(
      x: frame.left, y: frame.ribbon.top, width: frame.width, height: frame.ribbon.height,
      "fill=\"\(MapStyle.panel)\"", in: &document)
  }

  // MARK: Axes

  func drawAxes(in document: inout SVGDocument) {
    let (panels, faint) = ([frame.speed, frame.distance], "fill=\"\(MapStyle.faintInk)\"")
    for panel in panels {
      let ys = panel.scale.ticks.map { ($0, panel.y($0)) }
      document.path(
        ys.map { [PlanePoint(x: frame.left, y: $0.1), PlanePoint(x: frame.right, y: $0.1)] },
        "fill=\"none\" stroke=\"\(MapStyle.grid)\" stroke-width=\"1\"")
      for (value, y) in ys {
        document.text(
          panel.scale.label(value), at: PlanePoint(x: frame.left - 8, y: y + 4.5), size: MapStyle.labelSize,
          "\(faint) text-anchor=\"end\"")
      }
    }
    let time = TimeScale(origin: collector.origin, span: collector.span, most: 10)
    for panel in panels {
      document.path(
        time.ticks.map {
          [
            PlanePoint(x: frame.x($0.seconds), y: panel.top),
            PlanePoint(x: frame.x($0.seconds), y: panel.bottom),
          ]
        }, "fill=\"none\" stroke=\"\(MapStyle.grid)\" stroke-width=\"1\"")
      rect(panel, "fill=\"none\" stroke=\"\(MapStyle.frame)\"", in: &document)
    }
    drawTicks(time, in: &document)
    title("speed, km/h", over: frame.speed, in: &document)
    title(
      "distance, \(frame.lengthUnit == 1 ? "m" : "km")", over: frame.distance, in: &document)
  }

  private func drawTicks(_ time: TimeScale, in document: inout SVGDocument) {
    let y = frame.distance.bottom
    for tick in time.ticks {
      let x = frame.x(tick.seconds)
      document.path(
        [[PlanePoint(x: x, y: y), PlanePoint(x: x, y: y + 5)]], "fill=\"none\" stroke=\"\(MapStyle.frame)\"")
      let half = LabelPlacer.width(of: tick.label, size: MapStyle.labelSize) / 2
      let isAtEnd = x + half > MapStyle.width - 4
      // Keeps clear of the axis title.
      let middle = max(x, MapStyle.margin + 40 + half)
      document.text(
        tick.label, at: PlanePoint(x: isAtEnd ? frame.right : middle, y: y + 20), size: MapStyle.labelSize,
        "fill=\"\(tick.isDay ? MapStyle.ink : MapStyle.faintInk)\" text-anchor=\"\(isAtEnd ? "end" : "middle")\""
      )
    }
    document.text(
      time.title, at: PlanePoint(x: MapStyle.margin, y: y + 20), size: MapStyle.labelSize,
      "fill=\"\(MapStyle.ink)\"")
  }

  private func title(_ text: String, over panel: PlotFrame.Panel, in document: inout SVGDocument) {
    document.text(
      text, at: PlanePoint(x: frame.left, y: panel.top - 8), size: MapStyle.labelSize,
      "fill=\"\(MapStyle.ink)\" font-weight=\"600\"")
  }

  // MARK: Gaps and stops

  func drawGaps(in document: inout SVGDocument) {
    // Keeps clear of the panel title.
    var free = frame.left + 110
    let gaps = collector.statistics.gaps.longest
    for (isBridged, color) in [(true, Self.bridgedColor), (false, Self.uncountedColor)] {
      for (left, right) in horizontalSpans(gaps.filter { $0.isBridged == isBridged }) {
        for panel in [frame.speed, frame.distance] {
          rect(
            x: left, y: panel.top, width: right - left, height: panel.height, "fill=\"\(color)\"",
            in: &document)
        }
      }
    }
    for gap in gaps {
      let (left, right) = horizontalSpan(gap)
      guard right - left >= Self.narrowestLabelled else { continue }
      let label =
        gap.isBridged ? "\(Quantities.length(gap.bridge?.counted ?? 0)) bridged" : "not counted"
      let half = LabelPlacer.width(of: label, size: MapStyle.smallSize) / 2
      let middle = min(max((left + right) / 2, frame.left + half), frame.right - half)
      // A label may be wider than its gap, but must not overlap another label.
      guard middle - half >= free else { continue }
      free = middle + half + 8
      document.text(
        label, at: PlanePoint(x: middle, y: frame.distance.top - 8), size: MapStyle.smallSize,
        "fill=\"\(MapStyle.faintInk)\" text-anchor=\"middle\"")
    }
  }

  /// Returns the horizontal extent of a gap, wide enough to be visible.
  private func horizontalSpan(_ gap: TrackGapInterval) -> (left: Double, right: Double) {
    let left = frame.x(gap.start)
    return (left, max(frame.x(gap.start + gap.seconds), left + 1.5))
  }

  /// Returns the horizontal extents of several gaps. Adjacent gaps are merged.
  private func horizontalSpans(_ gaps: [TrackGapInterval]) -> [(left: Double, right: Double)] {
    var strips: [(left: Double, right: Double)] = []
    for gap in gaps {
      let next = horizontalSpan(gap)
      if let last = strips.indices.last, next.left <= strips[last].right {
        strips[last].right = max(strips[last].right, next.right)
      } else {
        strips.append(next)
      }
    }
    return strips
  }

  func drawStops(in document: inout SVGDocument) {
    var free = frame.left
    for stop in collector.statistics.stops.longest {
      let (left, right) = (frame.x(stop.start), frame.x(stop.start + stop.seconds))
      let middle = PlanePoint(x: (left + right) / 2, y: frame.speed.bottom)
      document.path(
        [[PlanePoint(x: left, y: middle.y), PlanePoint(x: right, y: middle.y)]],
        "fill=\"none\" stroke=\"\(MapStyle.stop)\" stroke-width=\"3\"")
      document.circle(
        at: middle, radius: 4.5, "fill=\"\(MapStyle.stop)\" stroke=\"\(MapStyle.page)\" stroke-width=\"1.5\"")
      let label = Quantities.duration(stop.seconds.rounded())
      let half = LabelPlacer.width(of: label, size: MapStyle.smallSize) / 2
      let x = min(max(middle.x, frame.left + half + 2), frame.right - half - 2)
      guard x - half >= free else { continue }
      free = x + half + 8
      document.text(
        label, at: PlanePoint(x: x, y: frame.speed.bottom - 10), size: MapStyle.smallSize,
        "fill=\"\(MapStyle.ink)\" text-anchor=\"middle\" paint-order=\"stroke\" stroke=\"\(MapStyle.panel)\" "
          + "stroke-width=\"4\" stroke-linejoin=\"round\"")
    }
  }

  private func rect(_ panel: PlotFrame.Panel, _ attributes: String, in document: inout SVGDocument) {
    rect(
      x: frame.left, y: panel.top, width: frame.width, height: panel.height, attributes, in: &document)
  }

  private func rect(
    x: Double, y: Double, width: Double, height: Double, _ attributes: String, in document: inout SVGDocument
  ) {
    document.raw(
      "<rect x=\"\(x.fixed(1))\" y=\"\(y.fixed(1))\" width=\"\(width.fixed(1))\" height=\"\(height.fixed(1))\" "
        + "\(attributes)/>")
  }
}
