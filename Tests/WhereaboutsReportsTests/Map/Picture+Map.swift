import ReportTestSupport

@testable import WhereaboutsReports

extension Picture {
  /// A map of a track.
  convenience init(of track: TrackCollector, gapThreshold: Double = 10) throws {
    let caption = TrackMap.Caption(title: "Title & <more>", subtitle: "")
    try self.init(TrackMap(track: track, caption: caption, gapThreshold: gapThreshold).svg())
  }
}
