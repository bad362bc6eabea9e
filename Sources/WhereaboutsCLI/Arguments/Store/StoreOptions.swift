import ArgumentParser
import Whereabouts
import WhereaboutsOperations

/// The option for a store, of commands that are not about one device of the store.
struct StoreFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Store file with fixes, trips, fences and events. (default: \(StorePath.standardDescription))",
      valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var store: String?

  init() {}

  func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store requires a file") }
  }

  /// The selected store.
  var selection: StoreSelection { selection(of: nil) }

  /// Returns the selected store, and a device in it.
  func selection(of device: DeviceID?) -> StoreSelection { StoreSelection(file: store, device: device) }

  /// Returns the path of the store, whether or not the file exists.
  func path() throws(CommandError) -> StorePath { try selection.path() }
}

/// The options for a store and a device in the store. The commands about one device share these options.
struct StoreOptions: ParsableArguments {
  @OptionGroup var file: StoreFileOptions

  @Option(
    help: ArgumentHelp("Device to use, in a store with several devices.", valueName: "name"),
    transform: StoreOptions.device)
  var device: DeviceID?

  static func device(_ name: String) throws -> DeviceID {
    guard !name.isEmpty else { throw ValidationError("a device name must have at least one character") }
    return DeviceID(rawValue: name)
  }

  /// The store file as typed; `nil` for the default store.
  var store: String? { file.store }

  /// The selected store and device.
  var selection: StoreSelection { file.selection(of: device) }

  /// Returns the path of the store, whether or not the file exists.
  func path() throws(CommandError) -> StorePath { try file.path() }
}
