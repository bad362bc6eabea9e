import Whereabouts
import WhereaboutsTesting

/// Fixes such as receivers give them, of a drive through a town with lights.
enum Scene: String, CaseIterable {
  case speeds = "1 s, with speeds"
  case bare = "5 s, without speeds"

  /// So many fixes; equal counts give equal fixes.
  func fixes(_ count: Int) -> [Fix] {
    let interval = self == .speeds ? Duration.seconds(1) : .seconds(5)
    var noise = ReceiverNoise.cityPhone
    if self == .bare { noise.speedDeviation = nil }
    guard let town = Coordinate(latitude: 38.7108, longitude: -9.3901) else { return [] }
    var track = TrackBuilder(from: town, at: UTCTime(nanosecondsSince1970: 1_714_651_200_000_000_000))
    var leg = 0
    while track.duration < interval * (count - 1) {
      track.move(azimuth: Double(leg % 4) * 90, distance: 600, speed: 12)
      if leg % 3 == 2 { track.rest(for: .seconds(25)) }
      leg += 1
    }
    return Array(track.fixes(every: interval, noise: noise, seed: 4).prefix(count))
  }
}
