import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

/// Fence events as JSON lines, one line for each event. Absent values are omitted.
///
/// | key | unit | meaning |
/// | --- | --- | --- |
/// | `fence` | text | the id of the fence |
/// | `event` | text | `enter`, `exit` or `dwell` |
/// | `time` | RFC 3339 | time of the crossing; for a dwell, the end of the required duration |
/// | `uncertainty` | s | uncertainty of `time` at 68 % |
/// | `decided` | RFC 3339 | time of the fix that settled the event |
/// | `pending` | s | time between the first evidence and the decision |
/// | `lat`, `lon` | degrees | position of the crossing |
/// | `confidence` | 0.5 to 1 | probability of the event |
/// | `manner` | text | `crossed`, `passedThrough`, `unseen`, `initial` or `stayed` |
/// | `between` | RFC 3339 | two times that enclose the event, if no fix saw the crossing |
/// | `id` | number | permanent id of the event, shared by its revisions |
/// | `again` | flag | possible repetition of a report after the process ended |
/// | `revised`, `revoked` | flag | a late fix has changed or disproved the event |
package enum FenceEventJSON {
  /// Returns a probability with six digits. One below 1 is not rounded to 1, which would be certainty.
  package static func confidence(_ probability: Double) -> Double {
    probability < 1 ? min(probability.rounded(to: 1e6), 0.999_999) : probability
  }

  /// Appends an event's line.
  ///
  /// - Parameter members: appends members before those of the event.
  package static func append(
    _ event: ReportedFenceEvent, after members: (inout [UInt8]) -> Void = { _ in }, to bytes: inout [UInt8]
  ) {
    bytes.appendJSONObject {
      members(&$0)
      $0.appendJSONMember("fence", event.fence.name)
      $0.appendJSONMember("event", event.kind.rawValue)
      $0.appendJSONMember("time", event.time)
      $0.appendJSONMember("decided", event.decided)
      $0.appendJSONMember("lat", event.place.latitude.rounded(to: 1e7))
      $0.appendJSONMember("lon", event.place.longitude.rounded(to: 1e7))
      $0.appendJSONMember("confidence", confidence(event.confidence))
      $0.appendJSONMember("uncertainty", event.timeUncertainty.rounded(to: 1e3))
      $0.appendJSONMember("manner", event.manner.rawValue)
      $0.appendJSONMember("pending", event.pending.inSeconds.rounded(to: 1e3))
      $0.appendJSONMember("id", event.id)
      if let lastSeen = event.lastSeen {
        $0.appendJSONMember("between", [lastSeen, event.firstAfter]) { $0.appendJSONString($1) }
      }
      switch event.status {
      case .new: break
      case .again: $0.appendJSONMember("again", true)
      case .revised: $0.appendJSONMember("revised", true)
      case .revoked: $0.appendJSONMember("revoked", true)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
