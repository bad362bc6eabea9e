import ArgumentParser
import WhereaboutsCore

/// Something that is kept with a fence, as typed: `colour=red`. `true`, `false` and plain numbers are kept as such.
struct PropertyArgument: ExpressibleByArgument, Hashable, Sendable {
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
      // A number that is written back as it was typed is one; "007" and "1e3" are names.
      let number = Int(text).flatMap { String($0) == text && $0.magnitude < 1 << 53 ? Double($0) : nil }
      value = number.map { .number($0) } ?? .string(String(text))
    }
  }
}
