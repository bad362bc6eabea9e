package import WhereaboutsModel
import WhereaboutsFormats

/// A fence as a GeoJSON feature, with the state of the device as further members of the feature. Absent values are omitted.
///
/// | key | unit | meaning |
/// | --- | --- | --- |
/// | `side` | text | the side of the device: `inside`, `outside` or `unknown` |
/// | `since` | RFC 3339 | time since which the device is on this side |
/// | `events` | list | the latest events of the fence in the form of ``FenceEventJSON``, the oldest first |
package enum FenceFeatureJSON {
  /// Appends a feature as a line.
  ///
  /// - Parameter events: the latest events; `nil` for a feature without them.
  package static func append(
    _ fence: Fence, _ state: FenceState?, events: [ReportedFenceEvent]? = nil, to bytes: inout [UInt8]
  ) {
    FenceWriter().append(fence, to: &bytes)
    // The feature's closing brace follows the further members.
    bytes.removeLast()
    bytes.appendJSONMember("side", (state?.side ?? .unknown).rawValue)
    if let state, state.side != .unknown, let since = state.since { bytes.appendJSONMember("since", since) }
    if let events {
      bytes.appendJSONKey("events")
      bytes.appendJSONArray(events) {
        FenceEventJSON.append($1, to: &$0)
        $0.removeLast()  // The end of the event's line.
      }
    }
    bytes.append(contentsOf: "}\n".utf8)
  }
}
