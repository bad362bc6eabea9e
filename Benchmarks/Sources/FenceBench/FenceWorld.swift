import Foundation
import WhereaboutsTesting

/// Fences and vehicles in a box of Central Europe, which peers read from the same files.
///
/// Fences are strewn evenly, or as people are: around 400 towns, the first as large as the second and third together and so on,
/// the largest with 12 km of deviation. Vehicles go 10 to 30 m from fix to fix, turn now and then, and those of towns stay there.
struct FenceWorld {
  enum Spread: String, CaseIterable {
    case uniform, clustered
  }

  private struct Town {
    var latitude, longitude, deviation: Double
    /// The share of this one and those before.
    var share: Double
  }

  private static let south = 47.0, north = 55.0, west = 6.0, east = 15.0
  private static let metresPerDegree = 111_200.0

  let spread: Spread
  private var random: SeededGenerator
  private let towns: [Town]

  init(_ spread: Spread, seed: UInt64) {
    self.spread = spread
    random = SeededGenerator(seed: seed)
    var builder = SeededGenerator(seed: 400), sum = 0.0
    var towns: [Town] = []
    for rank in 1...400 {
      sum += 1 / Double(rank)
      towns.append(
        Town(
          latitude: .random(in: 47.3...54.7, using: &builder),
          longitude: .random(in: 6.3...14.7, using: &builder),
          deviation: max(1_500, 12_000 / Double(rank).squareRoot()), share: sum))
    }
    self.towns = towns.map {
      Town(latitude: $0.latitude, longitude: $0.longitude, deviation: $0.deviation, share: $0.share / sum)
    }
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }

  private mutating func normal() -> Double {
    (-2 * log(1 - number(0...1) * 0.999_999_999)).squareRoot() * cos(2 * .pi * number(0...1))
  }

  private static func metresEast(_ latitude: Double) -> Double {
    metresPerDegree * cos(latitude * .pi / 180)
  }

  /// A place and the town it belongs to.
  private mutating func place() -> (latitude: Double, longitude: Double, town: Int?) {
    guard spread == .clustered else {
      return (number(Self.south...Self.north), number(Self.west...Self.east), nil)
    }
    let share = number(0...1)
    let index = towns.firstIndex { $0.share >= share } ?? 0
    let town = towns[index]
    let latitude = town.latitude + normal() * town.deviation / Self.metresPerDegree
    let longitude = town.longitude + normal() * town.deviation / Self.metresEast(town.latitude)
    return (
      min(max(latitude, Self.south), Self.north), min(max(longitude, Self.west), Self.east), index
    )
  }

  /// Circles of 50 to 500 m: latitude, longitude, radius.
  mutating func circles(_ count: Int) -> [SIMD3<Double>] {
    (0..<count).map { _ in
      let place = place()
      return SIMD3(place.latitude, place.longitude, number(50...500))
    }
  }

  /// Stars of 8 to 64 corners, 50 to 500 m wide: latitude and longitude of each.
  mutating func polygons(_ count: Int) -> [[SIMD2<Double>]] {
    (0..<count).map { _ in
      let center = place(), size = number(50...500), corners = Int.random(in: 8...64, using: &random)
      return (0..<corners).map { corner in
        let angle = 2 * .pi * (Double(corner) + number(0...0.6)) / Double(corners)
        let distance = size * number(0.7...1)
        return SIMD2(
          center.latitude + distance * sin(angle) / Self.metresPerDegree,
          center.longitude + distance * cos(angle) / Self.metresEast(center.latitude))
      }
    }
  }
}

/// The place of a vehicle at one time.
struct FenceUpdate {
  var device: UInt32
  var latitude, longitude: Double
}

extension FenceWorld {
  private struct Vehicle {
    var latitude, longitude, course, step: Double
    let town: Int?
  }

  /// So many updates in all, the vehicles by turns.
  mutating func updates(_ count: Int, devices: Int) -> [FenceUpdate] {
    var vehicles = (0..<devices).map { _ in
      let place = place()
      return Vehicle(
        latitude: place.latitude, longitude: place.longitude, course: number(0...2 * .pi),
        step: number(10...30),
        town: place.town)
    }
    return (0..<count).map { index in
      let device = index % devices
      if index >= devices { move(&vehicles[device]) }
      return FenceUpdate(
        device: UInt32(device), latitude: vehicles[device].latitude, longitude: vehicles[device].longitude)
    }
  }

  private mutating func move(_ vehicle: inout Vehicle) {
    vehicle.course += 0.087 * normal()
    if number(0...1) < 0.03 { vehicle.course += Bool.random(using: &random) ? .pi / 2 : -.pi / 2 }
    if number(0...1) < 0.02 { vehicle.step = number(10...30) }
    if let town = vehicle.town.map({ towns[$0] }) {
      let east = (town.longitude - vehicle.longitude) * Self.metresEast(vehicle.latitude)
      let north = (town.latitude - vehicle.latitude) * Self.metresPerDegree
      if hypot(east, north) > 2 * town.deviation { vehicle.course = atan2(east, north) + 0.5 * normal() }
    }
    let latitude = vehicle.latitude + vehicle.step * cos(vehicle.course) / Self.metresPerDegree
    let longitude = vehicle.longitude + vehicle.step * sin(vehicle.course) / Self.metresEast(vehicle.latitude)
    if latitude < Self.south || latitude > Self.north || longitude < Self.west || longitude > Self.east {
      vehicle.course += .pi
    } else {
      (vehicle.latitude, vehicle.longitude) = (latitude, longitude)
    }
  }
}
