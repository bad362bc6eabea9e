import ReportTestSupport
import Testing
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsReports

@Suite struct TrackPlotTests {
  @Test func plotHasAxesGapsAndStops() throws {
    let picture = try Picture(plot(SampleTrack.commute.points).svg())
    for text in [
      "Commute", "speed, km/h", "distance, km", "UTC", "07:40", "60", "15", "1.90 km bridged", "not counted",
      "3 min 20 s", "10 min 00 s", "gap, bridged", "gap, not counted", "stop", "± one standard deviation",
    ] {
      #expect(picture.texts.contains(text), "\(text)")
    }
    for motion in [Motion.walking, .still, .driving, .cycling, .running] {
      #expect(picture.fills.contains(motion.color) && picture.texts.contains(motion.legend), "\(motion)")
    }
  }

  @Test func emptyPlotReportsReason() throws {
    #expect(try Picture(plot([]).svg()).texts.contains("nothing to draw: too few fixes that belong together"))
  }

  @Test func singlePointIsDrawn() throws {
    let picture = try Picture(plot(Array(SampleTrack.commute.points.prefix(1))).svg())
    #expect(picture.texts.contains("distance, m"))
  }

  @Test func shortTrackUsesMetresAndOmitsUnknownMotion() throws {
    var way = SampleTrack()
    way.move(.unknown, 1, seconds: 100)
    let picture = try Picture(plot(way.points).svg())
    #expect(picture.texts.contains("distance, m") && !picture.texts.contains(Motion.unknown.legend))
  }

  @Test func weekLongAxisShowsDays() throws {
    var way = SampleTrack()
    for _ in 0..<14 {
      way.move(.walking, 1, seconds: 60)
      way.addGap(seconds: 43_000, metres: 10, counted: 10)
    }
    let picture = try Picture(plot(way.points).svg())
    #expect(picture.texts.contains("15 May") && picture.texts.contains("20 May"))
  }

  @Test func backwardTimesAreAppendedWithoutTimeOfDay() throws {
    var collector = PlotCollector()
    for _ in 0..<2 {
      collector.beginRecording()
      for point in SampleTrack.commute.points { collector.add(point) }
    }
    collector.finish()
    let last = try #require(SampleTrack.commute.points.last)
    #expect(collector.origin == nil && collector.span > 6300)
    #expect(collector.bins.bins.last?.last.distance == 2 * last.distance)
    let picture = try Picture(TrackPlot(collector: collector, caption: caption).svg())
    #expect(picture.texts.contains("h:min") && !picture.texts.contains("UTC"))
  }

  @Test func peakSpeedSurvivesBinning() throws {
    var random = SeededGenerator(seed: 11)
    var way = SampleTrack()
    for index in 0..<300 {
      way.move(.driving, Double.random(in: 8...12, using: &random), seconds: 1000)
      if index == 157 { way.move(.driving, 41, seconds: 1) }
    }
    let plot = plot(way.points)
    let bins = plot.collector.bins.bins
    #expect(bins.count <= PlotBins.limit && bins.count > 1000)
    #expect(bins.map(\.fastest.speed).max() == 41)
    #expect(bins.last?.last.distance == way.points.last?.distance)
    let seconds = bins.flatMap(\.samples).map(\.seconds)
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 })
    #expect(try Picture(plot.svg()).size < 400_000)
  }

  @Test(arguments: [0, 1e-9, 0.3, 1, 4.9, 5, 7, 50, 61, 99, 100, 1234, 98_765, 4e7, 1e30])
  func valueScaleHasFewRoundTicks(greatest: Double) {
    let scale = ValueScale(holding: greatest)
    #expect(scale.top >= min(greatest, 1e15) && (4...8).contains(scale.ticks.count), "\(scale)")
    #expect(Set(scale.ticks.map(scale.label)).count == scale.ticks.count || greatest < 1e-3)
  }

  @Test(arguments: [0.0, 0.4, 3, 10, 59, 61, 714, 3600, 12_691, 86_400, 604_800, 4e6, 1e8, 7.4e9, 1.8e10])
  func timeScaleHasFewTicksWithinSpan(span: Double) {
    let today = UTCTime(nanosecondsSince1970: 1_715_671_801_234_567_890)
    let longAgo = UTCTime(nanosecondsSince1970: -9_214_560_000_000_000_000)
    for origin in span < 7e9 ? [nil, today, longAgo] : [nil, longAgo] {
      let scale = TimeScale(origin: origin, span: span, most: 10)
      #expect(scale.ticks.count <= 11 && (scale.ticks.count >= 2 || span < 0.5), "\(scale)")
      #expect(scale.ticks.allSatisfy { (-1e-6...span + 1e-6).contains($0.seconds) }, "\(scale)")
      #expect(Set(scale.ticks.map(\.label)).count == scale.ticks.count, "\(scale)")
    }
  }

  private var caption: TrackMap.Caption { TrackMap.Caption(title: "Commute", subtitle: "") }

  private func plot(_ points: [TrackPoint]) -> TrackPlot {
    var collector = PlotCollector()
    collector.beginRecording()
    for point in points { collector.add(point) }
    collector.finish()
    return TrackPlot(collector: collector, caption: caption)
  }
}
