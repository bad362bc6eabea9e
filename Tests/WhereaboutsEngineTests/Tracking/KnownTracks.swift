import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

/// The result of an odometer for fixes.
struct OdometerRun {
  var points: [TrackPoint] = []
  var odometer: Odometer

  init(_ fixes: [Fix], settings: OdometerSettings = OdometerSettings(), activity: Activity = .other) {
    odometer = Odometer(settings, activity: activity)
    for fix in fixes { process(fix) }
    breakOff()
  }

  mutating func process(_ fix: Fix) { odometer.process(fix) { points.append($0) } }
  mutating func breakOff() { odometer.endSegment { points.append($0) } }

  var totals: TrackTotals { odometer.totals }
  var distance: Double { odometer.totals.distance }
}

/// Tracks with known true lengths.
enum KnownTrack {
  static let noon = UTCTime(nanosecondsSince1970: 1_714_651_200_000_000_000)
  static let lisbon = Coordinate(latitude: 38.7108, longitude: -9.3901)!

  /// A walk around blocks with a rest in the middle: 2.4 km.
  static func walk(from place: Coordinate = lisbon) -> TrackBuilder {
    var track = TrackBuilder(from: place, at: noon)
    track.rest(for: .seconds(60))
    for leg in 0..<6 {
      track.move(azimuth: leg.isMultiple(of: 2) ? 20 : 110, distance: 200, speed: 1.35)
    }
    track.rest(for: .seconds(180))
    for leg in 0..<6 {
      track.move(azimuth: leg.isMultiple(of: 2) ? 200 : 290, distance: 200, speed: 1.35)
    }
    track.rest(for: .seconds(60))
    return track
  }

  /// A drive through a town: 9 km, with lights.
  static func drive(from place: Coordinate = lisbon) -> TrackBuilder {
    var track = TrackBuilder(from: place, at: noon)
    track.rest(for: .seconds(30))
    for leg in 0..<15 {
      track.move(azimuth: Double(leg % 4) * 80, distance: 600, speed: 12)
      if leg % 3 == 2 { track.rest(for: .seconds(25)) }
    }
    return track
  }
}
