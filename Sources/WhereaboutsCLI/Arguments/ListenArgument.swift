import ArgumentParser
import WhereaboutsSources

/// A listening address as typed: `2947`, `0.0.0.0:2947` or `[::]:2947`.
struct ListenArgument: ExplainedArgument, Hashable, Sendable {
  static let form = "Write a port, or an address and a port, as in 2947, 0.0.0.0:2947 or [::]:2947"

  let address: RelayAddress

  init(_ address: RelayAddress) { self.address = address }

  init?(argument: String) {
    var host = "localhost"
    var rest = argument[...]
    if let colon = rest.lastIndex(of: ":") {
      host = String(rest[..<colon])
      rest = rest[rest.index(after: colon)...]
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = String(host.dropFirst().dropLast())
      } else if host.contains(":") {
        return nil
      }
    }
    guard !host.isEmpty, rest.allSatisfy(\.isASCII), let port = Int(rest), (0...65_535).contains(port) else {
      return nil
    }
    address = RelayAddress(host: host, port: port)
  }
}
