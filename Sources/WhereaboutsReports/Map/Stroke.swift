import WhereaboutsModel

/// The style of a line's stretch: by accuracy or by motion.
enum Stroke: Hashable {
  case accuracy(Shade)
  case motion(Motion)

  /// All strokes in the order of a legend.
  static let legendOrder = Shade.allCases.map(Stroke.accuracy) + Motion.legendOrder.map(Stroke.motion)

  /// Creates a stroke by motion, or by accuracy if the motion is unknown.
  init(_ look: TrackRuns.StretchAttributes) {
    self = look.motion.map(Stroke.motion) ?? .accuracy(Shade(accuracy: look.accuracy))
  }

  var color: String {
    switch self {
    case .accuracy(let shade): shade.color
    case .motion(let motion): motion.color
    }
  }

  var legend: String {
    switch self {
    case .accuracy(let shade): shade.legend
    case .motion(let motion): motion.legend
    }
  }
}
