import WhereaboutsModel
import WhereaboutsGeodesy

// The messages of OwnTracks over HTTP: one JSON object a request, identity by topic and header fields. Numbers are
// whole; zeros are left out, as in its apps.
//
// Source: the booklet of OwnTracks (https://owntracks.org/booklet/tech/json/ and /tech/http/).

extension UploadEncoder {
  func owntracks(_ item: UploadItem, key: String, at now: UTCTime?) -> UploadMessage? {
    let fields = [
      UploadMessage.Field("X-Limit-U", identity.user), UploadMessage.Field("X-Limit-D", identity.device),
    ]
    switch item.content {
    case .fix(let fix):
      guard let time = item.time else { return nil }
      return .json(fields) {
        $0.appendJSONMember("_type", text: "location")
        $0.appendJSONCoordinate(fix.coordinate)
        $0.appendJSONMember("tst", time.wholeSeconds)
        // A machine whose clock is not set states 1970.
        if let now, now.nanosecondsSince1970 > 0, now.wholeSeconds != time.wholeSeconds {
          $0.appendJSONMember("created_at", now.wholeSeconds)
        }
        $0.appendOwnTracksMembers(of: fix)
        $0.appendJSONMember("tid", identity.trackerID)
        $0.appendJSONMember("topic", identity.topic)
        $0.appendJSONMember("_id", key)
      }
    case .crossing(let event):
      let isEntering = event.kind == .enter
      return .json(fields) {
        $0.appendJSONMember("_type", text: "transition")
        $0.appendJSONMember("event", text: isEntering ? "enter" : "leave")
        $0.appendJSONMember("wtst", Self.waypoint(event.fence))
        $0.appendJSONMember("tst", event.time.wholeSeconds)
        // Required: 0 means unknown.
        $0.appendJSONMember("acc", event.decidedBy.horizontalAccuracy?.wholeAccuracy ?? 0)
        $0.appendJSONCoordinate(event.place)
        $0.appendJSONMember("desc", item.fenceName ?? event.fence.name)
        $0.appendJSONMember("rid", event.fence.name)
        $0.appendJSONMember("t", text: "l")
        $0.appendJSONMember("tid", identity.trackerID)
        $0.appendJSONMember("topic", "\(identity.topic)/event")
        $0.appendJSONMember("_id", key)
      }
    case .revised: return nil
    }
  }

  /// Returns a number in place of a waypoint's creation time, by which OwnTracks identifies waypoints. The number is
  /// fixed for each fence, and below 1e9 so that it is not read as a real time.
  ///
  /// - Source: FNV-1a (draft-eastlake-fnv), 64 bits.
  static func waypoint(_ fence: FenceID) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in fence.name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(hash % 999_999_999) + 1
  }
}
