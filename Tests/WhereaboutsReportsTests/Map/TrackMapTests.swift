import Foundation
import ReportTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsReports

@Suite struct TrackMapTests {
  @Test func mapHasLineEndsAndDecorations() throws {
    var track = TrackCollector()
    for index in 0...100 { try add((50 + Double(index) * 1e-4, 10), accuracy: 4, at: index, to: &track) }
    let picture = try Picture(of: track)
    #expect(picture.texts.contains("start 22:13") && picture.texts.contains("end 22:15"))
    #expect(picture.texts.contains("N") && picture.texts.contains("200 m"))
    #expect(picture.texts.contains("5 m and better") && !picture.texts.contains("to 15 m"))
    #expect(picture.strokes.contains(Shade.room.color) && !picture.strokes.contains(Shade.coarse.color))
    #expect(picture.texts.contains("Title & <more>"))
  }

  @Test func emptyMapReportsReason() throws {
    let picture = try Picture(of: TrackCollector())
    #expect(picture.texts.contains("nothing to draw: no fix, place or route"))
  }

  @Test func singleFixIsDrawnAsStartOnly() throws {
    var track = TrackCollector()
    try add((0, 0), accuracy: 30, at: 0, to: &track)
    let picture = try Picture(of: track)
    #expect(picture.texts.contains("here 22:13") && !picture.texts.contains { $0.hasPrefix("end") })
    #expect(picture.texts.contains("where it is, 68 % sure"))
  }

  @Test func gapIsDashedAndStopIsNot() throws {
    var track = TrackCollector()
    for second in [0, 1, 2, 40, 41] {
      try add((Double(second) * 1e-5, 0), accuracy: 4, at: second, to: &track)
    }
    #expect(try Picture(of: track, gapThreshold: 10).texts.contains("no fix"))
    #expect(try !Picture(of: track, gapThreshold: 60).texts.contains("no fix"))
  }

  @Test func segmentsAreJoinedByDashesAndTracksAreNot() throws {
    for isOneTrack in [true, false] {
      var track = TrackCollector()
      track.beginTrack()
      try add((0, 0), accuracy: nil, at: 0, to: &track)
      try add((0, 0.001), accuracy: nil, at: 1, to: &track)
      if isOneTrack { track.beginSegment() } else { track.beginTrack() }
      try add((0.001, 0.001), accuracy: nil, at: 2, to: &track)
      try add((0.001, 0), accuracy: nil, at: 3, to: &track)
      #expect(try Picture(of: track).texts.contains("no fix") == isOneTrack)
    }
  }

  @Test func trackAcrossAntimeridianIsContinuous() throws {
    var track = TrackCollector()
    for index in -50...50 {
      let longitude = Double(index) * 1e-4
      try add(
        (-16, longitude < 0 ? 180 + longitude : -180 + longitude), accuracy: 4, at: index + 50, to: &track)
    }
    let picture = try Picture(of: track)
    // 0.01 degrees there are a kilometre; drawn the other way round the Earth the bar would be thousands.
    #expect(picture.texts.contains("200 m") || picture.texts.contains("100 m"))
    #expect(picture.texts.contains { $0.hasSuffix("E") } && picture.texts.contains { $0.hasSuffix("W") })
  }

  @Test(arguments: [90.0, -90]) func trackAroundPoleIsDrawn(pole: Double) throws {
    var track = TrackCollector()
    for index in 0..<36 {
      try add((pole - pole / 90 * 0.001, Double(index) * 10 - 180), accuracy: 4, at: index, to: &track)
    }
    let picture = try Picture(of: track)
    #expect(picture.texts.contains("50 m"))
    #expect(!picture.texts.contains("N"))
  }

  @Test(arguments: [0.0, 51, -33, 78, -78]) func northArrowIsDrawnIfNorthIsUp(latitude: Double) throws {
    var track = TrackCollector()
    for index in 0..<20 { try add((latitude, Double(index) * 1e-3), accuracy: 4, at: index, to: &track) }
    #expect(try Picture(of: track).texts.contains("N"))
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func labelsNeverCoverTheTrack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var track = TrackCollector()
    var place = (50.0, 10.0)
    var heading = (1.0, 0.5)
    for index in 0..<2000 {
      if index % 20 == 0 {
        heading = (Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random))
      }
      place = (place.0 + heading.0 * 1e-5, place.1 + heading.1 * 1.5e-5)
      try add(place, accuracy: 4, at: index, to: &track)
      if index % 200 == 100 {
        track.add(
          Waypoint(
            coordinate: try #require(Coordinate(latitude: place.0, longitude: place.1)),
            name: "Place \(index)"))
      }
    }
    let canvas = try #require(Canvas(track, gapThreshold: 10))
    var placer = LabelPlacer(frame: canvas.frame, line: canvas.allPixels, occupied: [])
    var boxes: [LabelPlacer.Box] = []
    for marker in canvas.waypoints + [canvas.start, canvas.end].compactMap(\.self) {
      let label = try #require(marker.label)
      guard let placement = placer.place(label, beside: [marker.pixel], size: 13, distance: 9, farthest: 6)
      else {
        continue
      }
      #expect(
        canvas.allPixels.allSatisfy { placement.box.nearest(to: $0).distance(to: $0) > 0 }, "seed \(seed)")
      #expect(boxes.allSatisfy { !$0.overlaps(placement.box) })
      boxes.append(placement.box)
    }
    #expect(boxes.count >= 6)
  }

  @Test func overlappingFencesRetainLabels() throws {
    var track = TrackCollector()
    for index in 0...200 { try add((50 + Double(index) * 1e-5, 10), accuracy: 4, at: index, to: &track) }
    let center = try #require(Coordinate(latitude: 50.001, longitude: 10))
    let circle = Area.circle(try Area.Circle(center: center, radius: 60))
    let fences = ["Home", "Home too", "Garden of the home", "Shed", "Gate"].map {
      Fence(id: FenceID($0), area: circle)
    }
    let layer = FenceLayer(WatchedFences(fences), events: [])
    let map = TrackMap(
      track: track, caption: TrackMap.Caption(title: "Fences", subtitle: ""), gapThreshold: 10, fences: layer)
    let picture = try Picture(map.svg())
    for fence in fences { #expect(picture.texts.contains(fence.id.name), "\(fence.id.name)") }
  }

  @Test func wholeEarthFits() throws {
    var track = TrackCollector()
    for (index, place) in [(0.0, 0.0), (60, 120), (-60, -120), (0, 180), (89, 10), (-89, -10)].enumerated() {
      try add(place, accuracy: 1e6, at: index * 10_000, to: &track)
    }
    let picture = try Picture(of: track)
    // Both ends, and a scale of the size of the Earth: the equator is 40,000 km long.
    #expect(
      picture.texts.contains { $0.hasPrefix("start ") } && picture.texts.contains { $0.hasPrefix("end ") })
    #expect(picture.texts.contains { $0.hasSuffix("000 km") }, "\(picture.texts)")
  }

  @Test func namesAreEscapedAndOutsidePlacesOmitted() throws {
    var track = TrackCollector()
    for index in 0...10 { try add((Double(index) * 1e-3, 0), accuracy: 4, at: index, to: &track) }
    let near = try #require(Coordinate(latitude: 0.005, longitude: 0.002))
    let far = try #require(Coordinate(latitude: 40, longitude: 40))
    track.add(Waypoint(coordinate: near, name: "<Inn> & \"Out\"\u{1}"))
    track.add(Waypoint(coordinate: far, name: "Elsewhere"))
    let picture = try Picture(of: track)
    #expect(picture.texts.contains("<Inn> & \"Out\"") && !picture.texts.contains("Elsewhere"))
  }

  @Test func pictureOfManyPointsIsBounded() throws {
    var track = TrackCollector()
    var random = SeededGenerator(seed: 5)
    var place = (50.0, 10.0)
    for index in 0..<300_000 {
      place.0 += Double.random(in: -1e-5...1.2e-5, using: &random)
      place.1 += Double.random(in: -1e-5...1.5e-5, using: &random)
      try add(place, accuracy: 3 + Double(index % 7), at: index, to: &track)
    }
    track.finish()
    #expect(track.pointsSeen == 300_000)
    let kept = track.segments.map(\.points.count).reduce(0, +)
    #expect(kept <= TrackCollector.pointLimit && kept > 10_000)
    let picture = try Picture(of: track)
    #expect(picture.size < 400_000)
  }

  @Test func longStopIsNotDrawnAsGap() throws {
    var track = TrackCollector()
    var second = 0
    for index in 0..<(2 * TrackCollector.pointLimit) {
      try add((Double(index) * 1e-6, 0), accuracy: 4, at: second, to: &track)
      // A gap that was taken in before there were too many points, too near to its neighbours to be kept.
      second += index == 1003 ? 61 : 1
    }
    #expect(track.spacing > 0)
    for _ in 0..<5000 {
      try add((0.2, 0), accuracy: 4, at: second, to: &track)
      second += 1
    }
    try add((0.3, 0), accuracy: 4, at: second + 100, to: &track)
    track.finish()
    let waits = track.segments.flatMap(\.points).map(\.longestWait)
    #expect(waits.filter { $0 > 1 } == [61, 101])
  }

  @Test func measuredTrackIsColouredByMotionWithGapsAndStops() throws {
    var pictures = PictureCollector(hasMap: true, showsTrack: true)
    pictures.beginRecording()
    for point in SampleTrack.commute.points { pictures.process(.settled(point)) }
    pictures.finish(hasTrack: true)
    let map = TrackMap(
      track: try #require(pictures.map), caption: TrackMap.Caption(title: "Commute", subtitle: ""),
      gapThreshold: 10, stops: pictures.stops)
    let picture = try Picture(map.svg())
    for motion in [Motion.walking, .driving, .cycling, .running, .unknown] {
      #expect(picture.strokes.contains(motion.color) && picture.texts.contains(motion.legend), "\(motion)")
    }
    #expect(!picture.texts.contains(Motion.fast.legend) && !picture.texts.contains("no fix"))
    for text in ["1.90 km bridged", "gap, bridged", "gap, not counted", "stop", "10 min 00 s"] {
      #expect(picture.texts.contains(text), "\(text)")
    }
  }

  private func add(
    _ place: (Double, Double), accuracy: Double?, at second: Int, to track: inout TrackCollector
  ) throws {
    var fix = Fix(
      coordinate: try #require(Coordinate(latitude: place.0, longitude: place.1)),
      time: UTCTime(nanosecondsSince1970: (1_700_000_000 + Int64(second)) * 1_000_000_000), source: .scripted)
    fix.horizontalAccuracy = accuracy
    track.add(fix)
  }
}
