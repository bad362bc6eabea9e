package import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
package import WhereaboutsStore

/// The counts and the size of a store's data.
package struct StoreSummary: Sendable {
  package var path: String
  /// The number of bytes in use.
  package var bytes: Int64
  package var devices: [(device: DeviceID, summary: DeviceSummary)]
}

extension OpenStore {
  /// Returns the summary of a device.
  package func summary(of device: DeviceID) throws -> DeviceSummary {
    try attempt { try $0.summary(of: device) }
  }

  /// Returns the summary of the store with all devices. The fences are those with pending edits applied, and those that
  /// all devices of a server share.
  package func summary() throws -> StoreSummary {
    try attempt { base in
      var devices: [(device: DeviceID, summary: DeviceSummary)] = []
      for device in try base.devices() {
        var summary = try base.summary(of: device)
        summary.fences = try base.fenceCount(of: device)
        devices.append((device: device, summary: summary))
      }
      return StoreSummary(path: path.file, bytes: try base.bytesInUse, devices: devices)
    }
  }
}

/// A store summary as text and as JSON.
package enum StoreSummaryText {
  /// Returns the lines of the summary.
  package static func lines(_ summary: StoreSummary) -> [String] {
    var lines = ["\(summary.path): \(size(summary.bytes))"]
    for (device, kept) in summary.devices {
      let label = device == .this ? "this device" : device.rawValue
      lines.append("\(label): \(countsText(kept))".sanitizedToOneLine)
      if let oldest = kept.oldest, let newest = kept.newest {
        lines.append("  from \(moment(oldest)) to \(moment(newest)), \(AgeText.text(newest, asOf: .now))")
      }
    }
    if summary.devices.isEmpty { lines.append("nothing is stored yet") }
    return lines
  }

  private static func countsText(_ kept: DeviceSummary) -> String {
    let late = kept.fixes[.late] ?? 0, implausible = kept.fixes[.implausible] ?? 0
    var parts = [Quantities.count(kept.fixes[.used] ?? 0, "fix", "fixes")]
    if late > 0 { parts.append("\(late.grouped) more that came late") }
    if implausible > 0 { parts.append("\(implausible.grouped) more that can't be") }
    if kept.statedVisits > 0 { parts.append(Quantities.count(kept.statedVisits, "stated visit")) }
    if kept.trips > 0 { parts.append(Quantities.count(kept.trips, "trip")) }
    if kept.fences > 0 { parts.append(Quantities.count(kept.fences, "fence")) }
    if kept.crossings > 0 { parts.append(Quantities.count(kept.crossings, "event")) }
    return parts.joined(separator: ", ")
  }

  private static func moment(_ time: UTCTime) -> String { "\(time.dateText) \(time.clockText) UTC" }

  /// Returns a size: `812 kB`, `4.3 MB`.
  package static func size(_ bytes: Int64) -> String {
    let bytes = Double(bytes)
    if bytes < 999_500 { return "\((bytes / 1e3).fixed(0)) kB" }
    return bytes < 999.5e6 ? "\((bytes / 1e6).fixed(1)) MB" : "\((bytes / 1e9).fixed(1)) GB"
  }

  /// Appends a line for each device with `device`, counts (`fixes`, `late`, `implausible`, `statedVisits`,
  /// `trips`, `fences`, `events`), and `from` and `to` (RFC 3339) of its history. The last line has `file` and its
  /// `bytes` in use.
  package static func appendJSON(_ summary: StoreSummary, to bytes: inout [UInt8]) {
    for (device, kept) in summary.devices {
      var line = JSONObject()
      line.add("device", device.rawValue)
      line.add("fixes", kept.fixes[.used] ?? 0)
      line.add("late", kept.fixes[.late] ?? 0)
      line.add("implausible", kept.fixes[.implausible] ?? 0)
      line.add("statedVisits", kept.statedVisits > 0 ? kept.statedVisits : nil)
      line.add("trips", kept.trips)
      line.add("fences", kept.fences)
      line.add("events", kept.crossings)
      line.add("from", kept.oldest?.iso8601)
      line.add("to", kept.newest?.iso8601)
      bytes += line.bytes + [UInt8(ascii: "\n")]
    }
    var line = JSONObject()
    line.add("file", summary.path)
    line.add("bytes", Int(clamping: summary.bytes))
    bytes += line.bytes + [UInt8(ascii: "\n")]
  }
}
