import WhereaboutsModel
import WhereaboutsFormats

/// A collector of points for the pictures of some recordings, in bounded memory. The points are fixes, or points of
/// the measured track.
package struct PictureCollector: Sendable {
  /// The points of the map; `nil` without a map.
  package private(set) var map: TrackCollector?
  /// The fixes, for a map of a recording without a measured track.
  private var fixes: TrackCollector?
  /// The points of the plot over time; `nil` without a plot.
  package private(set) var plot: PlotCollector?
  /// The gaps and stops of the track.
  private var statistics = TrackStatistics()
  /// The fence events of the map.
  package private(set) var events: [ReportedFenceEvent] = []
  /// The maximum number of drawn events.
  private static let eventLimit = 10_000

  /// - Parameter showsTrack: whether to draw the track instead of the fixes.
  package init(hasMap: Bool, hasPlot: Bool = false, showsTrack: Bool = false) {
    map = hasMap ? TrackCollector() : nil
    plot = hasPlot ? PlotCollector() : nil
    fixes = hasMap && showsTrack ? TrackCollector() : nil
  }

  /// The longest stops.
  package var stops: [TrackStop] { statistics.stops.longest }

  /// Begins another recording.
  package mutating func beginRecording() {
    map?.beginTrack()
    fixes?.beginTrack()
    plot?.beginRecording()
  }

  /// Processes an element that is no fix.
  mutating func process(_ element: RecordingElement) {
    switch element {
    case .trackBegan: updateCollectors { $0.beginTrack() }
    case .segmentBegan, .deviceBegan: updateCollectors { $0.beginSegment() }
    case .waypoint(let waypoint): updateCollectors { $0.add(waypoint) }
    case .routeBegan: updateCollectors { $0.beginRoute() }
    case .routePoint(let point): updateCollectors { $0.addRoutePoint(point) }
    case .fix, .heading, .satellites, .visit, .offset: break
    }
  }

  /// Processes an event of the session.
  mutating func process(_ event: ReplaySession.Event) {
    switch event {
    case .accepted(let fix): if fixes == nil { map?.add(fix) } else { fixes?.add(fix) }
    case .settled(let point):
      map?.add(point)
      plot?.add(point)
      if map != nil { statistics.process(point) }
    case .restarted: updateCollectors { $0.beginTrack() }
    case .fenceEvent(let event): if map != nil, events.count < Self.eventLimit { events.append(event) }
    case .refused, .answered, .fenceDecision: break
    }
  }

  /// Ends the collection.
  ///
  /// - Parameter hasTrack: whether there is a track to draw; otherwise the map shows the fixes.
  package mutating func finish(hasTrack: Bool) {
    if !hasTrack, let fixes { map = fixes }
    map?.finish()
    plot?.finish()
    statistics.finish()
  }

  private mutating func updateCollectors(_ change: (inout TrackCollector) -> Void) {
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
