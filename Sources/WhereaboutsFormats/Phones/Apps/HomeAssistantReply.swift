import WhereaboutsModel
import WhereaboutsGeodesy

// The answers to the webhook of Home Assistant's companion app.

extension PhoneReport {
  /// Returns the answer to a message of the companion app.
  func webhookReply(_ fences: [Fence], timeZone: String) -> PhoneReply {
    switch webhookQuestions.first {
    case .zones?: .json { $0.appendZones(fences) }
    case .configuration?:
      .json { bytes in
        bytes.appendJSONObject {
          $0.appendJSONMember("location_name", text: "Whereabouts")
          $0.appendJSONMember("time_zone", timeZone)
          $0.appendJSONMember("components", ["mobile_app"]) { $0.appendJSONString($1) }
        }
      }
    case .registration?:
      .json(status: 201) { bytes in bytes.appendJSONObject { $0.appendJSONMember("success", true) } }
    case .sensors(let names)?:
      .json { bytes in
        bytes.appendJSONObject {
          for name in names {
            if $0.last != UInt8(ascii: "{") { $0.append(UInt8(ascii: ",")) }
            $0.appendJSONString(name)
            $0.append(UInt8(ascii: ":"))
            $0.appendJSONObject { $0.appendJSONMember("success", true) }
          }
        }
      }
    case nil: .json { $0.appendJSONObject { _ in } }
    }
  }
}

extension [UInt8] {
  /// Appends the circles among fences as zones.
  fileprivate mutating func appendZones(_ fences: [Fence]) {
    append(UInt8(ascii: "["))
    for fence in fences {
      guard case .circle(let circle) = fence.area else { continue }
      if last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
      appendJSONObject {
        $0.appendJSONMember("entity_id", "zone.\(fence.id.name)")
        $0.appendJSONMember("state", text: "0")
        $0.appendJSONMember("attributes") {
          $0.appendJSONMember("latitude", circle.center.latitude)
          $0.appendJSONMember("longitude", circle.center.longitude)
          $0.appendJSONMember("radius", circle.radius)
          $0.appendJSONMember("friendly_name", fence.name ?? fence.id.name)
        }
      }
    }
    append(UInt8(ascii: "]"))
  }
}
