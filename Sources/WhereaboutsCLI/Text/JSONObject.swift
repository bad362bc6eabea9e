import WhereaboutsModel
import WhereaboutsFormats

/// A JSON object with its members in the given order. Absent values are omitted.
struct JSONObject {
  private var members: [UInt8] = []

  /// The text of the object, without a line end.
  var bytes: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

  mutating func add(_ key: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    members.appendJSONKey(named: key)
    members.appendShortest(value)
  }

  mutating func add(_ key: String, _ value: Int?) {
    guard let value else { return }
    members.appendJSONKey(named: key)
    members.appendDecimal(value)
  }

  mutating func add(_ key: String, _ value: Bool?) {
    guard let value else { return }
    members.appendJSONKey(named: key)
    members.appendJSON(value)
  }

  mutating func add(_ key: String, _ value: String?) {
    guard let value else { return }
    members.appendJSONKey(named: key)
    members.appendJSONString(value)
  }

  /// Adds an object. An empty object is omitted.
  mutating func add(_ key: String, _ value: JSONObject?) {
    guard let value, !value.members.isEmpty else { return }
    members.appendJSONKey(named: key)
    members.append(contentsOf: value.bytes)
  }

  /// Adds a list of objects.
  mutating func add(_ key: String, _ values: [JSONObject]) {
    members.appendJSONKey(named: key)
    members.appendJSONArray(values) { $0 += $1.bytes }
  }

  /// Adds a list of strings.
  mutating func add(_ key: String, _ values: [String]) {
    members.appendJSONKey(named: key)
    members.appendJSONArray(values) { $0.appendJSONString($1) }
  }

  /// Adds a fix in its documented JSON form.
  mutating func add(_ key: String, _ fix: Fix) {
    members.appendJSONKey(named: key)
    members.appendJSON(fix)
  }
}
