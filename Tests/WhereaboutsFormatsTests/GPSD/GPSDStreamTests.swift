import Foundation
import Testing
import WhereaboutsModel
import WhereaboutsGeodesy

@testable import WhereaboutsFormats

/// Compares gpsd output of real receivers with the same lines read by another JSON parser.
@Suite(.enabled(if: SharedData.has("gpsd_json"), "no streams of gpsd's beside the package"))
struct GPSDStreamTests {
  @Test(arguments: SharedData.files("gpsd_json", "chk") + SharedData.files("nmea", "chk"))
  func everyEpochIsEmittedOnceAtItsReportedPlace(path: String) throws {
    let bytes = try SharedData.bytes(path)
    var decoder = GPSDDecoder()
    var batch = GPSDBatch()
    decoder.decode(bytes, into: &batch)

    var places: [UTCTime: Set<[Double]>] = [:]
    var untimed: Set<[Double]> = []
    var instants: [UTCTime] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "{") {
      guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
        object["class"] as? String == "TPV", (object["mode"] as? Int ?? 0) >= 2,
        let lat = object["lat"] as? Double,
        let lon = object["lon"] as? Double
      else { continue }
      guard let time = (object["time"] as? String).flatMap({ UTCTime(iso8601: $0) }) else {
        untimed.insert([lat, lon])
        continue
      }
      places[time, default: []].insert([lat, lon])
      let isNew = instants.last.map { time > $0 || $0.since(time) >= .seconds(5) } ?? true
      if isNew { instants.append(time) }
    }
    for fix in batch.fixes {
      let place = [fix.coordinate.latitude, fix.coordinate.longitude]
      let isKnown = fix.time.map { places[$0]?.contains(place) ?? false } ?? untimed.contains(place)
      #expect(isKnown, "\(String(describing: fix.time))")
      #expect(fix.source == .gpsd)
    }
    // Each instant once, in order. Only the last may be missing, if its error estimates had not arrived.
    let times = batch.fixes.compactMap(\.time)
    #expect(times == instants || times == instants.dropLast())
  }
}
