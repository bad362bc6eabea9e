import WhereaboutsCore
import WhereaboutsGeodesy

// The messages of OwnTracks over HTTP: one JSON object a request, identity by topic and header fields. Whole numbers;
// what is 0 is left out, as its apps do.
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
        $0.put("_type", text: "location")
        $0.putPlace(fix.coordinate)
        $0.put("tst", time.wholeSeconds)
        // A machine without a clock that is set says 1970.
        if let now, now.nanosecondsSince1970 > 0, now.wholeSeconds != time.wholeSeconds {
          $0.put("created_at", now.wholeSeconds)
        }
        $0.putUnlessZero("acc", fix.horizontalAccuracy?.wholeAccuracy)
        let height = fix.heightAboveGeoid?.whole
        $0.putUnlessZero("alt", height)
        if height != nil { $0.putUnlessZero("vac", fix.verticalAccuracy?.wholeAccuracy) }
        $0.putUnlessZero("vel", fix.speed.flatMap { ($0 * 3.6).whole })
        // North is left out too, and nobody can tell it from unknown.
        $0.putUnlessZero("cog", fix.course?.wholeCourse)
        $0.put("tid", identity.trackerID)
        $0.put("topic", identity.topic)
        $0.put("_id", key)
      }
    case .crossing(let event):
      let isEntering = event.kind == .enter
      return .json(fields) {
        $0.put("_type", text: "transition")
        $0.put("event", text: isEntering ? "enter" : "leave")
        $0.put("wtst", Self.waypoint(event.fence))
        $0.put("tst", event.time.wholeSeconds)
        // Required: 0 is what it has for unknown.
        $0.put("acc", event.decidedBy.horizontalAccuracy?.wholeAccuracy ?? 0)
        $0.putPlace(event.place)
        $0.put("desc", item.fenceName ?? event.fence.name)
        $0.put("rid", event.fence.name)
        $0.put("t", text: "l")
        $0.put("tid", identity.trackerID)
        $0.put("topic", "\(identity.topic)/event")
        $0.put("_id", key)
      }
    case .revised: return nil
    }
  }

  /// What stands for the time a waypoint was made, by which OwnTracks knows it again: a number for each fence, below
  /// 1e9 so that nobody takes it for a true one.
  ///
  /// - Source: FNV-1a (draft-eastlake-fnv), 64 bits.
  static func waypoint(_ fence: FenceID) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in fence.name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(hash % 999_999_999) + 1
  }
}
