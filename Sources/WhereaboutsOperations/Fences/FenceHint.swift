import WhereaboutsReports

/// The hints for a store without fences or without their events.
package enum FenceHint {
  package static func noFences(at path: StorePath) -> String {
    guard let former = path.legacyFenceFile else {
      return "no fences. Run `whereabouts fence add` to add a fence."
    }
    return "no fences in \(path.file). \(importing(former))"
  }

  /// Reports on standard error that only other devices of the store have data, if so: each has fences of its own.
  package static func reportOtherDevices(than records: (any DeviceRecords)?) {
    guard let store = records as? OpenStore, let message = try? store.missingDataMessage() else { return }
    StandardError.print(message.sanitizedToOneLine)
  }

  /// Returns the remedy for fences that an earlier version stored in a file.
  package static func importing(_ former: String) -> String {
    "Run `whereabouts fence import \(former)` to import the fences of an earlier version."
  }
}
