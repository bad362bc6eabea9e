import Foundation
import Whereabouts
import WhereaboutsFormats
import WhereaboutsGeodesy

/// Captures of receivers beside the package, and their fixes without gpsd.
enum LiveData {
  private static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["WHEREABOUTS_DATA"] {
      return URL(fileURLWithPath: path)
    }
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    return package.deletingLastPathComponent().appendingPathComponent("shared/data")
  }()

  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appendingPathComponent(path)))
  }

  /// Returns the sentences of a capture, without comments.
  static func sentences(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
      .map { Array($0) + [UInt8(ascii: "\n")] }
  }

  /// Returns the fixes that this package decodes from the same bytes.
  static func directFixes(_ bytes: [UInt8]) -> [Fix] {
    var decoder = NMEADecoder()
    return decoder.decodeAll(bytes).fixes
  }

  struct Comparison: CustomStringConvertible {
    /// The number of fixes whose instant is in the directly decoded fixes.
    var shared = 0
    /// The number of fixes whose instant is not in the directly decoded fixes.
    var unknown = 0
    /// The differences between both.
    var differences: [String] = []

    var description: String { "\(shared) shared, \(unknown) unknown, \(differences.count) different" }
  }

  /// The period of GPS week numbers. gpsd corrects a rollover by other rules than this package.
  private static let rollover: Int64 = 1024 * 7 * 86_400 * 1_000_000_000

  /// Compares the fixes of equal instants, within the precision of gpsd's decimals.
  static func compare(_ received: [Fix], with direct: [Fix]) -> Comparison {
    var known: [Int64: Fix] = [:]
    for fix in direct { if let time = fix.time { known[time.nanosecondsSince1970 % rollover] = fix } }
    var comparison = Comparison()
    for fix in received {
      guard let time = fix.time else { continue }
      guard let other = known[time.nanosecondsSince1970 % rollover] else {
        comparison.unknown += 1
        continue
      }
      comparison.shared += 1
      let name = time.iso8601
      func expect(_ what: String, _ one: Double?, _ another: Double?, within tolerance: Double) {
        guard let one, let another, abs(one - another) > tolerance else { return }
        comparison.differences.append("\(name): \(what) differs by \(abs(one - another))")
      }
      expect("latitude", fix.coordinate.latitude, other.coordinate.latitude, within: 1.5e-9)
      expect("longitude", fix.coordinate.longitude, other.coordinate.longitude, within: 1.5e-9)
      expect("height", fix.heightAboveGeoid, other.heightAboveGeoid, within: 0.0006)
      expect("ellipsoid", fix.heightAboveEllipsoid, other.heightAboveEllipsoid, within: 0.0006)
      expect("speed", fix.speed, other.speed, within: 0.001)
      expect("course", fix.course, other.course, within: 0.0002)
      // gpsd reports before the sentence with the mode, until it knows which sentence ends a cycle.
      if fix.mode != other.mode, comparison.shared > 3 { comparison.differences.append("\(name): mode") }
    }
    return comparison
  }
}
