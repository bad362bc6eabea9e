import WhereaboutsFormats
package import WhereaboutsModel

extension ServerClient {
  /// Returns the health of each source of the server's machine; empty without one. The beginning of a state is unknown.
  package func sources() async throws -> [SourceHealth] {
    var sources: [SourceHealth] = []
    for status in try RemoteDevice.objects("sources", of: try await get(["sources"]).fields()) {
      let parts = try RemoteDevice.objects("parts", of: status)
      for part in parts { sources.append(try Self.health(part)) }
      if parts.isEmpty { sources.append(try Self.health(ofWhole: status)) }
    }
    return sources
  }

  private static func health(_ part: JSONFields) throws -> SourceHealth {
    try RemoteDevice.decoding { () throws(JSONFields.FieldError) in
      SourceHealth(
        name: try part.text("name").required("name"), state: try part.choice("state") ?? .failed,
        since: Moment(instant: .start, wall: nil), problem: try part.object("problem")?.problem())
    }
  }

  /// Returns the health of a source without parts, which has no name.
  private static func health(ofWhole status: JSONFields) throws -> SourceHealth {
    try RemoteDevice.decoding { () throws(JSONFields.FieldError) -> SourceHealth in
      let text = try status.text("state")
      let state: SourceHealth.State = text == "working" ? .ok : text == "unavailable" ? .noFix : .failed
      return SourceHealth(
        name: "of this machine", state: state, since: Moment(instant: .start, wall: nil),
        problem: try status.object("problem")?.problem())
    }
  }
}
