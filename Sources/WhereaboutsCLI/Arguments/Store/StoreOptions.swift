import ArgumentParser
import Whereabouts
import WhereaboutsOperations

/// The options for a store and a device in the store. Every command that reads a store shares these options.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Store file with fixes, trips, fences and events. (default: \(StorePath.standardDescription))",
      valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var store: String?

  @Option(
    help: ArgumentHelp("Device to use, in a store with several devices.", valueName: "name"),
    transform: StoreOptions.device)
  var device: DeviceID?

  func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store requires a file") }
  }

  static func device(_ name: String) throws -> DeviceID {
    guard !name.isEmpty else { throw ValidationError("a device name must have at least one character") }
    return DeviceID(rawValue: name)
  }

  /// The selected store and device.
  var selection: StoreSelection { StoreSelection(file: store, device: device) }

  /// Returns the path of the store, whether or not the file exists.
  func path() throws(CommandError) -> StorePath { try selection.path() }
}
