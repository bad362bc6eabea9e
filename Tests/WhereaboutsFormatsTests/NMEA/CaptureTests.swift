import Testing
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsFormats

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Receivers' own output, where it lies beside the package.
enum Captures {
  /// The folder of development data: `$WHEREABOUTS_DATA`, or `../shared/data` seen from the package.
  static let folder: String = {
    if let given = getenv("WHEREABOUTS_DATA") { return String(cString: given) }
    return #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(
      separator: "/")
      + "/../shared/data"
  }()

  /// The captures, by their paths.
  static let paths: [String] =
    (list("\(folder)/nmea", ending: ".log") + list("\(folder)/nmea_long", ending: ".nmea"))
    .sorted()

  private static func list(_ folder: String, ending: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var paths: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(ending) { paths.append("\(folder)/\(name)") }
    }
    return paths
  }

  static func read(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }
}

@Suite(.enabled(if: !Captures.paths.isEmpty, "no captures beside the package")) struct CaptureTests {
  private static let allOptions: NMEADecoder.Options = {
    var options = NMEADecoder.Options()
    options.emitsSatellites = true
    options.acceptsMissingChecksums = true
    return options
  }()

  @Test(arguments: Captures.paths) func chunkingDoesNotChangeTheResult(path: String) {
    // Byte by byte a debug build is slow: the beginning of a long capture stands for it.
    let bytes = Array(Captures.read(path).prefix(40_000))
    expectSameResultForAnyChunking(bytes, splits: 2) { NMEADecoder(options: Self.allOptions) }
  }

  @Test func damagedCapturesDoNotCrash() {
    var random = SeededGenerator(seed: 183)
    for path in Captures.paths {
      let bytes = Array(Captures.read(path).prefix(4000))
      let damaged = random.mutated(bytes)
      expectSameResultForAnyChunking(damaged, seed: random.next(), splits: 1) {
        NMEADecoder(options: Self.allOptions)
      }
    }
  }
}
