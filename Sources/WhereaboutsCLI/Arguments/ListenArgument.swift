import ArgumentParser
import WhereaboutsSources

/// A listening address as typed: `2947`, `0.0.0.0:2947` or `[::]:2947`.
struct ListenArgument: ExplainedArgument, Hashable, Sendable {
  static let form = "Write a port, or an address and a port, as in 2947, 0.0.0.0:2947 or [::]:2947"

  let address: RelayAddress

  init?(argument: String) {
    guard let (host, digits) = RelayAddress.parts(of: argument), digits.allSatisfy(\.isASCII),
      let port = Int(digits), (0...65_535).contains(port)
    else { return nil }
    address = RelayAddress(host: host ?? "localhost", port: port)
  }
}
