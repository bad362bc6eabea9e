import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports
package import WhereaboutsStore

/// A rejected row of a phone as text and as JSON.
package enum RejectedRowText {
  /// The greatest number of characters of a row in a line of text.
  private static let shownLength = 120

  /// Returns the time of arrival, the device, the format, the place, the reason and the first bytes of a row.
  package static func line(_ row: RejectedRow) -> String {
    let bytes = String(decoding: row.bytes, as: UTF8.self).prefix(shownLength)
    let columns = [
      "\(row.arrival.dateText) \(row.arrival.clockText)", row.device?.rawValue ?? "unknown device",
      row.dialect,
      "\(row.place): \(row.reason)", String(bytes),
    ]
    return columns.joined(separator: "  ").sanitizedToOneLine
  }

  /// Appends a line with `arrival`, `device`, `dialect`, `place`, `reason`, `bytes` and `base64`.
  package static func append(_ row: RejectedRow, to bytes: inout [UInt8]) {
    bytes.appendJSONObject { body in
      body.appendJSONMember("arrival", row.arrival)
      body.appendJSONMember("device", row.device?.rawValue)
      body.appendJSONMember("dialect", row.dialect)
      body.appendJSONMember("place", row.place)
      body.appendJSONMember("reason", row.reason)
      body.appendJSONMember("bytes", String(decoding: row.bytes, as: UTF8.self))
      body.appendJSONMember("base64", row.base64)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
