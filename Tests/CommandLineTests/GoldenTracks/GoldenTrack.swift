import Foundation
import Testing
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

/// A made-up recording whose truth is known, and the fences that are watched along it.
struct GoldenTrack: CustomTestStringConvertible {
  let name: String
  let track: TrackBuilder
  let interval: Duration
  let noise: ReceiverNoise

  var testDescription: String { name }

  private static let home = Coordinate(latitude: 51.4779, longitude: -0.0065)!
  /// 2026-03-02 07:00 UTC.
  private static let morning = UTCTime(nanosecondsSince1970: 1_772_434_800 * 1_000_000_000)

  static let all = [
    GoldenTrack("walk-to-school", every: .seconds(1), .goodReceiver) { track in
      track.rest(for: .seconds(300))
      track.move(azimuth: 40, distance: 500, speed: 1.4)
      track.move(azimuth: 60, distance: 500, speed: 1.4)
      track.rest(for: .seconds(600))
    },
    GoldenTrack("drive-without-speeds", every: .seconds(5), .wandering) { track in
      track.rest(for: .seconds(120))
      for leg in 0..<6 { track.move(azimuth: 50 + Double(leg % 2) * 80, distance: 900, speed: 13) }
      track.rest(for: .seconds(300))
    },
    GoldenTrack("drive-through-tunnel", every: .seconds(1), tunnel) { track in
      track.rest(for: .seconds(60))
      track.move(azimuth: 45, distance: 4_000, speed: 20)
      track.rest(for: .seconds(120))
    },
    GoldenTrack("phone-between-houses", every: .seconds(10), .cityPhone) { track in
      track.rest(for: .seconds(1_200))
      track.move(azimuth: 50, distance: 990, speed: 1.3)
      track.rest(for: .seconds(1_200))
      track.move(azimuth: 230, distance: 990, speed: 1.3)
      track.rest(for: .seconds(1_200))
    },
    GoldenTrack("three-hours-at-home", every: .seconds(15), .cityPhone) { $0.rest(for: .seconds(10_800)) },
  ]

  private static var tunnel: ReceiverNoise {
    var noise = ReceiverNoise.goodReceiver
    noise.gaps = [.seconds(130)..<Duration.seconds(190)]
    return noise
  }

  private init(
    _ name: String, every interval: Duration, _ noise: ReceiverNoise, _ build: (inout TrackBuilder) -> Void
  ) {
    self.name = name
    var track = TrackBuilder(from: Self.home, at: Self.morning)
    build(&track)
    self.track = track
    self.interval = interval
    self.noise = noise
  }

  /// The true length in metres.
  var length: Double { track.truth(every: .seconds(1)).last?.travelled ?? 0 }

  /// The fixes as JSON lines.
  func recording() -> [UInt8] {
    var writer = JSONLinesWriter()
    var bytes: [UInt8] = []
    for fix in track.fixes(every: interval, noise: noise, seed: 7) { writer.write(.fix(fix), to: &bytes) }
    writer.finish(to: &bytes)
    return bytes
  }
}
