import Foundation
import WhereaboutsTesting

/// A drive of twelve minutes through an invented town that lies across the prime meridian, as a receiver tells it.
///
/// It begins without a fix, the first ones are poor; it waits at lights, goes between tall buildings and through a
/// tunnel, and three of its sentences arrive damaged.
struct SampleDrive {
  static let seconds = 720
  /// Seconds without a fix: the cold start and the tunnel.
  private static let dark = [0..<6, 431..<474]
  private static let canyon = 250..<330
  private static let plane = SamplePlane(latitude: 51.4779, longitude: -0.0065)
  private static let route = SampleRoute(
    corners: [
      (0, 0), (310, 40), (330, 420), (760, 470), (800, 900), (1290, 860), (1310, 1390), (1900, 1420),
      (1950, 820),
      (2480, 760), (2540, 1310), (3150, 1370), (3380, 1750), (3220, 2120), (2700, 2140), (2694, 2110),
    ], radius: 40)
  /// The stops at lights: metres from the start, and seconds.
  private static let lights: [(at: Double, wait: Int)] = [(300, 22), (1190, 31), (2870, 18), (5480, 27)]

  /// The capture.
  static func nmea() -> [UInt8] {
    var random = SeededGenerator(seed: 7)
    var noise = SampleNoise(seconds: 40)
    var sentences = NMEASentences(hour: 8, minute: 15, day: 14, month: 5, year: 2024)
    for (second, state) in motion().enumerated() {
      let quality = quality(at: second)
      let error = noise.advance(by: 1, deviation: quality.accuracy / 1.5, using: &random)
      let speedNoise = 0.05 * SampleNoise.gaussian(using: &random)
      let place = route.place(after: state.metres)
      let position = plane.degrees(east: place.east + error.east, north: place.north + error.north)
      let climb = 9 * sin(state.metres / 700) + 4 * sin(state.metres / 260)
      sentences.append(
        NMEASentences.Epoch(
          second: second, latitude: position.latitude, longitude: position.longitude,
          height: 38 + climb + 0.6 * error.north,
          speed: max(0, state.speed + (state.speed > 0.3 ? speedNoise : 0)),
          course: place.course, quality: dark.contains { $0.contains(second) } ? nil : quality,
          listsSatellites: second % 10 == 0))
    }
    return damaged(sentences.bytes)
  }

  /// Metres along the route and speed, each second.
  private static func motion() -> [(metres: Double, speed: Double)] {
    var states: [(metres: Double, speed: Double)] = []
    var metres = 0.0, speed = 0.0
    var waiting = 12
    var lights = lights[...]
    for _ in 0..<seconds {
      states.append((metres, speed))
      if waiting > 0 {
        waiting -= 1
        continue
      }
      let toStop = min((lights.first?.at ?? .infinity), route.length) - metres
      let corner = route.turn(from: metres, ahead: 45) > 20 ? 6.0 : 13.9
      // Slow down at 1.8 m/s², speed up at 1.6 m/s².
      let wanted = min(corner, (2 * 1.8 * max(toStop - speed, 0)).squareRoot())
      speed = wanted < speed ? max(wanted, speed - 2.4) : min(wanted, speed + 1.6)
      metres += speed
      if toStop < 2 || speed < 0.3 {
        speed = 0
        waiting = lights.popFirst()?.wait ?? seconds
      }
    }
    return states
  }

  private static func quality(at second: Int) -> NMEASentences.Quality {
    if second < 40 {
      // Satellite after satellite is found.
      let accuracy = max(3.2, 90 * exp(-Double(second - 6) / 7))
      return .init(
        accuracy: accuracy, satellites: min(4 + (second - 6) / 5, 10), dilution: accuracy > 20 ? 4.1 : 1.6)
    }
    if canyon.contains(second) {
      let depth = sin(.pi * Double(second - canyon.lowerBound) / Double(canyon.count))
      return .init(accuracy: 3.2 + 20 * depth, satellites: 10 - Int(4 * depth), dilution: 0.9 + 1.8 * depth)
    }
    if (474..<490).contains(second) {
      return .init(accuracy: 3 + 22 * exp(-Double(second - 474) / 4), satellites: 6, dilution: 2.2)
    }
    return .init(accuracy: 2.4 + 0.7 * sin(Double(second) / 31), satellites: 11, dilution: 0.8)
  }

  /// Faults of a serial line: a flipped bit, lost bytes, noise.
  private static func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[40_017] ^= 0x04
    bytes.removeSubrange(90_100..<90_137)
    bytes.insert(contentsOf: [0x00, 0xFF, 0x24, 0x47, 0x13, 0x80, 0x0A], at: 130_000)
    return bytes
  }
}
