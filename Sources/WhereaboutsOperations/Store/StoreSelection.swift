package import Whereabouts

/// The store that a user selects, and a device in the store.
package struct StoreSelection: Hashable, Sendable {
  /// The path as typed; `nil` for the default store.
  package var file: String?
  /// The device; `nil` if none was given.
  package var device: DeviceID?

  package init(file: String?, device: DeviceID?) {
    self.file = file
    self.device = device
  }

  /// Returns the path of the store, whether or not the file exists.
  package func path() throws(CommandError) -> StorePath {
    guard file != "-" else {
      throw CommandError(
        "--store - is not possible: a store is a file. Pass --store FILE, or --store ./- for a file of that name.",
        code: .usage)
    }
    if let file { return StorePath(file) }
    guard let standard = StorePath.standard else {
      throw CommandError(
        "no default store path: HOME and XDG_DATA_HOME are not set. Pass --store FILE.", code: .usage)
    }
    return standard
  }
}
