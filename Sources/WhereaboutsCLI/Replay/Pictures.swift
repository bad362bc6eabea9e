import WhereaboutsCore
import WhereaboutsFormats

/// What is gathered, in bounded memory, for the pictures of some recordings: of their fixes, or of the way that was
/// measured in them.
struct Pictures: Sendable {
  /// For a map, if one is wanted.
  private(set) var map: TrackCollector?
  /// The fixes, for a map where there turns out to be no way.
  private var fixes: TrackCollector?
  /// For a plot over time, if one is wanted.
  private(set) var plot: PlotCollector?
  /// Gaps and stops of the way.
  private var tally = WayTally()
  /// What happened at fences, for a map.
  private(set) var events: [ToldEvent] = []
  /// Events that are drawn at most.
  private static let eventLimit = 10_000

  /// - Parameter showsWay: whether the way is drawn, and not the fixes.
  init(hasMap: Bool, hasPlot: Bool = false, showsWay: Bool = false) {
    map = hasMap ? TrackCollector() : nil
    plot = hasPlot ? PlotCollector() : nil
    fixes = hasMap && showsWay ? TrackCollector() : nil
  }

  /// Where it stood.
  var stops: [WayStop] { tally.stops.longest }

  /// Another recording begins.
  mutating func beginRecording() {
    map?.beginTrack()
    fixes?.beginTrack()
    plot?.beginRecording()
  }

  /// Takes something in that is no fix.
  mutating func take(_ element: RecordingElement) {
    switch element {
    case .trackBegan: forAll { $0.beginTrack() }
    case .segmentBegan: forAll { $0.beginSegment() }
    case .waypoint(let waypoint): forAll { $0.add(waypoint) }
    case .routeBegan: forAll { $0.beginRoute() }
    case .routePoint(let point): forAll { $0.addRoutePoint(point) }
    case .fix, .heading, .satellites: break
    }
  }

  /// Takes in what the engine made of a fix.
  mutating func take(_ event: ReplaySession.Event) {
    switch event {
    case .accepted(let fix): if fixes == nil { map?.add(fix) } else { fixes?.add(fix) }
    case .settled(let point):
      map?.add(point)
      plot?.take(point)
      if map != nil { tally.take(point) }
    case .restarted: forAll { $0.beginTrack() }
    case .told(let event): if map != nil, events.count < Self.eventLimit { events.append(event) }
    case .refused, .answered, .decided: break
    }
  }

  /// All is over.
  ///
  /// - Parameter hasWay: whether there is a way to draw; else the fixes are, as far as anything is.
  mutating func finish(hasWay: Bool) {
    if !hasWay, let fixes { map = fixes }
    map?.finish()
    plot?.finish()
    tally.finish()
  }

  private mutating func forAll(_ change: (inout TrackCollector) -> Void) {
    if var collector = map.take() {
      change(&collector)
      map = collector
    }
    if var collector = fixes.take() {
      change(&collector)
      fixes = collector
    }
  }
}
