import Foundation
import WhereaboutsModel
import WhereaboutsFormats

@testable import WhereaboutsSources

/// Bytes of receivers, synthetic or captured.
enum ReceiverSamples {
  /// Returns a sentence with its checksum and line end.
  static func sentence(_ body: String) -> [UInt8] {
    let digits = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return Array("$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n".utf8)
  }

  /// Returns the sentences of one instant, at a number of seconds after noon of 2026-06-01.
  static func instant(_ second: Int, hasFix: Bool = true, north: Double = 47) -> [UInt8] {
    let time =
      "\(12 + second / 3600)" + [second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
    let minutes = String(format: "%08.5f", Double(second % 3600) / 100)
    let place = hasFix ? "\(Int(north))\(minutes),N,00833.91522,E" : ",,,"
    return sentence("GPRMC,\(time).00,\(hasFix ? "A" : "V"),\(place),3.6,90.0,010626,,,\(hasFix ? "A" : "N")")
      + sentence("GPGGA,\(time).00,\(place),\(hasFix ? "1,08,1.01,499.6,M,48.0,M,," : "0,00,99.99,,,,,,")")
      + sentence("GPGSA,A,\(hasFix ? "3" : "1"),05,07,,,,,,,,,,,1.9,1.0,1.6")
  }

  /// Returns a capture of a real receiver; `nil` if the file is missing.
  static func capture(_ name: String) -> [UInt8]? {
    let folder: URL
    if let path = ProcessInfo.processInfo.environment["WHEREABOUTS_DATA"] {
      folder = URL(filePath: path)
    } else {
      var package = URL(filePath: #filePath)
      for _ in 0..<4 { package.deleteLastPathComponent() }
      folder = package.deletingLastPathComponent().appending(path: "shared/data")
    }
    return (try? Data(contentsOf: folder.appending(path: "nmea/\(name)"))).map { [UInt8]($0) }
  }

  /// Returns the fixes of direct decoding, with the options for live receivers.
  static func fixes(_ bytes: [UInt8], isWhole: Bool = true) -> [Fix] {
    var options = NMEADecoder.Options()
    options.endsEpochsEarly = true
    var decoder = NMEADecoder(options: options), batch = RecordingBatch()
    decoder.decode(bytes, into: &batch)
    if isWhole { decoder.finish(into: &batch) }
    return batch.fixes
  }

  /// Returns the settings for live tests: short retry delays, and a long flush delay and long silences, since a loaded
  /// machine may pause in the middle of an instant, and between two. Dates are not assumed, as in direct decoding.
  static func settings(flushesAfter: Duration = .seconds(3600)) -> ReceiverSource.Settings {
    var settings = ReceiverSource.Settings()
    settings.session.flushDelay = flushesAfter
    settings.session.silenceTimeout = .seconds(3600)
    settings.silenceTimeout = .seconds(3600)
    settings.maxSilenceTimeout = .seconds(3600)
    settings.session.assumesDates = false
    settings.session.notBefore = NMEADecoder.Options().notBefore
    settings.backoff.pollInterval = .milliseconds(5)
    settings.backoff.minDelay = .milliseconds(5)
    return settings
  }
}

/// A new folder, removed with its owner.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "whereabouts-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
