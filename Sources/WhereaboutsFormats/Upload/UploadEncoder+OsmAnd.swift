import WhereaboutsModel
import WhereaboutsGeodesy

// The query protocol of OsmAnd, as Traccar reads it: one position a request, without unknown values.
//
// Source: https://www.traccar.org/osmand/ and the decoder of Traccar's server.

extension UploadEncoder {
  func osmand(_ item: UploadItem) -> UploadMessage? {
    guard let time = item.time else { return nil }
    var query = QueryText()
    query.add("id", identity.device)
    switch item.content {
    case .fix(let fix):
      query.add(fix.coordinate)
      query.add("timestamp", Self.timestamp(time))
      query.add("accuracy", fix.horizontalAccuracy)
      query.add("altitude", fix.heightAboveGeoid)
      query.add("speed", fix.speed.map { ($0 * 3600 / 1852).inThousandths })
      query.add("bearing", fix.course)
      query.add("hdop", fix.horizontalDilution.map { Double($0).inThousandths })
      if fix.isSimulated { query.add("simulated", "true") }
    case .crossing(let event):
      query.add(event.place)
      query.add("timestamp", Self.timestamp(time))
      query.add("accuracy", event.decidedBy.horizontalAccuracy)
      query.add("event", event.kind.rawValue)
      query.add("fence", event.fence.name)
      query.add("eventId", "\(event.id.number)")
      query.add("confidence", event.confidence.inThousandths)
      if event.decidedBy.isSimulated { query.add("simulated", "true") }
    case .revised: return nil
    }
    let text = query.text
    guard usesForm else { return UploadMessage(method: .get, query: text) }
    let form = UploadMessage.Field("Content-Type", "application/x-www-form-urlencoded")
    return UploadMessage(fields: [form], body: Array(text.utf8))
  }

  /// Returns a time in whole seconds, or in milliseconds if it has a fraction.
  ///
  /// Servers read numbers below 2^31 - 1 as seconds. So times from 2038 on can't be seconds, and times until 25 January
  /// 1970 can't be milliseconds.
  static func timestamp(_ time: UTCTime) -> String {
    let boundary = 2_147_483_647
    let seconds = time.wholeSeconds
    let milliseconds = Int(time.nanosecondsSince1970 / 1_000_000)
    let isWhole = time.nanosecondsSince1970 % 1_000_000_000 == 0
    let asSeconds = seconds < boundary && (isWhole || milliseconds < boundary)
    return "\(asSeconds ? seconds : milliseconds)"
  }
}

/// A query as it is being written.
private struct QueryText {
  private var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func add(_ place: Coordinate) {
    add("lat", place.latitude)
    add("lon", place.longitude)
  }

  mutating func add(_ key: StaticString, _ number: Double?) {
    guard let number, number.isFinite else { return }
    begin(key)
    bytes.appendShortest(number)
  }

  mutating func add(_ key: StaticString, _ text: String) {
    begin(key)
    // All but the unreserved characters of RFC 3986, section 2.3.
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes.appendPercentEncoded(byte)
      }
    }
  }

  private mutating func begin(_ key: StaticString) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    bytes.append(key)
    bytes.append(UInt8(ascii: "="))
  }
}

extension [UInt8] {
  /// Appends a byte as a percent sign and two hexadecimal digits (RFC 3986, section 2.1).
  mutating func appendPercentEncoded(_ byte: UInt8) {
    append(UInt8(ascii: "%"))
    for digit in [byte >> 4, byte & 15] {
      append(digit < 10 ? 48 + digit : UInt8(ascii: "A") + digit - 10)
    }
  }
}
