/// The layout of a plot: two panels, one above the other, with a common time axis.
struct PlotFrame {
  /// A panel and its vertical axis.
  struct Panel {
    var top: Double
    var height: Double
    var scale: ValueScale

    var bottom: Double { top + height }

    /// Returns the vertical position of a value, in pixels.
    func y(_ value: Double) -> Double { bottom - value / scale.top * height }
  }

  let left = 78.0
  let right = MapStyle.width - MapStyle.margin
  /// The panel of the speed, in kilometres per hour.
  let speed: Panel
  /// The ribbon of the motion.
  let ribbon: (top: Double, height: Double)
  /// The panel of the distance, in ``lengthUnit``.
  let distance: Panel
  /// The metres in the unit of ``distance``.
  let lengthUnit: Double
  /// The seconds from the left edge to the right edge.
  let span: Double

  var width: Double { right - left }

  /// - Parameters:
  ///   - fastest: the greatest speed, in metres per second.
  ///   - farthest: the greatest distance, in metres.
  init(fastest: Double, farthest: Double, span: Double) {
    speed = Panel(top: MapStyle.headerHeight + 22, height: 280, scale: ValueScale(holding: fastest * 3.6))
    ribbon = (speed.bottom + 7, 9)
    lengthUnit = farthest >= 2000 ? 1000 : 1
    distance = Panel(
      top: ribbon.top + ribbon.height + 37, height: 200, scale: ValueScale(holding: farthest / lengthUnit))
    self.span = max(span, 1e-3)
  }

  /// Returns the horizontal position of a time, in seconds since the start.
  func x(_ seconds: Double) -> Double { left + min(max(seconds / span, 0), 1) * width }
}
