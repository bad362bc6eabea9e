import WhereaboutsModel

/// A picture of speed, distance and motion over time, with gaps and stops.
package struct TrackPlot {
  let collector: PlotCollector
  let caption: TrackMap.Caption
  /// The reason for a missing track, if there is no track.
  var emptyReason: String?

  /// Returns the picture as an SVG document.
  package func svg() -> [UInt8] {
    let bins = collector.bins.bins
    guard emptyReason == nil, let last = bins.last?.last else {
      let reason = emptyReason ?? "too few fixes that belong together"
      return TrackMap.emptyPicture(caption, saying: "nothing to draw: \(reason)")
    }
    let frame = PlotFrame(
      fastest: bins.map(\.fastest.speed).max() ?? 0, farthest: last.distance, span: collector.span)
    let lines = PlotLines(frame: frame, bins: bins)
    let legend = legend(lines)
    let height = frame.distance.bottom + 46 + legend.height
    var document = SVGDocument(width: MapStyle.width, height: height, title: caption.title)
    TrackMap.drawPage(caption, height: height, in: &document)
    let axes = PlotAxes(frame: frame, collector: collector)
    axes.drawPanels(in: &document)
    axes.drawGaps(in: &document)
    axes.drawAxes(in: &document)
    lines.drawSpeed(in: &document)
    if lines.motions != [.unknown] { lines.drawRibbon(in: &document) }
    lines.drawDistance(in: &document)
    axes.drawStops(in: &document)
    legend.draw(below: frame.distance.bottom + 34, in: &document)
    document.finish()
    return document.bytes
  }

  private func legend(_ lines: PlotLines) -> Legend {
    var legend = Legend()
    if lines.motions != [.unknown] {
      for motion in lines.motions { legend.add(motion.legend, .box, "fill=\"\(motion.color)\"") }
    }
    let gaps = collector.statistics.gaps.longest
    if gaps.contains(where: \.isBridged) {
      legend.add(MapGap.Kind.bridged.legend, .box, "fill=\"\(PlotAxes.bridgedColor)\"")
    }
    if gaps.contains(where: { !$0.isBridged }) {
      legend.add(MapGap.Kind.uncounted.legend, .box, "fill=\"\(PlotAxes.uncountedColor)\"")
    }
    if collector.statistics.stops.count > 0 { legend.addStops() }
    if lines.hasBand {
      legend.add(
        "± one standard deviation", .box, "fill=\"\(PlotLines.distanceColor)\" fill-opacity=\"0.22\"")
    }
    return legend
  }
}
