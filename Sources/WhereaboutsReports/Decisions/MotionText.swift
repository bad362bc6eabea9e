import WhereaboutsModel

/// Motion changes as text.
enum MotionText {
  /// Returns `motion: moving at 5.0 km/h, was still: 21 m in 15 s, where fixes are 4 m off`.
  static func line(_ change: Motion.Change) -> String {
    let speed = change.speed.map { " at \(Quantities.speed($0))" } ?? ""
    let place = change.to == .still || change.to == .unknown ? "" : speed
    return "motion: \(change.to.rawValue)\(place), was \(change.from.rawValue): \(reason(of: change))"
  }

  private static func reason(of change: Motion.Change) -> String {
    switch change.because {
    case .stood(let seconds): "it has not moved for \(Quantities.duration(seconds))"
    case .displaced(let metres, let error, let seconds):
      "\(metres.fixed(0)) m in \(Quantities.duration(seconds)), where fixes are \(error.fixed(0)) m off"
    case .statedSpeed(let speed): "the source's speeds average \(Quantities.speed(speed)) over some seconds"
    case .typicalSpeeds(let probability): "its speeds are typical of that, \((probability * 100).fixed(0)) %"
    // Without a wake, the change comes with the next fix, perhaps hours later.
    case .silence(let seconds): "no fix for \(Quantities.duration(seconds)) after \(change.since.clockText)"
    case .begunAnew: "what comes does not continue what came"
    }
  }
}
