import Testing
import WhereaboutsModel

@testable import WhereaboutsFormats

/// The decoded content of gpsd lines, as far as tests use it.
enum GPSDText {
  static func batch(_ lines: [String], ending: String = "\r\n") -> GPSDBatch {
    var decoder = GPSDDecoder()
    var batch = GPSDBatch()
    decoder.decode(Array(lines.map { $0 + ending }.joined().utf8), into: &batch)
    return batch
  }

  static func batch(_ lines: String...) -> GPSDBatch { batch(lines) }

  /// A TPV report at a number of seconds past 12:00:00, with additional members; with a position by default.
  static func tpv(
    _ second: Int?, mode: Int = 3, lat: Double? = 47.5, lon: Double? = 8.25, device: String? = "/dev/ttyACM0",
    _ members: String = ""
  ) -> String {
    var text = "{\"class\":\"TPV\""
    if let device { text += ",\"device\":\"\(device)\"" }
    text += ",\"mode\":\(mode)"
    if let second { text += ",\"time\":\"\(time(second).iso8601)\"" }
    if let lat, let lon { text += ",\"lat\":\(lat),\"lon\":\(lon)" }
    return text + (members.isEmpty ? "" : "," + members) + "}"
  }

  static func time(_ second: Int) -> UTCTime {
    // 2024-06-01T12:00:00Z
    UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000).advanced(by: .seconds(second))
  }
}

extension GPSDBatch {
  /// Each report in a word, to compare whole lists.
  var summaries: [String] {
    reports.map { report in
      switch report {
      case .version(let version): "version \(version.release)"
      case .devices(let devices): "devices \(devices.map { "\($0.path)\($0.isActive ? "" : " off")" })"
      case .device(let device): "device \(device.path)\(device.isActive ? "" : " off")"
      case .watch(let watch): "watch \(watch.isEnabled ? "on" : "off")"
      case .fix(let fix, _):
        "fix \(fix.time.map { "\($0.since(GPSDText.time(0)).components.seconds)" } ?? "-")"
      case .noPosition: "none"
      case .repetition: "again"
      case .satellites(let sky, _): "sky \(sky.satellites.count)"
      case .heading(let heading, _): "heading \(heading.degrees) \(heading.reference.rawValue)"
      case .poll(let poll): "poll \(poll.activeDevices) \(poll.fixes.count)"
      case .failure(let message): "error \(message)"
      }
    }
  }
}
