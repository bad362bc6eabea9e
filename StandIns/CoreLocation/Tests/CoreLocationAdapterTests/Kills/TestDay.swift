import Foundation
import Whereabouts
import WhereaboutsTesting

/// The true places of a day, one a second, and fences along them.
struct TestDay {
  let name: String
  let places: [Coordinate]
  let fences: [Fence]
  /// The fences that the device may come to.
  let near: [Fence]

  private init(_ name: String, _ places: [Coordinate], _ fences: [Fence]) {
    self.name = name
    self.places = places
    self.fences = fences
    let samples = stride(from: 0, to: places.count, by: 20).map { places[$0] }
    near = fences.filter { fence in
      guard case .circle(let circle) = fence.area else { return false }
      return samples.contains { circle.center.distance(to: $0) < circle.radius + 1500 }
    }
  }

  private static func circle(_ name: String, _ center: Coordinate, _ radius: Double) throws -> Fence {
    Fence(id: FenceID(name), area: .circle(try Area.Circle(center: center, radius: radius)))
  }

  // MARK: Recorded days

  /// The folder of the recorded tracks, which are not part of the package.
  private static let folder: URL = {
    if let given = ProcessInfo.processInfo.environment["WHEREABOUTS_DATA"] { return URL(filePath: given) }
    return URL(filePath: #filePath).appending(path: "../../../../../../../shared/data").standardized
  }()

  /// Whether there is a recorded track.
  static func has(_ track: String) -> Bool { (try? truth(of: track)) != nil }

  private static func truth(of track: String) throws -> [Coordinate] {
    let text = try String(contentsOf: folder.appending(path: "synth/\(track).truth.csv"), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: ",")
      guard fields.count > 2, let latitude = Double(fields[1]), let longitude = Double(fields[2]) else {
        return nil
      }
      return Coordinate(latitude: latitude, longitude: longitude)
    }
  }

  /// A day that stays, follows a recorded track and stays, with many fences.
  static func recorded(_ track: String, fenceCount: Int, seed: UInt64) throws -> TestDay {
    var random = SeededGenerator(seed: seed)
    let truth = try truth(of: track)
    guard let first = truth.first, let last = truth.last else { throw CocoaError(.fileReadCorruptFile) }
    var fences = [try circle("home", first, 150), try circle("work", last, 150)]
    while fences.count < fenceCount {
      let isNear = fences.count < fenceCount / 20
      let base = isNear ? truth.randomElement(using: &random) ?? first : truth[truth.count / 2]
      let center = base.destination(
        azimuth: .random(in: 0..<360, using: &random),
        distance: .random(in: 0...(isNear ? 400.0 : 25_000), using: &random))
      let isLarge = Int.random(in: 0..<20, using: &random) == 0
      let radius = Double.random(in: isLarge ? 500...2000 : 40...300, using: &random)
      if let center { fences.append(try circle("fence-\(fences.count)", center, radius)) }
    }
    return TestDay(
      track, Array(repeating: first, count: 900) + truth + Array(repeating: last, count: 900), fences)
  }

  // MARK: Random days

  /// A day with stops of 10 to 15 minutes and straight drives between them.
  ///
  /// Each stop is in the middle of a fence, or of two. The drives pass the other fences, and no stop is near their
  /// boundaries. Stops are 2 km apart or more.
  static func random(seed: UInt64, stops: Int, fenceCount: Int) throws -> TestDay {
    var random = SeededGenerator(seed: seed)
    guard let origin = Coordinate(latitude: 48.1, longitude: 11.5) else {
      throw CocoaError(.coderInvalidValue)
    }
    var centers = [origin], legs: [(azimuth: Double, length: Double)] = []
    while centers.count < stops {
      let azimuth = Double.random(in: 0..<360, using: &random)
      let length = Double.random(in: 2500...6000, using: &random)
      guard let end = centers[centers.count - 1].destination(azimuth: azimuth, distance: length),
        centers.allSatisfy({ $0.distance(to: end) > 2000 })
      else { continue }
      centers.append(end)
      legs.append((azimuth: azimuth, length: length))
    }
    var places: [Coordinate] = []
    for (index, center) in centers.enumerated() {
      places += Array(repeating: center, count: .random(in: 600...900, using: &random))
      guard index < legs.count else { break }
      let speed = Double.random(in: 8...20, using: &random)
      places += (1...Int(legs[index].length / speed)).compactMap {
        center.destination(azimuth: legs[index].azimuth, distance: Double($0) * speed)
      }
    }
    var fences: [Fence] = []
    func add(_ center: Coordinate, radius: Double) throws {
      fences.append(try circle("fence-\(fences.count)", center, radius))
    }
    for (index, center) in centers.enumerated() {
      try add(center, radius: .random(in: 100...250, using: &random))
      if !index.isMultiple(of: 2) { try add(center, radius: .random(in: 500...900, using: &random)) }
    }
    while fences.count < fenceCount {
      let radius = Double.random(in: 60...300, using: &random)
      let center = places.randomElement(using: &random)?.destination(
        azimuth: .random(in: 0..<360, using: &random), distance: .random(in: 0...3000, using: &random))
      guard let center, centers.allSatisfy({ $0.distance(to: center) > radius + 500 }) else { continue }
      try add(center, radius: radius)
    }
    return TestDay("day \(seed)", places, fences)
  }
}
