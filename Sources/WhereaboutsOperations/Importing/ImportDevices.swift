package import WhereaboutsFormats
package import WhereaboutsModel

/// The devices that the fixes of files belong to.
package struct ImportDevices {
  /// A device of fixes.
  package struct Target {
    package var id: DeviceID
    /// The names among ``renames`` that stand for it in the file.
    package var names: [DeviceID] = []
  }

  /// The name of the option `--device`; `nil` if it is not given.
  package var base: DeviceID?
  /// The devices for the names that files state.
  package var renames: [DeviceID: DeviceID] = [:]

  package init(base: DeviceID? = nil, renames: [DeviceID: DeviceID] = [:]) {
    self.base = base
    self.renames = renames
  }

  /// The longest name that is read from a file.
  private static let maxNameLength = 128

  /// Returns the device of a file's fixes for which the file states none.
  ///
  /// - Parameters:
  ///   - format: the format of the file.
  ///   - path: the path of the file. A Recorder's file lies in the folder of its device, in that of its user.
  ///   - isInArchive: whether the path is one in an archive.
  package func device(of format: RecordingFormat?, path: String, isInArchive: Bool = false) -> Target {
    if let base { return Target(id: base) }
    var folders = Self.lastFolders(of: path)
    guard Self.isOfOneDevice(format, path: path) else { return Target(id: "this") }
    // Dots name no folder: they stand before the file where the command reads `.` or `../phone`.
    let isWithin = folders.count < 2
    if isWithin || folders.contains(where: Self.isDots), !isInArchive,
      let absolute = System.absolutePath(of: path)
    {
      let all = Self.lastFolders(of: absolute, count: 3)
      // Folders that the command does not name are those of a Recorder in its own folder only.
      if !isWithin || (all.count == 3 && all[0] == "rec") { folders = Array(all.suffix(2)) }
    }
    guard folders.count == 2, !folders.contains(where: Self.isDots) else { return Target(id: "this") }
    return target(named: DeviceID(folders.joined(separator: "-")))
  }

  /// Returns whether a file is one of a Recorder, which writes a file for each device, although some messages may not
  /// state the device.
  package static func isOfOneDevice(_ format: RecordingFormat?, path: String) -> Bool {
    format == .ownTracks && path.split(separator: "/").last?.contains(".rec") ?? false
  }

  private static func lastFolders(of path: String, count: Int = 2) -> [Substring] {
    Array(path.split(separator: "/").dropLast().suffix(count))
  }

  private static func isDots(_ name: Substring) -> Bool { name == "." || name == ".." }

  /// Returns the device of a name that a file states.
  package func device(named name: String, in format: RecordingFormat?) -> Target {
    let name = String(name.prefix(Self.maxNameLength))
    // OwnTracks and Overland, whose batches are GeoJSON, state names. Other formats state numbers.
    let isName = format == .ownTracks || format == .geoJSON
    let hasPrefix = !isName || base != nil
    // Also by the id that an import without the option prints.
    let prefix = base?.rawValue ?? format?.rawValue ?? "device"
    return target(named: DeviceID(name), or: hasPrefix ? DeviceID("\(prefix)-\(name)") : nil)
  }

  private func target(named name: DeviceID, or id: DeviceID? = nil) -> Target {
    let id = id ?? name
    return Target(id: renames[name] ?? renames[id] ?? id, names: [name, id].filter { renames[$0] != nil })
  }
}
