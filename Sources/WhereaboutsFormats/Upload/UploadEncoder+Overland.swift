import WhereaboutsCore
import WhereaboutsGeodesy

// Overland's batches: features of GeoJSON, whole numbers, -1 for what is not known.
//
// Source: the API in the read-me of Overland (https://github.com/aaronpk/Overland-iOS).

extension UploadEncoder {
  func overland(_ items: [UploadItem]) -> UploadMessage {
    .json {
      $0.put("locations", items) { bytes, item in
        guard case .fix(let fix) = item.content, let time = item.time else { return }
        bytes.putObject {
          $0.put("type", text: "Feature")
          $0.put("geometry") {
            $0.put("type", text: "Point")
            $0.put(key: "coordinates")
            $0.appendPosition(fix.coordinate, height: nil)
          }
          $0.put("properties") { put(fix, at: time, of: items.count, to: &$0) }
        }
      }
    }
  }

  private func put(_ fix: Fix, at time: UTCTime, of count: Int, to bytes: inout [UInt8]) {
    bytes.put("timestamp", time.wholeSecondText)
    let height = fix.heightAboveGeoid?.whole
    bytes.put("altitude", height)
    bytes.put("speed", fix.speed?.whole ?? -1)
    bytes.put("course", fix.course?.wholeCourse ?? -1)
    bytes.put("horizontal_accuracy", fix.horizontalAccuracy?.wholeAccuracy ?? -1)
    bytes.put("vertical_accuracy", height == nil ? -1 : fix.verticalAccuracy?.wholeAccuracy ?? -1)
    bytes.put("speed_accuracy", fix.speedAccuracy?.ifFinite)
    bytes.put("course_accuracy", fix.courseAccuracy?.ifFinite)
    bytes.put("battery_state", text: "unknown")
    bytes.put("wifi", text: "")
    bytes.put("device_id", identity.device)
    bytes.put("locations_in_payload", count)
  }
}
