import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy

/// Events of fences as JSON lines, one for each event. What is absent is left out.
///
/// | key | unit | meaning |
/// | --- | --- | --- |
/// | `fence` | text | the id of the fence |
/// | `event` | text | `enter`, `exit` or `dwell` |
/// | `time` | RFC 3339 | when the boundary was crossed; of a dwell, when it had lasted long enough |
/// | `uncertainty` | s | by how much `time` may be off, at 68 % |
/// | `decided` | RFC 3339 | the time of the fix that settled it |
/// | `pending` | s | how long it had been likely before it was sure enough |
/// | `lat`, `lon` | degrees | where the boundary was crossed |
/// | `confidence` | 0.5 to 1 | how probable it is |
/// | `manner` | text | `crossed`, `passedThrough`, `unseen`, `initial` or `stayed` |
/// | `between` | RFC 3339 | two times between which it happened, where nobody looked |
/// | `id` | number | names the event for good; what is told of it later has the same |
/// | `again` | flag | it may have been told before: the process ended meanwhile |
/// | `revised`, `revoked` | flag | a fix that came late has changed it, or shown that it did not happen |
enum FenceEventJSON {
  /// Appends an event's line.
  static func append(_ event: ToldEvent, to bytes: inout [UInt8]) {
    bytes.putObject {
      $0.put("fence", event.fence.name)
      $0.put("event", event.kind.rawValue)
      $0.put("time", event.time)
      $0.put("decided", event.decided)
      $0.put("lat", event.place.latitude.rounded(to: 1e7))
      $0.put("lon", event.place.longitude.rounded(to: 1e7))
      $0.put("confidence", event.confidence.rounded(to: 1e6))
      $0.put("uncertainty", event.uncertainty.rounded(to: 1e3))
      $0.put("manner", event.manner.rawValue)
      $0.put("pending", event.pending.inSeconds.rounded(to: 1e3))
      $0.put("id", event.id)
      if let lastSeen = event.lastSeen { put(lastSeen, event.firstSeen, to: &$0) }
      switch event.news {
      case .new: break
      case .again: $0.put("again", true)
      case .revised: $0.put("revised", true)
      case .revoked: $0.put("revoked", true)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func put(_ from: UTCTime, _ to: UTCTime, to bytes: inout [UInt8]) {
    bytes.put(key: "between")
    bytes.appendText("[\"\(from.iso8601)\",\"\(to.iso8601)\"]")
  }
}
