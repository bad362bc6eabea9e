import Foundation
import Whereabouts
import WhereaboutsFormats
import WhereaboutsGeodesy

/// Receivers' own output, where it lies beside the package, and what is known of it without gpsd.
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

  /// The lines that a receiver would send: comments were written by a person.
  static func sentences(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
      .map { Array($0) + [UInt8(ascii: "\n")] }
  }

  /// The fixes that this package's own decoder makes of the same bytes.
  static func directFixes(_ bytes: [UInt8]) -> [Fix] {
    var decoder = NMEADecoder()
    return decoder.decodeAll(bytes).fixes
  }

  struct Comparison: CustomStringConvertible {
    /// Fixes of instants that direct decoding has too.
    var shared = 0
    /// Fixes of instants that it has not.
    var unknown = 0
    /// Where the two say different things.
    var differences: [String] = []

    var description: String { "\(shared) shared, \(unknown) unknown, \(differences.count) different" }
  }

  /// What gpsd counts wrong weeks by, and puts right by other rules than this package does.
  private static let rollover: Int64 = 1024 * 7 * 86_400 * 1_000_000_000

  /// Compares by instants, within what gpsd's decimals can hold.
  static func compare(_ heard: [Fix], with direct: [Fix]) -> Comparison {
    var known: [Int64: Fix] = [:]
    for fix in direct { if let time = fix.time { known[time.nanosecondsSince1970 % rollover] = fix } }
    var comparison = Comparison()
    for fix in heard {
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
      // Until it knows which sentence ends a cycle, gpsd reports before the one that says the mode.
      if fix.mode != other.mode, comparison.shared > 3 { comparison.differences.append("\(name): mode") }
    }
    return comparison
  }
}
