import NIOHTTP1
import WhereaboutsFormats
package import WhereaboutsModel

extension ServerClient {
  /// The number of attempts of a change that other clients' changes overtake.
  private static let attempts = 5

  /// Returns the devices that the token may read.
  package func devices() async throws -> [DeviceID] {
    try RemoteDevice.objects("devices", of: try await get(["devices"]).fields()).map { fields in
      try RemoteDevice.decoding { () throws(JSONFields.FieldError) in
        DeviceID(try fields.text("id").required("id"))
      }
    }
  }

  /// Returns whether the server has a source of its machine.
  package func hasSource() async throws -> Bool {
    try await !RemoteDevice.objects("sources", of: try get(["sources"]).fields()).isEmpty
  }

  /// Returns the fences, which all devices share.
  package func fences() async throws -> [Fence] { try await taggedFences().fences }

  /// Changes the fences, and returns when the change is on the server's disk.
  ///
  /// - Parameter change: changes the fences; called again if they were changed meanwhile.
  package func changeFences<Result>(_ change: (inout [Fence]) throws -> Result) async throws -> Result {
    for attempt in 1... {
      let (before, tag) = try await taggedFences()
      var fences = before
      let result = try change(&fences)
      guard fences != before else { return result }
      do {
        _ = try await send(
          .PUT, ["fences"], body: (FenceWriter().write(fences), "application/geo+json"), tag: tag)
        return result
      } catch let error as ServerClientError where error.kind == .changed && attempt < Self.attempts {
        continue
      }
    }
    throw ServerClientError(.changed, "the fences were changed all the time")
  }

  private func taggedFences() async throws -> (fences: [Fence], tag: String?) {
    let response = try await get(["fences"])
    let file = FenceReader().read(response.body)
    guard file.problems.isEmpty else { throw ServerClientError.malformed }
    return (file.fences, response.tag)
  }
}
