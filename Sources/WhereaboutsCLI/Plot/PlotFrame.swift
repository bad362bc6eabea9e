/// Where things are in a plot: two panels under each other over one axis of time.
struct PlotFrame {
  /// A panel and its vertical axis.
  struct Panel {
    var top: Double
    var height: Double
    var scale: ValueScale

    var bottom: Double { top + height }

    /// The height, in pixels, of a value.
    func y(_ value: Double) -> Double { bottom - value / scale.top * height }
  }

  let left = 78.0
  let right = MapStyle.width - MapStyle.margin
  /// Speed, in kilometres an hour.
  let speed: Panel
  /// How it moved.
  let ribbon: (top: Double, height: Double)
  /// Distance, in ``lengthUnit``.
  let distance: Panel
  /// Metres of the unit of ``distance``.
  let lengthUnit: Double
  /// Seconds from the left to the right.
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

  /// Where so many seconds after the beginning are.
  func x(_ seconds: Double) -> Double { left + min(max(seconds / span, 0), 1) * width }
}
