import WhereaboutsModel
import WhereaboutsGeodesy

// Traccar's JSON, which is that of Transistorsoft: one location a request. Speed, heading, accuracy and altitude are
// required; -1 means unknown.
//
// Source: https://www.traccar.org/osmand/ and the decoder of Traccar's server; Transistorsoft's location schema.

extension UploadEncoder {
  func traccar(_ item: UploadItem, key: String) -> UploadMessage? {
    guard let time = item.time else { return nil }
    if case .revised = item.content { return nil }
    return .json {
      $0.appendJSONMember("location") {
        $0.appendJSONMember("timestamp", time)
        $0.appendJSONMember("uuid", key)
        switch item.content {
        case .fix(let fix):
          $0.appendJSONMember("coords") { Self.appendCoordinates(of: fix, to: &$0) }
          if fix.isSimulated { $0.appendJSONMember("mock", true) }
        case .crossing(let event):
          $0.appendJSONMember("coords") { Self.appendCoordinates(of: event, to: &$0) }
          $0.appendJSONMember("event", text: "geofence")
          $0.appendJSONMember("geofence") {
            $0.appendJSONMember("identifier", event.fence.name)
            $0.appendJSONMember("action", text: event.kind.traccarAction)
            $0.appendJSONMember("timestamp", event.time)
          }
          $0.appendJSONMember("extras") {
            $0.appendJSONMember("event", event.id.number)
            $0.appendJSONMember("confidence", event.confidence.inThousandths)
          }
          if event.decidedBy.isSimulated { $0.appendJSONMember("mock", true) }
        case .revised: break
        }
      }
      $0.appendJSONMember("device_id", identity.device)
    }
  }

  private static func appendCoordinates(of fix: Fix, to bytes: inout [UInt8]) {
    bytes.appendJSONMember("latitude", fix.coordinate.latitude)
    bytes.appendJSONMember("longitude", fix.coordinate.longitude)
    bytes.appendJSONMember("accuracy", fix.horizontalAccuracy?.ifFinite ?? -1)
    bytes.appendJSONMember("speed", fix.speed?.ifFinite ?? -1)
    bytes.appendJSONMember("speed_accuracy", fix.speedAccuracy?.ifFinite)
    bytes.appendJSONMember("heading", fix.course?.ifFinite ?? -1)
    bytes.appendJSONMember("heading_accuracy", fix.courseAccuracy?.ifFinite)
    // The altitude is required and has no form for unknown: its accuracy marks it as unknown.
    let height = fix.heightAboveGeoid?.ifFinite
    bytes.appendJSONMember("altitude", height ?? 0)
    bytes.appendJSONMember("altitude_accuracy", height == nil ? -1 : fix.verticalAccuracy?.ifFinite)
  }

  /// Appends the coordinates of a crossing: of a crossing, only the place is known.
  private static func appendCoordinates(of event: FenceEvent, to bytes: inout [UInt8]) {
    bytes.appendJSONMember("latitude", event.place.latitude)
    bytes.appendJSONMember("longitude", event.place.longitude)
    bytes.appendJSONMember("accuracy", event.decidedBy.horizontalAccuracy?.ifFinite ?? -1)
    bytes.appendJSONMember("speed", -1)
    bytes.appendJSONMember("heading", -1)
    bytes.appendJSONMember("altitude", 0)
    bytes.appendJSONMember("altitude_accuracy", -1)
  }
}

extension FenceEvent.Kind {
  fileprivate var traccarAction: StaticString {
    switch self {
    case .enter: "ENTER"
    case .exit: "EXIT"
    case .dwell: "DWELL"
    }
  }
}
