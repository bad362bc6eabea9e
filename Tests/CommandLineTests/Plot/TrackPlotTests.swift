import Foundation
import Testing
import WhereaboutsCore

@testable import WhereaboutsCLI

@Suite struct TrackPlotTests {
  @Test func dump() throws {
    var pictures = Pictures(hasMap: true, hasPlot: true, showsWay: true)
    pictures.beginRecording()
    for point in SampleWay.commute.points { pictures.take(.settled(point)) }
    pictures.finish()
    let caption = TrackMap.Caption(title: "Commute", subtitle: "made up")
    let plot = TrackPlot(collector: pictures.plot!, caption: caption).svg()
    let map = TrackMap(track: pictures.map!, caption: caption, gapThreshold: 10, stops: pictures.stops).svg()
    try Data(plot).write(to: URL(filePath: "/tmp/cli-pics/t.plot.svg"))
    try Data(map).write(to: URL(filePath: "/tmp/cli-pics/t.map.svg"))
  }
}
