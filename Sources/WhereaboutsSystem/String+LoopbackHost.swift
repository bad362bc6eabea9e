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
