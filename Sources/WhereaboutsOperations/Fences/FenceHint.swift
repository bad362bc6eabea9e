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
  ///
  /// - Parameter ofEvents: whether the events are missing. Those of a server are of one device, while its fences are of
  ///   all devices.
  package static func reportOtherDevices(than records: (any DeviceRecords)?, ofEvents: Bool = false) {
    #if Upload
      let server = ofEvents ? records as? ServerRecords : nil
      let store = (records as? OpenStore) ?? server?.openStore()
    #else
      let store = records as? OpenStore
    #endif
    guard let store, let message = try? store.missingDataMessage() else { return }
    StandardError.print(message.sanitizedToOneLine)
  }

  /// Returns the remedy for fences that an earlier version stored in a file.
  package static func importing(_ former: String) -> String {
    "Run `whereabouts fence import \(former)` to import the fences of an earlier version."
  }
}
