import WhereaboutsModel
import WhereaboutsGeodesy

// The messages for an OwnTracks app, in the response to its request.
//
// Source: the booklet of OwnTracks (https://owntracks.org/booklet/tech/json/ and /tech/http/).

extension [UInt8] {
  /// Appends the array of messages: empty, or a command that sets regions.
  mutating func appendOwnTracksMessages(_ fences: [Fence], removed: [FenceID]) {
    let circles = fences.compactMap { fence in
      if case .circle(let circle) = fence.area { (fence, circle) } else { nil }
    }
    append(UInt8(ascii: "["))
    if !circles.isEmpty || !removed.isEmpty {
      appendJSONObject {
        $0.appendJSONMember("_type", text: "cmd")
        $0.appendJSONMember("action", text: "setWaypoints")
        $0.appendJSONMember("waypoints") {
          $0.appendJSONMember("_type", text: "waypoints")
          $0.appendJSONKey("waypoints")
          $0.append(UInt8(ascii: "["))
          for (fence, circle) in circles { $0.appendWaypoint(fence, circle) }
          for id in removed { $0.appendRemoval(of: id) }
          $0.append(UInt8(ascii: "]"))
        }
      }
    }
    append(UInt8(ascii: "]"))
  }

  private mutating func appendWaypoint(_ fence: Fence, _ circle: Area.Circle) {
    appendWaypoint(fence.id, name: fence.name ?? fence.id.name) {
      $0.appendJSONCoordinate(circle.center)
      $0.appendJSONMember("rad", Swift.max(1, circle.radius.whole ?? 1))
    }
  }

  /// Appends a region at an impossible place, which removes the region with the same id.
  private mutating func appendRemoval(of id: FenceID) {
    appendWaypoint(id, name: id.name) {
      $0.appendJSONMember("lat", -1_000_000)
      $0.appendJSONMember("lon", -1_000_000)
      $0.appendJSONMember("rad", 0)
    }
  }

  private mutating func appendWaypoint(
    _ id: FenceID, name: String, _ place: (inout [UInt8]) -> Void
  ) {
    if last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
    appendJSONObject {
      $0.appendJSONMember("_type", text: "waypoint")
      $0.appendJSONMember("desc", name)
      place(&$0)
      // The same number as in uploads, so that a transition of either kind names the same region.
      $0.appendJSONMember("tst", UploadEncoder.waypoint(id))
      $0.appendJSONMember("rid", id.name)
    }
  }
}
