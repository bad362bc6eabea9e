import WhereaboutsCore

// Our own form; docs/upload.md describes it.

extension UploadEncoder {
  func whereabouts(_ items: [UploadItem], key: String) -> UploadMessage {
    .json {
      $0.put("whereabouts", text: "upload")
      $0.put("version", 1)
      $0.put("batch", key)
      $0.put("origin", origin)
      $0.put("device", identity.device)
      $0.put("items", items) { bytes, item in bytes.putObject { Self.put(item, to: &$0) } }
    }
  }

  private static func put(_ item: UploadItem, to bytes: inout [UInt8]) {
    bytes.put("id", item.id)
    switch item.content {
    case .fix(let fix):
      if fix.time == nil { bytes.put("seen", item.time) }
      bytes.put(key: "fix")
      bytes.appendJSON(fix)
    case .crossing(let event): bytes.put("crossing") { $0.put(event) }
    case .revised(let id, let event?):
      bytes.put("revised", id.number)
      bytes.put("crossing") { $0.put(event) }
    case .revised(let id, nil):
      bytes.put("revised", id.number)
      bytes.put("withdrawn", true)
    }
  }
}
