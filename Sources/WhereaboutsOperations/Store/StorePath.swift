package import Whereabouts
import WhereaboutsReports
import WhereaboutsSystem

/// The path of a store.
package struct StorePath: Hashable, Sendable {
  private static let name = "whereabouts.sqlite"

  /// The path of the store's file.
  package let file: String

  /// Creates the path of a store as typed. A folder stands for the store file in the folder, for compatibility.
  package init(_ path: String) {
    let isFolder = path.hasSuffix("/") || System.status(atPath: path)?.isDirectory == true
    file = isFolder ? "\(path.hasSuffix("/") ? path : "\(path)/")\(Self.name)" : path
  }

  /// The default store of the platform; `nil` if HOME and XDG_DATA_HOME are not set.
  package static var standard: StorePath? {
    // The XDG specification ignores relative paths.
    if let data = System.environment("XDG_DATA_HOME"), data.hasPrefix("/") {
      return StorePath("\(data)/whereabouts/\(name)")
    }
    guard let home = System.environment("HOME"), !home.isEmpty else { return nil }
    return StorePath("\(home)/\(folder)/whereabouts/\(name)")
  }

  /// A description of the default path.
  package static let standardDescription = "whereabouts/\(name) in $XDG_DATA_HOME or ~/\(folder)"

  /// The options of a command about this store and a device, quoted for a shell; empty for the defaults.
  package func options(of device: DeviceID = .this) -> String {
    let store = self == Self.standard ? "" : " --store \(file.shellQuoted)"
    return device == .this ? store : "\(store) --device \(device.rawValue.shellQuoted)"
  }

  private static var folder: String {
    #if canImport(Darwin)
      "Library/Application Support"
    #else
      ".local/share"
    #endif
  }

  /// The path of the Unix socket of a server over this store.
  package var socket: String { "\(file).socket" }

  /// Whether the file exists, or may exist where this user can't see it.
  package var exists: Bool { !System.isMissing(file) }

  /// Whether the file exists and is empty: another program has created or truncated it. The first run of another
  /// process, which has just created the file, has half a second for the first page.
  package var isEmptyFile: Bool { staysEmpty { _ = usleep(10_000) } }

  /// Returns whether the file exists and is empty, also after 50 pauses.
  package func staysEmpty(pause: () throws -> Void) rethrows -> Bool {
    for _ in 0..<50 {
      guard System.size(ofFile: file) == 0, (System.size(ofFile: "\(file)-wal") ?? 0) == 0 else {
        return false
      }
      try pause()
    }
    return true
  }

  /// Reports that a store begins in a file that was empty.
  package func reportEmptyFile() {
    StandardError.print("whereabouts: \(file) was empty and begins as a new store".sanitizedToOneLine)
  }

  /// The path of the file in which an older version kept fences, beside the store; `nil` if there is no such file.
  package var legacyFenceFile: String? {
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    let path = "\(folder)/fences.geojson"
    return System.status(atPath: path)?.isRegular == true ? path : nil
  }
}
