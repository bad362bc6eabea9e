import WhereaboutsCore

/// How a stretch of a line is drawn: by how sure it is, or by how it was made.
enum Stroke: Hashable {
  case accuracy(Shade)
  case motion(Motion)

  /// All of them, in the order of a legend.
  static let inOrder = Shade.allCases.map(Stroke.accuracy) + Motion.inOrder.map(Stroke.motion)

  /// By the motion where that is known, else by the accuracy.
  init(_ look: TrackRuns.Look) {
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
