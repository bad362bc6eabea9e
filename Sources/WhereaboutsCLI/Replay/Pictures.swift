import WhereaboutsCore
import WhereaboutsFormats

/// What is gathered, in bounded memory, for the pictures of some recordings: of their fixes, or of the way that was
/// measured in them.
struct Pictures: Sendable {
  /// For a map, if one is wanted.
  private(set) var map: TrackCollector?
  /// For a plot over time, if one is wanted.
  private(set) var plot: PlotCollector?
  /// Gaps and stops of the way.
  private var tally = WayTally()
  private let showsWay: Bool

  /// - Parameter showsWay: whether the way is drawn, and not the fixes.
  init(hasMap: Bool, hasPlot: Bool = false, showsWay: Bool = false) {
    map = hasMap ? TrackCollector() : nil
    plot = hasPlot ? PlotCollector() : nil
    self.showsWay = showsWay
  }

  /// Where it stood.
  var stops: [WayStop] { tally.stops.longest }

  /// Another recording begins.
  mutating func beginRecording() {
    map?.beginTrack()
    plot?.beginRecording()
  }

  /// Takes something in that is no fix.
  mutating func take(_ element: RecordingElement) {
    switch element {
    case .trackBegan: map?.beginTrack()
    case .segmentBegan: map?.beginSegment()
    case .waypoint(let waypoint): map?.add(waypoint)
    case .routeBegan: map?.beginRoute()
    case .routePoint(let point): map?.addRoutePoint(point)
    case .fix, .heading, .satellites: break
    }
  }

  /// Takes in what the engine made of a fix.
  mutating func take(_ event: ReplaySession.Event) {
    switch event {
    case .accepted(let fix): if !showsWay { map?.add(fix) }
    case .settled(let point):
      map?.add(point)
      plot?.take(point)
      if map != nil { tally.take(point) }
    case .restarted: map?.beginTrack()
    case .refused, .answered: break
    }
  }

  /// All is over.
  mutating func finish() {
    map?.finish()
    plot?.finish()
    tally.finish()
  }
}
