import WhereaboutsCore
import WhereaboutsGeodesy

// Traccar's JSON, which is that of Transistorsoft: one location a request. Speed, heading, accuracy and altitude must be
// there; -1 is what it has for unknown.
//
// Source: https://www.traccar.org/osmand/ and the decoder of Traccar's server; Transistorsoft's location schema.

extension UploadEncoder {
  func traccar(_ item: UploadItem, key: String) -> UploadMessage? {
    guard let time = item.time else { return nil }
    if case .revised = item.content { return nil }
    return .json {
      $0.put("location") {
        $0.put("timestamp", time)
        $0.put("uuid", key)
        switch item.content {
        case .fix(let fix):
          $0.put("coords") { Self.putCoordinates(of: fix, to: &$0) }
          if fix.isSimulated { $0.put("mock", true) }
        case .crossing(let event):
          $0.put("coords") { Self.putCoordinates(of: event, to: &$0) }
          $0.put("event", text: "geofence")
          $0.put("geofence") {
            $0.put("identifier", event.fence.name)
            $0.put("action", text: event.kind.traccarAction)
            $0.put("timestamp", event.time)
          }
          $0.put("extras") {
            $0.put("event", event.id.number)
            $0.put("confidence", event.confidence.inThousandths)
          }
          if event.decidedBy.isSimulated { $0.put("mock", true) }
        case .revised: break
        }
      }
      $0.put("device_id", identity.device)
    }
  }

  private static func putCoordinates(of fix: Fix, to bytes: inout [UInt8]) {
    bytes.put("latitude", fix.coordinate.latitude)
    bytes.put("longitude", fix.coordinate.longitude)
    bytes.put("accuracy", fix.horizontalAccuracy?.ifFinite ?? -1)
    bytes.put("speed", fix.speed?.ifFinite ?? -1)
    bytes.put("speed_accuracy", fix.speedAccuracy?.ifFinite)
    bytes.put("heading", fix.course?.ifFinite ?? -1)
    bytes.put("heading_accuracy", fix.courseAccuracy?.ifFinite)
    // An altitude must be there and has no form for unknown: its accuracy says it.
    let height = fix.heightAboveGeoid?.ifFinite
    bytes.put("altitude", height ?? 0)
    bytes.put("altitude_accuracy", height == nil ? -1 : fix.verticalAccuracy?.ifFinite)
  }

  /// Of a crossing the place is known, and with it nothing else.
  private static func putCoordinates(of event: FenceEvent, to bytes: inout [UInt8]) {
    bytes.put("latitude", event.place.latitude)
    bytes.put("longitude", event.place.longitude)
    bytes.put("accuracy", event.decidedBy.horizontalAccuracy?.ifFinite ?? -1)
    bytes.put("speed", -1)
    bytes.put("heading", -1)
    bytes.put("altitude", 0)
    bytes.put("altitude_accuracy", -1)
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
