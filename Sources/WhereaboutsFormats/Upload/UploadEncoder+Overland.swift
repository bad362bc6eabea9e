import WhereaboutsModel
import WhereaboutsGeodesy

// Overland's batches: features of GeoJSON, whole numbers, -1 for unknown values.
//
// Source: the API in the read-me of Overland (https://github.com/aaronpk/Overland-iOS).

extension UploadEncoder {
  func overland(_ items: [UploadItem]) -> UploadMessage {
    .json {
      $0.appendJSONMember("locations", items) { bytes, item in
        guard case .fix(let fix) = item.content, let time = item.time else { return }
        bytes.appendJSONObject {
          $0.appendJSONMember("type", text: "Feature")
          $0.appendJSONMember("geometry") {
            $0.appendJSONMember("type", text: "Point")
            $0.appendJSONKey("coordinates")
            $0.appendPosition(fix.coordinate, height: nil)
          }
          $0.appendJSONMember("properties") { append(fix, at: time, of: items.count, to: &$0) }
        }
      }
    }
  }

  private func append(_ fix: Fix, at time: UTCTime, of count: Int, to bytes: inout [UInt8]) {
    bytes.appendJSONMember("timestamp", time.wholeSecondText)
    let height = fix.heightAboveGeoid?.whole
    bytes.appendJSONMember("altitude", height)
    bytes.appendJSONMember("speed", fix.speed?.whole ?? -1)
    bytes.appendJSONMember("course", fix.course?.wholeCourse ?? -1)
    bytes.appendJSONMember("horizontal_accuracy", fix.horizontalAccuracy?.wholeAccuracy ?? -1)
    bytes.appendJSONMember(
      "vertical_accuracy", height == nil ? -1 : fix.verticalAccuracy?.wholeAccuracy ?? -1)
    bytes.appendJSONMember("speed_accuracy", fix.speedAccuracy?.ifFinite)
    bytes.appendJSONMember("course_accuracy", fix.courseAccuracy?.ifFinite)
    bytes.appendJSONMember("battery_state", text: "unknown")
    bytes.appendJSONMember("wifi", text: "")
    bytes.appendJSONMember("device_id", identity.device)
    bytes.appendJSONMember("locations_in_payload", count)
  }
}
