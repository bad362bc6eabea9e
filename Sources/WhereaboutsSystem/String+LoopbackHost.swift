extension StringProtocol {
  /// Whether a host is this machine: `localhost`, `::1`, or an address that begins with 127.
  ///
  /// A name such as `127.example.org` is any machine.
  package var isLoopbackHost: Bool {
    let name = lowercased()
    if name == "localhost" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension Substring {
  /// Whether the host of a URL's authority is this machine: `localhost:8080`, `[::1]:8080`, with or without a port.
  ///
  /// The authority must have no user before its host.
  package var isLoopbackAuthority: Bool {
    let host = hasPrefix("[") ? dropFirst().prefix { $0 != "]" } : prefix { $0 != ":" }
    return host.isLoopbackHost
  }
}
