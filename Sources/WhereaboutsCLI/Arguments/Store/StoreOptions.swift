import ArgumentParser
import Whereabouts

/// The options for a store and a device in the store. Every command that reads a store shares these options.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The store: a file that keeps fixes, trips, fences and events. The standard is \(StorePath.standardDescription).
      """, valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var store: String?

  @Option(
    help: ArgumentHelp("Whose, where a store holds more than this device.", valueName: "name"),
    transform: StoreOptions.device)
  var device: DeviceID?

  init() {}

  func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store needs a file") }
  }

  static func device(_ name: String) throws -> DeviceID {
    guard !name.isEmpty else { throw ValidationError("a device has a name") }
    return DeviceID(rawValue: name)
  }

  /// Returns the path of the store, whether or not the file exists.
  func path() throws(CommandError) -> StorePath {
    if let store { return StorePath(store) }
    guard let standard = StorePath.standard else {
      throw CommandError(
        "could not tell where the store is: there is no home; --store says it", code: .usage)
    }
    return standard
  }
}
