import WhereaboutsModel
import WhereaboutsFormats

/// A JSON object with its members in the given order. Absent values are omitted.
struct JSONObject {
  private var members: [UInt8] = []

  /// The text of the object, without a line end.
  var bytes: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

  mutating func add(_ key: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    begin(key)
    members.appendShortest(value)
  }

  mutating func add(_ key: String, _ value: Int?) {
    guard let value else { return }
    begin(key)
    members.appendDecimal(value)
  }

  mutating func add(_ key: String, _ value: Bool?) {
    guard let value else { return }
    begin(key)
    members.appendText(value ? "true" : "false")
  }

  mutating func add(_ key: String, _ value: String?) {
    guard let value else { return }
    begin(key)
    appendQuoted(value)
  }

  /// Adds an object. An empty object is omitted.
  mutating func add(_ key: String, _ value: JSONObject?) {
    guard let value, !value.members.isEmpty else { return }
    begin(key)
    members.append(contentsOf: value.bytes)
  }

  /// Adds a list of objects.
  mutating func add(_ key: String, _ values: [JSONObject]) {
    begin(key)
    append(values) { $0.members += $1.bytes }
  }

  /// Adds a list of strings.
  mutating func add(_ key: String, _ values: [String]) {
    begin(key)
    append(values) { $0.appendQuoted($1) }
  }

  private mutating func append<Value>(_ values: [Value], _ append: (inout JSONObject, Value) -> Void) {
    members.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { members.append(UInt8(ascii: ",")) }
      append(&self, value)
    }
    members.append(UInt8(ascii: "]"))
  }

  /// Adds a fix in its documented JSON form.
  mutating func add(_ key: String, _ fix: Fix) {
    begin(key)
    members.appendJSON(fix)
  }

  private mutating func begin(_ key: String) {
    if !members.isEmpty { members.append(UInt8(ascii: ",")) }
    appendQuoted(key)
    members.append(UInt8(ascii: ":"))
  }

  private mutating func appendQuoted(_ text: String) {
    members.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): members += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        members.appendText("\\u00")
        members += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: members.append(byte)
      }
    }
    members.append(UInt8(ascii: "\""))
  }
}
