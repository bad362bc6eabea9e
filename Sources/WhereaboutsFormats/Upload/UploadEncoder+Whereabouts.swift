import WhereaboutsModel

// Our own form; docs/upload.md describes it.

extension UploadEncoder {
  func whereabouts(_ items: [UploadItem], key: String) -> UploadMessage {
    .json {
      $0.appendJSONMember("whereabouts", text: "upload")
      $0.appendJSONMember("version", 1)
      $0.appendJSONMember("batch", key)
      $0.appendJSONMember("origin", origin)
      $0.appendJSONMember("device", identity.device)
      $0.appendJSONMember("items", items) { bytes, item in
        bytes.appendJSONObject { Self.append(item, to: &$0) }
      }
    }
  }

  private static func append(_ item: UploadItem, to bytes: inout [UInt8]) {
    bytes.appendJSONMember("id", item.id)
    switch item.content {
    case .fix(let fix):
      if fix.time == nil { bytes.appendJSONMember("seen", item.time) }
      bytes.appendJSONKey("fix")
      bytes.appendJSON(fix)
    case .crossing(let event): bytes.appendJSONMember("crossing") { $0.appendJSONMembers(event) }
    case .revised(let id, let event?):
      bytes.appendJSONMember("revised", id.number)
      bytes.appendJSONMember("crossing") { $0.appendJSONMembers(event) }
    case .revised(let id, nil):
      bytes.appendJSONMember("revised", id.number)
      bytes.appendJSONMember("withdrawn", true)
    }
  }
}
