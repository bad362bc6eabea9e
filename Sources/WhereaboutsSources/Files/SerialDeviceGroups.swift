import SystemPackage
import WhereaboutsSystem

/// The groups of this machine that may use serial devices.
package enum SerialDeviceGroups {
  /// Returns the names of the groups that devices belong to. A device that is not plugged in will belong to the group of
  /// serial devices, if this machine has one.
  package static func names(of devices: [String]) -> [String] {
    names(of: devices, groupOf: group(of:), exists: { FileAccess.hasGroup(named: $0) })
  }

  /// - Parameters:
  ///   - groupOf: returns the group of a path; `nil` where nothing is there.
  ///   - exists: whether this machine has a group of a name. A service manager does not start a service that names
  ///     another one.
  static func names(
    of devices: [String], groupOf: (String) -> FileAccess.Principal?, exists: (String) -> Bool
  ) -> [String] {
    // systemd's rules give serial devices to the first one, those of Arch Linux to the second.
    let standard = ["dialout", "uucp"].first(where: exists)
    var names: [String] = []
    for device in devices {
      let group = groupOf(device)
      let name = group?.id == 0 ? nil : group?.name
      if let name = name ?? standard, !names.contains(name) { names.append(name) }
    }
    return names
  }

  private static func group(of path: String) -> FileAccess.Principal? {
    guard let id = try? FilePath(path).stat().groupID.rawValue else { return nil }
    return FileAccess.Principal(id: id, name: FileAccess.groupName(id))
  }
}
