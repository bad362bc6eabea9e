package import WhereaboutsModel
import WhereaboutsFormats

/// A JSON object with its members in the given order. Absent values are omitted.
package struct JSONObject {
  private var members: [UInt8] = []

  package init() {}

  /// Creates an object with one text.
  package init(_ key: String, _ value: String) { add(key, value) }

  /// Creates an object with one number.
  package init(_ key: String, _ value: Int) { add(key, value) }

  /// The text of the object, without a line end.
  package var bytes: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

  package mutating func add(_ key: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    members.appendJSONKey(named: key)
    members.appendShortest(value)
  }

  package mutating func add(_ key: String, _ value: Int?) {
    guard let value else { return }
    members.appendJSONKey(named: key)
    members.appendDecimal(value)
  }

  package mutating func add(_ key: String, _ value: Bool?) {
    guard let value else { return }
    members.appendJSONKey(named: key)
    members.appendJSON(value)
  }

  package mutating func add(_ key: String, _ value: String?) {
    guard let value else { return }
    members.appendJSONKey(named: key)
    members.appendJSONString(value)
  }

  /// Adds an object. An empty object is omitted.
  package mutating func add(_ key: String, _ value: JSONObject?) {
    guard let value, !value.members.isEmpty else { return }
    members.appendJSONKey(named: key)
    members.append(contentsOf: value.bytes)
  }

  /// Adds a list of objects.
  package mutating func add(_ key: String, _ values: [JSONObject]) {
    members.appendJSONKey(named: key)
    members.appendJSONArray(values) { $0 += $1.bytes }
  }

  /// Adds a list of strings.
  package mutating func add(_ key: String, _ values: [String]) {
    members.appendJSONKey(named: key)
    members.appendJSONArray(values) { $0.appendJSONString($1) }
  }

  /// Adds a fix in its documented JSON form.
  package mutating func add(_ key: String, _ fix: Fix) {
    members.appendJSONKey(named: key)
    members.appendJSON(fix)
  }
}
