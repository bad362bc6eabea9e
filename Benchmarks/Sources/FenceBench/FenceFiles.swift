import Foundation
import WhereaboutsGeodesy

/// The files of a world, which Peers/fences.cpp reads too: words of 8 bytes in the machine's own order.
///
/// - fences: kind (0 circles, 1 polygons), count; circles are latitude, longitude, radius each; polygons are the number of
///   all corners, the number of corners of each, then latitude and longitude of each corner
/// - updates: devices, count, then device, latitude, longitude of each
enum FenceFiles {
  static func write(circles: [SIMD3<Double>], to path: String) throws {
    var words: [UInt64] = [0, UInt64(circles.count)]
    for circle in circles { for part in 0..<3 { words.append(circle[part].bitPattern) } }
    try write(words, to: path)
  }

  static func write(polygons: [[SIMD2<Double>]], to path: String) throws {
    var words: [UInt64] = [1, UInt64(polygons.count), UInt64(polygons.reduce(0) { $0 + $1.count })]
    words += polygons.map { UInt64($0.count) }
    for corner in polygons.joined() { words += [corner.x.bitPattern, corner.y.bitPattern] }
    try write(words, to: path)
  }

  static func write(updates: [FenceUpdate], devices: Int, to path: String) throws {
    var words: [UInt64] = [UInt64(devices), UInt64(updates.count)]
    for update in updates {
      words += [UInt64(update.device), update.latitude.bitPattern, update.longitude.bitPattern]
    }
    try write(words, to: path)
  }

  private static func write(_ words: [UInt64], to path: String) throws {
    try words.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: path)) }
  }

  private static func words(_ path: String) throws -> [UInt64] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return data.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
  }

  static func areas(_ path: String) throws -> [Area] {
    let words = try words(path), count = Int(words[1])
    func place(_ index: Int) -> Coordinate? {
      Coordinate(latitude: Double(bitPattern: words[index]), longitude: Double(bitPattern: words[index + 1]))
    }
    if words[0] == 0 {
      return try (0..<count).compactMap { index in
        let start = 2 + 3 * index
        return try place(start).map {
          .circle(try Area.Circle(center: $0, radius: Double(bitPattern: words[start + 2])))
        }
      }
    }
    var start = 3 + count
    return try (0..<count).map { index in
      let corners = Int(words[3 + index])
      defer { start += 2 * corners }
      return .polygon(try Area.Polygon(exterior: (0..<corners).compactMap { place(start + 2 * $0) }))
    }
  }

  static func updates(_ path: String) throws -> (devices: Int, updates: [(device: Int, place: Coordinate)]) {
    let words = try words(path)
    let updates = (0..<Int(words[1])).compactMap { index in
      let start = 2 + 3 * index
      return Coordinate(
        latitude: Double(bitPattern: words[start + 1]), longitude: Double(bitPattern: words[start + 2])
      ).map { (device: Int(words[start]), place: $0) }
    }
    return (Int(words[0]), updates)
  }
}
