import ArgumentParser
import WhereaboutsModel

/// A custom property of a fence as typed: `colour=red`. `true`, `false` and plain numbers keep their type.
struct PropertyArgument: ExplainedArgument, Hashable, Sendable {
  static let form = "Write a key and a value, as in colour=red"

  var key: String
  var value: JSONValue

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    key = String(parts[0])
    switch parts[1] {
    case "true": value = .bool(true)
    case "false": value = .bool(false)
    case let text:
      // Text is a number only if the number prints as the same text; "007" and "1e3" stay text.
      let number = Int(text).flatMap { String($0) == text && $0.magnitude < 1 << 53 ? Double($0) : nil }
      value = number.map { .number($0) } ?? .string(String(text))
    }
  }
}
