import ReportTestSupport
import Testing
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsReports

@Suite struct FenceOutlineTests {
  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(arguments: [(51.0, 0.0), (0, 180), (89.9999, 10), (-70, -120)])
  func circleOutlineIsRoundAtAnyLatitude(latitude: Double, longitude: Double) throws {
    let circle = try Area.Circle(center: place(latitude, longitude), radius: 500)
    let places = FenceOutline.circle(circle, pieces: 60)
    try #require(places.count == 61)
    for place in places { #expect((circle.center.distance(to: place) - 500).magnitude < 0.001) }
    // All the way around, and back to where it began.
    #expect(places[0].distance(to: places[60]) < 0.001 && places[0].distance(to: places[30]) > 999)
  }

  @Test func longEdgesFollowTheGeodesic() throws {
    let ring = [try place(50, 0), try place(50, 40), try place(10, 20)]
    let area = Area.polygon(try Area.Polygon(exterior: ring))
    let plane = LocalPlane(around: try place(40, 20))
    let outline = FenceOutline(area, pixelsPerMetre: 1e-4) { coordinate in
      let point = plane.point(of: coordinate)
      return PlanePoint(x: point.east, y: point.north)
    }
    // A degree is 111 km: from 50° N to 50° N the geodesic goes more than a degree further north than the parallel.
    let outer = try #require(outline.rings.first)
    let top = outer.map(\.y).max() ?? 0
    #expect(top > plane.point(of: try place(51, 20)).north && outer.count > 30)
  }

  @Test func mapShowsFencesAndCrossings() throws {
    var track = TrackCollector()
    for index in 0..<100 {
      var fix = Fix(
        coordinate: try place(50 + Double(index) * 1e-4, 10),
        time: UTCTime(nanosecondsSince1970: 1_700_000_000_000_000_000).advanced(by: .seconds(index)),
        source: .nmea)
      fix.horizontalAccuracy = 4
      track.add(fix)
    }
    track.finish()
    let areas: [Area] = [
      .circle(try Area.Circle(center: place(50.005, 10), radius: 100)),
      .corridor(try Area.Corridor(line: [place(50.008, 9.99), place(50.008, 10.01)], width: 60)),
      .circle(try Area.Circle(center: place(20, 10), radius: 100)),
    ]
    let fences = zip(["here", "road & rail", "far"], areas).map { Fence(id: FenceID($0), area: $1, name: $0) }
    var event = try ReportedFenceEventTests.event(1, fence: "here")
    event.place = try place(50.0041, 10)
    let layer = FenceLayer(WatchedFences(fences), events: [ReportedFenceEvent(event)])
    let caption = TrackMap.Caption(title: "", subtitle: "")
    let picture = try Picture(TrackMap(track: track, caption: caption, gapThreshold: 10, fences: layer).svg())
    #expect(picture.texts.contains("here") && picture.texts.contains("road & rail"))
    #expect(!picture.texts.contains("far") && picture.texts.contains("in 22:13:20"))
    #expect(picture.texts.contains("entered") && !picture.texts.contains("left"))
    #expect(picture.strokes.contains(MapStyle.fence))
  }
}
