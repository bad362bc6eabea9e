import WhereaboutsSystem
package import WhereaboutsUploadQueue

extension Endpoint {
  /// Whether the endpoint's server runs on this machine.
  package var isOnThisMachine: Bool {
    let host = url.split(separator: "/").dropFirst().first ?? ""
    if host.hasPrefix("[") { return host.dropFirst().prefix { $0 != "]" }.isLoopbackHost }
    return host.prefix { $0 != ":" }.isLoopbackHost
  }
}
