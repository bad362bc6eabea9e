import WhereaboutsSystem
package import WhereaboutsUploadQueue

extension Endpoint {
  /// Whether the endpoint's server runs on this machine.
  package var isOnThisMachine: Bool {
    let authority = url.split(separator: "/").dropFirst().first ?? ""
    return authority.isLoopbackAuthority
  }
}
